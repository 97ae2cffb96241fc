//! A command's request for a session with an agent.

use std::time::Duration;

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter, Tag};

use crate::{FrameError, VERSION};

/// The session that a command wants, with everything needed to open it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRequest {
    /// The time for which the session is kept after the command has ended, in whole seconds; zero
    /// closes the session.
    pub persist: Duration,
    /// The timeout of opening the session, in whole milliseconds.
    pub timeout: Duration,
    /// The transport of the session.
    pub transport: Transport,
    /// The user to log in as; empty if the transport has no login, or if the user's configuration
    /// decides.
    pub user: String,
    /// The agent's name or address.
    pub host: String,
    /// The agent's port; 0 if the user's configuration or the transport's default decides.
    pub port: u16,
    /// 4 to require IPv4, 6 to require IPv6; `None` allows both.
    pub family: Option<u8>,
    /// The options for identity and trust. An option may occur more than once. Paths are absolute.
    pub options: Vec<(SessionOption, String)>,
}

/// The transports of a broker's sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// SSH (RFC 5592).
    Ssh,
    /// TLS over TCP (RFC 6353).
    Tls,
    /// DTLS over UDP (RFC 6353).
    Dtls,
}

/// The kinds of options in a session request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionOption {
    /// A PEM file with our certificate and its intermediates.
    Certificate,
    /// A PEM file with the private key of our certificate.
    PrivateKey,
    /// A PEM file with authorities that are trusted to certify servers.
    Authority,
    /// The fingerprint of a server's certificate.
    Pin,
    /// The name that the server's certificate must contain, if it is not the host.
    ServerName,
    /// Our certificate in the syntax of Net-SNMP's `localCert`: a fingerprint, or a file name with
    /// or without its extension.
    LocalCertificate,
    /// The server's certificate in the syntax of Net-SNMP's `peerCert`.
    PeerCertificate,
    /// An authority in the syntax of Net-SNMP's `trust_cert`.
    TrustedCertificate,
    /// The directory of the user's own `cert.pem`, `key.pem` and `ca.pem`.
    UserDirectory,
    /// A configuration directory of Net-SNMP that contains `tls`.
    SnmpDirectory,
    /// An SSH private key file.
    SshIdentity,
    /// A known_hosts file that replaces those in the user's configuration.
    KnownHosts,
    /// With any value: an SSH server whose host key is in no known_hosts file is rejected, whatever
    /// the ssh_config files say.
    KnownHostsOnly,
    /// The socket of the user's ssh-agent.
    SshAgent,
    /// The user's home directory.
    Home,
}

impl SessionRequest {
    /// Iterates over all values of an option, in order.
    pub fn all(&self, key: SessionOption) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// Returns the last value of an option.
    pub fn get(&self, key: SessionOption) -> Option<&str> {
        self.all(key).last()
    }

    /// Returns `true` if a session opened for `other` can also serve this request: with the same
    /// agent, the same user, and the same identity and trust.
    //= rfc5592#5.2-3a
    //= rfc6353#5.2-5a
    pub fn shares_session_with(&self, other: &Self) -> bool {
        let target = |request: &Self| (request.transport, request.port, request.family);
        target(self) == target(other)
            && (&self.user, &self.host, &self.options) == (&other.user, &other.host, &other.options)
    }

    pub(crate) fn read(content: &[u8]) -> Result<Self, FrameError> {
        let mut fields = Reader::new(content);
        if fields.integer()? != VERSION {
            return Err(FrameError::Malformed);
        }
        let persist = Duration::from_secs(fields.unsigned()?.into());
        let timeout = Duration::from_millis(fields.unsigned()?.into());
        let transport = value_of(&TRANSPORT_NAMES, fields.octet_string()?)?;
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
            options.push((value_of(&OPTION_NAMES, fields.octet_string()?)?, text(&mut fields)?));
        }
        Ok(Self { persist, timeout, transport, user, host, port, family, options })
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        for (key, value) in self.options.iter().rev() {
            writer.octet_string(value.as_bytes())?;
            writer.octet_string(name_of(&OPTION_NAMES, *key).as_bytes())?;
        }
        writer.unsigned(Tag::INTEGER, self.family.unwrap_or_default().into())?;
        writer.unsigned(Tag::INTEGER, self.port.into())?;
        writer.octet_string(self.host.as_bytes())?;
        writer.octet_string(self.user.as_bytes())?;
        writer.octet_string(name_of(&TRANSPORT_NAMES, self.transport).as_bytes())?;
        writer.unsigned(Tag::INTEGER, u32::try_from(self.timeout.as_millis()).unwrap_or(MAX_INTEGER))?;
        writer.unsigned(Tag::INTEGER, u32::try_from(self.persist.as_secs()).unwrap_or(MAX_INTEGER))?;
        writer.integer(VERSION)
    }
}

/// Decodes a text field.
pub(crate) fn text(fields: &mut Reader<'_>) -> Result<String, FrameError> {
    let octets = fields.octet_string()?;
    String::from_utf8(octets.to_vec()).map_err(|_| FrameError::Malformed)
}

fn value_of<T: Copy>(names: &[(&str, T)], octets: &[u8]) -> Result<T, FrameError> {
    let found = names.iter().find(|(name, _)| name.as_bytes() == octets);
    found.map(|(_, value)| *value).ok_or(FrameError::Malformed)
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

const TRANSPORT_NAMES: [(&str, Transport); 3] =
    [("ssh", Transport::Ssh), ("tls", Transport::Tls), ("dtls", Transport::Dtls)];
const OPTION_NAMES: [(&str, SessionOption); 15] = [
    ("certificate", SessionOption::Certificate),
    ("key", SessionOption::PrivateKey),
    ("authority", SessionOption::Authority),
    ("pin", SessionOption::Pin),
    ("server-name", SessionOption::ServerName),
    ("our-identity", SessionOption::LocalCertificate),
    ("their-identity", SessionOption::PeerCertificate),
    ("trusted-certificate", SessionOption::TrustedCertificate),
    ("folder", SessionOption::UserDirectory),
    ("snmp-folder", SessionOption::SnmpDirectory),
    ("ssh-identity", SessionOption::SshIdentity),
    ("known-hosts", SessionOption::KnownHosts),
    ("known-hosts-only", SessionOption::KnownHostsOnly),
    ("ssh-agent", SessionOption::SshAgent),
    ("home", SessionOption::Home),
];
const MAX_OPTIONS: usize = 256;
/// The maximum value of an INTEGER in SNMP.
const MAX_INTEGER: u32 = 0x7fff_ffff;
