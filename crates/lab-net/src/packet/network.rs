//! IPv4 (RFC 791) and IPv6 (RFC 8200) headers.

use std::net::IpAddr;

use super::{Cursor, DecodeError, Fragment, MAX_EXTENSIONS, Packet, transport};

/// The fields of an IP header, and of IPv6 extension headers, that later steps need.
struct Header {
    source: IpAddr,
    destination: IpAddr,
    protocol: u8,
    fragment: Option<Fragment>,
    /// The position at which the packet ends.
    end: usize,
}

/// Decodes the packet at the cursor. `length` is the length of the frame on the wire.
pub(super) fn decode(cursor: &mut Cursor<'_>, length: usize) -> Result<Packet, DecodeError> {
    let first = Cursor { ..*cursor }.u8()?;
    let header = match first >> 4 {
        4 => decode_v4(cursor, length)?,
        6 => decode_v6(cursor, length)?,
        _ => return Err(DecodeError::NotIp),
    };
    let is_first = header.fragment.is_none_or(|fragment| fragment.offset == 0);
    let transport = transport::decode(cursor, header.protocol, is_first)?;
    Ok(Packet {
        source: header.source,
        destination: header.destination,
        transport,
        fragment: header.fragment,
        payload_len: header.end.checked_sub(cursor.position).ok_or(DecodeError::Malformed)?,
        payload_start: cursor.position,
    })
}

fn decode_v4(cursor: &mut Cursor<'_>, length: usize) -> Result<Header, DecodeError> {
    let start = cursor.position;
    let header_len = usize::from(cursor.u8()? & 0x0f) * 4;
    cursor.skip(1)?;
    let total_len = usize::from(cursor.u16()?);
    let identification = u32::from(cursor.u16()?);
    let fragment = cursor.u16()?;
    cursor.skip(1)?;
    let protocol = cursor.u8()?;
    cursor.skip(2)?;
    let source = IpAddr::from(cursor.take::<4>()?);
    let destination = IpAddr::from(cursor.take::<4>()?);
    cursor.skip(header_len.checked_sub(MIN_V4_LEN).ok_or(DecodeError::Malformed)?)?;
    let (offset, more) = (u32::from(fragment & 0x1fff) * 8, fragment & 0x2000 != 0);
    Ok(Header {
        source,
        destination,
        protocol,
        fragment: (offset != 0 || more).then_some(Fragment { identification, offset, more }),
        end: end(start, total_len, length)?,
    })
}

fn decode_v6(cursor: &mut Cursor<'_>, length: usize) -> Result<Header, DecodeError> {
    cursor.skip(4)?;
    let payload_len = usize::from(cursor.u16()?);
    let mut protocol = cursor.u8()?;
    cursor.skip(1)?;
    let source = IpAddr::from(cursor.take::<16>()?);
    let destination = IpAddr::from(cursor.take::<16>()?);
    let end = end(cursor.position, payload_len, length)?;
    let mut fragment = None;
    for _ in 0..MAX_EXTENSIONS {
        let next = match protocol {
            HOP_BY_HOP | ROUTING | DESTINATION_OPTIONS => {
                let next = cursor.u8()?;
                let units = usize::from(cursor.u8()?);
                cursor.skip(units * 8 + 6)?;
                next
            }
            FRAGMENT => {
                let next = cursor.u8()?;
                cursor.skip(1)?;
                let field = cursor.u16()?;
                let (offset, more) = (u32::from(field & 0xfff8), field & 1 != 0);
                fragment = Some(Fragment { identification: cursor.u32()?, offset, more });
                // What follows a later fragment's header is data, not a header.
                if offset != 0 {
                    protocol = next;
                    break;
                }
                next
            }
            _ => break,
        };
        protocol = next;
    }
    Ok(Header { source, destination, protocol, fragment, end })
}

/// Returns the position at which a packet ends. A length of 0 means that the capture precedes the
/// division of a large segment into frames: the packet ends with the frame.
fn end(start: usize, packet_len: usize, frame_len: usize) -> Result<usize, DecodeError> {
    if packet_len == 0 {
        return Ok(frame_len);
    }
    let end = start + packet_len;
    if end > frame_len { Err(DecodeError::Malformed) } else { Ok(end) }
}

/// The length of an IPv4 header without options.
const MIN_V4_LEN: usize = 20;

/// Protocol numbers of IPv6 extension headers.
const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const DESTINATION_OPTIONS: u8 = 60;
