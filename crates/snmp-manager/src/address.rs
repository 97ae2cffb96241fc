//! Agent addresses as users type them: `[transport:]host[:port]`,
//! `transport://[user@]host[:port]`, or the path of a Unix socket.
//!
//! This module only parses the text; the driver resolves host names.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// The transport over which an agent is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// UDP (RFC 3417).
    Udp,
    /// TCP (RFC 3430).
    Tcp,
    /// SSH (RFC 5592).
    Ssh,
    /// TLS over TCP (RFC 6353).
    Tls,
    /// DTLS over UDP (RFC 6353).
    Dtls,
    /// A Unix stream socket of this machine, as Net-SNMP's agent offers it. Messages are delimited
    /// as over TCP.
    Unix,
}

impl Transport {
    /// Returns the default port of agents for this transport; 0 if it has no ports.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Udp | Self::Tcp => 161,
            Self::Unix => 0,
            Self::Ssh => 5161,
            Self::Tls | Self::Dtls => 10161,
        }
    }

    /// Returns the default port of receivers of notifications for this transport (RFC 3417, 5592,
    /// 6353); 0 if it has no ports.
    pub fn default_notification_port(self) -> u16 {
        match self {
            Self::Udp | Self::Tcp => 162,
            Self::Unix => 0,
            Self::Ssh => 5162,
            Self::Tls | Self::Dtls => 10162,
        }
    }

    /// Returns true if sessions over this transport authenticate both peers. This crate does not
    /// open such sessions; see [`crate::Client::with_link`].
    pub fn is_secure(self) -> bool {
        matches!(self, Self::Ssh | Self::Tls | Self::Dtls)
    }
}

/// An agent's address, not yet resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerAddress {
    /// The transport over which the agent is queried.
    pub transport: Transport,
    /// The login name (SSH), if the address contains one.
    pub user: Option<String>,
    /// The host name or literal address, without brackets; for [`Transport::Unix`] the path of the
    /// socket.
    pub host: String,
    /// The port; [`Transport::default_port`] if the address contains none.
    pub port: u16,
    /// True if the address contains a port. If not, a user's own configuration may supply one.
    pub has_explicit_port: bool,
    /// The required address family, if the transport's name (`udp6`, `tcp4`) or a literal address
    /// determines it.
    pub family: Option<Family>,
}

/// An Internet address family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6.
    V6,
}

impl FromStr for PeerAddress {
    type Err = AddressError;

    /// Parses `[transport:]host[:port]`. The transport is case-insensitive. An IPv6 address may be
    /// enclosed in brackets; brackets are required if a port follows. A port without a host means
    /// localhost. Two slashes after the transport are accepted and have no effect. A user name
    /// before an `@` is accepted for SSH only.
    ///
    /// A text that begins with a slash, or with `unix:`, is the path of a Unix socket.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (transport, family, rest) = split_transport(text)?;
        if transport == Transport::Unix {
            return Self::of_socket(rest);
        }
        let (user, rest) = match rest.rsplit_once('@') {
            Some((user, rest)) if transport == Transport::Ssh && !user.is_empty() => (Some(user), rest),
            Some(_) => return Err(AddressError::UnexpectedUser),
            None => (None, rest),
        };
        let (host, port) = split_port(rest)?;
        if host.is_empty() {
            return Err(AddressError::MissingHost);
        }
        let family = family.or(host.parse::<IpAddr>().ok().map(|address| match address {
            IpAddr::V4(_) => Family::V4,
            IpAddr::V6(_) => Family::V6,
        }));
        Ok(Self {
            transport,
            user: user.map(str::to_owned),
            host: host.to_owned(),
            port: port.unwrap_or(transport.default_port()),
            has_explicit_port: port.is_some(),
            family,
        })
    }
}

impl PeerAddress {
    /// Returns the address of a receiver of notifications: without a port in the text, the port is
    /// [`Transport::default_notification_port`].
    #[must_use]
    pub fn for_notifications(mut self) -> Self {
        if !self.has_explicit_port {
            self.port = self.transport.default_notification_port();
            // No other source supplies a port, which would be that of an agent.
            self.has_explicit_port = self.transport != Transport::Unix;
        }
        self
    }

    fn of_socket(path: &str) -> Result<Self, AddressError> {
        if path.is_empty() {
            return Err(AddressError::MissingPath);
        }
        Ok(Self {
            transport: Transport::Unix,
            user: None,
            host: path.to_owned(),
            port: Transport::Unix.default_port(),
            has_explicit_port: false,
            family: None,
        })
    }
}

/// The reason why a text is not a valid agent address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// The host is missing.
    MissingHost,
    /// The path of the Unix socket is missing.
    MissingPath,
    /// The text after the last colon is not a number from 1 to 65535.
    InvalidPort,
    /// The text has several colons but is not an IPv6 address.
    MissingBrackets,
    /// The word before `://` is not a known transport.
    UnknownTransport,
    /// A user name is given for a transport without login.
    UnexpectedUser,
    /// The text is an alias. Programs that support aliases replace them by addresses.
    Alias,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingHost => "the address has no host",
            Self::MissingPath => "the address has no path of a socket",
            Self::InvalidPort => "the port is not a number from 1 to 65535",
            Self::MissingBrackets => "an IPv6 address with a port must be in brackets: [2001:db8::1]:161",
            Self::UnknownTransport => {
                "unknown transport; expected udp, udp6, tcp, tcp6, ssh, tls, dtls or unix"
            }
            Self::UnexpectedUser => "only ssh:// accepts a user before the host",
            Self::Alias => "aliases are not supported here; specify the address of the agent",
        })
    }
}

impl std::error::Error for AddressError {}

fn split_transport(text: &str) -> Result<(Transport, Option<Family>, &str), AddressError> {
    let default = (Transport::Udp, None, text);
    if text.starts_with('/') {
        return Ok((Transport::Unix, None, text));
    }
    let Some((word, rest)) = text.split_once(':') else { return Ok(default) };
    if let Some((_, transport, family)) = TRANSPORTS.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name))
    {
        return Ok((*transport, *family, rest.strip_prefix("//").unwrap_or(rest)));
    }
    if word.eq_ignore_ascii_case("alias") {
        return Err(AddressError::Alias);
    }
    if rest.starts_with("//") {
        return Err(AddressError::UnknownTransport);
    }
    Ok(default)
}

fn split_port(text: &str) -> Result<(&str, Option<u16>), AddressError> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (host, after) = bracketed.split_once(']').ok_or(AddressError::MissingHost)?;
        return match after.strip_prefix(':') {
            Some(port) => Ok((host, Some(read_port(port)?))),
            None if after.is_empty() => Ok((host, None)),
            None => Err(AddressError::InvalidPort),
        };
    }
    match text.rsplit_once(':') {
        // The text has more than one colon and no brackets, so it is an IPv6 address without a
        // port.
        Some((host, _)) if host.contains(':') => {
            let address = text.split('%').next().unwrap_or(text);
            if address.parse::<Ipv6Addr>().is_err() {
                Err(AddressError::MissingBrackets)
            } else {
                Ok((text, None))
            }
        }
        Some((host, port)) => Ok((host, Some(read_port(port)?))),
        None => match text.parse() {
            Ok(port) if port != 0 => Ok((LOCALHOST, Some(port))),
            _ => Ok((text, None)),
        },
    }
}

fn read_port(text: &str) -> Result<u16, AddressError> {
    match text.parse() {
        Ok(port) if port != 0 => Ok(port),
        _ => Err(AddressError::InvalidPort),
    }
}

/// The transport names, including those of Net-SNMP's commands.
const TRANSPORTS: [(&str, Transport, Option<Family>); 18] = [
    ("udp", Transport::Udp, None),
    ("udp4", Transport::Udp, Some(Family::V4)),
    ("udp6", Transport::Udp, Some(Family::V6)),
    ("udpv6", Transport::Udp, Some(Family::V6)),
    ("tcp", Transport::Tcp, None),
    ("tcp4", Transport::Tcp, Some(Family::V4)),
    ("tcp6", Transport::Tcp, Some(Family::V6)),
    ("tcpv6", Transport::Tcp, Some(Family::V6)),
    ("ssh", Transport::Ssh, None),
    ("tls", Transport::Tls, None),
    ("tlstcp", Transport::Tls, None),
    ("tls6", Transport::Tls, Some(Family::V6)),
    ("tlstcp6", Transport::Tls, Some(Family::V6)),
    ("dtls", Transport::Dtls, None),
    ("dtlsudp", Transport::Dtls, None),
    ("dtls6", Transport::Dtls, Some(Family::V6)),
    ("dtlsudp6", Transport::Dtls, Some(Family::V6)),
    ("unix", Transport::Unix, None),
];
const LOCALHOST: &str = "localhost";

#[cfg(test)]
mod tests;
