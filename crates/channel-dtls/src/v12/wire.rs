//! The datagrams between OpenSSL and whoever owns the socket.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
};

/// What OpenSSL takes for its socket: each read is one datagram, and so is each write.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    arrived: Option<Vec<u8>>,
    leaving: VecDeque<Vec<u8>>,
}

impl Wire {
    /// Lays a datagram ready. One that was not read yet is lost, as datagrams may be.
    pub(crate) fn arrive(&mut self, datagram: &[u8]) {
        let records = plausible(datagram);
        // Reading nothing would be the end of the stream.
        self.arrived = (!records.is_empty()).then_some(records);
    }

    /// Whether the datagram that was laid ready has been read.
    pub(crate) fn is_read(&self) -> bool {
        self.arrived.is_none()
    }

    /// Takes the next datagram out, at the front of `buffer`; returns its length. One that does not fit is lost.
    pub(crate) fn leave(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            let datagram = self.leaving.pop_front()?;
            if self.leaving.is_empty() {
                self.leaving = VecDeque::new();
            }
            if let Some(room) = buffer.get_mut(..datagram.len()) {
                room.copy_from_slice(&datagram);
                return Some(datagram.len());
            }
        }
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let datagram = self.arrived.take().ok_or(io::ErrorKind::WouldBlock)?;
        let count = datagram.len().min(into.len());
        if let (Some(into), Some(datagram)) = (into.get_mut(..count), datagram.get(..count)) {
            into.copy_from_slice(datagram);
        }
        Ok(count)
    }
}

impl Write for Wire {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        // A peer that provokes flights faster than they are taken loses some of them.
        if self.leaving.len() < MAX_LEAVING {
            self.leaving.push_back(octets.to_vec());
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The records of a datagram without those that are too short to be encrypted and yet say that they are. OpenSSL 3 takes
/// such a one for an error of its own and gives the channel up, so that anybody who can write the peer's address could
/// end it.
fn plausible(datagram: &[u8]) -> Vec<u8> {
    let mut records = Vec::with_capacity(datagram.len());
    let mut rest = datagram;
    while let Some((header, _)) = rest.split_first_chunk::<HEADER>() {
        let [_, _, _, e1, e0, .., l1, l0] = *header;
        let length = usize::from(u16::from_be_bytes([l1, l0]));
        // What is longer than the datagram is dropped whole.
        let Some((record, following)) = rest.split_at_checked(HEADER + length) else { break };
        if [e1, e0] == [0, 0] || length >= SHORTEST_ENCRYPTED {
            records.extend_from_slice(record);
        }
        rest = following;
    }
    records
}

/// Octets in front of a record's content (RFC 6347 §4.1).
const HEADER: usize = 13;

/// A nonce and an authenticator (RFC 5288 §3).
const SHORTEST_ENCRYPTED: usize = 8 + 16;

/// Datagrams that wait at once: the longest flight has fewer.
const MAX_LEAVING: usize = 64;
