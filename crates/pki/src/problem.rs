//! Why something cannot be made.

use std::fmt;

/// Why something cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file has something else in it, or something that is broken.
    NotA(&'static str),
    /// A certificate that may not sign others.
    NoAuthority,
    /// A certificate and a key that do not belong together.
    OtherKey,
    /// The key has a pass phrase, and none was given.
    Sealed,
    /// The pass phrase is another.
    WrongPassPhrase,
    /// A request that its key's holder has not signed.
    ForgedRequest,
    /// A certificate that another has signed, or nobody.
    OtherAuthority,
    /// A certificate with something that its successor would not have.
    Unlike(&'static str),
    /// A name that certificates cannot have.
    BadName(String),
    /// What the library says.
    Failed(String),
}

impl Problem {
    /// What to do about it.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotA(_) => "compare with what `portreeve keys show FILE` says of it",
            Self::NoAuthority => "name the certificate of an authority, with CA:TRUE in it",
            Self::OtherKey => "put the two files of one authority together again",
            Self::Sealed => "give it in a file, by --passphrase-file, or answer on a terminal",
            Self::WrongPassPhrase => {
                "try another one; without it the key is lost, and a new authority is needed"
            }
            Self::ForgedRequest => "have the request made again by whoever holds the key",
            Self::OtherAuthority => "have it renewed by whoever has signed it; --dir names another folder",
            Self::Unlike(_) => "have another one made where it comes from",
            Self::BadName(_) => "take ASCII letters; a domain in its xn-- form",
            Self::Failed(_) => return None,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotA(what) => write!(f, "not {what}"),
            Self::NoAuthority => f.write_str("a certificate that may sign nothing"),
            Self::OtherKey => f.write_str("the certificate is of another key"),
            Self::Sealed => f.write_str("the key has a pass phrase"),
            Self::WrongPassPhrase => f.write_str("the pass phrase is wrong"),
            Self::ForgedRequest => f.write_str("the request's signature is not its key's"),
            Self::OtherAuthority => f.write_str("not signed by the authority of this folder"),
            Self::Unlike(what) => write!(f, "it has {what}, which its successor would not have"),
            Self::BadName(name) => write!(f, "{name:?} cannot stand in a certificate"),
            Self::Failed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Problem {}

impl From<rcgen::Error> for Problem {
    fn from(error: rcgen::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<ssh_key::Error> for Problem {
    fn from(error: ssh_key::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
