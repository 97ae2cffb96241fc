//! Protocol stacks: a carrier and a message version.

use std::str::FromStr;

use crate::error::LabError;

/// A carrier and the message version used on it.
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
    /// SSH whose client sends a window adjustment after every message.
    SshEveryMessage,
    /// TLS 1.3 without a ticket.
    Tls,
    /// TLS 1.3 with the ticket of the previous session.
    TlsResumed,
    /// DTLS 1.2.
    Dtls12,
    /// DTLS 1.3.
    Dtls13,
}

/// The version of the SNMP messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// SNMPv2c.
    V2c,
    /// SNMPv3 with the Transport Security Model.
    Tsm,
}

impl ProtocolStack {
    /// The stack of SNMPv2c over `carrier`.
    pub(crate) const fn v2c(carrier: Carrier) -> Self {
        Self { carrier, message: Message::V2c }
    }

    /// The stack of SNMPv3 with the Transport Security Model over `carrier`.
    pub(crate) const fn tsm(carrier: Carrier) -> Self {
        Self { carrier, message: Message::Tsm }
    }

    /// Returns the identifier that [`FromStr`] parses.
    pub(crate) fn id(self) -> String {
        format!("{}/{}", name_of(&MESSAGES, self.message), name_of(&CARRIERS, self.carrier))
    }

    /// Returns the name for display.
    pub(crate) fn label(self) -> String {
        let message = match self.message {
            Message::V2c => "v2c",
            Message::Tsm => "v3/TSM",
        };
        let carrier = match self.carrier {
            Carrier::Tcp => "TCP",
            Carrier::Udp => "UDP",
            Carrier::Ssh => "SSH, X25519",
            Carrier::SshMlKem => "SSH, ML-KEM",
            Carrier::SshNagle => "SSH, client with Nagle's algorithm",
            Carrier::SshEveryMessage => "SSH, client adjusts the window after every message",
            Carrier::Tls => "TLS 1.3",
            Carrier::TlsResumed => "TLS 1.3, resumed",
            Carrier::Dtls12 => "DTLS 1.2",
            Carrier::Dtls13 => "DTLS 1.3",
        };
        format!("{message} over {carrier}")
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

const CARRIERS: [(&str, Carrier); 10] = [
    ("tcp", Carrier::Tcp),
    ("udp", Carrier::Udp),
    ("ssh", Carrier::Ssh),
    ("ssh-mlkem", Carrier::SshMlKem),
    ("ssh-nagle", Carrier::SshNagle),
    ("ssh-every-message", Carrier::SshEveryMessage),
    ("tls", Carrier::Tls),
    ("tls-resumed", Carrier::TlsResumed),
    ("dtls12", Carrier::Dtls12),
    ("dtls13", Carrier::Dtls13),
];
const MESSAGES: [(&str, Message); 2] = [("v2c", Message::V2c), ("tsm", Message::Tsm)];

#[cfg(test)]
mod tests;
