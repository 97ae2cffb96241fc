//! Sessions of services other than SNMP: names, deadlines and limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use portreeve_channel::PeerIdentity;
use portreeve_smi::TransportDomain;
use portreeve_transport::{Limits, SecurityNameMapping, TransportSecurity};

use super::fixture::{
    DEFERRED, ECHO, IDENTITY, LAST_LATER, Subject, TEST_TIMEOUT, TestPeer, TestServer, TransportKind, WAIT,
    WAIT_ANY, WAIT_REST, WAIT_SHORT,
};
use super::security::security;
use super::wire::Wire;

#[test]
fn peer_has_its_security_name_and_is_closed_when_it_loses_it() {
    for kind in [TransportKind::Ssh4, TransportKind::Tls4] {
        let names = Arc::new(WithdrawableNames::default());
        let security = TransportSecurity { names: Arc::clone(&names) as _, ..security() };
        let listener = kind.listener();
        let server =
            TestServer::with_security(Subject(kind, Wire::Lines), listener, 1, Limits::default(), security);
        let mut peer = server.peer();
        assert_eq!(peer.request(&server.frame(IDENTITY, b"")), server.frame(IDENTITY, b"ops"));
        names.is_withdrawn.store(true, Relaxed);
        server.running().sessions().recheck();
        assert!(peer.is_closed(), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_identity_revoked == 1);
    }
}

#[test]
fn session_that_waits_for_any_message_is_not_idle() {
    let (server, mut peer) = server_and_waiting_peer(WAIT_ANY, Limits::default());
    let mut idle = server.peer();
    idle.request(&server.frame(ECHO, b"1"));
    assert!(idle.is_closed());
    std::thread::sleep(IDLE);
    assert_eq!(peer.request(&server.frame(ECHO, b"2")), server.frame(ECHO, b"2"));
    assert_eq!(server.statistics().closed_idle, 1);
}

#[test]
fn session_is_closed_after_its_own_idle_time() {
    let limits = Limits { idle_timeout: TEST_TIMEOUT, ..Limits::default() };
    let (server, mut peer) = server_and_waiting_peer(WAIT_SHORT, limits);
    let start = Instant::now();
    assert!(peer.is_closed());
    assert!(start.elapsed() < TEST_TIMEOUT / 2);
    server.wait_for_statistics("close", |statistics| statistics.closed_idle == 1);
}

#[test]
fn message_sent_too_slowly_closes_the_session_and_a_fast_one_does_not() {
    let limits = Limits {
        min_receive_rate: 1000,
        receive_rate_period: Duration::from_millis(300),
        ..Limits::default()
    };
    let (server, mut slow) = server_and_waiting_peer(WAIT_REST, limits);
    let mut fast = server.peer();
    fast.request(&server.frame(WAIT, &[WAIT_REST]));
    let message = server.frame(ECHO, &[b'.'; 4000]);
    let start = Instant::now();
    for (position, part) in message.chunks(250).enumerate() {
        if position < 3 {
            slow.send(&message[position..=position]);
        }
        fast.send(part);
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() > Duration::from_millis(600));
    assert_eq!(fast.receive(), message);
    assert!(slow.is_closed());
    server.wait_for_statistics("close", |statistics| statistics.closed_too_slow == 1);
    assert_eq!(fast.request(&server.frame(ECHO, b"1")), server.frame(ECHO, b"1"));
}

#[test]
fn session_ends_after_the_last_answer_from_another_thread() {
    for kind in [TransportKind::Ssh4, TransportKind::Tcp4] {
        let server = TestServer::start(Subject(kind, Wire::Lines));
        let mut peer = server.peer();
        peer.send(
            &[server.frame(DEFERRED, b"1"), server.frame(LAST_LATER, b"2"), server.frame(ECHO, b"3")]
                .concat(),
        );
        let received = [peer.receive(), peer.receive(), peer.receive()];
        assert!(received.contains(&server.frame(LAST_LATER, b"2")), "{received:?}");
        assert!(peer.is_closed(), "{kind:?}");
        server.wait_for_statistics("close", |statistics| statistics.closed_by_peer == 1);
    }
}

/// Maps every identity to the same name until the test withdraws the name.
#[derive(Default)]
struct WithdrawableNames {
    is_withdrawn: AtomicBool,
}

impl SecurityNameMapping for WithdrawableNames {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        (!self.is_withdrawn.load(Relaxed)).then(|| b"ops"[..].into())
    }
}

/// Starts a server, and a session that has selected what it waits for.
fn server_and_waiting_peer(wait: u8, limits: Limits) -> (TestServer, TestPeer) {
    let idle_timeout = limits.idle_timeout.min(IDLE);
    let limits = if limits.idle_timeout == Limits::default().idle_timeout {
        Limits { idle_timeout, ..limits }
    } else {
        limits
    };
    let server = TestServer::with_limits(Subject(TransportKind::Ssh4, Wire::Lines), 1, limits);
    let mut peer = server.peer();
    let message = server.frame(WAIT, &[wait]);
    assert_eq!(peer.request(&message), message);
    (server, peer)
}

/// The idle timeout of the listener, unless a test sets it.
const IDLE: Duration = Duration::from_millis(300);
