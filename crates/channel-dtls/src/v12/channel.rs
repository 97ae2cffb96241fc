//! One DTLS 1.2 channel.
//!
//! ```text
//! datagram ──▶ DatagramBuffer ──▶ handshake ──▶ open: messages ──▶ closed
//!                                     │                              ▲
//!                                     └── rejected, or timed out ────┘
//! ```

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use openssl::ssl::{self, ErrorCode, Ssl, SslStream};
use portreeve_channel::{ChannelError, ChannelEvent, ChannelStep, Handshake, PeerIdentity, SecureDatagrams};
use portreeve_sys::openssl::{
    dtls_handle_timeout, dtls_listen, dtls_timeout, has_pending, set_retransmit_timer,
};
use portreeve_x509::TrustError;
use rustls_pki_types::CertificateDer;

use super::{context::Context12, datagram_buffer::DatagramBuffer};
use crate::{settings::MAX_MESSAGE_LEN, verifier::PeerVerifier};

/// One side of a DTLS 1.2 channel.
pub(crate) struct Channel12 {
    stream: SslStream<DatagramBuffer>,
    verification: Verification,
    peer: Option<PeerIdentity>,
    state: State,
    timeout: Option<Instant>,
    /// Set when all received data has been read: OpenSSL need not be called until more arrives.
    drained: bool,
}

/// The state of a DTLS 1.2 channel.
#[derive(Debug)]
enum State {
    Accepting,
    Connecting,
    /// An event that has not been returned yet.
    Pending(ChannelEvent),
    Open,
    Closed,
}

impl Channel12 {
    /// Creates a server channel for the record with a hello, or its first fragment, whose cookie is
    /// verified. `following` are the records after it in the same datagram, which may be further
    /// fragments. Returns `None` if OpenSSL rejects the hello.
    pub(crate) fn accept(
        context: &Context12,
        verifier: PeerVerifier,
        now: Instant,
        hello: &[u8],
        following: &[u8],
    ) -> Option<Self> {
        let mut channel = Self::new(context, verifier, State::Accepting)?;
        channel.stream.get_mut().push_received(hello);
        if !dtls_listen(&mut channel.stream) {
            return None;
        }
        channel.stream.get_mut().push_received(following);
        channel.advance(now);
        Some(channel)
    }

    /// Creates a client channel whose first flight is waiting to be transmitted.
    pub(crate) fn connect(context: &Context12, verifier: PeerVerifier, now: Instant) -> Option<Self> {
        let mut channel = Self::new(context, verifier, State::Connecting)?;
        set_retransmit_timer(&mut channel.stream);
        channel.advance(now);
        Some(channel)
    }

    fn new(context: &Context12, verifier: PeerVerifier, state: State) -> Option<Self> {
        let verification = Verification { verifier, outcome: Arc::default() };
        let ssl: Ssl = context.connection(verification.clone()).ok()?;
        let stream = SslStream::new(ssl, DatagramBuffer::default()).ok()?;
        Some(Self { stream, verification, peer: None, state, timeout: None, drained: false })
    }

    /// Continues the handshake as far as possible without another datagram.
    fn advance(&mut self, now: Instant) {
        let result = match self.state {
            State::Accepting => self.stream.accept(),
            State::Connecting => self.stream.connect(),
            State::Pending(_) | State::Open | State::Closed => return self.set_timeout(now),
        };
        match result {
            Ok(()) if self.verification.verifier.is_client() && !self.is_certificate_requested() => {
                self.state = State::Pending(ChannelEvent::Failed(ChannelError::no_certificate_requested()));
            }
            Ok(()) => {
                self.peer = self.verification.peer();
                self.state = State::Pending(match self.peer {
                    Some(_) => ChannelEvent::Open,
                    // Not expected: both sides require certificates, so the peer's was verified.
                    None => ChannelEvent::Failed(
                        self.verification.verifier.trust_error(TrustError::NoCertificate),
                    ),
                });
            }
            Err(error) if is_waiting(&error) => {}
            Err(error) => self.fail(&error),
        }
        self.set_timeout(now);
    }

    /// Returns `true` if the server has requested our certificate. OpenSSL does not report that,
    /// but it sends the certificate only if requested.
    fn is_certificate_requested(&self) -> bool {
        self.stream.get_ref().has_sent_certificate()
    }

    fn set_timeout(&mut self, now: Instant) {
        self.timeout = dtls_timeout(&mut self.stream).map(|left| now + left);
    }

    fn fail(&mut self, error: &ssl::Error) {
        self.state = State::Pending(ChannelEvent::Failed(self.to_channel_error(error)));
    }

    fn to_channel_error(&self, error: &ssl::Error) -> ChannelError {
        if let Some(error) = self.verification.error() {
            return self.verification.verifier.trust_error(error);
        }
        let last = error.ssl_error().and_then(|stack| stack.errors().last());
        let reason = last.and_then(|last| last.reason()).map_or_else(|| error.to_string(), str::to_owned);
        // OpenSSL's text, such as `tlsv1 alert unknown ca`.
        let cause = match reason.split_once(" alert ") {
            Some((_, alert)) => format!("the peer sent the alert {alert}"),
            None => reason,
        };
        let code = last.map_or(0, |last| last.reason_code());
        if code == PEER_DID_NOT_RETURN_A_CERTIFICATE {
            return self.verification.verifier.trust_error(TrustError::NoCertificate);
        }
        let alert = u8::try_from(code.wrapping_sub(PEER_ALERT_BASE)).ok();
        if let Some(alert) = alert.filter(|alert| CERTIFICATE_ALERTS.contains(alert)) {
            return self.verification.verifier.alert_error(&cause, alert);
        }
        if self.peer.is_some() {
            return ChannelError::at(ChannelStep::Data, cause);
        }
        ChannelError::at(ChannelStep::Negotiate, cause)
            .with_hint("both sides must support DTLS 1.3, or DTLS 1.2 with a common AEAD cipher suite")
    }
}

impl SecureDatagrams for Channel12 {
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]) {
        self.stream.get_mut().push_received(datagram);
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
            let error = ChannelError::at(ChannelStep::Negotiate, "the peer no longer responds");
            self.state = State::Pending(ChannelEvent::Failed(error));
        }
        self.advance(now);
    }

    fn next_timeout(&self) -> Option<Instant> {
        self.timeout
    }

    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize> {
        self.stream.get_mut().pop_outgoing(buffer)
    }

    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent> {
        match &self.state {
            State::Pending(event) => {
                let next = if *event == ChannelEvent::Open { State::Open } else { State::Closed };
                match mem::replace(&mut self.state, next) {
                    State::Pending(event) => return Some(event),
                    _ => return None,
                }
            }
            State::Accepting | State::Connecting | State::Closed => return None,
            State::Open if self.drained => return None,
            State::Open => {}
        }
        match self.stream.ssl_read(buffer) {
            Ok(count) => {
                self.drained = self.stream.get_ref().is_drained() && !has_pending(&self.stream);
                Some(ChannelEvent::Message(0..count))
            }
            Err(error) if is_waiting(&error) => {
                self.drained = true;
                None
            }
            Err(error) => {
                self.state = State::Closed;
                Some(match error.code() {
                    ErrorCode::ZERO_RETURN => ChannelEvent::ClosedByPeer,
                    _ => ChannelEvent::Failed(self.to_channel_error(&error)),
                })
            }
        }
    }

    fn send(&mut self, _now: Instant, message: &[u8]) -> Result<(), ChannelError> {
        if !matches!(self.state, State::Open | State::Pending(ChannelEvent::Open)) {
            return Err(ChannelError::at(ChannelStep::Data, "the channel is not open"));
        }
        if message.len() > MAX_MESSAGE_LEN {
            return Err(ChannelError::at(ChannelStep::Data, "the message does not fit into a DTLS record"));
        }
        self.stream.ssl_write(message).map(drop).map_err(|error| self.to_channel_error(&error))
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
            // Before a cipher suite is chosen, the version is only our preferred one.
            version: suite.as_ref().map(|_| self.protocol()),
            suite,
            presented: self.verification.presented(),
            requests_client_certificate: self
                .verification
                .verifier
                .is_client()
                .then(|| self.is_certificate_requested()),
            ..Handshake::default()
        }
    }

    fn close(&mut self, _now: Instant) {
        if matches!(self.state, State::Open | State::Pending(ChannelEvent::Open)) {
            // Do not wait for the peer's close alert.
            let _ = self.stream.shutdown();
        }
        self.state = State::Closed;
        self.timeout = None;
    }
}

/// The verifier, and its result in this channel's handshake. OpenSSL holds a clone, which shares
/// the result.
#[derive(Clone)]
pub(super) struct Verification {
    verifier: PeerVerifier,
    outcome: Arc<Mutex<VerificationOutcome>>,
}

impl Verification {
    /// Verifies the chain that the peer has presented.
    pub(super) fn verify(&self, chain: &[CertificateDer<'_>]) -> Result<(), TrustError> {
        let identity = self.verifier.verify(chain);
        let result = identity.as_ref().map(drop).map_err(|error| *error);
        let mut outcome = self.outcome();
        outcome.result = Some(identity);
        if self.verifier.is_client() {
            outcome.presented = chain.iter().map(|der| der.to_vec()).collect();
        }
        result
    }

    fn peer(&self) -> Option<PeerIdentity> {
        self.outcome().result.clone()?.ok()
    }

    fn presented(&self) -> Vec<Vec<u8>> {
        self.outcome().presented.clone()
    }

    fn error(&self) -> Option<TrustError> {
        self.outcome().result.clone()?.err()
    }

    fn outcome(&self) -> MutexGuard<'_, VerificationOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of verifying the peer's certificate.
#[derive(Default)]
struct VerificationOutcome {
    result: Option<Result<PeerIdentity, TrustError>>,
    /// On a client, the chain that the server presented, for diagnosis.
    presented: Vec<Vec<u8>>,
}

/// Returns `true` if OpenSSL only needs another datagram.
fn is_waiting(error: &ssl::Error) -> bool {
    matches!(error.code(), ErrorCode::WANT_READ | ErrorCode::WANT_WRITE)
}

/// `SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE`.
const PEER_DID_NOT_RETURN_A_CERTIFICATE: i32 = 199;

/// The offset that OpenSSL adds to the number of an alert received from the peer.
const PEER_ALERT_BASE: i32 = 1000;

/// Alerts with which a peer rejects our certificate: bad_certificate, unsupported_certificate,
/// certificate_revoked, certificate_expired, certificate_unknown, unknown_ca and access_denied (RFC
/// 5246 §7.2), and certificate_required (RFC 8446 §6.2).
const CERTIFICATE_ALERTS: [u8; 8] = [42, 43, 44, 45, 46, 48, 49, 116];
