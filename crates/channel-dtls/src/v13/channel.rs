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
use portreeve_channel::{ChannelError, Event, Handshake, PeerIdentity, SecureDatagrams, Step};
use portreeve_x509::Refusal;
use rustls_pki_types::CertificateDer;

use super::context::Context13;
use crate::{judge::Judge, settings::LONGEST_MESSAGE};

/// One end of a channel.
pub(crate) struct Channel13 {
    machine: Dtls,
    judge: Judge,
    /// What the peer's certificate was found to be.
    verdict: Option<Result<PeerIdentity, Refusal>>,
    /// That certificate, on a client, which may be asked about it.
    presented: Option<Vec<u8>>,
    /// Octets of a client's own certificate.
    own: usize,
    state: State,
    showing: Showing,
    reachable: bool,
    timeout: Option<Instant>,
    /// What the machine was last told of time.
    told: Option<Instant>,
    /// The machine's queue may hold something. Only in an open channel.
    unasked: bool,
    leaving: VecDeque<Vec<u8>>,
    happened: VecDeque<Happening>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Handshake,
    Open,
    Over,
}

/// What a client knows of whether the server has asked for its certificate. The library does not tell; but where it shows the
/// certificate, the flight that ends the handshake is longer than that, and otherwise shorter than any certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Showing {
    /// Nothing yet; or it is the server.
    Unknown,
    /// The flight is being taken out of the machine: so many octets are missing to the certificate's length.
    Weighing(usize),
    Known(bool),
}

/// What has not been told yet.
enum Happening {
    Event(Event),
    Message(Vec<u8>),
}

/// What has come out of the machine, and how many octets of the room that was given it takes.
enum Taken {
    Packet(usize),
    Message(usize),
    /// Nothing that anybody is to have.
    Other,
    /// Nothing, because it takes so many.
    TooLong(usize),
    /// Nothing more is there.
    Last,
}

impl Taken {
    fn packet(&self) -> Option<usize> {
        if let Self::Packet(length) = *self { Some(length) } else { None }
    }

    fn message(&self) -> Option<usize> {
        if let Self::Message(length) = *self { Some(length) } else { None }
    }
}

impl Channel13 {
    /// A server's end. Until the client has repeated our cookie it is not reachable, and says nothing unasked.
    pub(crate) fn accept(context: &Context13, judge: Judge, now: Instant, hello: &[u8]) -> Option<Self> {
        let mut channel = Self::new(context, judge, now, false);
        channel.take_in(now, hello);
        (channel.state == State::Handshake).then_some(channel)
    }

    /// A client's end, whose first flight waits to be transmitted.
    pub(crate) fn connect(context: &Context13, judge: Judge, now: Instant) -> Self {
        let mut channel = Self::new(context, judge, now, true);
        channel.own = context.certificate_octets();
        let result = channel.tell(now);
        channel.settle(result);
        channel
    }

    fn new(context: &Context13, judge: Judge, now: Instant, is_client: bool) -> Self {
        Self {
            machine: context.machine(now, is_client),
            judge,
            verdict: None,
            presented: None,
            own: 0,
            state: State::Handshake,
            showing: Showing::Unknown,
            reachable: is_client,
            timeout: None,
            told: None,
            unasked: false,
            leaving: VecDeque::new(),
            happened: VecDeque::new(),
        }
    }

    fn take_in(&mut self, now: Instant, datagram: &[u8]) {
        if self.unasked {
            // The machine has room for a few datagrams only.
            self.settle(Ok(()));
        }
        let result = self.set_clock(now).and_then(|()| self.machine.handle_packet(datagram));
        self.note(result);
    }

    /// What the machine has said of a call: in an open channel its queue waits until it is asked for.
    fn note(&mut self, result: Result<(), Error>) {
        match (self.state, result) {
            (State::Open, Ok(())) => self.unasked = true,
            (_, result) => self.settle(result),
        }
    }

    /// Tells the machine what time it is, unless a flight is due: what has just come may be what it waits for, and what
    /// is sent must not share a datagram with what is repeated. Its driver's next call sees to the flight. A machine that
    /// was told a moment ago knows it well enough.
    fn set_clock(&mut self, now: Instant) -> Result<(), Error> {
        let is_due = self.timeout.is_some_and(|timeout| timeout <= now);
        let knows = self.told.is_some_and(|told| now.saturating_duration_since(told) < MOMENT);
        if is_due || knows {
            return Ok(());
        }
        self.tell(now)
    }

    fn tell(&mut self, now: Instant) -> Result<(), Error> {
        self.told = Some(now);
        self.machine.handle_timeout(now)
    }

    /// Empties the machine's queue, and ends the channel where it failed.
    fn settle(&mut self, result: Result<(), Error>) {
        SCRATCH.with_borrow_mut(|scratch| self.empty(scratch));
        if let Err(error) = result
            && self.state != State::Over
        {
            let error = self.explain(&error);
            self.end(Event::Failed(error));
        }
    }

    fn empty(&mut self, scratch: &mut Vec<u8>) {
        scratch.resize(SCRATCH_OCTETS, 0);
        self.unasked = false;
        // Each round takes something out of the machine; the bound is for a machine that would not stop.
        for _ in 0..MAX_OUTPUTS {
            match self.take_out(scratch) {
                Taken::TooLong(needed) if needed <= MAX_SCRATCH => scratch.resize(needed, 0),
                Taken::TooLong(_) => {
                    let error = ChannelError::at(Step::Negotiate, "the peer's messages are too long");
                    return self.end(Event::Failed(error));
                }
                Taken::Last => return,
                taken => self.keep(&taken, scratch),
            }
        }
    }

    /// Takes the next thing out of the machine; what is for others to have stands in front of `room`.
    fn take_out(&mut self, room: &mut [u8]) -> Taken {
        match self.machine.poll_output(room) {
            Output::Packet(packet) => {
                self.reachable |= has_encrypted(packet);
                if let Showing::Weighing(missing) = &mut self.showing {
                    *missing = missing.saturating_sub(packet.len());
                }
                return Taken::Packet(packet.len());
            }
            Output::PeerCert(der) => {
                self.presented = self.judge.is_client().then(|| der.to_vec());
                let verdict = self.judge.judge(&[CertificateDer::from(der)]);
                let refusal = verdict.as_ref().err().copied();
                self.verdict = Some(verdict);
                if let Some(refusal) = refusal
                    && self.judge.is_client()
                {
                    // Nothing that we are leaves before the server is known.
                    self.leaving.clear();
                    self.end(Event::Failed(self.judge.explain(refusal)));
                    return Taken::Last;
                }
            }
            Output::Connected => self.connected(),
            Output::ApplicationData(message) if self.state == State::Open => {
                return Taken::Message(message.len());
            }
            Output::CloseNotify if self.state != State::Over => self.end(Event::ClosedByPeer),
            Output::Timeout(at) => {
                // A machine that waits for nothing names a time years away.
                let waits = self.told.is_some_and(|told| at.saturating_duration_since(told) < LONGEST_WAIT);
                self.timeout = (waits && self.state != State::Over && self.reachable).then_some(at);
                if let Showing::Weighing(missing) = self.showing {
                    self.weighed(missing == 0);
                }
                return Taken::Last;
            }
            Output::BufferTooSmall { needed } => return Taken::TooLong(needed),
            _ => {}
        }
        Taken::Other
    }

    /// Keeps what stands in front of `room` until it is asked for.
    fn keep(&mut self, taken: &Taken, room: &[u8]) {
        let octets = |length: usize| room.get(..length).unwrap_or_default().to_vec();
        match *taken {
            Taken::Packet(length) => self.leaving.push_back(octets(length)),
            Taken::Message(length) => self.happened.push_back(Happening::Message(octets(length))),
            Taken::TooLong(_) | Taken::Other | Taken::Last => {}
        }
    }

    /// Takes out of an open channel's machine what `wanted` tells the length of, to the front of `room`, and keeps what comes
    /// before it. `None` where there is no such thing, or `room` is too small for something: then all is kept.
    fn take_wanted(&mut self, room: &mut [u8], wanted: fn(&Taken) -> Option<usize>) -> Option<usize> {
        for _ in 0..MAX_OUTPUTS {
            if !self.unasked {
                break;
            }
            let taken = self.take_out(room);
            match taken {
                Taken::Last => self.unasked = false,
                Taken::TooLong(_) => self.settle(Ok(())),
                taken if wanted(&taken).is_some() => return wanted(&taken),
                taken => self.keep(&taken, room),
            }
        }
        None
    }

    fn connected(&mut self) {
        match &self.verdict {
            Some(Ok(_)) if self.judge.is_client() => self.showing = Showing::Weighing(self.own),
            Some(Ok(_)) => {
                self.state = State::Open;
                self.happened.push_back(Happening::Event(Event::Open));
            }
            refused => {
                let refusal = match refused {
                    Some(Err(refusal)) => *refusal,
                    _ => Refusal::NoCertificate,
                };
                // Tells the peer, as far as that goes, with what is taken out next.
                let _ = self.machine.close();
                let error = self.judge.explain(refusal);
                self.end(Event::Failed(error));
            }
        }
    }

    /// All of a client's last flight has been taken out.
    fn weighed(&mut self, is_asked: bool) {
        self.showing = Showing::Known(is_asked);
        if is_asked {
            self.state = State::Open;
            self.happened.push_back(Happening::Event(Event::Open));
        } else {
            self.leaving.clear();
            self.end(Event::Failed(ChannelError::not_asked_who_we_are()));
        }
    }

    fn end(&mut self, event: Event) {
        self.state = State::Over;
        self.timeout = None;
        self.happened.push_back(Happening::Event(event));
    }

    fn explain(&self, error: &Error) -> ChannelError {
        match (&self.verdict, self.state) {
            (Some(Err(refusal)), _) => self.judge.explain(*refusal),
            (_, State::Open) => ChannelError::at(Step::Data, error.to_string()),
            _ => ChannelError::at(Step::Negotiate, error.to_string()),
        }
    }
}

impl SecureDatagrams for Channel13 {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        if self.state != State::Over {
            self.take_in(now, datagram);
        }
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self.timeout.is_some_and(|timeout| timeout <= now) {
            let result = self.tell(now);
            self.settle(result);
        }
    }

    fn next_timeout(&self) -> Option<Instant> {
        self.timeout
    }

    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize> {
        if self.leaving.is_empty()
            && let Some(length) = self.take_wanted(buffer, Taken::packet)
        {
            return Some(length);
        }
        loop {
            let Some(packet) = self.leaving.pop_front() else {
                // An idle channel keeps no room for packets.
                self.leaving = VecDeque::new();
                return None;
            };
            if let Some(room) = buffer.get_mut(..packet.len()) {
                room.copy_from_slice(&packet);
                return Some(packet.len());
            }
        }
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<Event> {
        if self.happened.is_empty()
            && let Some(length) = self.take_wanted(buffer, Taken::message)
        {
            return Some(Event::Message(0..length));
        }
        loop {
            match self.happened.pop_front() {
                Some(Happening::Event(event)) => return Some(event),
                Some(Happening::Message(message)) => {
                    if let Some(room) = buffer.get_mut(..message.len()) {
                        room.copy_from_slice(&message);
                        return Some(Event::Message(0..message.len()));
                    }
                }
                None => {
                    self.happened = VecDeque::new();
                    return None;
                }
            }
        }
    }

    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError> {
        if self.state != State::Open {
            return Err(ChannelError::at(Step::Data, "the channel is not open"));
        }
        if message.len() > LONGEST_MESSAGE {
            return Err(ChannelError::at(Step::Data, "the message is longer than a record carries"));
        }
        let result = self.set_clock(now).and_then(|()| self.machine.send_application_data(message));
        let error = result.as_ref().err().map(|error| self.explain(error));
        self.note(result.map(drop));
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
            asks_for_certificate: match self.showing {
                Showing::Known(is_asked) => Some(is_asked),
                Showing::Unknown | Showing::Weighing(_) => None,
            },
            ..Handshake::default()
        }
    }

    fn close(&mut self, now: Instant) {
        if self.state == State::Open {
            let result = self.tell(now).and_then(|()| self.machine.close());
            self.state = State::Over;
            self.settle(result);
        }
        self.state = State::Over;
        self.timeout = None;
    }
}

/// Whether a packet of ours has an encrypted record, behind others or not (RFC 9147 §4). A server sends the first of
/// these when the client has repeated its cookie.
fn has_encrypted(packet: &[u8]) -> bool {
    let mut rest = packet;
    while let Some(first) = rest.first() {
        if first & UNIFIED_MASK == UNIFIED {
            return true;
        }
        let Some((header, _)) = rest.split_first_chunk::<PLAIN_HEADER>() else { return false };
        let [.., l1, l0] = *header;
        let length = PLAIN_HEADER + usize::from(u16::from_be_bytes([l1, l0]));
        rest = rest.get(length..).unwrap_or_default();
    }
    false
}

thread_local! {
    /// Room for one output, shared by all channels of a thread.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A record and what frames it, or a certificate.
const SCRATCH_OCTETS: usize = 64 << 10;
const MAX_SCRATCH: usize = 256 << 10;

/// Far shorter than anything that a machine waits for.
const MOMENT: Duration = Duration::from_millis(2);

/// Far longer than anything that a machine waits for.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// More than one datagram or timeout can bring about.
const MAX_OUTPUTS: usize = 256;

/// Octets in front of the content of a record that is not encrypted.
const PLAIN_HEADER: usize = 13;

/// The bits that encrypted records begin with.
const UNIFIED: u8 = 0b0010_0000;
const UNIFIED_MASK: u8 = 0b1110_0000;
