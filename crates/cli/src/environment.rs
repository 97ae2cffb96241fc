//! Every environment variable the command reads, so that a pass phrase need not stand in an argument.

use std::os::unix::ffi::OsStringExt;

use portreeve_secret::Secret;

/// An environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// The authentication pass phrase, where `-A` is not given.
    AuthPass,
    /// The privacy pass phrase, where `-X` is not given.
    PrivPass,
}

impl Variable {
    pub(crate) const ALL: [Self; 2] = [Self::AuthPass, Self::PrivPass];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AuthPass => "PORTREEVE_AUTH_PASS",
            Self::PrivPass => "PORTREEVE_PRIV_PASS",
        }
    }

    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::AuthPass => "authentication pass phrase, unless -A is given",
            Self::PrivPass => "privacy pass phrase, unless -X is given",
        }
    }

    /// Its value; empty counts as unset.
    pub(crate) fn secret(self) -> Option<Secret> {
        let value = std::env::var_os(self.name())?.into_vec();
        Some(Secret::new(value)).filter(|secret| !secret.is_empty())
    }
}
