import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.mp.MessageProcessingModel;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.mp.StatusInformation;
import org.snmp4j.security.SecurityModel;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.Null;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * A small agent based on SNMP4J. Reads settings from standard input, prints `ready`, and exits at the
 * end of standard input.
 */
public final class Agent implements CommandResponder {
    private static final OID SYSTEM = new OID("1.3.6.1.2.1.1");
    private static final OID IF_ENTRY = new OID("1.3.6.1.2.1.2.2.1");
    private static final Set<OID> WRITABLE = Set.of(scalar(4), scalar(5), scalar(6));

    private final Map<String, Boolean> mayWrite;
    private final ConcurrentSkipListMap<OID, Variable> objects = new ConcurrentSkipListMap<>();

    public static void main(String[] arguments) throws Exception {
        Properties settings = Engine.readSettings();
        Engine engine = new Engine(User.all(settings));
        String port = settings.getProperty("port");
        if (settings.containsKey("certificate")) {
            Identity identity = Identity.from(settings, "certificate");
            engine.snmp.addTransportMapping(identity.tls("127.0.0.1/" + port, true, "TLSv1.3", "TLSv1.2"));
            engine.snmp.addTransportMapping(identity.dtls("127.0.0.1/" + port, true));
        } else {
            UdpAddress address = new UdpAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
            engine.snmp.addTransportMapping(new DefaultUdpTransportMapping(address));
        }
        engine.snmp.addCommandResponder(new Agent(
                Map.of(settings.getProperty("read", ""), false, settings.getProperty("write", "none"), true)));
        engine.snmp.listen();
        System.out.println("ready");
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
        System.exit(0);
    }

    /** Creates an agent with these communities, and whether each may write. */
    private Agent(Map<String, Boolean> communities) {
        mayWrite = communities;
        objects.put(scalar(1), new OctetString("SNMP4J"));
        objects.put(scalar(2), new OID("1.3.6.1.4.1.4976"));
        objects.put(scalar(3), new TimeTicks(4711));
        objects.put(scalar(4), new OctetString("admin"));
        objects.put(scalar(5), new OctetString("peer"));
        objects.put(scalar(6), new OctetString("lab"));
        for (int row = 1; row <= 2; row++) {
            objects.put(cell(1, row), new Integer32(row));
            objects.put(cell(2, row), new OctetString("port " + row));
            objects.put(cell(3, row), new Integer32(6));
            objects.put(cell(10, row), new Counter32(1000 * row));
        }
    }

    private static OID scalar(int arc) {
        return new OID(SYSTEM).append(arc).append(0);
    }

    private static OID cell(int column, int row) {
        return new OID(IF_ENTRY).append(column).append(row);
    }

    @Override
    public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
        PDU request = event.getPDU();
        boolean isCommunity = event.getSecurityModel() != SecurityModel.SECURITY_MODEL_USM
                && event.getSecurityModel() != SecurityModel.SECURITY_MODEL_TSM;
        Boolean writer = isCommunity ? mayWrite.get(new String(event.getSecurityName())) : Boolean.TRUE;
        if (request == null || writer == null) {
            return;
        }
        event.setProcessed(true);
        PDU response = (PDU) request.clone();
        response.setType(PDU.RESPONSE);
        response.setVariableBindings(List.of());
        // In a GETBULK request, these fields contain non-repeaters and max-repetitions.
        response.setErrorStatus(PDU.noError);
        response.setErrorIndex(0);
        boolean isV1 = event.getMessageProcessingModel() == MessageProcessingModel.MPv1;
        switch (request.getType()) {
            case PDU.GET -> request.getVariableBindings().forEach(bound -> response.add(get(bound.getOid())));
            case PDU.GETNEXT -> request.getVariableBindings().forEach(bound -> response.add(next(bound.getOid())));
            case PDU.GETBULK -> bulk(request, response);
            case PDU.SET -> set(request, response, writer, isV1);
            default -> {
                return;
            }
        }
        if (isV1) {
            replaceExceptions(request, response);
        }
        reply(event, response);
    }

    private VariableBinding get(OID name) {
        return new VariableBinding(name, objects.getOrDefault(name, Null.noSuchInstance));
    }

    private VariableBinding next(OID name) {
        Map.Entry<OID, Variable> next = objects.higherEntry(name);
        return next == null ? new VariableBinding(name, Null.endOfMibView) : new VariableBinding(next.getKey(), next.getValue());
    }

    private void bulk(PDU request, PDU response) {
        int single = Math.min(request.getNonRepeaters(), request.size());
        for (int index = 0; index < single; index++) {
            response.add(next(request.get(index).getOid()));
        }
        for (int index = single; index < request.size(); index++) {
            response.add(next(request.get(index).getOid()));
        }
        int width = request.size() - single;
        for (int round = 1; width > 0 && round < Math.min(request.getMaxRepetitions(), 50); round++) {
            for (int index = 0; index < width; index++) {
                response.add(next(response.get(response.size() - width).getOid()));
            }
        }
    }

    private void set(PDU request, PDU response, boolean writer, boolean isV1) {
        response.addAll(request.getVariableBindings());
        for (int index = 0; index < request.size(); index++) {
            if (!writer || !WRITABLE.contains(request.get(index).getOid())) {
                response.setErrorStatus(isV1 ? PDU.noSuchName : writer ? PDU.notWritable : PDU.noAccess);
                response.setErrorIndex(index + 1);
                return;
            }
        }
        request.getVariableBindings().forEach(bound -> objects.put(bound.getOid(), bound.getVariable()));
    }

    /** SNMPv1 has an error-status instead of exceptions (RFC 3584 §4.2.2). */
    private static void replaceExceptions(PDU request, PDU response) {
        for (int index = 0; index < response.size(); index++) {
            if (response.get(index).isException()) {
                response.setVariableBindings(request.getVariableBindings());
                response.setErrorStatus(PDU.noSuchName);
                response.setErrorIndex(index + 1);
                return;
            }
        }
    }

    private static <A extends Address> void reply(CommandResponderEvent<A> event, PDU response) {
        try {
            event.getMessageDispatcher().returnResponsePdu(event.getMessageProcessingModel(), event.getSecurityModel(),
                    event.getSecurityName(), event.getSecurityLevel(), response, event.getMaxSizeResponsePDU(),
                    event.getStateReference(), new StatusInformation());
        } catch (MessageException error) {
            System.err.println("cannot respond: " + error);
        }
    }
}
