//! What a handshake of TLS or DTLS has shown so far, for whoever observes it.

/// Filled in as the handshake goes on, and still there where it fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// The version agreed on, as `TLSv1.3`.
    pub version: Option<&'static str>,
    /// The cipher suite agreed on.
    pub suite: Option<String>,
    /// In which group keys are exchanged.
    pub group: Option<String>,
    /// The certificates that the peer has presented, in DER, its own first; also those that were refused.
    pub presented: Vec<Vec<u8>>,
    /// Whether the server has asked for a certificate of the client's; `None` where that cannot be known.
    pub requests_client_certificate: Option<bool>,
}
