//! Protocol stacks: a carrier, and the messages on it.

use std::str::FromStr;

use portreeve_snmp_manager::{AuthProtocol, PrivProtocol};

use crate::error::LabError;

/// A carrier and the messages used on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProtocolStack {
    pub(crate) carrier: Carrier,
    pub(crate) message: Message,
}

/// The transport that carries messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// Cleartext TCP: the lower bound for sessions.
    Tcp,
    /// Cleartext UDP: the lower bound for sessions over datagrams.
    Udp,
    /// SSH with the key exchange X25519.
    Ssh,
    /// SSH with the key exchange of ML-KEM-768 and X25519.
    SshMlKem,
    /// SSH whose client uses Nagle's algorithm.
    SshNagle,
    /// SSH whose client uses Nagle's algorithm until the login.
    SshLateNodelay,
    /// SSH whose client sends a window adjustment after every message.
    SshEveryMessage,
    /// SSH whose client uses Nagle's algorithm, and sends a window adjustment after every message.
    SshNagleEveryMessage,
    /// TLS 1.2.
    Tls12,
    /// TLS 1.2 with the ticket of the previous session.
    Tls12Resumed,
    /// TLS 1.3 without a ticket, with the key exchange X25519.
    Tls,
    /// TLS 1.3 without a ticket, with the key exchange of ML-KEM-768 and X25519.
    TlsMlKem,
    /// TLS 1.3 with the ticket of the previous session.
    TlsResumed,
    /// DTLS 1.2.
    Dtls12,
    /// DTLS 1.3.
    Dtls13,
}

/// The version and security model of the SNMP messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// SNMPv1 with a community.
    V1,
    /// SNMPv2c with a community.
    V2c,
    /// SNMPv3 with the User-based Security Model.
    Usm(Option<AuthProtocol>, Option<PrivProtocol>),
    /// SNMPv3 with the Transport Security Model.
    Tsm,
}

impl Message {
    /// SNMPv3 with a user, without authentication.
    pub(crate) const USM: Self = Self::Usm(None, None);
    /// SNMPv3 with a user, authenticated by HMAC-MD5.
    pub(crate) const USM_MD5: Self = Self::Usm(Some(AuthProtocol::HmacMd5_96), None);
    /// SNMPv3 with a user, authenticated by HMAC-SHA-256.
    pub(crate) const USM_SHA256: Self = Self::Usm(Some(AuthProtocol::HmacSha256_192), None);
    /// SNMPv3 with a user, with the algorithms of the paper of 2001.
    pub(crate) const USM_MD5_DES: Self = Self::Usm(Some(AuthProtocol::HmacMd5_96), Some(PrivProtocol::Des));
    /// SNMPv3 with a user, with the algorithms of the paper of 2006.
    pub(crate) const USM_MD5_AES128: Self =
        Self::Usm(Some(AuthProtocol::HmacMd5_96), Some(PrivProtocol::Aes128));
    /// SNMPv3 with a user, HMAC-SHA-256 and AES-128.
    pub(crate) const USM_SHA256_AES128: Self =
        Self::Usm(Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes128));
    /// SNMPv3 with a user, HMAC-SHA-256 and AES-256.
    pub(crate) const USM_SHA256_AES256: Self =
        Self::Usm(Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes256));

    /// Returns true for a user with keys.
    pub(crate) fn has_keys(self) -> bool {
        matches!(self, Self::Usm(Some(_), _))
    }
}

impl Carrier {
    /// Returns true if a message is a datagram that can be lost.
    pub(crate) fn is_datagram(self) -> bool {
        matches!(self, Self::Udp | Self::Dtls12 | Self::Dtls13)
    }

    /// Returns true for SSH.
    pub(crate) fn is_ssh(self) -> bool {
        matches!(
            self,
            Self::Ssh
                | Self::SshMlKem
                | Self::SshNagle
                | Self::SshLateNodelay
                | Self::SshEveryMessage
                | Self::SshNagleEveryMessage
        )
    }

    /// Returns true if the carrier authenticates both peers and encrypts messages.
    pub(crate) fn is_secure(self) -> bool {
        !matches!(self, Self::Udp | Self::Tcp)
    }

    /// Returns true if the session continues an earlier one of the same client.
    pub(crate) fn is_resumed(self) -> bool {
        matches!(self, Self::Tls12Resumed | Self::TlsResumed)
    }

    /// Returns the name for display.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Tcp => "TCP",
            Self::Udp => "UDP",
            Self::Ssh => "SSH, X25519",
            Self::SshMlKem => "SSH, ML-KEM",
            Self::SshNagle => "SSH, client with Nagle's algorithm",
            Self::SshLateNodelay => "SSH, client with Nagle's algorithm until the login",
            Self::SshEveryMessage => "SSH, client adjusts the window after every message",
            Self::SshNagleEveryMessage => {
                "SSH, client with Nagle's algorithm, adjusts the window after every message"
            }
            Self::Tls12 => "TLS 1.2",
            Self::Tls12Resumed => "TLS 1.2, resumed",
            Self::Tls => "TLS 1.3",
            Self::TlsMlKem => "TLS 1.3, ML-KEM",
            Self::TlsResumed => "TLS 1.3, resumed",
            Self::Dtls12 => "DTLS 1.2",
            Self::Dtls13 => "DTLS 1.3",
        }
    }
}

impl ProtocolStack {
    /// Creates a stack.
    pub(crate) const fn new(message: Message, carrier: Carrier) -> Self {
        Self { carrier, message }
    }

    /// The stack of SNMPv2c over `carrier`.
    pub(crate) const fn v2c(carrier: Carrier) -> Self {
        Self::new(Message::V2c, carrier)
    }

    /// The stack of SNMPv3 with the Transport Security Model over `carrier`.
    pub(crate) const fn tsm(carrier: Carrier) -> Self {
        Self::new(Message::Tsm, carrier)
    }

    /// Returns the identifier that [`FromStr`] parses.
    pub(crate) fn id(self) -> String {
        format!("{}/{}", name_of(&MESSAGES, self.message), name_of(&CARRIERS, self.carrier))
    }

    /// Returns the name for display.
    pub(crate) fn label(self) -> String {
        let message = match self.message {
            Message::V1 => "v1".to_owned(),
            Message::V2c => "v2c".to_owned(),
            Message::Tsm => "v3/TSM".to_owned(),
            Message::Usm(None, _) => "v3/USM noAuthNoPriv".to_owned(),
            Message::Usm(Some(auth), None) => format!("v3/USM {}", auth.name()),
            Message::Usm(Some(auth), Some(privacy)) => format!("v3/USM {} {}", auth.name(), privacy.name()),
        };
        format!("{message} over {}", self.carrier.label())
    }
}

impl FromStr for ProtocolStack {
    type Err = LabError;

    fn from_str(word: &str) -> Result<Self, LabError> {
        let (message, carrier) = word.split_once('/').ok_or("expected MESSAGE/CARRIER")?;
        Ok(Self { carrier: named(&CARRIERS, carrier)?, message: named(&MESSAGES, message)? })
    }
}

fn named<T: Copy>(names: &[(&str, T)], wanted: &str) -> Result<T, LabError> {
    let found = names.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, value)| *value).ok_or_else(|| format!("unknown name '{wanted}'").into())
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], wanted: T) -> &'static str {
    names.iter().find(|(_, value)| *value == wanted).map_or("", |(name, _)| name)
}

const CARRIERS: [(&str, Carrier); 15] = [
    ("tcp", Carrier::Tcp),
    ("udp", Carrier::Udp),
    ("ssh", Carrier::Ssh),
    ("ssh-mlkem", Carrier::SshMlKem),
    ("ssh-nagle", Carrier::SshNagle),
    ("ssh-late-nodelay", Carrier::SshLateNodelay),
    ("ssh-every-message", Carrier::SshEveryMessage),
    ("ssh-nagle-every-message", Carrier::SshNagleEveryMessage),
    ("tls12", Carrier::Tls12),
    ("tls12-resumed", Carrier::Tls12Resumed),
    ("tls13", Carrier::Tls),
    ("tls13-mlkem", Carrier::TlsMlKem),
    ("tls13-resumed", Carrier::TlsResumed),
    ("dtls12", Carrier::Dtls12),
    ("dtls13", Carrier::Dtls13),
];
const MESSAGES: [(&str, Message); 10] = [
    ("v1", Message::V1),
    ("v2c", Message::V2c),
    ("usm", Message::USM),
    ("usm-md5", Message::USM_MD5),
    ("usm-sha256", Message::USM_SHA256),
    ("usm-md5-des", Message::USM_MD5_DES),
    ("usm-md5-aes128", Message::USM_MD5_AES128),
    ("usm-sha256-aes128", Message::USM_SHA256_AES128),
    ("usm-sha256-aes256", Message::USM_SHA256_AES256),
    ("tsm", Message::Tsm),
];

#[cfg(test)]
mod tests;
