//! One DTLS 1.2 channel.
//!
//! ```text
//! datagram ──▶ Wire ──▶ handshake ──▶ open: messages ──▶ over
//!                           │                              ▲
//!                           └── refused, or repeated too often
//! ```

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use openssl::ssl::{self, ErrorCode, Ssl, SslStream};
use portreeve_channel::{ChannelError, Event, Handshake, PeerIdentity, SecureDatagrams, Step};
use portreeve_sys::openssl::{dtls_handle_timeout, dtls_listen, dtls_timeout, has_pending, set_first_repeat};
use portreeve_x509::Refusal;
use rustls_pki_types::CertificateDer;

use super::{context::Context12, wire::Wire};
use crate::{judge::Judge, settings::LONGEST_MESSAGE};

/// One end of a channel.
pub(crate) struct Channel12 {
    stream: SslStream<Wire>,
    verdict: Verdict,
    peer: Option<PeerIdentity>,
    state: State,
    timeout: Option<Instant>,
    /// All that has come has been read: OpenSSL need not be asked before something comes.
    drained: bool,
}

/// Where a channel stands.
#[derive(Debug)]
enum State {
    Accepting,
    Connecting,
    /// What has happened but was not told yet.
    Telling(Event),
    Open,
    Over,
}

impl Channel12 {
    /// A server's end, for a hello whose cookie has been confirmed. `None` where OpenSSL has no use for it.
    pub(crate) fn accept(context: &Context12, judge: Judge, now: Instant, hello: &[u8]) -> Option<Self> {
        let mut channel = Self::new(context, judge, State::Accepting)?;
        channel.stream.get_mut().arrive(hello);
        if !dtls_listen(&mut channel.stream) {
            return None;
        }
        channel.advance(now);
        Some(channel)
    }

    /// A client's end, whose first flight waits to be transmitted.
    pub(crate) fn connect(context: &Context12, judge: Judge, now: Instant) -> Option<Self> {
        let mut channel = Self::new(context, judge, State::Connecting)?;
        set_first_repeat(&mut channel.stream);
        channel.advance(now);
        Some(channel)
    }

    fn new(context: &Context12, judge: Judge, state: State) -> Option<Self> {
        let verdict = Verdict { judge, found: Arc::default() };
        let ssl: Ssl = context.connection(verdict.clone()).ok()?;
        let stream = SslStream::new(ssl, Wire::default()).ok()?;
        Some(Self { stream, verdict, peer: None, state, timeout: None, drained: false })
    }

    /// Goes on with the handshake as far as it goes without another datagram.
    fn advance(&mut self, now: Instant) {
        let result = match self.state {
            State::Accepting => self.stream.accept(),
            State::Connecting => self.stream.connect(),
            State::Telling(_) | State::Open | State::Over => return self.set_timeout(now),
        };
        match result {
            Ok(()) if self.verdict.judge.is_client() && !self.is_asked() => {
                self.state = State::Telling(Event::Failed(ChannelError::not_asked_who_we_are()));
            }
            Ok(()) => {
                self.peer = self.verdict.peer();
                self.state = State::Telling(match self.peer {
                    Some(_) => Event::Open,
                    // Certificates are required of both ends, so there has been a verdict.
                    None => Event::Failed(self.verdict.judge.explain(Refusal::NoCertificate)),
                });
            }
            Err(error) if is_waiting(&error) => {}
            Err(error) => self.fail(&error),
        }
        self.set_timeout(now);
    }

    /// Whether the server has asked for our certificate. OpenSSL does not tell, but it shows it only then.
    fn is_asked(&self) -> bool {
        self.stream.get_ref().has_shown_certificate()
    }

    fn set_timeout(&mut self, now: Instant) {
        self.timeout = dtls_timeout(&mut self.stream).map(|left| now + left);
    }

    fn fail(&mut self, error: &ssl::Error) {
        self.state = State::Telling(Event::Failed(self.explain(error)));
    }

    fn explain(&self, error: &ssl::Error) -> ChannelError {
        if let Some(refusal) = self.verdict.refusal() {
            return self.verdict.judge.explain(refusal);
        }
        let last = error.ssl_error().and_then(|stack| stack.errors().last());
        let reason = last.and_then(|last| last.reason()).map_or_else(|| error.to_string(), str::to_owned);
        // As the library has it, `tlsv1 alert unknown ca`.
        let cause = match reason.split_once(" alert ") {
            Some((_, alert)) => format!("the peer answered with the alert {alert}"),
            None => reason,
        };
        let code = last.map_or(0, |last| last.reason_code());
        if code == PEER_DID_NOT_RETURN_A_CERTIFICATE {
            return self.verdict.judge.explain(Refusal::NoCertificate);
        }
        let alert = u8::try_from(code.wrapping_sub(ALERT)).ok();
        if let Some(alert) = alert.filter(|alert| CERTIFICATE_ALERTS.contains(alert)) {
            return self.verdict.judge.refused_by_peer(&cause, alert);
        }
        if self.peer.is_some() {
            return ChannelError::at(Step::Data, cause);
        }
        ChannelError::at(Step::Negotiate, cause)
            .cured_by("both ends need DTLS 1.2 with an authenticated cipher suite, or DTLS 1.3")
    }
}

impl SecureDatagrams for Channel12 {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        self.stream.get_mut().arrive(datagram);
        self.drained = false;
        self.advance(now);
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self.timeout.is_none_or(|timeout| now < timeout) {
            return;
        }
        if !dtls_handle_timeout(&mut self.stream)
            && matches!(self.state, State::Accepting | State::Connecting)
        {
            let error = ChannelError::at(Step::Negotiate, "the peer does not answer any more");
            self.state = State::Telling(Event::Failed(error));
        }
        self.advance(now);
    }

    fn next_timeout(&self) -> Option<Instant> {
        self.timeout
    }

    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize> {
        self.stream.get_mut().leave(buffer)
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<Event> {
        match &self.state {
            State::Telling(event) => {
                let next = if *event == Event::Open { State::Open } else { State::Over };
                match mem::replace(&mut self.state, next) {
                    State::Telling(event) => return Some(event),
                    _ => return None,
                }
            }
            State::Accepting | State::Connecting | State::Over => return None,
            State::Open if self.drained => return None,
            State::Open => {}
        }
        match self.stream.ssl_read(buffer) {
            Ok(count) => {
                self.drained = self.stream.get_ref().is_read() && !has_pending(&self.stream);
                Some(Event::Message(0..count))
            }
            Err(error) if is_waiting(&error) => {
                self.drained = true;
                None
            }
            Err(error) => {
                self.state = State::Over;
                Some(match error.code() {
                    ErrorCode::ZERO_RETURN => Event::ClosedByPeer,
                    _ => Event::Failed(self.explain(&error)),
                })
            }
        }
    }

    fn send(&mut self, _now: Instant, message: &[u8]) -> Result<(), ChannelError> {
        if !matches!(self.state, State::Open | State::Telling(Event::Open)) {
            return Err(ChannelError::at(Step::Data, "the channel is not open"));
        }
        if message.len() > LONGEST_MESSAGE {
            return Err(ChannelError::at(Step::Data, "the message is longer than a record carries"));
        }
        self.stream.ssl_write(message).map(drop).map_err(|error| self.explain(&error))
    }

    fn is_reachable(&self) -> bool {
        true
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.peer.as_ref()
    }

    fn protocol(&self) -> &'static str {
        "DTLSv1.2"
    }

    fn handshake(&self) -> Handshake {
        let suite = self.stream.ssl().current_cipher().map(|suite| suite.name().to_owned());
        Handshake {
            // Before there is a suite, the version is only the one we would like best.
            version: suite.as_ref().map(|_| self.protocol()),
            suite,
            presented: self.verdict.presented(),
            asks_for_certificate: self.verdict.judge.is_client().then(|| self.is_asked()),
            ..Handshake::default()
        }
    }

    fn close(&mut self, _now: Instant) {
        if matches!(self.state, State::Open | State::Telling(Event::Open)) {
            // Nobody waits for the peer's own.
            let _ = self.stream.shutdown();
        }
        self.state = State::Over;
        self.timeout = None;
    }
}

/// The judge, and what it has found in this channel's handshake. OpenSSL holds one end of it.
#[derive(Clone)]
pub(super) struct Verdict {
    judge: Judge,
    found: Arc<Mutex<Found>>,
}

impl Verdict {
    /// Judges the chain that the peer has presented.
    pub(super) fn pronounce(&self, chain: &[CertificateDer<'_>]) -> Result<(), Refusal> {
        let verdict = self.judge.judge(chain);
        let result = verdict.as_ref().map(drop).map_err(|refusal| *refusal);
        let mut found = self.found();
        found.verdict = Some(verdict);
        if self.judge.is_client() {
            found.presented = chain.iter().map(|shown| shown.to_vec()).collect();
        }
        result
    }

    fn peer(&self) -> Option<PeerIdentity> {
        self.found().verdict.clone()?.ok()
    }

    fn presented(&self) -> Vec<Vec<u8>> {
        self.found().presented.clone()
    }

    fn refusal(&self) -> Option<Refusal> {
        self.found().verdict.clone()?.err()
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was judged, and how.
#[derive(Default)]
struct Found {
    verdict: Option<Result<PeerIdentity, Refusal>>,
    /// The chain, on a client, which may be asked about it.
    presented: Vec<Vec<u8>>,
}

/// Whether OpenSSL only wants another datagram.
fn is_waiting(error: &ssl::Error) -> bool {
    matches!(error.code(), ErrorCode::WANT_READ | ErrorCode::WANT_WRITE)
}

/// `SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE`.
const PEER_DID_NOT_RETURN_A_CERTIFICATE: i32 = 199;

/// What is added to the number of an alert that came from the peer.
const ALERT: i32 = 1000;

/// Alerts by which a peer refuses our certificate (RFC 5246 §7.2): bad, unsupported, revoked, expired, unknown, of an
/// unknown authority, access denied, and RFC 8446's required.
const CERTIFICATE_ALERTS: [u8; 8] = [42, 43, 44, 45, 46, 48, 49, 116];
