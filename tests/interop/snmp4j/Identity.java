import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Properties;

import org.snmp4j.mp.CounterSupport;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.DtlsAddress;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TlsAddress;
import org.snmp4j.transport.DTLSTM;
import org.snmp4j.transport.TLSTM;
import org.snmp4j.transport.tls.TlsTmSecurityCallback;
import org.snmp4j.transport.tls.TlsTransportMappingConfig;

/** A certificate with its key, and the authority of the peers. */
record Identity(Path certificate, Path key, Path authority) {
    private static final String STORE_PASSWORD = "interop";

    /** The identity whose certificate is the value of `name`, with the key beside it. */
    static Identity from(Properties settings, String name) {
        String certificate = settings.getProperty(name);
        return new Identity(Path.of(certificate), Path.of(certificate.replaceFirst("pem$", "key")),
                Path.of(settings.getProperty("authority")));
    }

    TLSTM tls(String address, boolean isServer, String... versions) throws IOException, GeneralSecurityException {
        TLSTM transport = new TLSTM(new CommonNames(), new TlsAddress(address), CounterSupport.getInstance(), isServer);
        transport.setProtocolVersions(versions);
        install(transport);
        return transport;
    }

    DTLSTM dtls(String address, boolean isServer) throws IOException, GeneralSecurityException {
        DTLSTM transport = new DTLSTM(new CommonNames(), new DtlsAddress(address), CounterSupport.getInstance(), isServer);
        // SNMP4J waits for this time when it closes the transport.
        transport.setSocketTimeout(100);
        install(transport);
        return transport;
    }

    private void install(TlsTransportMappingConfig<X509Certificate> transport) throws IOException, GeneralSecurityException {
        transport.setKeyStore(keyStore());
        transport.setKeyStorePassword(STORE_PASSWORD);
        transport.setTrustStore(trustStore());
        transport.setTrustStorePassword(STORE_PASSWORD);
    }

    private String keyStore() throws IOException, GeneralSecurityException {
        String pem = Files.readString(key).replaceAll("-----[^-]*-----", "");
        byte[] der = Base64.getMimeDecoder().decode(pem);
        PrivateKey secret = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        return store("key", store -> store.setKeyEntry("own", secret, STORE_PASSWORD.toCharArray(),
                new Certificate[] {read(certificate)}));
    }

    private String trustStore() throws IOException, GeneralSecurityException {
        return store("trust", store -> store.setCertificateEntry("authority", read(authority)));
    }

    private String store(String suffix, Filler filler) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        filler.fill(store);
        Path file = Path.of(certificate + "." + suffix + ".p12");
        try (OutputStream output = Files.newOutputStream(file)) {
            store.store(output, STORE_PASSWORD.toCharArray());
        }
        return file.toString();
    }

    private static Certificate read(Path file) throws IOException, GeneralSecurityException {
        try (InputStream input = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(input);
        }
    }

    @FunctionalInterface
    private interface Filler {
        void fill(KeyStore store) throws IOException, GeneralSecurityException;
    }

    /** Maps a peer's certificate to its common name, and leaves trust to the trust store. */
    private static final class CommonNames implements TlsTmSecurityCallback<X509Certificate> {
        @Override
        public OctetString getSecurityName(X509Certificate[] chain) {
            return new OctetString(chain[0].getSubjectX500Principal().getName().replaceFirst("^CN=", ""));
        }

        @Override
        public boolean isClientCertificateAccepted(X509Certificate certificate) {
            return false;
        }

        @Override
        public boolean isServerCertificateAccepted(X509Certificate[] chain) {
            return false;
        }

        @Override
        public boolean isAcceptedIssuer(X509Certificate certificate) {
            return true;
        }

        @Override
        public String getLocalCertificateAlias(Address target) {
            return "own";
        }
    }
}
