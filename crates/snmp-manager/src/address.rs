//! Where an agent is, as people type it: `[transport:]host[:port]`, or `transport://[user@]host[:port]`.
//!
//! Only the text is read here; a host name is resolved by the driver.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// Over what an agent is reached.
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
}

impl Transport {
    /// The port that agents listen on unless told otherwise.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Udp | Self::Tcp => 161,
            Self::Ssh => 5161,
            Self::Tls | Self::Dtls => 10161,
        }
    }

    /// Whether its sessions prove who is at both ends. This crate does not open such; see [`crate::Client::over`].
    pub fn is_secure(self) -> bool {
        matches!(self, Self::Ssh | Self::Tls | Self::Dtls)
    }
}

/// An agent's address, not yet resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerAddress {
    /// Over what to reach it.
    pub transport: Transport,
    /// As whom to log in (SSH), where that is said.
    pub user: Option<String>,
    /// A name or a literal address, without brackets.
    pub host: String,
    /// The port; [`Transport::default_port`] unless told.
    pub port: u16,
    /// Whether the port was told: where it was not, a user's own configuration may have another.
    pub has_explicit_port: bool,
    /// Insists on IPv6 (`udp6`, `tcp6`) or on IPv4 (`udp4`, `tcp4`).
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

    /// Reads `[transport:]host[:port]`. The transport's letter case does not matter; an IPv6 address may stand in
    /// brackets, and must when a port follows. A port alone means this machine. Two slashes after the transport make it
    /// look like other addresses, and change nothing; a user stands before an `@`, and only where one logs in.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (transport, family, rest) = split_transport(text)?;
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

/// Text that is no address of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Nothing stands where the host should.
    MissingHost,
    /// What follows the last colon is not 1 to 65535.
    InvalidPort,
    /// More colons than a port has, and yet no IPv6 address.
    MissingBrackets,
    /// Something else than a transport stands before two slashes.
    UnknownTransport,
    /// A user stands where nobody logs in.
    UnexpectedUser,
    /// A transport that exists but that is not spoken here.
    UnsupportedTransport,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingHost => "the address names no host",
            Self::InvalidPort => "the port is not a number from 1 to 65535",
            Self::MissingBrackets => {
                "an IPv6 address stands in brackets where a port follows: [2001:db8::1]:161"
            }
            Self::UnknownTransport => {
                "there is no such transport; expected udp, udp6, tcp, tcp6, ssh, tls or dtls"
            }
            Self::UnexpectedUser => "only ssh:// takes a user before the host",
            Self::UnsupportedTransport => {
                "this transport is not supported here; expected udp, udp6, tcp, tcp6, ssh, tls or dtls"
            }
        })
    }
}

impl std::error::Error for AddressError {}

fn split_transport(text: &str) -> Result<(Transport, Option<Family>, &str), AddressError> {
    let default = (Transport::Udp, None, text);
    let Some((word, rest)) = text.split_once(':') else { return Ok(default) };
    if let Some((_, transport, family)) = TRANSPORTS.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name))
    {
        return Ok((*transport, *family, rest.strip_prefix("//").unwrap_or(rest)));
    }
    if UNSUPPORTED.iter().any(|name| word.eq_ignore_ascii_case(name)) {
        return Err(AddressError::UnsupportedTransport);
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
        // More than one colon and no brackets: all of it is an IPv6 address.
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

/// Every word for a transport, as Net-SNMP's commands know them too.
const TRANSPORTS: [(&str, Transport, Option<Family>); 17] = [
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
];
const LOCALHOST: &str = "localhost";
const UNSUPPORTED: [&str; 2] = ["unix", "alias"];

#[cfg(test)]
mod tests;
