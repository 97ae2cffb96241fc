//! The rate limits for replies to unauthenticated peers: per network, except for loopback.

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::dtls;
use super::fixture::{DEFERRED, ECHO, REPORT, TestServer, TransportKind, UNAUTHENTICATED, frame};

#[test]
fn reports_over_the_rate_limit_are_withheld_but_responses_are_sent() {
    let server = start_limited_server(TransportKind::Udp4);
    let Some(address) = non_loopback_address(&server) else { return };
    let (start, mut peer) = (Instant::now(), server.peer_at(address));
    for _ in 0..REQUESTS {
        peer.send(&frame(REPORT, b"report"));
    }
    peer.send(&frame(ECHO, b"last"));
    let mut reported = 0;
    while peer.receive() != frame(ECHO, b"last") {
        reported += 1;
    }
    let max = REPLIES_PER_SECOND as usize * (1 + start.elapsed().as_secs_f64().ceil() as usize);
    assert!((REPLIES_PER_SECOND as usize..=max).contains(&reported), "{reported} of at most {max}");
    assert_eq!(server.statistics().unauthenticated_replies_withheld as usize, REQUESTS - reported);
}

#[test]
fn loopback_and_stream_peers_receive_all_reports() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6, TransportKind::Tcp4] {
        let server = start_limited_server(kind);
        let address = if kind == TransportKind::Tcp4 { non_loopback_address(&server) } else { None };
        let mut peer = server.peer_at(address.unwrap_or(server.address));
        for _ in 0..REQUESTS {
            peer.request(&frame(REPORT, b"report"));
        }
        assert_eq!(server.statistics().unauthenticated_replies_withheld, 0, "{kind:?}");
    }
}

#[test]
fn dtls_cookies_over_the_limit_are_withheld_and_retries_succeed() {
    for kind in [TransportKind::Dtls4, TransportKind::Dtls13] {
        let server = start_limited_server(kind);
        let Some(address) = non_loopback_address(&server) else { return };
        let mut hello = dtls::first_hello(dtls::versions_of(kind));
        let (start, socket) = (Instant::now(), UdpSocket::bind((address.ip(), 0)).unwrap());
        for number in 0..REQUESTS {
            hello[RANDOM] = number as u8;
            socket.send_to(&hello, address).unwrap();
        }
        server.wait_for_statistics("withheld cookies", |statistics| {
            statistics.unauthenticated_replies_withheld > 0
        });
        // The client retransmits its ClientHello until a cookie is sent.
        let mut peer = server.peer_at(address);
        assert_eq!(peer.request(&frame(ECHO, b"in")), frame(ECHO, b"in"), "{kind:?}");
        assert!(start.elapsed() < Duration::from_secs(5));
        let answered = REQUESTS - server.statistics().unauthenticated_replies_withheld as usize;
        assert!(answered <= REPLIES_PER_SECOND as usize * 6, "{answered} cookies");
    }
}

#[test]
fn review_m5_unauthenticated_responses_over_the_rate_are_withheld() {
    for kind in [UNAUTHENTICATED, DEFERRED] {
        let limits = Limits { community_rate: COMMUNITY_RATE, ..Limits::default() };
        let server = TestServer::with_limits(TransportKind::Udp4, 1, limits);
        let Some(address) = non_loopback_address(&server) else { return };
        let mut peer = server.peer_at(address);
        let request = frame(kind, &[b'x'; 998]);
        for _ in 0..REQUESTS {
            peer.send(&request);
        }
        server.wait_for_statistics("withheld responses", |statistics| {
            statistics.community_responses_withheld as usize > REQUESTS / 2
        });
        assert_eq!(server.statistics().unauthenticated_replies_withheld, 0);
    }
}

#[test]
fn review_m5_loopback_and_stream_peers_receive_unauthenticated_responses() {
    for kind in [TransportKind::Udp4, TransportKind::Udp6, TransportKind::Tcp4] {
        let limits = Limits { community_rate: COMMUNITY_RATE, ..Limits::default() };
        let server = TestServer::with_limits(kind, 1, limits);
        let address = if kind == TransportKind::Tcp4 { non_loopback_address(&server) } else { None };
        let mut peer = server.peer_at(address.unwrap_or(server.address));
        for _ in 0..REQUESTS {
            peer.request(&frame(UNAUTHENTICATED, &[b'x'; 998]));
        }
        assert_eq!(server.statistics().community_responses_withheld, 0, "{kind:?}");
    }
}

fn start_limited_server(kind: TransportKind) -> TestServer {
    TestServer::with_limits(
        kind,
        1,
        Limits { unauthenticated_replies: REPLIES_PER_SECOND, ..Limits::default() },
    )
}

/// Returns the server's address on a non-loopback interface, which is not exempt from the limit. If
/// there is no such interface, prints a note and returns `None`.
fn non_loopback_address(server: &TestServer) -> Option<SocketAddr> {
    let probe = UdpSocket::bind("0.0.0.0:0").unwrap();
    // Sends nothing; only determines the route.
    let local = probe.connect("203.0.113.1:9").and_then(|()| probe.local_addr()).ok();
    let local = local.map(|local| local.ip()).filter(|local| !local.is_loopback() && !local.is_unspecified());
    if local.is_none() {
        println!("skipped: this machine has only loopback addresses");
    }
    local.map(|local| SocketAddr::new(local, server.address.port()))
}

/// The configured replies per second.
const REPLIES_PER_SECOND: u32 = 4;
/// The configured octets per second in responses without authentication.
const COMMUNITY_RATE: u32 = 5000;
const REQUESTS: usize = 60;
/// The offset of the random in a ClientHello, after two headers and the version.
const RANDOM: usize = 13 + 12 + 2;
