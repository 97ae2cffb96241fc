//! Handshake signature verification, which every rustls verifier implements in the same way.

/// Implements the signature methods of a verifier that has a method `algorithms`.
macro_rules! checks_signatures {
    () => {
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            leaf: &rustls::pki_types::CertificateDer<'_>,
            signed: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            rustls::crypto::verify_tls12_signature(message, leaf, signed, self.algorithms())
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            leaf: &rustls::pki_types::CertificateDer<'_>,
            signed: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            rustls::crypto::verify_tls13_signature(message, leaf, signed, self.algorithms())
        }

        fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
            self.algorithms().supported_schemes()
        }
    };
}

pub(crate) use checks_signatures;
