//! Where an agent is, as people type it: `[transport:]host[:port]`.
//!
//! Only the text is read here; a host name is resolved by the driver.

use std::{fmt, net::IpAddr, str::FromStr};

/// The transports this crate can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// UDP (RFC 3417).
    Udp,
    /// TCP (RFC 3430).
    Tcp,
}

/// An agent's address, not yet resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerAddress {
    /// Over what to reach it.
    pub transport: Transport,
    /// A name or a literal address, without brackets.
    pub host: String,
    /// The port; 161 unless told.
    pub port: u16,
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
    /// brackets, and must when a port follows. A port alone means this machine.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (transport, family, rest) = split_transport(text)?;
        let (host, port) = split_port(rest)?;
        if host.is_empty() {
            return Err(AddressError::NoHost);
        }
        let family = family.or(host.parse::<IpAddr>().ok().map(|address| match address {
            IpAddr::V4(_) => Family::V4,
            IpAddr::V6(_) => Family::V6,
        }));
        Ok(Self { transport, host: host.to_owned(), port, family })
    }
}

/// Text that is no address of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Nothing stands where the host should.
    NoHost,
    /// What follows the last colon is not 1 to 65535.
    BadPort,
    /// A transport that exists but that this crate does not drive.
    UnsupportedTransport,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoHost => "the address names no host",
            Self::BadPort => "the port is not a number from 1 to 65535",
            Self::UnsupportedTransport => {
                "this transport is not supported here; expected udp, udp6, tcp or tcp6"
            }
        })
    }
}

impl std::error::Error for AddressError {}

fn split_transport(text: &str) -> Result<(Transport, Option<Family>, &str), AddressError> {
    let default = (Transport::Udp, None, text);
    let Some((word, rest)) = text.split_once(':') else { return Ok(default) };
    let known = [
        ("udp", Transport::Udp, None),
        ("udp4", Transport::Udp, Some(Family::V4)),
        ("udp6", Transport::Udp, Some(Family::V6)),
        ("udpv6", Transport::Udp, Some(Family::V6)),
        ("tcp", Transport::Tcp, None),
        ("tcp4", Transport::Tcp, Some(Family::V4)),
        ("tcp6", Transport::Tcp, Some(Family::V6)),
        ("tcpv6", Transport::Tcp, Some(Family::V6)),
    ];
    if let Some((_, transport, family)) = known.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name)) {
        return Ok((*transport, *family, rest));
    }
    if FOREIGN.iter().any(|name| word.eq_ignore_ascii_case(name)) {
        return Err(AddressError::UnsupportedTransport);
    }
    Ok(default)
}

fn split_port(text: &str) -> Result<(&str, u16), AddressError> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (host, after) = bracketed.split_once(']').ok_or(AddressError::NoHost)?;
        return match after.strip_prefix(':') {
            Some(port) => Ok((host, read_port(port)?)),
            None if after.is_empty() => Ok((host, DEFAULT_PORT)),
            None => Err(AddressError::BadPort),
        };
    }
    match text.rsplit_once(':') {
        // More than one colon and no brackets: all of it is an IPv6 address.
        Some((host, _)) if host.contains(':') => Ok((text, DEFAULT_PORT)),
        Some((host, port)) => Ok((host, read_port(port)?)),
        None => match text.parse() {
            Ok(port) if port != 0 => Ok((THIS_MACHINE, port)),
            _ => Ok((text, DEFAULT_PORT)),
        },
    }
}

fn read_port(text: &str) -> Result<u16, AddressError> {
    match text.parse() {
        Ok(port) if port != 0 => Ok(port),
        _ => Err(AddressError::BadPort),
    }
}

const DEFAULT_PORT: u16 = 161;
const THIS_MACHINE: &str = "localhost";
const FOREIGN: [&str; 7] = ["unix", "ssh", "tls", "tlstcp", "dtls", "dtlsudp", "alias"];

#[cfg(test)]
mod tests;
