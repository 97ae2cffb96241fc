//! Details of a TLS or DTLS handshake, for diagnosis.

/// The details of one handshake. They are filled in during the handshake and available even if it
/// fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// The negotiated version, such as `TLSv1.3`.
    pub version: Option<&'static str>,
    /// The negotiated cipher suite.
    pub suite: Option<String>,
    /// The key exchange group.
    pub group: Option<String>,
    /// The certificates that the peer presented, in DER, the leaf first, even if they were
    /// rejected.
    pub presented: Vec<Vec<u8>>,
    /// `true` if the server has requested a client certificate; `None` if that is not known.
    pub requests_client_certificate: Option<bool>,
}
