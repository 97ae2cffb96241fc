//! Errors of key and certificate operations.

use std::fmt;

/// The reason why a key or certificate cannot be created or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PkiError {
    /// The file contains something else, or is malformed.
    WrongContent(&'static str),
    /// A certificate that may not sign others.
    NotAuthority,
    /// A certificate and a key that do not belong together.
    KeyMismatch,
    /// The key is encrypted, and no pass phrase was given.
    PassPhraseRequired,
    /// The pass phrase is wrong.
    WrongPassPhrase,
    /// A request that is not signed with its own key.
    BadRequestSignature,
    /// A certificate that this authority did not sign.
    NotSignedByAuthority,
    /// A certificate that cannot be renewed, because the new certificate would lose some content.
    NotRenewable(&'static str),
    /// A name that certificates cannot contain.
    BadName(String),
    /// An error of a library, as text.
    Other(String),
}

impl PkiError {
    /// Returns a hint on how to fix the error.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::WrongContent(_) => "check its content with `portreeve keys show FILE`",
            Self::NotAuthority => "use the certificate of an authority, which contains CA:TRUE",
            Self::KeyMismatch => "use a certificate and key of the same authority",
            Self::PassPhraseRequired => {
                "specify --passphrase-file FILE, or enter the pass phrase at a terminal"
            }
            Self::WrongPassPhrase => {
                "try another pass phrase; without the right pass phrase, the key cannot be used, and you need a new authority"
            }
            Self::BadRequestSignature => "ask the owner of the key for a new request",
            Self::NotSignedByAuthority => {
                "renew the certificate with the authority that signed it; specify the directory of that authority with --dir"
            }
            Self::NotRenewable(_) => "request a new certificate from its issuer",
            Self::BadName(_) => "use ASCII letters; write internationalized domain names in their xn-- form",
            Self::Other(_) => return None,
        })
    }
}

impl fmt::Display for PkiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongContent(what) => write!(f, "not {what}"),
            Self::NotAuthority => f.write_str("the certificate is not allowed to sign other certificates"),
            Self::KeyMismatch => f.write_str("the key does not match the certificate"),
            Self::PassPhraseRequired => f.write_str("the key is encrypted with a pass phrase"),
            Self::WrongPassPhrase => f.write_str("the pass phrase is wrong"),
            Self::BadRequestSignature => f.write_str("the request is not signed with its own key"),
            Self::NotSignedByAuthority => f.write_str("not signed by the authority in this directory"),
            Self::NotRenewable(what) => write!(f, "cannot renew a certificate with {what}"),
            Self::BadName(name) => write!(f, "{name:?} is not valid in a certificate"),
            Self::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for PkiError {}

impl From<rcgen::Error> for PkiError {
    fn from(error: rcgen::Error) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<ssh_key::Error> for PkiError {
    fn from(error: ssh_key::Error) -> Self {
        Self::Other(error.to_string())
    }
}
