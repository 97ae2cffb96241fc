//! How an agent is asked: over what, and in which message.

use std::str::FromStr;

use crate::failure::Failure;

/// A carrier and what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) carrier: Carrier,
    pub(crate) message: Message,
}

/// What carries messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// TCP, in clear: what no session can undercut.
    Tcp,
    /// UDP, in clear: likewise, of sessions over datagrams.
    Udp,
    /// SSH with X25519.
    Ssh,
    /// SSH with ML-KEM-768 and X25519.
    SshMlKem,
    /// SSH whose client leaves small packets to Nagle's algorithm.
    SshNagle,
    /// SSH whose client opens its window after every message.
    SshEveryMessage,
    /// TLS 1.3, without a ticket.
    Tls,
    /// TLS 1.3 with the ticket of the session before.
    TlsResumed,
    /// DTLS 1.2.
    Dtls12,
    /// DTLS 1.3.
    Dtls13,
}

/// In which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// SNMPv2c.
    V2c,
    /// SNMPv3 with the Transport Security Model.
    Tsm,
}

impl Way {
    /// `carrier` with SNMPv2c.
    pub(crate) const fn v2c(carrier: Carrier) -> Self {
        Self { carrier, message: Message::V2c }
    }

    /// `carrier` with SNMPv3 and TSM.
    pub(crate) const fn tsm(carrier: Carrier) -> Self {
        Self { carrier, message: Message::Tsm }
    }

    /// As a word of a command, which [`FromStr`] reads.
    pub(crate) fn word(self) -> String {
        format!("{}/{}", name_of(&MESSAGES, self.message), name_of(&CARRIERS, self.carrier))
    }

    /// For people.
    pub(crate) fn shown(self) -> String {
        let message = match self.message {
            Message::V2c => "v2c",
            Message::Tsm => "v3/TSM",
        };
        let carrier = match self.carrier {
            Carrier::Tcp => "TCP",
            Carrier::Udp => "UDP",
            Carrier::Ssh => "SSH, X25519",
            Carrier::SshMlKem => "SSH, ML-KEM",
            Carrier::SshNagle => "SSH, client without nodelay",
            Carrier::SshEveryMessage => "SSH, client's window after every message",
            Carrier::Tls => "TLS 1.3",
            Carrier::TlsResumed => "TLS 1.3, resumed",
            Carrier::Dtls12 => "DTLS 1.2",
            Carrier::Dtls13 => "DTLS 1.3",
        };
        format!("{message} over {carrier}")
    }
}

impl FromStr for Way {
    type Err = Failure;

    fn from_str(word: &str) -> Result<Self, Failure> {
        let (message, carrier) = word.split_once('/').ok_or("a way is MESSAGE/CARRIER")?;
        Ok(Self { carrier: named(&CARRIERS, carrier)?, message: named(&MESSAGES, message)? })
    }
}

fn named<T: Copy>(names: &[(&str, T)], wanted: &str) -> Result<T, Failure> {
    let found = names.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, value)| *value).ok_or_else(|| format!("'{wanted}' is none of them").into())
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
