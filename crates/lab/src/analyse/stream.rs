//! One direction of a TCP connection: finds where messages of SNMP begin.
//!
//! Retransmitted octets are skipped. A capture may begin within a message, or lack segments: then
//! segments are skipped until one begins with a message of SNMP. If a stream was read from its
//! begin or from a message on, and something else follows, the rest of it is not read.

use std::mem;

use portreeve_lab_net::Tcp;

use super::snmp::{HeaderError, MAX_HEADER, SnmpHeader};

/// The state of one direction.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The number of the next octet, after the first segment.
    next: Option<u32>,
    /// The octets of the current message that are still to come.
    skip: usize,
    /// The begin of a header, of which the rest is in the next segment.
    pending: Vec<u8>,
    /// True if the next octet is known to be part of a message, or to begin one.
    is_synchronized: bool,
    is_other_protocol: bool,
}

impl Stream {
    /// Adds a segment. `length` is the length of its payload on the wire, of which `payload` was
    /// captured. Calls `found` for each message that begins in it.
    pub(super) fn add(
        &mut self,
        tcp: &Tcp,
        payload: &[u8],
        length: usize,
        mut found: impl FnMut(&SnmpHeader),
    ) {
        if tcp.flags.syn() {
            let next = Some(tcp.sequence.wrapping_add(1));
            *self = Self { next, is_synchronized: true, ..Self::default() };
            return;
        }
        if length == 0 || self.is_other_protocol {
            return;
        }
        let end = tcp.sequence.wrapping_add(length as u32);
        // The distance of two sequence numbers is less than half of their range.
        let ahead = self.next.map_or(0, |next| tcp.sequence.wrapping_sub(next) as i32);
        let repeated = if ahead < 0 { ahead.unsigned_abs() as usize } else { 0 };
        if repeated >= length {
            return;
        }
        if ahead > 0 {
            self.lose();
        }
        self.next = Some(end);
        self.read(payload.get(repeated..).unwrap_or_default(), &mut found);
        let missing = length - payload.len().max(repeated).min(length);
        if missing <= self.skip {
            self.skip -= missing;
        } else {
            self.lose();
        }
    }

    fn read(&mut self, octets: &[u8], found: &mut impl FnMut(&SnmpHeader)) {
        if self.pending.is_empty() {
            return self.read_messages(octets, found);
        }
        let mut joined = mem::take(&mut self.pending);
        joined.extend_from_slice(octets);
        let was_synchronized = self.is_synchronized;
        self.read_messages(&joined, found);
        if !was_synchronized && !self.is_synchronized && self.pending.is_empty() {
            // The earlier octets only looked like the begin of a header.
            self.read_messages(octets, found);
        }
    }

    fn read_messages(&mut self, mut octets: &[u8], found: &mut impl FnMut(&SnmpHeader)) {
        loop {
            let skipped = self.skip.min(octets.len());
            self.skip -= skipped;
            octets = octets.get(skipped..).unwrap_or_default();
            if octets.is_empty() {
                return;
            }
            match SnmpHeader::read(octets) {
                Ok(header) => {
                    found(&header);
                    self.skip = header.length;
                    self.is_synchronized = true;
                }
                Err(HeaderError::Incomplete) if octets.len() < MAX_HEADER => {
                    self.pending = octets.to_vec();
                    return;
                }
                Err(_) => {
                    self.is_other_protocol = self.is_synchronized;
                    return;
                }
            }
        }
    }

    /// Forgets the current message, of which octets are missing.
    fn lose(&mut self) {
        self.is_synchronized = false;
        self.skip = 0;
        self.pending.clear();
    }
}

#[cfg(test)]
mod tests;
