//! One DTLS 1.3 channel.
//!
//! Its library tells of packets, events and messages in one queue. During the handshake that is emptied after each call
//! and kept here until it is asked for; in an open channel what comes first goes straight to whoever asks. A refused client hears of it only when the handshake is done, because the library sends no alert of
//! ours before: the channel is closed then, and no message of it is ever told.

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

/// One end of a channel.
pub(crate) struct Channel13 {
    machine: Dtls,
    verifier: PeerVerifier,
    /// What the peer's certificate was found to be.
    verdict: Option<Result<PeerIdentity, TrustError>>,
    /// That certificate, on a client, which may be asked about it.
    presented: Option<Vec<u8>>,
    /// Octets of a client's own certificate.
    certificate_len: usize,
    state: State,
    cert_request: CertRequestState,
    reachable: bool,
    timeout: Option<Instant>,
    /// What the machine was last told of time.
    last_timeout: Option<Instant>,
    /// The machine's queue may hold something. Only in an open channel.
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

/// What a client knows of whether the server has asked for its certificate. The library does not tell; but where it shows the
/// certificate, the flight that ends the handshake is longer than that, and otherwise shorter than any certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CertRequestState {
    /// Nothing yet; or it is the server.
    Unknown,
    /// The flight is being taken out of the machine: so many octets are missing to the certificate's length.
    Measuring(usize),
    Known(bool),
}

/// What has not been told yet.
enum PendingEvent {
    Event(ChannelEvent),
    Message(Vec<u8>),
}

/// What has come out of the machine, and how many octets of the room that was given it takes.
enum Polled {
    Packet(usize),
    Message(usize),
    /// Nothing that anybody is to have.
    Consumed,
    /// Nothing, because it takes so many.
    TooLong(usize),
    /// Nothing more is there.
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
    /// A server's end. Until the client has repeated our cookie it is not reachable, and says nothing unasked.
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

    /// A client's end, whose first flight waits to be transmitted.
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
            verdict: None,
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
            // The machine has room for a few datagrams only.
            self.drain_queue(Ok(()));
        }
        let result = self.update_clock(now).and_then(|()| self.machine.handle_packet(datagram));
        self.after_call(result);
    }

    /// What the machine has said of a call: in an open channel its queue waits until it is asked for.
    fn after_call(&mut self, result: Result<(), Error>) {
        match (self.state, result) {
            (State::Open, Ok(())) => self.queue_dirty = true,
            (_, result) => self.drain_queue(result),
        }
    }

    /// Tells the machine what time it is, unless a flight is due: what has just come may be what it waits for, and what
    /// is sent must not share a datagram with what is repeated. Its driver's next call sees to the flight. A machine that
    /// was told a moment ago knows it well enough.
    fn update_clock(&mut self, now: Instant) -> Result<(), Error> {
        let is_due = self.timeout.is_some_and(|timeout| timeout <= now);
        let knows =
            self.last_timeout.is_some_and(|told| now.saturating_duration_since(told) < CLOCK_GRANULARITY);
        if is_due || knows {
            return Ok(());
        }
        self.advance_clock(now)
    }

    fn advance_clock(&mut self, now: Instant) -> Result<(), Error> {
        self.last_timeout = Some(now);
        self.machine.handle_timeout(now)
    }

    /// Empties the machine's queue, and ends the channel where it failed.
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
        // Each round takes something out of the machine; the bound is for a machine that would not stop.
        for _ in 0..MAX_OUTPUTS {
            match self.poll_machine(scratch) {
                Polled::TooLong(needed) if needed <= MAX_SCRATCH_LEN => scratch.resize(needed, 0),
                Polled::TooLong(_) => {
                    let error = ChannelError::at(ChannelStep::Negotiate, "the peer's messages are too long");
                    return self.close_with(ChannelEvent::Failed(error));
                }
                Polled::Empty => return,
                taken => self.enqueue(&taken, scratch),
            }
        }
    }

    /// Takes the next thing out of the machine; what is for others to have stands in front of `room`.
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
                let verdict = self.verifier.verify(&[CertificateDer::from(der)]);
                let error = verdict.as_ref().err().copied();
                self.verdict = Some(verdict);
                if let Some(error) = error
                    && self.verifier.is_client()
                {
                    // Nothing that we are leaves before the server is known.
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
                // A machine that waits for nothing names a time years away.
                let waits =
                    self.last_timeout.is_some_and(|told| at.saturating_duration_since(told) < MAX_TIMEOUT);
                self.timeout = (waits && self.state != State::Closed && self.reachable).then_some(at);
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

    /// Keeps what stands in front of `room` until it is asked for.
    fn enqueue(&mut self, taken: &Polled, buffer: &[u8]) {
        let octets = |length: usize| buffer.get(..length).unwrap_or_default().to_vec();
        match *taken {
            Polled::Packet(length) => self.tx_queue.push_back(octets(length)),
            Polled::Message(length) => self.events.push_back(PendingEvent::Message(octets(length))),
            Polled::TooLong(_) | Polled::Consumed | Polled::Empty => {}
        }
    }

    /// Takes out of an open channel's machine what `wanted` tells the length of, to the front of `room`, and keeps what comes
    /// before it. `None` where there is no such thing, or `room` is too small for something: then all is kept.
    fn poll_for(&mut self, buffer: &mut [u8], wanted: fn(&Polled) -> Option<usize>) -> Option<usize> {
        for _ in 0..MAX_OUTPUTS {
            if !self.queue_dirty {
                break;
            }
            let taken = self.poll_machine(buffer);
            match taken {
                Polled::Empty => self.queue_dirty = false,
                Polled::TooLong(_) => self.drain_queue(Ok(())),
                taken if wanted(&taken).is_some() => return wanted(&taken),
                taken => self.enqueue(&taken, buffer),
            }
        }
        None
    }

    fn connected(&mut self) {
        match &self.verdict {
            Some(Ok(_)) if self.verifier.is_client() => {
                self.cert_request = CertRequestState::Measuring(self.certificate_len)
            }
            Some(Ok(_)) => {
                self.state = State::Open;
                self.events.push_back(PendingEvent::Event(ChannelEvent::Open));
            }
            refused => {
                let error = match refused {
                    Some(Err(error)) => *error,
                    _ => TrustError::NoCertificate,
                };
                // Tells the peer, as far as that goes, with what is taken out next.
                let _ = self.machine.close();
                let error = self.verifier.trust_error(error);
                self.close_with(ChannelEvent::Failed(error));
            }
        }
    }

    /// All of a client's last flight has been taken out.
    fn finish_measuring(&mut self, is_asked: bool) {
        self.cert_request = CertRequestState::Known(is_asked);
        if is_asked {
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
        match (&self.verdict, self.state) {
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
                // An idle channel keeps no room for packets.
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
            return Err(ChannelError::at(ChannelStep::Data, "the message is longer than a record carries"));
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
        match &self.verdict {
            Some(Ok(peer)) if self.state != State::Handshake => Some(peer),
            _ => None,
        }
    }

    fn protocol(&self) -> &'static str {
        "DTLSv1.3"
    }

    fn handshake(&self) -> Handshake {
        // The library does not tell its suite.
        Handshake {
            version: self.presented.as_ref().map(|_| self.protocol()),
            presented: self.presented.iter().cloned().collect(),
            requests_client_certificate: match self.cert_request {
                CertRequestState::Known(is_asked) => Some(is_asked),
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

/// Whether a packet of ours has an encrypted record, behind others or not (RFC 9147 §4). A server sends the first of
/// these when the client has repeated its cookie.
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
    /// Room for one output, shared by all channels of a thread.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A record and what frames it, or a certificate.
const SCRATCH_LEN: usize = 64 << 10;
const MAX_SCRATCH_LEN: usize = 256 << 10;

/// Far shorter than anything that a machine waits for.
const CLOCK_GRANULARITY: Duration = Duration::from_millis(2);

/// Far longer than anything that a machine waits for.
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// More than one datagram or timeout can bring about.
const MAX_OUTPUTS: usize = 256;

/// Octets in front of the content of a record that is not encrypted.
const PLAIN_HEADER_LEN: usize = 13;

/// The bits that encrypted records begin with.
const UNIFIED_HEADER: u8 = 0b0010_0000;
const UNIFIED_MASK: u8 = 0b1110_0000;
