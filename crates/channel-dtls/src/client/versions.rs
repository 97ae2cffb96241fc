//! A client that begins with DTLS 1.3 and speaks 1.2 where the server has no other.
//!
//! A server without 1.3 answers the first hello with a HelloVerifyRequest, which 1.3 does not have, or with an alert;
//! neither is authenticated, so whoever sits in between can have 1.2 spoken. Both versions are safe as they are spoken
//! here, which is why that is borne.

use std::{ops::Range, time::Instant};

use portreeve_channel::{ChannelError, Event, PeerIdentity, SecureDatagrams};

use crate::{
    judge::Judge,
    v12::{Channel12, Context12},
    v13::Channel13,
};

/// A channel that has begun with the newest version.
pub(super) struct NewestFirst {
    current: Box<dyn SecureDatagrams>,
    /// With what to begin again, while the server has not shown that it has the newest version.
    older: Option<(Context12, Judge)>,
}

impl NewestFirst {
    pub(super) fn new(begun: Channel13, older: Context12, judge: Judge) -> Self {
        Self { current: Box::new(begun), older: Some((older, judge)) }
    }
}

impl SecureDatagrams for NewestFirst {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        if let Some((context, judge)) = &self.older {
            if wants_older(datagram) {
                if let Some(channel) = Channel12::connect(context, judge.clone(), now) {
                    self.current = Box::new(channel);
                }
                self.older = None;
                return;
            }
            if datagram.get(HANDSHAKE_TYPE) == Some(&SERVER_HELLO) {
                self.older = None;
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
        self.current.poll_transmit(buffer)
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<Event> {
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

    fn close(&mut self, now: Instant) {
        self.current.close(now);
    }
}

/// Whether this answers a first hello with what a server without DTLS 1.3 says: a HelloVerifyRequest, or the alert
/// handshake_failure, illegal_parameter or protocol_version, in epoch 0.
fn wants_older(datagram: &[u8]) -> bool {
    if datagram.get(EPOCH) != Some(&[0, 0]) {
        return false;
    }
    match datagram.first() {
        Some(&HANDSHAKE) => datagram.get(HANDSHAKE_TYPE) == Some(&HELLO_VERIFY_REQUEST),
        Some(&ALERT) => matches!(datagram.get(ALERT_DESCRIPTION), Some(40 | 47 | 70)),
        _ => false,
    }
}

/// Places in a record of epoch 0 (RFC 6347 §4.1, §4.2.2).
const EPOCH: Range<usize> = 3..5;
const HANDSHAKE_TYPE: usize = 13;
const ALERT_DESCRIPTION: usize = 14;

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const SERVER_HELLO: u8 = 2;
const HELLO_VERIFY_REQUEST: u8 = 3;
