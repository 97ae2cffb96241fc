//! Datagrams between OpenSSL and the owner of the socket.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    iter,
};

/// The stream that OpenSSL uses as its socket: each read and each write is one datagram.
#[derive(Debug, Default)]
pub(crate) struct DatagramBuffer {
    received: Option<Vec<u8>>,
    outgoing: VecDeque<Vec<u8>>,
    has_sent_certificate: bool,
    /// The numbers of the peer's handshake messages that may be long.
    long_messages: Vec<u16>,
}

impl DatagramBuffer {
    /// Stores a received datagram for the next read. A datagram that has not been read yet is lost,
    /// which DTLS tolerates.
    pub(crate) fn push_received(&mut self, datagram: &[u8]) {
        let records = self.plausible_records(datagram);
        // OpenSSL would interpret an empty read as the end of the stream.
        self.received = (!records.is_empty()).then_some(records);
    }

    /// Returns `true` if the received datagram has been read.
    pub(crate) fn is_drained(&self) -> bool {
        self.received.is_none()
    }

    /// Returns `true` if our certificate was sent. A client sends it only on request.
    pub(crate) fn has_sent_certificate(&self) -> bool {
        self.has_sent_certificate
    }

    /// Moves the next outgoing datagram to the start of `buffer`; returns its length. A datagram
    /// that does not fit is lost.
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
    /// Returns the plausible records of a datagram. Records that are too short to be encrypted are
    /// omitted: OpenSSL 3 treats them as a fatal error, so that an attacker with a forged source
    /// address could close the channel. Records with handshake messages that are too long or too
    /// numerous are omitted as well: OpenSSL allocates a hundred kilobytes for each of ten
    /// messages.
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

    /// Returns `true` if the handshake messages or fragments in a record have plausible lengths.
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

    /// Returns `true` if this message is one of the few that may be long.
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
        // A peer that triggers flights faster than they are sent loses some of them.
        if self.outgoing.len() < MAX_OUTGOING {
            self.outgoing.push_back(octets.to_vec());
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Splits a datagram into records, with their headers. A record that extends beyond the end of the
/// datagram is left out.
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

/// Returns `true` if a record belongs to epoch 0, in which records are not encrypted.
fn is_in_clear(record: &[u8]) -> bool {
    record.get(3..5) == Some(&[0, 0])
}

/// Returns `true` if a record contains a certificate message, or a fragment of one.
fn is_certificate(record: &[u8]) -> bool {
    is_in_clear(record)
        && record.first() == Some(&HANDSHAKE)
        && record.get(RECORD_HEADER_LEN) == Some(&CERTIFICATE)
}

/// The type of a record and of its handshake message (RFC 5246 §6.2.1 and §7.4).
const HANDSHAKE: u8 = 22;
const CERTIFICATE: u8 = 11;

/// The length of a record header in octets (RFC 6347 §4.1).
const RECORD_HEADER_LEN: usize = 13;

/// The length of a handshake header in octets (RFC 6347 §4.2.2).
const MESSAGE_HEADER_LEN: usize = 12;

/// The maximum length in octets of a long handshake message: a certificate chain or a list of
/// authorities.
const MAX_LONG_LEN: u32 = 32 << 10;
/// The maximum length in octets of any other handshake message.
const MAX_SHORT_LEN: u32 = 4 << 10;
/// The maximum number of long messages in a handshake: a peer sends one of each kind.
const MAX_LONG_MESSAGES: usize = 2;

/// The minimum length of encrypted content in octets: a nonce and an authentication tag (RFC 5288
/// §3).
const MIN_ENCRYPTED_LEN: usize = 8 + 16;

/// The maximum number of waiting datagrams: more than the longest flight contains.
const MAX_OUTGOING: usize = 64;
