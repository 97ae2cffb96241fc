//! The header of an SNMP message (RFC 3416, RFC 3412), of which only the beginning may be captured.
//!
//! The header of SNMPv3 is never encrypted: its reportable flag is set in messages that expect an
//! answer, and its msgID matches the two.

/// The parts of a header that match requests and responses.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SnmpHeader {
    pub(super) kind: Kind,
    /// The request-id, or the msgID of SNMPv3.
    pub(super) id: i64,
    /// The length of the whole message in octets.
    pub(super) length: usize,
}

/// The kind of message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// A message that expects an answer.
    Request,
    /// A response or a report. An SNMPv3 trap has the same header.
    Response,
    /// A trap.
    Notification,
}

/// The reason why octets are not a header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum HeaderError {
    /// More octets are needed.
    Incomplete,
    /// The octets do not begin a message of SNMP.
    NotSnmp,
}

impl SnmpHeader {
    /// Reads the header of a message that begins with the first octet.
    pub(super) fn read(octets: &[u8]) -> Result<Self, HeaderError> {
        let mut reader = Reader { rest: octets };
        let contents = reader.element(SEQUENCE)?;
        let length = (octets.len() - reader.rest.len()) + contents;
        let (kind, id) = match reader.integer()? {
            0 | 1 => read_community_message(&mut reader)?,
            3 => read_v3(&mut reader)?,
            _ => return Err(HeaderError::NotSnmp),
        };
        Ok(Self { kind, id, length })
    }
}

fn read_community_message(reader: &mut Reader<'_>) -> Result<(Kind, i64), HeaderError> {
    let community = reader.element(OCTET_STRING)?;
    reader.skip(community)?;
    let kind = match reader.peek()? {
        GET | GET_NEXT | SET | GET_BULK | INFORM => Kind::Request,
        RESPONSE => Kind::Response,
        // A trap of SNMPv1 has no request-id.
        TRAP_V1 => return Ok((Kind::Notification, 0)),
        TRAP => Kind::Notification,
        _ => return Err(HeaderError::NotSnmp),
    };
    let pdu = reader.peek()?;
    reader.element(pdu)?;
    Ok((kind, reader.integer()?))
}

fn read_v3(reader: &mut Reader<'_>) -> Result<(Kind, i64), HeaderError> {
    reader.element(SEQUENCE)?;
    let (id, _maximum_size) = (reader.integer()?, reader.integer()?);
    if reader.element(OCTET_STRING)? != 1 {
        return Err(HeaderError::NotSnmp);
    }
    let flags = reader.octet()?;
    let kind = if flags & REPORTABLE != 0 { Kind::Request } else { Kind::Response };
    Ok((kind, id))
}

/// The octets that are not read yet.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn peek(&self) -> Result<u8, HeaderError> {
        self.rest.first().copied().ok_or(HeaderError::Incomplete)
    }

    fn octet(&mut self) -> Result<u8, HeaderError> {
        let (first, rest) = self.rest.split_first().ok_or(HeaderError::Incomplete)?;
        self.rest = rest;
        Ok(*first)
    }

    fn skip(&mut self, count: usize) -> Result<(), HeaderError> {
        if count > MAX_COMMUNITY {
            return Err(HeaderError::NotSnmp);
        }
        self.rest = self.rest.get(count..).ok_or(HeaderError::Incomplete)?;
        Ok(())
    }

    /// Reads the tag and the length of an element; returns the length.
    fn element(&mut self, tag: u8) -> Result<usize, HeaderError> {
        if self.octet()? != tag {
            return Err(HeaderError::NotSnmp);
        }
        let first = self.octet()?;
        let count = match first {
            0..=0x7f => return Ok(first.into()),
            0x81..=0x84 => first & 0x7f,
            _ => return Err(HeaderError::NotSnmp),
        };
        let mut length = 0_usize;
        for _ in 0..count {
            length = length << 8 | usize::from(self.octet()?);
        }
        if length > MAX_MESSAGE { Err(HeaderError::NotSnmp) } else { Ok(length) }
    }

    fn integer(&mut self) -> Result<i64, HeaderError> {
        let length = self.element(INTEGER)?;
        if !(1..=5).contains(&length) {
            return Err(HeaderError::NotSnmp);
        }
        let mut value = 0;
        for position in 0..length {
            let octet = self.octet()?;
            value = if position == 0 { i64::from(octet as i8) } else { value << 8 | i64::from(octet) };
        }
        Ok(value)
    }
}

/// The maximum length of a header that [`SnmpHeader::read`] needs.
pub(super) const MAX_HEADER: usize = MAX_COMMUNITY + 64;

/// The maximum length of a community that is read.
const MAX_COMMUNITY: usize = 512;

/// The maximum length of a message. Messages over TCP have no other limit.
const MAX_MESSAGE: usize = 1 << 24;

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const SEQUENCE: u8 = 0x30;
const GET: u8 = 0xa0;
const GET_NEXT: u8 = 0xa1;
const RESPONSE: u8 = 0xa2;
const SET: u8 = 0xa3;
const TRAP_V1: u8 = 0xa4;
const GET_BULK: u8 = 0xa5;
const INFORM: u8 = 0xa6;
const TRAP: u8 = 0xa7;
/// The reportable flag of msgFlags.
const REPORTABLE: u8 = 0x04;

#[cfg(test)]
mod tests;
