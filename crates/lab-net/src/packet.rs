//! Headers of a captured frame: link layer, IPv4 or IPv6, TCP or UDP.
//!
//! A frame may come from a user's capture file, so every length is checked, at most
//! [`MAX_TAGS`] VLAN tags and [`MAX_EXTENSIONS`] IPv6 extension headers are read, and nothing is
//! allocated. Checksums are not verified: a capture on the sending machine often precedes their
//! calculation.

mod network;
mod transport;

use std::fmt;
use std::net::IpAddr;

pub use transport::{Tcp, TcpFlags, Transport};

/// The headers of one IP packet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Packet {
    /// The source address.
    pub source: IpAddr,
    /// The destination address.
    pub destination: IpAddr,
    /// The transport protocol with its header.
    pub transport: Transport,
    /// The position in the original packet, if this is a fragment.
    pub fragment: Option<Fragment>,
    /// The number of octets after the headers on the wire, without padding of the link layer.
    pub payload_len: usize,
    /// The position of these octets in the captured frame. The frame may be captured only in part.
    pub payload_start: usize,
}

/// The position of a fragment in its original packet.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Fragment {
    /// The identification that all fragments of the packet have.
    pub identification: u32,
    /// The position in octets.
    pub offset: u32,
    /// True if this is not the last fragment.
    pub more: bool,
}

impl Packet {
    /// Decodes the headers of a frame. `octets` is the part that has been captured, and `length`
    /// the length of the frame on the wire.
    ///
    /// # Errors
    /// The frame contains no IP packet, or its headers are malformed or captured incompletely.
    pub fn decode(link: LinkType, octets: &[u8], length: usize) -> Result<Self, DecodeError> {
        let mut cursor = Cursor { octets, position: 0 };
        link.skip_header(&mut cursor)?;
        network::decode(&mut cursor, length.max(octets.len()))
    }

    /// Returns the payload, as far as it was captured. `octets` is the captured frame.
    #[must_use]
    pub fn payload<'a>(&self, octets: &'a [u8]) -> &'a [u8] {
        let rest = octets.get(self.payload_start..).unwrap_or_default();
        rest.get(..self.payload_len).unwrap_or(rest)
    }

    /// Returns the source and destination port, if the packet contains them.
    #[must_use]
    pub fn ports(&self) -> Option<(u16, u16)> {
        match self.transport {
            Transport::Tcp(Tcp { ports, .. }) | Transport::Udp { ports } => Some(ports),
            Transport::LaterFragment { .. } | Transport::Other { .. } => None,
        }
    }
}

/// The link layers that can be decoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LinkType {
    /// Ethernet, with or without VLAN tags.
    Ethernet,
    /// IPv4 or IPv6 without a link layer.
    Raw,
    /// A loopback interface of BSD: four octets with the protocol family.
    Loopback,
    /// Linux's header for captures on all interfaces, version 1.
    LinuxCooked,
    /// Linux's header for captures on all interfaces, version 2.
    LinuxCooked2,
}

impl LinkType {
    /// Returns the link layer with a number of the registry of capture files; `None` if it cannot
    /// be decoded.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Ethernet),
            // DLT_RAW of different systems, and LINKTYPE_IPV4 and LINKTYPE_IPV6.
            12 | 14 | 101 | 228 | 229 => Some(Self::Raw),
            0 | 108 => Some(Self::Loopback),
            113 => Some(Self::LinuxCooked),
            276 => Some(Self::LinuxCooked2),
            _ => None,
        }
    }

    /// Advances to the IP header.
    fn skip_header(self, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        let mut protocol = match self {
            // The version field of the IP header decides.
            Self::Raw => return Ok(()),
            Self::Loopback => return cursor.skip(4),
            Self::Ethernet => {
                cursor.skip(12)?;
                cursor.u16()?
            }
            Self::LinuxCooked => {
                cursor.skip(14)?;
                cursor.u16()?
            }
            Self::LinuxCooked2 => {
                let protocol = cursor.u16()?;
                cursor.skip(18)?;
                protocol
            }
        };
        for _ in 0..MAX_TAGS {
            if !matches!(protocol, VLAN | PROVIDER_VLAN) {
                break;
            }
            cursor.skip(2)?;
            protocol = cursor.u16()?;
        }
        if matches!(protocol, IPV4 | IPV6) { Ok(()) } else { Err(DecodeError::NotIp) }
    }
}

/// The reason why a frame cannot be decoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DecodeError {
    /// The frame contains another protocol, such as ARP.
    NotIp,
    /// A header ends after the captured octets.
    Truncated,
    /// A header contains an invalid length.
    Malformed,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotIp => "not an IP packet",
            Self::Truncated => "a header was captured incompletely",
            Self::Malformed => "a header contains an invalid length",
        })
    }
}

impl std::error::Error for DecodeError {}

/// The octets of a frame with the position of the next header.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    octets: &'a [u8],
    position: usize,
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let rest = self.octets.get(self.position..).unwrap_or_default();
        let taken = *rest.first_chunk().ok_or(DecodeError::Truncated)?;
        self.position += N;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        self.take().map(u8::from_be_bytes)
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        self.take().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        self.take().map(u32::from_be_bytes)
    }

    /// Skips octets that must have been captured.
    fn skip(&mut self, number: usize) -> Result<(), DecodeError> {
        let position = self.position.saturating_add(number);
        if position > self.octets.len() {
            return Err(DecodeError::Truncated);
        }
        self.position = position;
        Ok(())
    }
}

/// The maximum number of VLAN tags of a frame.
pub const MAX_TAGS: usize = 2;

/// The maximum number of IPv6 extension headers of a packet.
pub const MAX_EXTENSIONS: usize = 8;

/// EtherTypes.
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const VLAN: u16 = 0x8100;
const PROVIDER_VLAN: u16 = 0x88a8;

#[cfg(test)]
mod tests;
