//! A client that begins with DTLS 1.3, and falls back to 1.2 if the server does not support 1.3.
//!
//! A server without 1.3 responds to the first hello with a HelloVerifyRequest, which 1.3 does not
//! use, or with an alert. Neither is authenticated, so an attacker on the path can force a
//! downgrade to 1.2. That is acceptable, because both versions are secure as configured here.
//!
//! A server that keeps state after the first hello, such as Net-SNMP's, treats records whose
//! numbers start at 0 again as replays and drops them. So the 1.2 channel continues the sequence
//! numbers of the 1.3 channel. Sequence numbers are not protected until there are keys.

use std::{ops::Range, time::Instant};

use portreeve_channel::{ChannelError, ChannelEvent, Handshake, PeerIdentity, SecureDatagrams};

use crate::{
    v12::{Channel12, Context12},
    v13::Channel13,
    verifier::PeerVerifier,
};

/// A channel that began with DTLS 1.3.
pub(super) struct VersionFallback {
    current: Box<dyn SecureDatagrams>,
    /// The 1.2 context and verifier for a fallback; `None` once the version is settled.
    fallback: Option<(Context12, PeerVerifier)>,
    /// The next unused sequence number of epoch 0; 0 once the server has shown that it supports
    /// 1.3.
    next_sequence: u64,
}

impl VersionFallback {
    pub(super) fn new(begun: Channel13, older: Context12, verifier: PeerVerifier) -> Self {
        Self { current: Box::new(begun), fallback: Some((older, verifier)), next_sequence: 0 }
    }
}

impl SecureDatagrams for VersionFallback {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        if let Some((context, verifier)) = &self.fallback {
            if requires_dtls12(datagram) {
                if let Some(channel) = Channel12::connect(context, verifier.clone(), now) {
                    self.current = Box::new(channel);
                }
                self.fallback = None;
                return;
            }
            if datagram.get(HANDSHAKE_TYPE) == Some(&SERVER_HELLO) {
                self.fallback = None;
                self.next_sequence = 0;
            }
        }
        self.current.handle_datagram(now, datagram);
    }

    fn handle_timeout(&mut self, now: Instant) {
        self.current.handle_timeout(now);
    }

    fn next_timeout(&self) -> Option<Instant> {
        self.current.next_timeout()
    }

    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let length = self.current.poll_transmit(buffer)?;
        let datagram = buffer.get_mut(..length).unwrap_or_default();
        match self.fallback {
            Some(_) => rewrite_sequence_numbers(datagram, |number| {
                self.next_sequence = self.next_sequence.max(number + 1);
                number
            }),
            None => rewrite_sequence_numbers(datagram, |number| number + self.next_sequence),
        }
        Some(length)
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent> {
        self.current.poll_event(buffer)
    }

    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError> {
        self.current.send(now, message)
    }

    fn is_reachable(&self) -> bool {
        self.current.is_reachable()
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.current.peer()
    }

    fn protocol(&self) -> &'static str {
        self.current.protocol()
    }

    fn handshake(&self) -> Handshake {
        self.current.handshake()
    }

    fn close(&mut self, now: Instant) {
        self.current.close(now);
    }
}

/// Returns `true` for the response of a server without DTLS 1.3 to the first hello: a
/// HelloVerifyRequest, or the alert handshake_failure, illegal_parameter or protocol_version, in
/// epoch 0.
fn requires_dtls12(datagram: &[u8]) -> bool {
    if datagram.get(EPOCH) != Some(&[0, 0]) {
        return false;
    }
    match datagram.first() {
        Some(&HANDSHAKE) => datagram.get(HANDSHAKE_TYPE) == Some(&HELLO_VERIFY_REQUEST),
        Some(&ALERT) => matches!(datagram.get(ALERT_DESCRIPTION), Some(40 | 47 | 70)),
        _ => false,
    }
}

/// Replaces the sequence number of each record of epoch 0. These records come first in a datagram
/// (RFC 6347 §4.1).
fn rewrite_sequence_numbers(mut records: &mut [u8], mut renumber: impl FnMut(u64) -> u64) {
    while let Some((header, rest)) = records.split_first_chunk_mut::<RECORD_HEADER_LEN>() {
        let [ALERT | HANDSHAKE | CHANGE_CIPHER_SPEC, _, _, 0, 0, sequence @ .., l1, l0] = header else {
            return;
        };
        let [n5, n4, n3, n2, n1, n0] = *sequence;
        let [_, _, number @ ..] = renumber(u64::from_be_bytes([0, 0, n5, n4, n3, n2, n1, n0])).to_be_bytes();
        *sequence = number;
        let length = usize::from(u16::from_be_bytes([*l1, *l0]));
        records = rest.get_mut(length..).unwrap_or_default();
    }
}

/// The length of a record header in octets (RFC 6347 §4.1).
const RECORD_HEADER_LEN: usize = 13;

/// Offsets in a record of epoch 0 (RFC 6347 §4.1, §4.2.2).
const EPOCH: Range<usize> = 3..5;
const HANDSHAKE_TYPE: usize = 13;
const ALERT_DESCRIPTION: usize = 14;

const CHANGE_CIPHER_SPEC: u8 = 20;
const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const SERVER_HELLO: u8 = 2;
const HELLO_VERIFY_REQUEST: u8 = 3;
