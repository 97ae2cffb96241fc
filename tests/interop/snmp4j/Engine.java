import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

import org.snmp4j.MessageDispatcher;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.Snmp;
import org.snmp4j.mp.CounterSupport;
import org.snmp4j.mp.MPv1;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.MPv3;
import org.snmp4j.security.Priv3DES;
import org.snmp4j.security.SecurityModel;
import org.snmp4j.security.SecurityModels;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.TSM;
import org.snmp4j.security.USM;
import org.snmp4j.smi.OctetString;

/** An SNMP4J engine with the users and certificates of a test. */
final class Engine {
    static {
        SecurityProtocols.getInstance().addPredefinedProtocolSet(SecurityProtocols.SecurityProtocolSet.any);
        SecurityProtocols.getInstance().addPrivacyProtocol(new Priv3DES());
    }

    final Snmp snmp;

    /** Creates an engine without transports. */
    Engine(List<User> users) {
        OctetString id = new OctetString(MPv3.createLocalEngineID());
        USM usm = new USM(SecurityProtocols.getInstance(), id, 1);
        users.forEach(user -> usm.addUser(user.usm()));
        SecurityModels models = SecurityModels.getCollection(new SecurityModel[] {usm, new TSM(id, false)});
        MessageDispatcher dispatcher = new MessageDispatcherImpl();
        dispatcher.addMessageProcessingModel(new MPv1());
        dispatcher.addMessageProcessingModel(new MPv2c());
        dispatcher.addMessageProcessingModel(new MPv3(id.getValue(), null, SecurityProtocols.getInstance(), models,
                CounterSupport.getInstance()));
        snmp = new Snmp(dispatcher);
    }

    /** Reads the settings, one `key=value` in each line, until an empty line. */
    static Properties readSettings() throws IOException {
        StringBuilder lines = new StringBuilder();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null && !line.isEmpty(); line = input.readLine()) {
            lines.append(line).append('\n');
        }
        Properties settings = new Properties();
        settings.load(new StringReader(lines.toString()));
        return settings;
    }
}
