//! Who a certificate is for.

use portreeve_channel::AlternativeName;

/// The holder of a certificate, by its authority's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// What it is for.
    pub role: HolderRole,
    /// The CommonName, and an SSH certificate's key ID. An overlong one is left out of X.509, whose CommonName has at most
    /// 64 characters.
    pub name: String,
    /// subjectAltName.
    pub alternative_names: Vec<AlternativeName>,
    /// The users or hosts whom an SSH certificate names.
    pub principals: Vec<String>,
    /// Whence an SSH certificate of a user holds: networks and addresses, parted by commas.
    pub source_address: Option<String>,
}

impl Holder {
    /// A holder with one name, which is also the principal.
    pub fn new(role: HolderRole, name: &str) -> Self {
        Self {
            role,
            name: name.to_owned(),
            alternative_names: Vec::new(),
            principals: vec![name.to_owned()],
            source_address: None,
        }
    }

    /// The same with these names in subjectAltName.
    pub fn with_names(self, alternative_names: Vec<AlternativeName>) -> Self {
        Self { alternative_names, ..self }
    }
}

/// What a certificate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HolderRole {
    /// A server.
    Host,
    /// A client.
    User,
}
