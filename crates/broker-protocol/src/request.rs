//! What a command asks a broker for: a session with one agent, as somebody.

use std::time::Duration;

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter, Tag};

use crate::{FrameError, VERSION};

/// Which session is wanted, and what it is opened with where it does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRequest {
    /// How long the session is kept when the command has ended, in whole seconds; zero ends it.
    pub persist: Duration,
    /// How long opening may take, in whole milliseconds.
    pub timeout: Duration,
    /// Over what.
    pub transport: Transport,
    /// As whom to log in; empty where nobody does, or as the user's configuration says.
    pub user: String,
    /// The agent's name or address.
    pub host: String,
    /// The agent's port; 0 where the user's configuration, or else the transport, says which.
    pub port: u16,
    /// 4 or 6 where that address family is insisted on.
    pub family: Option<u8>,
    /// What the session's identity and trust are made of; a key may stand there more than once. Paths are absolute.
    pub options: Vec<(SessionOption, String)>,
}

/// Transports whose sessions a broker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// SSH (RFC 5592).
    Ssh,
    /// TLS over TCP (RFC 6353).
    Tls,
    /// DTLS over UDP (RFC 6353).
    Dtls,
}

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionOption {
    /// A PEM file with our certificate, and those that lead to its authority.
    Certificate,
    /// A PEM file with our certificate's key.
    PrivateKey,
    /// A PEM file with authorities whose word on servers is taken.
    Authority,
    /// The fingerprint of a server's certificate.
    Pin,
    /// The name that the server's certificate must have, where it is not the host's.
    ServerName,
    /// Our certificate as Net-SNMP's `localCert` names it: a fingerprint, or the beginning of a file's name.
    LocalCertificate,
    /// The server's certificate as Net-SNMP's `peerCert` names it.
    PeerCertificate,
    /// An authority as Net-SNMP's `trust_cert` names it.
    TrustedCertificate,
    /// Where the user's own `cert.pem`, `key.pem` and `ca.pem` are.
    Folder,
    /// A folder of Net-SNMP's configuration, with `tls` in it.
    SnmpFolder,
    /// A file with an SSH key.
    SshIdentity,
    /// A file of known SSH hosts, in place of those that the user's configuration names.
    KnownHosts,
    /// The socket of the user's ssh-agent.
    SshAgent,
    /// The user's home.
    Home,
}

impl SessionRequest {
    /// All values of one key, in order.
    pub fn all(&self, key: SessionOption) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// The last value of one key.
    pub fn get(&self, key: SessionOption) -> Option<&str> {
        self.all(key).last()
    }

    /// Whether a session that `other` has opened serves this order as well: it leads to the same agent, as the same
    /// user, with the same identity and trust.
    //= rfc5592#5.2-3a
    //= rfc6353#5.2-5a
    pub fn shares_session_with(&self, other: &Self) -> bool {
        let who = |request: &Self| (request.transport, request.port, request.family);
        who(self) == who(other)
            && (&self.user, &self.host, &self.options) == (&other.user, &other.host, &other.options)
    }

    pub(crate) fn read(content: &[u8]) -> Result<Self, FrameError> {
        let mut fields = Reader::new(content);
        if fields.integer()? != VERSION {
            return Err(FrameError::Malformed);
        }
        let persist = Duration::from_secs(fields.unsigned()?.into());
        let patience = Duration::from_millis(fields.unsigned()?.into());
        let transport = value_of(&TRANSPORTS, fields.octet_string()?)?;
        let (user, host) = (text(&mut fields)?, text(&mut fields)?);
        let port = u16::try_from(fields.unsigned()?).map_err(|_| FrameError::Malformed)?;
        let family = match fields.unsigned()? {
            0 => None,
            4 => Some(4),
            6 => Some(6),
            _ => return Err(FrameError::Malformed),
        };
        let mut options = Vec::new();
        while !fields.is_empty() {
            if options.len() == MAX_OPTIONS {
                return Err(FrameError::TooLong);
            }
            options.push((value_of(&KEYS, fields.octet_string()?)?, text(&mut fields)?));
        }
        Ok(Self { persist, timeout: patience, transport, user, host, port, family, options })
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        for (key, value) in self.options.iter().rev() {
            writer.octet_string(value.as_bytes())?;
            writer.octet_string(name_of(&KEYS, *key).as_bytes())?;
        }
        writer.unsigned(Tag::INTEGER, self.family.unwrap_or_default().into())?;
        writer.unsigned(Tag::INTEGER, self.port.into())?;
        writer.octet_string(self.host.as_bytes())?;
        writer.octet_string(self.user.as_bytes())?;
        writer.octet_string(name_of(&TRANSPORTS, self.transport).as_bytes())?;
        writer.unsigned(Tag::INTEGER, u32::try_from(self.timeout.as_millis()).unwrap_or(MAX_INTEGER))?;
        writer.unsigned(Tag::INTEGER, u32::try_from(self.persist.as_secs()).unwrap_or(MAX_INTEGER))?;
        writer.integer(VERSION)
    }
}

/// Reads a text.
pub(crate) fn text(fields: &mut Reader<'_>) -> Result<String, FrameError> {
    let octets = fields.octet_string()?;
    String::from_utf8(octets.to_vec()).map_err(|_| FrameError::Malformed)
}

fn value_of<T: Copy>(names: &[(&str, T)], octets: &[u8]) -> Result<T, FrameError> {
    let found = names.iter().find(|(name, _)| name.as_bytes() == octets);
    found.map(|(_, meant)| *meant).ok_or(FrameError::Malformed)
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], meant: T) -> &'static str {
    names.iter().find(|(_, known)| *known == meant).map_or("", |(name, _)| name)
}

const TRANSPORTS: [(&str, Transport); 3] =
    [("ssh", Transport::Ssh), ("tls", Transport::Tls), ("dtls", Transport::Dtls)];
const KEYS: [(&str, SessionOption); 14] = [
    ("certificate", SessionOption::Certificate),
    ("key", SessionOption::PrivateKey),
    ("authority", SessionOption::Authority),
    ("pin", SessionOption::Pin),
    ("server-name", SessionOption::ServerName),
    ("our-identity", SessionOption::LocalCertificate),
    ("their-identity", SessionOption::PeerCertificate),
    ("trusted-certificate", SessionOption::TrustedCertificate),
    ("folder", SessionOption::Folder),
    ("snmp-folder", SessionOption::SnmpFolder),
    ("ssh-identity", SessionOption::SshIdentity),
    ("known-hosts", SessionOption::KnownHosts),
    ("ssh-agent", SessionOption::SshAgent),
    ("home", SessionOption::Home),
];
const MAX_OPTIONS: usize = 256;
/// What an INTEGER of SNMP's holds.
const MAX_INTEGER: u32 = 0x7fff_ffff;
