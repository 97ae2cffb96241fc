//! The datagrams between OpenSSL and whoever owns the socket.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    iter,
};

/// What OpenSSL takes for its socket: each read is one datagram, and so is each write.
#[derive(Debug, Default)]
pub(crate) struct DatagramBuffer {
    received: Option<Vec<u8>>,
    outgoing: VecDeque<Vec<u8>>,
    has_sent_certificate: bool,
    /// The numbers of the messages of the peer's handshake that are long.
    long_messages: Vec<u16>,
}

impl DatagramBuffer {
    /// Lays a datagram ready. One that was not read yet is lost, as datagrams may be.
    pub(crate) fn push_received(&mut self, datagram: &[u8]) {
        let records = self.plausible_records(datagram);
        // Reading nothing would be the end of the stream.
        self.received = (!records.is_empty()).then_some(records);
    }

    /// Whether the datagram that was laid ready has been read.
    pub(crate) fn is_drained(&self) -> bool {
        self.received.is_none()
    }

    /// Whether this end has sent its certificate, which a client does when it is asked for it.
    pub(crate) fn has_sent_certificate(&self) -> bool {
        self.has_sent_certificate
    }

    /// Takes the next datagram out, at the front of `buffer`; returns its length. One that does not fit is lost.
    pub(crate) fn pop_outgoing(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            let datagram = self.outgoing.pop_front()?;
            if self.outgoing.is_empty() {
                self.outgoing = VecDeque::new();
            }
            if let Some(buffer) = buffer.get_mut(..datagram.len()) {
                buffer.copy_from_slice(&datagram);
                return Some(datagram.len());
            }
        }
    }
}

impl DatagramBuffer {
    /// The records of a datagram without those that nobody in his right mind sends: too short to be encrypted where they say
    /// that they are, or with parts of messages that are too long or too many. OpenSSL 3 takes the former for an error of its
    /// own and gives the channel up, so that anybody who can write the peer's address could end it; for the latter it
    /// keeps room, a hundred kilobytes for each of ten messages.
    fn plausible_records(&mut self, datagram: &[u8]) -> Vec<u8> {
        let mut kept = Vec::with_capacity(datagram.len());
        for record in records(datagram) {
            let is_plausible = if is_in_clear(record) {
                record.first() != Some(&HANDSHAKE) || self.has_plausible_lengths(record)
            } else {
                record.len() >= RECORD_HEADER_LEN + MIN_ENCRYPTED_LEN
            };
            if is_plausible {
                kept.extend_from_slice(record);
            }
        }
        kept
    }

    /// Whether the messages of a record, or the parts of some, are no longer than messages are.
    fn has_plausible_lengths(&mut self, record: &[u8]) -> bool {
        let mut rest = record.get(RECORD_HEADER_LEN..).unwrap_or_default();
        while let Some((header, following)) = rest.split_first_chunk::<MESSAGE_HEADER_LEN>() {
            let [_, l2, l1, l0, n1, n0, _, _, _, p2, p1, p0] = *header;
            let [length, part] =
                [[l2, l1, l0], [p2, p1, p0]].map(|[two, one, zero]| u32::from_be_bytes([0, two, one, zero]));
            if length > MAX_LONG_LEN
                || length > MAX_SHORT_LEN && !self.may_be_long(u16::from_be_bytes([n1, n0]))
            {
                return false;
            }
            rest = following.get(part as usize..).unwrap_or_default();
        }
        true
    }

    /// Whether a message is among the few that are long.
    fn may_be_long(&mut self, number: u16) -> bool {
        let is_new = !self.long_messages.contains(&number);
        if is_new && self.long_messages.len() < MAX_LONG_MESSAGES {
            self.long_messages.push(number);
            return true;
        }
        !is_new
    }
}

impl Read for DatagramBuffer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let datagram = self.received.take().ok_or(io::ErrorKind::WouldBlock)?;
        let count = datagram.len().min(into.len());
        if let (Some(into), Some(datagram)) = (into.get_mut(..count), datagram.get(..count)) {
            into.copy_from_slice(datagram);
        }
        Ok(count)
    }
}

impl Write for DatagramBuffer {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.has_sent_certificate |= records(octets).any(is_certificate);
        // A peer that provokes flights faster than they are taken loses some of them.
        if self.outgoing.len() < MAX_OUTGOING {
            self.outgoing.push_back(octets.to_vec());
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The records of a datagram, with their headers. What is longer than the datagram is left out.
fn records(datagram: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = datagram;
    iter::from_fn(move || {
        let ([.., l1, l0], _) = rest.split_first_chunk::<RECORD_HEADER_LEN>()?;
        let length = usize::from(u16::from_be_bytes([*l1, *l0]));
        let (record, following) = rest.split_at_checked(RECORD_HEADER_LEN + length)?;
        rest = following;
        Some(record)
    })
}

/// Whether a record is of the epoch before there are keys.
fn is_in_clear(record: &[u8]) -> bool {
    record.get(3..5) == Some(&[0, 0])
}

/// Whether a record carries a certificate, or part of one.
fn is_certificate(record: &[u8]) -> bool {
    is_in_clear(record)
        && record.first() == Some(&HANDSHAKE)
        && record.get(RECORD_HEADER_LEN) == Some(&CERTIFICATE)
}

/// The kind of a record, and of what is in it (RFC 5246 §6.2.1 and §7.4).
const HANDSHAKE: u8 = 22;
const CERTIFICATE: u8 = 11;

/// Octets in front of a record's content (RFC 6347 §4.1).
const RECORD_HEADER_LEN: usize = 13;

/// Octets in front of a message of a handshake, or a part of one (RFC 6347 §4.2.2).
const MESSAGE_HEADER_LEN: usize = 12;

/// Octets of a message: a chain of certificates, or the names of authorities, of which there is one each; and of any other.
const MAX_LONG_LEN: u32 = 32 << 10;
const MAX_SHORT_LEN: u32 = 4 << 10;
const MAX_LONG_MESSAGES: usize = 2;

/// A nonce and an authenticator (RFC 5288 §3).
const MIN_ENCRYPTED_LEN: usize = 8 + 16;

/// Datagrams that wait at once: the longest flight has fewer.
const MAX_OUTGOING: usize = 64;
