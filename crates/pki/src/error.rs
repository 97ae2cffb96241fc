//! Why something cannot be made.

use std::fmt;

/// Why something cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PkiError {
    /// The file has something else in it, or something that is broken.
    WrongContent(&'static str),
    /// A certificate that may not sign others.
    NotAuthority,
    /// A certificate and a key that do not belong together.
    KeyMismatch,
    /// The key has a pass phrase, and none was given.
    PassPhraseRequired,
    /// The pass phrase is another.
    WrongPassPhrase,
    /// A request that its key's holder has not signed.
    BadRequestSignature,
    /// A certificate that another has signed, or nobody.
    NotSignedByAuthority,
    /// A certificate with something that its successor would not have.
    NotRenewable(&'static str),
    /// A name that certificates cannot have.
    BadName(String),
    /// What the library says.
    Other(String),
}

impl PkiError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::WrongContent(_) => "compare with what `portreeve keys show FILE` says of it",
            Self::NotAuthority => "name the certificate of an authority, with CA:TRUE in it",
            Self::KeyMismatch => "put the two files of one authority together again",
            Self::PassPhraseRequired => "give it in a file, by --passphrase-file, or answer on a terminal",
            Self::WrongPassPhrase => {
                "try another one; without it the key is lost, and a new authority is needed"
            }
            Self::BadRequestSignature => "have the request made again by whoever holds the key",
            Self::NotSignedByAuthority => {
                "have it renewed by whoever has signed it; --dir names another folder"
            }
            Self::NotRenewable(_) => "have another one made where it comes from",
            Self::BadName(_) => "take ASCII letters; a domain in its xn-- form",
            Self::Other(_) => return None,
        })
    }
}

impl fmt::Display for PkiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongContent(what) => write!(f, "not {what}"),
            Self::NotAuthority => f.write_str("a certificate that may sign nothing"),
            Self::KeyMismatch => f.write_str("the certificate is of another key"),
            Self::PassPhraseRequired => f.write_str("the key has a pass phrase"),
            Self::WrongPassPhrase => f.write_str("the pass phrase is wrong"),
            Self::BadRequestSignature => f.write_str("the request's signature is not its key's"),
            Self::NotSignedByAuthority => f.write_str("not signed by the authority of this folder"),
            Self::NotRenewable(what) => write!(f, "it has {what}, which its successor would not have"),
            Self::BadName(name) => write!(f, "{name:?} cannot stand in a certificate"),
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
