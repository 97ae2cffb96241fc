//! Settings, shared by client and server.

use std::fmt;

use portreeve_x509::Credentials;

use crate::{v12::Context12, v13::Context13};

/// The DTLS versions to negotiate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// DTLS 1.3 if both sides support it, else 1.2.
    #[default]
    From12,
    /// DTLS 1.3 only.
    Only13,
    /// DTLS 1.2 only: for measurements, or if the peer's DTLS 1.3 is not trusted yet.
    Only12,
}

/// The settings of new channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The DTLS versions to negotiate.
    pub versions: Versions,
    /// The maximum length of a handshake datagram in octets, without IP and UDP headers; at least
    /// 256. It does not limit datagrams that carry messages.
    pub max_handshake_datagram: u16,
}

impl Default for Settings {
    /// Returns settings with all versions, and with handshake datagrams that fit the minimum MTU of
    /// IPv6.
    fn default() -> Self {
        Self { versions: Versions::default(), max_handshake_datagram: 1280 - 40 - 8 }
    }
}

/// Error for credentials or versions that DTLS cannot use.
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
            cause: "the private key does not match the certificate".to_owned(),
            hint: Some("use the private key for which the certificate was issued"),
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)?;
        match self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SettingsError {}

/// Creates the contexts of the configured versions that support the credentials.
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

/// The maximum length of a message in octets: it must fit into one record (RFC 6347 §4.1).
pub const MAX_MESSAGE_LEN: usize = 1 << 14;
