import java.io.IOException;
import java.util.List;
import java.util.Properties;

import org.snmp4j.CertifiedTarget;
import org.snmp4j.CommunityTarget;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.SNMP4JSettings;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Target;
import org.snmp4j.TransportMapping;
import org.snmp4j.UserTarget;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.DtlsAddress;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.SMIConstants;
import org.snmp4j.smi.TcpAddress;
import org.snmp4j.smi.TlsAddress;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultTcpTransportMapping;
import org.snmp4j.transport.DefaultUdpTransportMapping;
import org.snmp4j.util.DefaultPDUFactory;
import org.snmp4j.util.TreeEvent;
import org.snmp4j.util.TreeUtils;

/**
 * Reads and writes with SNMP4J. Reads settings from standard input. Prints a line `ok TITLE` or `FAIL
 * TITLE: REASON` for each check.
 */
public final class Manager {
    private static final OID SYSTEM = new OID("1.3.6.1.2.1.1");
    private static final OID SYS_DESCR = new OID("1.3.6.1.2.1.1.1.0");
    private static final OID SYS_UP_TIME = new OID("1.3.6.1.2.1.1.3.0");
    private static final OID SYS_CONTACT = new OID("1.3.6.1.2.1.1.4.0");
    private static final OID IF_DESCR = new OID("1.3.6.1.2.1.2.2.1.2");
    private static final OID WRONG_DIGESTS = new OID("1.3.6.1.6.3.15.1.1.5.0");

    private final Properties settings;

    public static void main(String[] arguments) throws IOException {
        // Otherwise SNMP4J drops unauthenticated Reports, such as that of a wrong password.
        SNMP4JSettings.setReportSecurityLevelStrategy(SNMP4JSettings.ReportSecurityLevelStrategy.noAuthNoPrivIfNeeded);
        Manager manager = new Manager(Engine.readSettings());
        if (manager.settings.containsKey("certificate")) {
            manager.checkSessions();
        } else {
            manager.checkCommunities();
            manager.checkUsers();
        }
        System.exit(0);
    }

    private Manager(Properties settings) {
        this.settings = settings;
    }

    // --- SNMPv1 and SNMPv2c

    private void checkCommunities() {
        String udp = settings.getProperty("udp");
        String tcp = settings.getProperty("tcp");
        for (int version : new int[] {SnmpConstants.version1, SnmpConstants.version2c}) {
            String name = version == SnmpConstants.version1 ? "v1" : "v2c";
            Opening read = () -> community("read", version, new UdpAddress(udp));
            check(name + " GET reads two objects", read, Manager::reads);
            check(name + " walk reads a subtree", read, Manager::walks);
            check(name + " GET reads two objects over tcp", () -> community("read", version, new TcpAddress(tcp)),
                    Manager::reads);
            check(name + " SET changes sysContact", () -> community("write", version, new UdpAddress(udp)),
                    client -> writes(client, "SNMP4J " + name));
        }
        check("v2c GETBULK reads five variables", () -> community("read", SnmpConstants.version2c, new UdpAddress(udp)),
                Manager::readsInBulk);
    }

    private Client community(String right, int version, Address address) throws IOException {
        CommunityTarget<Address> target = new CommunityTarget<>(address, new OctetString(settings.getProperty(right)));
        target.setVersion(version);
        TransportMapping<?> transport =
                address instanceof TcpAddress ? new DefaultTcpTransportMapping() : new DefaultUdpTransportMapping();
        return new Client(new Engine(List.of()), transport, target);
    }

    // --- the User-based Security Model

    private void checkUsers() {
        for (User user : User.all(settings)) {
            String title = String.join(" ", "v3 GET reads two objects at", user.level(), user.auth(), user.priv());
            check(title.strip().replace("  ", " "), () -> user(user), Manager::reads);
        }
        User writer = User.parse(settings.getProperty("writer"));
        check("v3 SET changes sysContact", () -> user(writer), client -> writes(client, "SNMP4J v3"));
        check("v3 walk reads a subtree", () -> user(writer), Manager::walks);
        User wrong = new User(writer.name(), writer.level(), writer.auth(), "not the password", writer.priv(),
                writer.privPass());
        check("v3 a wrong password is reported", () -> user(wrong), client -> {
            PDU report = client.call(client.request(PDU.GET, SYS_UP_TIME));
            require(report.getType() == PDU.REPORT && report.get(0).getOid().equals(WRONG_DIGESTS), report);
        });
    }

    private Client user(User user) throws IOException {
        UserTarget<Address> target = new UserTarget<>();
        target.setAddress(new UdpAddress(settings.getProperty("udp")));
        target.setVersion(SnmpConstants.version3);
        target.setSecurityName(new OctetString(user.name()));
        target.setSecurityLevel(switch (user.level()) {
            case "noAuthNoPriv" -> SecurityLevel.NOAUTH_NOPRIV;
            case "authNoPriv" -> SecurityLevel.AUTH_NOPRIV;
            default -> SecurityLevel.AUTH_PRIV;
        });
        return new Client(new Engine(List.of(user)), new DefaultUdpTransportMapping(), target);
    }

    // --- TLS and DTLS with the Transport Security Model

    private void checkSessions() {
        Identity own = Identity.from(settings, "certificate");
        Identity other = Identity.from(settings, "other");
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2", "DTLSv1.2"}) {
            check("GET reads two objects over " + protocol, () -> session(own, protocol), Manager::reads);
            check("walk reads a subtree over " + protocol, () -> session(own, protocol), Manager::walks);
            check("twenty requests are answered in one session over " + protocol, () -> session(own, protocol), client -> {
                for (int count = 0; count < 20; count++) {
                    reads(client);
                }
            });
            check("SET of a read-only user is rejected over " + protocol, () -> session(own, protocol), client -> {
                PDU response = client.call(client.set("SNMP4J"));
                require(response.getErrorStatus() == PDU.noAccess, response);
            });
            check("a certificate of another authority gets no response over " + protocol, () -> session(other, protocol),
                    Manager::getsNothing);
        }
    }

    private Client session(Identity identity, String protocol) throws Exception {
        boolean isDatagram = protocol.startsWith("DTLS");
        String address = settings.getProperty(isDatagram ? "dtls" : "tls");
        CertifiedTarget<Address> target = new CertifiedTarget<>(isDatagram ? new DtlsAddress(address) : new TlsAddress(address),
                new OctetString("agent"), null, null);
        target.setVersion(SnmpConstants.version3);
        target.setSecurityLevel(SecurityLevel.AUTH_PRIV);
        TransportMapping<?> transport =
                isDatagram ? identity.dtls("127.0.0.1/0", false) : identity.tls("127.0.0.1/0", false, protocol);
        return new Client(new Engine(List.of()), transport, target);
    }

    // --- checks

    private static void reads(Client client) throws IOException {
        PDU response = client.call(client.request(PDU.GET, SYS_UP_TIME, SYS_DESCR));
        require(response.getErrorStatus() == PDU.noError && response.size() == 2, response);
        require(response.get(0).getOid().equals(SYS_UP_TIME) && response.get(0).getSyntax() == SMIConstants.SYNTAX_TIMETICKS,
                response);
        require(response.get(1).toValueString().length() > 0, response);
    }

    private static void getsNothing(Client client) throws IOException {
        client.target.setTimeout(2000);
        PDU response;
        try {
            response = client.send(client.request(PDU.GET, SYS_DESCR));
        } catch (MessageException closed) {
            return;
        }
        require(response == null, response);
    }

    private static void writes(Client client, String value) throws IOException {
        PDU response = client.call(client.set(value));
        require(response.getErrorStatus() == PDU.noError, response);
        PDU read = client.call(client.request(PDU.GET, SYS_CONTACT));
        require(read.get(0).toValueString().equals(value), read);
    }

    private static void readsInBulk(Client client) throws IOException {
        PDU request = client.request(PDU.GETBULK, IF_DESCR);
        request.setMaxRepetitions(5);
        PDU response = client.call(request);
        require(response.size() == 5 && response.get(0).getOid().startsWith(IF_DESCR), response);
    }

    private static void walks(Client client) {
        TreeUtils utility = new TreeUtils(client.engine.snmp, new DefaultPDUFactory() {
            @Override
            public PDU createPDU(Target<?> target) {
                return client.request(PDU.GETNEXT);
            }
        });
        int count = 0;
        for (TreeEvent event : utility.getSubtree(client.target, SYSTEM)) {
            require(!event.isError(), event.getErrorMessage());
            for (VariableBinding bound : event.getVariableBindings()) {
                require(bound.getOid().startsWith(SYSTEM), bound);
                count++;
            }
        }
        require(count > 5, count + " objects");
    }

    private static void require(boolean isMet, Object found) {
        if (!isMet) {
            throw new IllegalStateException(String.valueOf(found));
        }
    }

    /** Runs a check with a client of its own, as if it were a separate program. */
    private static void check(String title, Opening opening, Check check) {
        try (Client client = opening.open()) {
            check.run(client);
            System.out.println("ok " + title);
        } catch (Exception error) {
            System.out.println(("FAIL " + title + ": " + error).replace('\n', ' '));
        }
    }

    private interface Opening {
        Client open() throws Exception;
    }

    private interface Check {
        void run(Client client) throws IOException;
    }

    /** An engine with one transport and one target. */
    private static final class Client implements AutoCloseable {
        private static final int TIMEOUT_MS = 20000;
        private static final int RETRIES = 0;

        private final Engine engine;
        private final Target<Address> target;

        private Client(Engine engine, TransportMapping<?> transport, Target<Address> target) throws IOException {
            this.engine = engine;
            this.target = target;
            target.setTimeout(TIMEOUT_MS);
            target.setRetries(RETRIES);
            engine.snmp.addTransportMapping(transport);
            transport.listen();
        }

        private PDU request(int type, OID... names) {
            PDU request = target.getVersion() == SnmpConstants.version3 ? new ScopedPDU() : new PDU();
            request.setType(type);
            for (OID name : names) {
                request.add(new VariableBinding(name));
            }
            return request;
        }

        private PDU set(String value) {
            PDU request = request(PDU.SET);
            request.add(new VariableBinding(SYS_CONTACT, new OctetString(value)));
            return request;
        }

        /** Returns the response, or null if there is none. */
        private PDU send(PDU request) throws IOException {
            ResponseEvent<Address> event = engine.snmp.send(request, target);
            return event == null ? null : event.getResponse();
        }

        private PDU call(PDU request) throws IOException {
            PDU response = send(request);
            require(response != null, "no response");
            return response;
        }

        @Override
        public void close() throws IOException {
            engine.snmp.close();
        }
    }
}
