//! One DTLS 1.3 channel.
//!
//! The state machine of the library, called the machine below, returns packets, events and messages
//! in one queue. During the handshake, that queue is drained after each call and its content is
//! kept here. In an open channel, it is polled on demand, and the next item goes directly to the
//! caller. The library cannot send our alerts during the handshake. So a rejected client is
//! notified only afterwards: the channel is closed then, and none of its messages are delivered.

use std::{
    cell::RefCell,
    collections::VecDeque,
    time::{Duration, Instant},
};

use dimpl::{Dtls, Error, Output};
use portreeve_channel::{ChannelError, ChannelEvent, ChannelStep, Handshake, PeerIdentity, SecureDatagrams};
use portreeve_x509::TrustError;
use rustls_pki_types::CertificateDer;

use super::context::Context13;
use crate::{settings::MAX_MESSAGE_LEN, verifier::PeerVerifier};

/// One side of a DTLS 1.3 channel.
pub(crate) struct Channel13 {
    machine: Dtls,
    verifier: PeerVerifier,
    /// The result of verifying the peer's certificate.
    verification: Option<Result<PeerIdentity, TrustError>>,
    /// On a client, the peer's certificate, for diagnosis.
    presented: Option<Vec<u8>>,
    /// The length of a client's own certificate in octets.
    certificate_len: usize,
    state: State,
    cert_request: CertRequestState,
    reachable: bool,
    timeout: Option<Instant>,
    /// The time that was last passed to the library's state machine.
    last_timeout: Option<Instant>,
    /// Set in an open channel while the queue of the library's state machine may contain an item.
    queue_dirty: bool,
    tx_queue: VecDeque<Vec<u8>>,
    events: VecDeque<PendingEvent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Handshake,
    Open,
    Closed,
}

/// Tracks if the server has requested a client certificate. The library does not report it. If the
/// library sends our certificate, the last handshake flight is longer than the certificate;
/// otherwise the flight is shorter than any certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CertRequestState {
    /// Not known yet, or this is a server.
    Unknown,
    /// The flight is being read from the library; this many octets are still missing until it is as
    /// long as the certificate.
    Measuring(usize),
    Known(bool),
}

/// An event or message that has not been returned yet.
enum PendingEvent {
    Event(ChannelEvent),
    Message(Vec<u8>),
}

/// The result of polling the library's state machine, with the number of octets in the buffer.
enum Polled {
    Packet(usize),
    Message(usize),
    /// Processed internally; nothing to return.
    Consumed,
    /// Nothing was returned, because the next item needs a buffer of this length.
    TooLong(usize),
    /// The queue of the library is empty.
    Empty,
}

impl Polled {
    fn packet(&self) -> Option<usize> {
        if let Self::Packet(length) = *self { Some(length) } else { None }
    }

    fn message(&self) -> Option<usize> {
        if let Self::Message(length) = *self { Some(length) } else { None }
    }
}

impl Channel13 {
    /// Creates a server channel. Until the client has returned our cookie, the channel is not
    /// reachable and only responds to datagrams.
    pub(crate) fn accept(
        context: &Context13,
        verifier: PeerVerifier,
        now: Instant,
        hello: &[u8],
    ) -> Option<Self> {
        let mut channel = Self::new(context, verifier, now, false);
        channel.receive(now, hello);
        (channel.state == State::Handshake).then_some(channel)
    }

    /// Creates a client channel whose first flight is waiting to be transmitted.
    pub(crate) fn connect(context: &Context13, verifier: PeerVerifier, now: Instant) -> Self {
        let mut channel = Self::new(context, verifier, now, true);
        channel.certificate_len = context.certificate_len();
        let result = channel.advance_clock(now);
        channel.drain_queue(result);
        channel
    }

    fn new(context: &Context13, verifier: PeerVerifier, now: Instant, is_client: bool) -> Self {
        Self {
            machine: context.machine(now, is_client),
            verifier,
            verification: None,
            presented: None,
            certificate_len: 0,
            state: State::Handshake,
            cert_request: CertRequestState::Unknown,
            reachable: is_client,
            timeout: None,
            last_timeout: None,
            queue_dirty: false,
            tx_queue: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    fn receive(&mut self, now: Instant, datagram: &[u8]) {
        if self.queue_dirty {
            // The library's state machine can hold only a few datagrams.
            self.drain_queue(Ok(()));
        }
        let result = self.update_clock(now).and_then(|()| self.machine.handle_packet(datagram));
        self.after_call(result);
    }

    /// Processes the result of a call to the library's state machine. In an open channel, its queue
    /// is polled later.
    fn after_call(&mut self, result: Result<(), Error>) {
        match (self.state, result) {
            (State::Open, Ok(())) => self.queue_dirty = true,
            (_, result) => self.drain_queue(result),
        }
    }

    /// Passes the time to the library's state machine, unless a retransmission is due: the datagram
    /// just received may make the retransmission unnecessary, and new data must not share a
    /// datagram with it. The next timeout call retransmits the flight. Updates within
    /// [`CLOCK_GRANULARITY`] are skipped.
    fn update_clock(&mut self, now: Instant) -> Result<(), Error> {
        let is_due = self.timeout.is_some_and(|timeout| timeout <= now);
        let is_current =
            self.last_timeout.is_some_and(|last| now.saturating_duration_since(last) < CLOCK_GRANULARITY);
        if is_due || is_current {
            return Ok(());
        }
        self.advance_clock(now)
    }

    fn advance_clock(&mut self, now: Instant) -> Result<(), Error> {
        self.last_timeout = Some(now);
        self.machine.handle_timeout(now)
    }

    /// Drains the queue of the library's state machine, and closes the channel if `result` is an
    /// error.
    fn drain_queue(&mut self, result: Result<(), Error>) {
        SCRATCH.with_borrow_mut(|scratch| self.drain_with(scratch));
        if let Err(error) = result
            && self.state != State::Closed
        {
            let error = self.to_channel_error(&error);
            self.close_with(ChannelEvent::Failed(error));
        }
    }

    fn drain_with(&mut self, scratch: &mut Vec<u8>) {
        scratch.resize(SCRATCH_LEN, 0);
        self.queue_dirty = false;
        // Each iteration removes one item. The limit protects against a library that never returns
        // the end of its queue.
        for _ in 0..MAX_OUTPUTS {
            match self.poll_machine(scratch) {
                Polled::TooLong(needed) if needed <= MAX_SCRATCH_LEN => scratch.resize(needed, 0),
                Polled::TooLong(_) => {
                    let error = ChannelError::at(
                        ChannelStep::Negotiate,
                        "the peer sent handshake messages that are too long",
                    );
                    return self.close_with(ChannelEvent::Failed(error));
                }
                Polled::Empty => return,
                polled => self.enqueue(&polled, scratch),
            }
        }
    }

    /// Polls the library's state machine once. Packets and messages are written to the start of
    /// `buffer`.
    fn poll_machine(&mut self, buffer: &mut [u8]) -> Polled {
        match self.machine.poll_output(buffer) {
            Output::Packet(packet) => {
                self.reachable |= has_encrypted(packet);
                if let CertRequestState::Measuring(missing) = &mut self.cert_request {
                    *missing = missing.saturating_sub(packet.len());
                }
                return Polled::Packet(packet.len());
            }
            Output::PeerCert(der) => {
                self.presented = self.verifier.is_client().then(|| der.to_vec());
                let verification = self.verifier.verify(&[CertificateDer::from(der)]);
                let error = verification.as_ref().err().copied();
                self.verification = Some(verification);
                if let Some(error) = error
                    && self.verifier.is_client()
                {
                    // A client sends nothing about itself to a server that is not verified.
                    self.tx_queue.clear();
                    self.close_with(ChannelEvent::Failed(self.verifier.trust_error(error)));
                    return Polled::Empty;
                }
            }
            Output::Connected => self.connected(),
            Output::ApplicationData(message) if self.state == State::Open => {
                return Polled::Message(message.len());
            }
            Output::CloseNotify if self.state != State::Closed => self.close_with(ChannelEvent::ClosedByPeer),
            Output::Timeout(at) => {
                // If no timeout is pending, the library returns a time that is years away.
                let is_waiting =
                    self.last_timeout.is_some_and(|last| at.saturating_duration_since(last) < MAX_TIMEOUT);
                self.timeout = (is_waiting && self.state != State::Closed && self.reachable).then_some(at);
                if let CertRequestState::Measuring(missing) = self.cert_request {
                    self.finish_measuring(missing == 0);
                }
                return Polled::Empty;
            }
            Output::BufferTooSmall { needed } => return Polled::TooLong(needed),
            _ => {}
        }
        Polled::Consumed
    }

    /// Queues the packet or message at the start of `buffer`.
    fn enqueue(&mut self, polled: &Polled, buffer: &[u8]) {
        let octets = |length: usize| buffer.get(..length).unwrap_or_default().to_vec();
        match *polled {
            Polled::Packet(length) => self.tx_queue.push_back(octets(length)),
            Polled::Message(length) => self.events.push_back(PendingEvent::Message(octets(length))),
            Polled::TooLong(_) | Polled::Consumed | Polled::Empty => {}
        }
    }

    /// Polls the library's state machine in an open channel until it returns what `wanted` selects,
    /// and queues everything before it. The selected item is then at the start of `buffer`, and its
    /// length is returned. Returns `None` if nothing is selected, or if `buffer` is too short for
    /// an item; then everything is queued.
    fn poll_for(&mut self, buffer: &mut [u8], wanted: fn(&Polled) -> Option<usize>) -> Option<usize> {
        for _ in 0..MAX_OUTPUTS {
            if !self.queue_dirty {
                break;
            }
            let polled = self.poll_machine(buffer);
            match polled {
                Polled::Empty => self.queue_dirty = false,
                Polled::TooLong(_) => self.drain_queue(Ok(())),
                polled if wanted(&polled).is_some() => return wanted(&polled),
                polled => self.enqueue(&polled, buffer),
            }
        }
        None
    }

    fn connected(&mut self) {
        match &self.verification {
            Some(Ok(_)) if self.verifier.is_client() => {
                self.cert_request = CertRequestState::Measuring(self.certificate_len)
            }
            Some(Ok(_)) => {
                self.state = State::Open;
                self.events.push_back(PendingEvent::Event(ChannelEvent::Open));
            }
            rejected => {
                let error = match rejected {
                    Some(Err(error)) => *error,
                    _ => TrustError::NoCertificate,
                };
                // Queues a close alert for the peer, if possible.
                let _ = self.machine.close();
                let error = self.verifier.trust_error(error);
                self.close_with(ChannelEvent::Failed(error));
            }
        }
    }

    /// Finishes the measurement: the client's last flight has been read completely.
    fn finish_measuring(&mut self, is_requested: bool) {
        self.cert_request = CertRequestState::Known(is_requested);
        if is_requested {
            self.state = State::Open;
            self.events.push_back(PendingEvent::Event(ChannelEvent::Open));
        } else {
            self.tx_queue.clear();
            self.close_with(ChannelEvent::Failed(ChannelError::no_certificate_requested()));
        }
    }

    fn close_with(&mut self, event: ChannelEvent) {
        self.state = State::Closed;
        self.timeout = None;
        self.events.push_back(PendingEvent::Event(event));
    }

    fn to_channel_error(&self, error: &Error) -> ChannelError {
        match (&self.verification, self.state) {
            (Some(Err(error)), _) => self.verifier.trust_error(*error),
            (_, State::Open) => ChannelError::at(ChannelStep::Data, error.to_string()),
            _ => ChannelError::at(ChannelStep::Negotiate, error.to_string()),
        }
    }
}

impl SecureDatagrams for Channel13 {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        if self.state != State::Closed {
            self.receive(now, datagram);
        }
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self.timeout.is_some_and(|timeout| timeout <= now) {
            let result = self.advance_clock(now);
            self.drain_queue(result);
        }
    }

    fn next_timeout(&self) -> Option<Instant> {
        self.timeout
    }

    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize> {
        if self.tx_queue.is_empty()
            && let Some(length) = self.poll_for(buffer, Polled::packet)
        {
            return Some(length);
        }
        loop {
            let Some(packet) = self.tx_queue.pop_front() else {
                // An idle channel keeps no memory for packets.
                self.tx_queue = VecDeque::new();
                return None;
            };
            if let Some(buffer) = buffer.get_mut(..packet.len()) {
                buffer.copy_from_slice(&packet);
                return Some(packet.len());
            }
        }
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent> {
        if self.events.is_empty()
            && let Some(length) = self.poll_for(buffer, Polled::message)
        {
            return Some(ChannelEvent::Message(0..length));
        }
        loop {
            match self.events.pop_front() {
                Some(PendingEvent::Event(event)) => return Some(event),
                Some(PendingEvent::Message(message)) => {
                    if let Some(buffer) = buffer.get_mut(..message.len()) {
                        buffer.copy_from_slice(&message);
                        return Some(ChannelEvent::Message(0..message.len()));
                    }
                }
                None => {
                    self.events = VecDeque::new();
                    return None;
                }
            }
        }
    }

    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError> {
        if self.state != State::Open {
            return Err(ChannelError::at(ChannelStep::Data, "the channel is not open"));
        }
        if message.len() > MAX_MESSAGE_LEN {
            return Err(ChannelError::at(ChannelStep::Data, "the message does not fit into a DTLS record"));
        }
        let result = self.update_clock(now).and_then(|()| self.machine.send_application_data(message));
        let error = result.as_ref().err().map(|error| self.to_channel_error(error));
        self.after_call(result.map(drop));
        error.map_or(Ok(()), Err)
    }

    fn is_reachable(&self) -> bool {
        self.reachable
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        match &self.verification {
            Some(Ok(peer)) if self.state != State::Handshake => Some(peer),
            _ => None,
        }
    }

    fn protocol(&self) -> &'static str {
        "DTLSv1.3"
    }

    fn handshake(&self) -> Handshake {
        // The library does not report its cipher suite.
        Handshake {
            version: self.presented.as_ref().map(|_| self.protocol()),
            presented: self.presented.iter().cloned().collect(),
            requests_client_certificate: match self.cert_request {
                CertRequestState::Known(is_requested) => Some(is_requested),
                CertRequestState::Unknown | CertRequestState::Measuring(_) => None,
            },
            ..Handshake::default()
        }
    }

    fn close(&mut self, now: Instant) {
        if self.state == State::Open {
            let result = self.advance_clock(now).and_then(|()| self.machine.close());
            self.state = State::Closed;
            self.drain_queue(result);
        }
        self.state = State::Closed;
        self.timeout = None;
    }
}

/// Returns `true` if an outgoing packet contains an encrypted record (RFC 9147 §4). A server sends
/// the first one after the client has returned its cookie.
fn has_encrypted(packet: &[u8]) -> bool {
    let mut rest = packet;
    while let Some(first) = rest.first() {
        if first & UNIFIED_MASK == UNIFIED_HEADER {
            return true;
        }
        let Some((header, _)) = rest.split_first_chunk::<PLAIN_HEADER_LEN>() else { return false };
        let [.., l1, l0] = *header;
        let length = PLAIN_HEADER_LEN + usize::from(u16::from_be_bytes([l1, l0]));
        rest = rest.get(length..).unwrap_or_default();
    }
    false
}

thread_local! {
    /// A buffer for one output, shared by all channels of a thread.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The length of the buffer in octets: enough for a record with its header, or for a certificate.
const SCRATCH_LEN: usize = 64 << 10;
const MAX_SCRATCH_LEN: usize = 256 << 10;

/// The interval in which further clock updates are skipped. It is much shorter than any timeout of
/// the library.
const CLOCK_GRANULARITY: Duration = Duration::from_millis(2);

/// A time further away than this means that no timeout is pending. It is much longer than any
/// timeout of the library.
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of outputs of one call: more than a datagram or a timeout can cause.
const MAX_OUTPUTS: usize = 256;

/// The length of the header of an unencrypted record in octets.
const PLAIN_HEADER_LEN: usize = 13;

/// The first bits of encrypted records.
const UNIFIED_HEADER: u8 = 0b0010_0000;
const UNIFIED_MASK: u8 = 0b1110_0000;
