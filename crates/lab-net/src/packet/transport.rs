//! TCP (RFC 9293) and UDP (RFC 768) headers.

use std::fmt;

use super::{Cursor, DecodeError};

/// The transport protocol of a packet, with the fields of its header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Transport {
    /// A TCP segment.
    Tcp(Tcp),
    /// A UDP datagram, or its first fragment.
    Udp {
        /// The source and destination port.
        ports: (u16, u16),
    },
    /// A fragment that is not the first one: it contains no transport header.
    LaterFragment {
        /// The protocol number.
        protocol: u8,
    },
    /// Another protocol.
    Other {
        /// The protocol number.
        protocol: u8,
    },
}

/// The fields of a TCP header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tcp {
    /// The source and destination port.
    pub ports: (u16, u16),
    /// The number of the first octet of the payload.
    pub sequence: u32,
    /// The number of the next octet that the sender expects.
    pub acknowledgment: u32,
    /// The control bits.
    pub flags: TcpFlags,
    /// The receive window, without scaling.
    pub window: u16,
    /// The length of the header in octets, with options.
    pub header_len: usize,
}

/// The control bits of a TCP segment.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
pub struct TcpFlags(pub u8);

impl TcpFlags {
    /// The bits of the header, from the lowest.
    const NAMES: [&str; 8] = ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"];

    /// Returns true if the sender has no more data.
    #[must_use]
    pub fn fin(self) -> bool {
        self.0 & 0x01 != 0
    }

    /// Returns true if the segment opens a connection.
    #[must_use]
    pub fn syn(self) -> bool {
        self.0 & 0x02 != 0
    }

    /// Returns true if the segment resets the connection.
    #[must_use]
    pub fn rst(self) -> bool {
        self.0 & 0x04 != 0
    }

    /// Returns true if the segment acknowledges data.
    #[must_use]
    pub fn ack(self) -> bool {
        self.0 & 0x10 != 0
    }
}

impl fmt::Display for TcpFlags {
    /// Writes the names of the bits that are set, such as `SYN ACK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = Self::NAMES.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 != 0);
        let names: Vec<&str> = set.map(|(_, name)| *name).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for TcpFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TcpFlags({self})")
    }
}

/// Decodes the header at the cursor and advances it to the payload.
pub(super) fn decode(
    cursor: &mut Cursor<'_>,
    protocol: u8,
    is_first: bool,
) -> Result<Transport, DecodeError> {
    if !is_first {
        return Ok(Transport::LaterFragment { protocol });
    }
    match protocol {
        TCP => decode_tcp(cursor).map(Transport::Tcp),
        UDP => {
            let ports = (cursor.u16()?, cursor.u16()?);
            cursor.skip(4)?;
            Ok(Transport::Udp { ports })
        }
        _ => Ok(Transport::Other { protocol }),
    }
}

fn decode_tcp(cursor: &mut Cursor<'_>) -> Result<Tcp, DecodeError> {
    let ports = (cursor.u16()?, cursor.u16()?);
    let (sequence, acknowledgment) = (cursor.u32()?, cursor.u32()?);
    let header_len = usize::from(cursor.u8()? >> 4) * 4;
    let flags = TcpFlags(cursor.u8()?);
    let window = cursor.u16()?;
    cursor.skip(4)?;
    let options = header_len.checked_sub(MIN_TCP_LEN).ok_or(DecodeError::Malformed)?;
    // Options that were not captured do not matter.
    cursor.position += options;
    Ok(Tcp { ports, sequence, acknowledgment, flags, window, header_len })
}

/// The length of a TCP header without options.
const MIN_TCP_LEN: usize = 20;

/// Protocol numbers.
const TCP: u8 = 6;
const UDP: u8 = 17;
