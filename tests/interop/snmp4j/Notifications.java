import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.snmp4j.CertifiedTarget;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.CommunityTarget;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.PDUv1;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Target;
import org.snmp4j.UserTarget;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.MessageProcessingModel;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.mp.StatusInformation;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.DtlsAddress;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.IpAddress;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.SMIConstants;
import org.snmp4j.smi.TcpAddress;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.TlsAddress;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultTcpTransportMapping;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * Sends or receives notifications with SNMP4J. Reads settings from standard input, prints `ready`, and
 * exits at the end of standard input.
 *
 * <p>As a sender, it sends a notification for each further line, with the fields KIND, VERSION,
 * PRINCIPAL, LEVEL and TRANSPORT, and answers `sent`, or the reason why not. As a receiver, it prints a
 * line for each notification, with the first four of these fields, the snmpTrapOID and the variables. The
 * fields are separated by tabs.
 */
public final class Notifications implements CommandResponder {
    private static final OID SNMP_TRAPS = new OID("1.3.6.1.6.3.1.1.5");
    private static final int TIMEOUT_MS = 20000;
    private static final int RETRIES = 0;

    private final Properties settings;
    private final Engine engine;
    /** The transports of the sender, by name. They are opened when they are used. */
    private final Map<String, Boolean> opened = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        Properties settings = Engine.readSettings();
        Notifications program = new Notifications(settings);
        if (settings.containsKey("port")) {
            program.listen();
            System.out.println("ready");
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        } else {
            System.out.println("ready");
            program.sendAll();
        }
        System.exit(0);
    }

    private Notifications(Properties settings) {
        this.settings = settings;
        engine = new Engine(User.all(settings));
    }

    // --- the receiver

    private void listen() throws IOException, GeneralSecurityException {
        String own = "127.0.0.1/" + settings.getProperty("port");
        String sessions = "127.0.0.1/" + settings.getProperty("session-port");
        Identity identity = Identity.from(settings, "agent");
        engine.snmp.addTransportMapping(new DefaultUdpTransportMapping(new UdpAddress(own)));
        engine.snmp.addTransportMapping(new DefaultTcpTransportMapping(new TcpAddress(own)));
        engine.snmp.addTransportMapping(identity.tls(sessions, true, "TLSv1.3", "TLSv1.2"));
        engine.snmp.addTransportMapping(identity.dtls(sessions, true));
        engine.snmp.addCommandResponder(this);
        engine.snmp.listen();
    }

    @Override
    public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
        PDU pdu = event.getPDU();
        if (pdu.getType() != PDU.INFORM && pdu.getType() != PDU.TRAP && pdu.getType() != PDU.V1TRAP) {
            return;
        }
        boolean isInform = pdu.getType() == PDU.INFORM;
        StringBuilder line = new StringBuilder(isInform ? "inform" : "trap").append('\t');
        line.append(switch (event.getMessageProcessingModel()) {
            case MessageProcessingModel.MPv1 -> "v1";
            case MessageProcessingModel.MPv2c -> "v2c";
            default -> "v3";
        });
        line.append('\t').append(new String(event.getSecurityName(), StandardCharsets.UTF_8));
        line.append('\t').append(List.of("", "noAuthNoPriv", "authNoPriv", "authPriv").get(event.getSecurityLevel()));
        List<? extends VariableBinding> variables = pdu.getVariableBindings();
        if (pdu instanceof PDUv1 trap) {
            line.append('\t').append(trapOid(trap));
            append(line, SnmpConstants.sysUpTime, new TimeTicks(trap.getTimestamp()));
        } else {
            line.append('\t').append(variables.get(1).getVariable());
            append(line, SnmpConstants.sysUpTime, variables.get(0).getVariable());
            variables = variables.subList(2, variables.size());
        }
        variables.forEach(bound -> append(line, bound.getOid(), bound.getVariable()));
        System.out.println(line);
        event.setProcessed(true);
        if (isInform) {
            acknowledge(event, pdu);
        }
    }

    /** The snmpTrapOID of a trap of SNMPv1 (RFC 3584 §3.1). */
    private static OID trapOid(PDUv1 trap) {
        if (trap.getGenericTrap() == PDUv1.ENTERPRISE_SPECIFIC) {
            return new OID(trap.getEnterprise()).append(0).append(trap.getSpecificTrap());
        }
        return new OID(SNMP_TRAPS).append(trap.getGenericTrap() + 1);
    }

    private static void append(StringBuilder line, OID name, Variable value) {
        String text = switch (value.getSyntax()) {
            case SMIConstants.SYNTAX_TIMETICKS -> "t:" + value.toLong();
            case SMIConstants.SYNTAX_INTEGER -> "i:" + value;
            case SMIConstants.SYNTAX_IPADDRESS -> "a:" + value;
            case SMIConstants.SYNTAX_COUNTER64 -> "C:" + value;
            case SMIConstants.SYNTAX_OBJECT_IDENTIFIER -> "o:" + value;
            case SMIConstants.SYNTAX_OCTET_STRING -> "s:" + value;
            default -> value.getSyntaxString() + ":" + value;
        };
        line.append('\t').append(name).append('=').append(text);
    }

    private static <A extends Address> void acknowledge(CommandResponderEvent<A> event, PDU inform) {
        PDU response = (PDU) inform.clone();
        response.setType(PDU.RESPONSE);
        response.setErrorStatus(PDU.noError);
        response.setErrorIndex(0);
        try {
            event.getMessageDispatcher().returnResponsePdu(event.getMessageProcessingModel(), event.getSecurityModel(),
                    event.getSecurityName(), event.getSecurityLevel(), response, event.getMaxSizeResponsePDU(),
                    event.getStateReference(), new StatusInformation());
        } catch (MessageException error) {
            System.err.println("cannot respond: " + error);
        }
    }

    // --- the sender

    private void sendAll() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] fields = line.split("\t", -1);
            try {
                send(fields[0].equals("inform"), fields[1], fields[2], fields[3], fields[4]);
                System.out.println("sent");
            } catch (Exception error) {
                System.out.println(error.toString().replace('\n', ' '));
            }
        }
    }

    private void send(boolean isInform, String version, String principal, String level, String transport) throws Exception {
        open(transport);
        Target<Address> target = target(version, principal, level, transport);
        target.setTimeout(TIMEOUT_MS);
        target.setRetries(RETRIES);
        PDU pdu = version.equals("v1") ? trapV1() : notification(version.equals("v3"), isInform);
        for (int number = 0; settings.containsKey("variable." + number); number++) {
            String[] fields = settings.getProperty("variable." + number).split("\t", 3);
            if (!version.equals("v1") || !fields[1].equals("C")) {
                pdu.add(new VariableBinding(new OID(fields[0]), value(fields[1], fields[2])));
            }
        }
        ResponseEvent<Address> event = engine.snmp.send(pdu, target);
        if (isInform && event.getResponse() == null) {
            throw new IOException("no response: " + event.getError());
        }
        if (isInform && event.getResponse().getErrorStatus() != PDU.noError) {
            throw new IOException(event.getResponse().toString());
        }
    }

    private void open(String transport) throws IOException, GeneralSecurityException {
        if (opened.put(transport, true) != null) {
            return;
        }
        var mapping = switch (transport) {
            case "udp" -> new DefaultUdpTransportMapping();
            case "tcp" -> new DefaultTcpTransportMapping();
            case "tls" -> Identity.from(settings, "certificate").tls("127.0.0.1/0", false, "TLSv1.3", "TLSv1.2");
            default -> Identity.from(settings, "certificate").dtls("127.0.0.1/0", false);
        };
        engine.snmp.addTransportMapping(mapping);
        mapping.listen();
    }

    private Target<Address> target(String version, String principal, String level, String transport) {
        String to = settings.getProperty(transport);
        Address address = switch (transport) {
            case "udp" -> new UdpAddress(to);
            case "tcp" -> new TcpAddress(to);
            case "tls" -> new TlsAddress(to);
            default -> new DtlsAddress(to);
        };
        if (address instanceof TlsAddress || address instanceof DtlsAddress) {
            Target<Address> target = new CertifiedTarget<>(address, new OctetString("agent"), null, null);
            target.setVersion(SnmpConstants.version3);
            target.setSecurityLevel(org.snmp4j.security.SecurityLevel.AUTH_PRIV);
            return target;
        }
        if (!version.equals("v3")) {
            Target<Address> target = new CommunityTarget<>(address, new OctetString(principal));
            target.setVersion(version.equals("v1") ? SnmpConstants.version1 : SnmpConstants.version2c);
            return target;
        }
        Target<Address> target = new UserTarget<>();
        target.setAddress(address);
        target.setVersion(SnmpConstants.version3);
        target.setSecurityName(new OctetString(principal));
        target.setSecurityLevel(List.of("", "noAuthNoPriv", "authNoPriv", "authPriv").indexOf(level));
        return target;
    }

    private PDU notification(boolean isScoped, boolean isInform) {
        PDU pdu = isScoped ? new ScopedPDU() : new PDU();
        pdu.setType(isInform ? PDU.INFORM : PDU.TRAP);
        pdu.add(new VariableBinding(SnmpConstants.sysUpTime, new TimeTicks(4200)));
        pdu.add(new VariableBinding(SnmpConstants.snmpTrapOID, new OID(settings.getProperty("trap-oid"))));
        return pdu;
    }

    /** A trap of SNMPv1 with the specific number and the enterprise of the snmpTrapOID. */
    private PDU trapV1() {
        OID trapOid = new OID(settings.getProperty("trap-oid"));
        PDUv1 trap = new PDUv1();
        trap.setType(PDU.V1TRAP);
        trap.setSpecificTrap(trapOid.last());
        trap.setGenericTrap(PDUv1.ENTERPRISE_SPECIFIC);
        trap.setEnterprise(new OID(trapOid.getValue(), 0, trapOid.size() - 2));
        trap.setAgentAddress(new IpAddress("192.0.2.1"));
        trap.setTimestamp(4200);
        return trap;
    }

    private static Variable value(String letter, String text) {
        return switch (letter) {
            case "i" -> new Integer32(Integer.parseInt(text));
            case "t" -> new TimeTicks(Long.parseLong(text));
            case "a" -> new IpAddress(text);
            case "C" -> new Counter64(Long.parseUnsignedLong(text));
            case "o" -> new OID(text);
            default -> new OctetString(text);
        };
    }
}
