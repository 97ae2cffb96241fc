import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.snmp4j.security.AuthHMAC128SHA224;
import org.snmp4j.security.AuthHMAC192SHA256;
import org.snmp4j.security.AuthHMAC256SHA384;
import org.snmp4j.security.AuthHMAC384SHA512;
import org.snmp4j.security.AuthMD5;
import org.snmp4j.security.AuthSHA;
import org.snmp4j.security.Priv3DES;
import org.snmp4j.security.PrivAES128;
import org.snmp4j.security.PrivAES192;
import org.snmp4j.security.PrivAES256;
import org.snmp4j.security.PrivDES;
import org.snmp4j.security.UsmUser;
import org.snmp4j.security.nonstandard.PrivAES192With3DESKeyExtension;
import org.snmp4j.security.nonstandard.PrivAES256With3DESKeyExtension;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** A user of the User-based Security Model; algorithms have Net-SNMP's names. */
record User(String name, String level, String auth, String authPass, String priv, String privPass) {
    private static final Map<String, OID> PROTOCOLS = Map.ofEntries(
            Map.entry("MD5", AuthMD5.ID), Map.entry("SHA", AuthSHA.ID), Map.entry("SHA-224", AuthHMAC128SHA224.ID),
            Map.entry("SHA-256", AuthHMAC192SHA256.ID), Map.entry("SHA-384", AuthHMAC256SHA384.ID),
            Map.entry("SHA-512", AuthHMAC384SHA512.ID), Map.entry("DES", PrivDES.ID),
            Map.entry("3DES", Priv3DES.ID), Map.entry("AES", PrivAES128.ID),
            Map.entry("AES-192", PrivAES192.ID), Map.entry("AES-256", PrivAES256.ID),
            Map.entry("AES-192-C", PrivAES192With3DESKeyExtension.ID),
            Map.entry("AES-256-C", PrivAES256With3DESKeyExtension.ID));

    /** Parses fields that are separated by tabs. */
    static User parse(String line) {
        String[] fields = line.split("\t", 6);
        return new User(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]);
    }

    /** The users in the settings, in order. */
    static List<User> all(Properties settings) {
        List<User> users = new ArrayList<>();
        for (int number = 0; settings.containsKey("user." + number); number++) {
            users.add(parse(settings.getProperty("user." + number)));
        }
        return users;
    }

    UsmUser usm() {
        return new UsmUser(new OctetString(name), protocol(auth), pass(authPass), protocol(priv), pass(privPass));
    }

    private static OID protocol(String algorithm) {
        return algorithm.isEmpty() ? null : PROTOCOLS.get(algorithm);
    }

    private static OctetString pass(String phrase) {
        return phrase.isEmpty() ? null : new OctetString(phrase);
    }
}
