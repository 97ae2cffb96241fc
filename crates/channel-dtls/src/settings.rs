//! What both ends agree on, and what cannot be set up.

use std::fmt;

use portreeve_x509::Credentials;

use crate::{v12::Context12, v13::Context13};

/// Which versions are spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// DTLS 1.3 where both ends can, else 1.2.
    #[default]
    From12,
    /// DTLS 1.3 only.
    Only13,
    /// DTLS 1.2 only: to measure it, or because the other end's 1.3 is not to be trusted yet.
    Only12,
}

/// How channels are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which versions are spoken.
    pub versions: Versions,
    /// The longest datagram of a handshake, in octets without IP and UDP headers: at least 256. What carries data is as
    /// long as its message.
    pub max_handshake_datagram: u16,
}

impl Default for Settings {
    /// Datagrams that every IPv6 path carries whole.
    fn default() -> Self {
        Self { versions: Versions::default(), max_handshake_datagram: 1280 - 40 - 8 }
    }
}

/// Certificates or versions that DTLS cannot be set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    pub(crate) cause: String,
    pub(crate) hint: Option<&'static str>,
}

impl SettingsError {
    pub(crate) fn new(found: impl fmt::Display) -> Self {
        Self { cause: format!("DTLS cannot use this certificate or key: {found}"), hint: None }
    }

    pub(crate) fn key_mismatch() -> Self {
        Self {
            cause: "the private key is not the certificate's".to_owned(),
            hint: Some("name the key that the certificate was made for"),
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)?;
        match self.hint {
            Some(cure) => write!(f, "\nhint: {cure}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SettingsError {}

/// What channels of the wanted versions are made with, as far as the credentials can be used with each.
pub(crate) fn contexts(
    credentials: &Credentials,
    settings: &Settings,
) -> Result<(Option<Context12>, Option<Context13>), SettingsError> {
    let v12 = match settings.versions {
        Versions::Only13 => None,
        Versions::From12 | Versions::Only12 => Some(Context12::new(credentials, settings)?),
    };
    let v13 = match settings.versions {
        Versions::Only13 => Some(Context13::new(credentials, settings)?),
        Versions::From12 => Context13::new(credentials, settings).ok(),
        Versions::Only12 => None,
    };
    Ok((v12, v13))
}

/// The longest message that fits one record (RFC 6347 §4.1), in octets.
pub const MAX_MESSAGE_LEN: usize = 1 << 14;
