//! The holder of a certificate.

use portreeve_channel::AlternativeName;

/// The holder of a certificate, as the authority names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The purpose of the certificate.
    pub role: HolderRole,
    /// The CommonName of an X.509 certificate, and the key ID of an SSH certificate. A CommonName
    /// has at most 64 characters; X.509 certificates omit a longer one.
    pub name: String,
    /// The names in the extension subjectAltName.
    pub alternative_names: Vec<AlternativeName>,
    /// The users or hosts in an SSH certificate.
    pub principals: Vec<String>,
    /// The networks and addresses from which an SSH user certificate is valid, separated by commas.
    pub source_address: Option<String>,
}

impl Holder {
    /// Creates a holder with one name, which is also the principal.
    pub fn new(role: HolderRole, name: &str) -> Self {
        Self {
            role,
            name: name.to_owned(),
            alternative_names: Vec::new(),
            principals: vec![name.to_owned()],
            source_address: None,
        }
    }

    /// Returns the holder with these names in subjectAltName.
    pub fn with_names(self, alternative_names: Vec<AlternativeName>) -> Self {
        Self { alternative_names, ..self }
    }
}

/// The purpose of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HolderRole {
    /// The certificate is for a server.
    Host,
    /// The certificate is for a client.
    User,
}
