//! Session events that are reported to the transport models.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use portreeve_channel::PeerIdentity;
use portreeve_smi::TransportDomain;

use portreeve_transport::{Limits, SecurityNameMapping, SessionCount, TransportSecurity};

use super::fixture::{BLOCK, ECHO, EVENTS, ON_WAKE, REPORT, TestServer, TransportKind, frame};
use super::security::security;

const SESSIONS: [TransportKind; 4] =
    [TransportKind::Ssh4, TransportKind::Tls4, TransportKind::Dtls4, TransportKind::Dtls13];

//= rfc5592#5.4-1
//= rfc5592#5.4-3
//= rfc6353#5.4-1
//= rfc6353#5.4-4
//= type=test
#[test]
fn handler_is_notified_only_of_sessions_that_the_agent_closes() {
    for kind in SESSIONS {
        let limits = Limits { idle_timeout: Duration::from_millis(400), ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let mut idle = server.peer();
        idle.request(&frame(ECHO, &[]));
        assert!(idle.is_closed(), "{kind:?}");
        server.wait_for_statistics("idle close", |statistics| statistics.closed_idle == 1);
        assert_eq!(server.peer().request(&frame(EVENTS, &[])), frame(EVENTS, &[1, 0]), "{kind:?}");
        if !kind.is_dtls() {
            // The peer has disconnected; over UDP the server does not notice that.
            server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
            assert_eq!(server.peer().request(&frame(EVENTS, &[])), frame(EVENTS, &[1, 0]), "{kind:?}");
        }
    }
}

#[test]
fn review_l13_session_is_closed_when_identity_is_no_longer_mapped() {
    for kind in SESSIONS {
        let (server, names) = server_with_withdrawable_names(kind);
        let mut peer = server.peer();
        peer.request(&frame(ECHO, b"1"));
        server.running().sessions().recheck();
        assert_eq!(peer.request(&frame(ECHO, b"2")), frame(ECHO, b"2"), "{kind:?}");
        names.withdraw();
        server.running().sessions().recheck();
        assert!(peer.is_closed(), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_identity_revoked == 1);
    }
}

#[test]
fn open_session_is_counted_for_its_listener() {
    for kind in SESSIONS {
        let server = TestServer::start(kind);
        // The server has a UDP listener, too.
        let count = || server.running().sessions().count_by_listener()[0];
        assert_eq!(count(), SessionCount { open: 0, active: 0 }, "{kind:?}");
        let mut peer = server.peer();
        // A session becomes active after the first response, but before the second.
        peer.request(&frame(ECHO, b"1"));
        peer.request(&frame(ECHO, b"2"));
        assert_eq!(count(), SessionCount { open: 1, active: 1 }, "{kind:?}");
    }
}

/// The second blocking message and the request arrive together while the worker is blocked, so that
/// the worker has received both when the identity loses its name.
#[test]
fn review_l13_request_in_same_batch_is_not_answered_after_recheck() {
    for kind in SESSIONS {
        let (server, names) = server_with_withdrawable_names(kind);
        let mut peer = server.peer();
        peer.send(&frame(BLOCK, b"1"));
        server.gate.wait_until_blocked();
        let (block, request) = (frame(BLOCK, b"2"), frame(ECHO, b"3"));
        if kind.is_dtls() {
            peer.send(&block);
            peer.send(&request);
        } else {
            peer.send(&[block, request].concat());
        }
        server.gate.release();
        server.gate.wait_until_blocked();
        names.withdraw();
        server.running().sessions().recheck();
        server.gate.release();
        assert!(peer.is_closed(), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_identity_revoked == 1);
    }
}

fn server_with_withdrawable_names(kind: TransportKind) -> (TestServer, Arc<WithdrawableNames>) {
    let names = Arc::new(WithdrawableNames::default());
    let security = TransportSecurity { names: Arc::clone(&names) as _, ..security() };
    (TestServer::with_security(kind, kind.listener(), 1, Limits::default(), security), names)
}

/// Maps every identity to the same name until the test withdraws the name.
#[derive(Default)]
struct WithdrawableNames {
    is_withdrawn: AtomicBool,
}

impl WithdrawableNames {
    fn withdraw(&self) {
        self.is_withdrawn.store(true, Relaxed);
    }
}

impl SecurityNameMapping for WithdrawableNames {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        (!self.is_withdrawn.load(Relaxed)).then(|| b"ops"[..].into())
    }
}

#[test]
fn review_l13_busy_session_is_closed_at_its_maximum_duration() {
    for kind in [
        TransportKind::Tcp4,
        TransportKind::Ssh4,
        TransportKind::Tls4,
        TransportKind::Dtls4,
        TransportKind::Dtls13,
    ] {
        let limits = Limits { max_session_duration: Duration::from_millis(800), ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let mut peer = server.peer();
        let start = Instant::now();
        loop {
            peer.send_unless_closed(&frame(ECHO, b"1"));
            if peer.is_closed() {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{kind:?}");
        }
        server.wait_for_statistics("close", |statistics| statistics.closed_max_duration == 1);
        assert!(start.elapsed() >= Duration::from_millis(500), "{kind:?}");
    }
}

#[test]
fn review_m1_report_does_not_extend_first_message_timeout() {
    for kind in [
        TransportKind::Tcp4,
        TransportKind::Relay,
        TransportKind::Ssh4,
        TransportKind::Tls4,
        TransportKind::Dtls4,
        TransportKind::Dtls13,
    ] {
        let limits = Limits { first_message_timeout: Duration::from_millis(700), ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let mut peer = server.peer();
        // A discovery request is answered with a Report, which does not make the session active.
        assert_eq!(peer.request(&frame(REPORT, b"1")), frame(REPORT, b"1"), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_no_message == 1);
        assert!(peer.is_closed(), "{kind:?}");
    }
}

//= rfc5591#4.2-1
//= rfc5592#5.2-1
//= rfc6353#5.2-2
//= rfc5591#4.2-5
//= rfc5592#5.2-2
//= rfc6353#5.2-3
//= type=test
#[test]
fn response_is_sent_on_the_session_of_its_request_or_dropped() {
    for kind in [TransportKind::Ssh4, TransportKind::Tls4] {
        let server = TestServer::start(kind);
        let mut gone = server.peer();
        let mut other = server.peer();
        gone.send(&frame(ON_WAKE, b"for first"));
        gone.request(&frame(ECHO, &[]));
        drop(gone);
        server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
        server.running().wake_all();
        server.wait_for_statistics("lost response", |statistics| {
            statistics.late_responses_without_session == 1
        });
        assert_eq!(other.request(&frame(EVENTS, &[])), frame(EVENTS, &[0, 1]), "{kind:?}");
    }
}
