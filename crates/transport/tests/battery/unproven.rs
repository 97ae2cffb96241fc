//! Replies to those who have proven nothing: a share for each network, and this machine excepted.

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::dtls;
use super::fixture::{ECHO, Kind, REPORT, Server, frame};

#[test]
fn reports_beyond_a_networks_share_are_withheld_and_counted_and_answers_are_not() {
    let server = sparing(Kind::Udp4);
    let Some(address) = beyond_loopback(&server) else { return };
    let (start, mut peer) = (Instant::now(), server.peer_at(address));
    for _ in 0..ASKED {
        peer.send(&frame(REPORT, b"who am I?"));
    }
    peer.send(&frame(ECHO, b"last"));
    let mut reported = 0;
    while peer.receive() != frame(ECHO, b"last") {
        reported += 1;
    }
    let most = SHARE as usize * (1 + start.elapsed().as_secs_f64().ceil() as usize);
    assert!((SHARE as usize..=most).contains(&reported), "{reported} of at most {most}");
    assert_eq!(server.statistics().unproven_withheld as usize, ASKED - reported);
}

#[test]
fn this_machine_and_connections_have_every_report() {
    for kind in [Kind::Udp4, Kind::Udp6, Kind::Tcp4] {
        let server = sparing(kind);
        let address = if kind == Kind::Tcp4 { beyond_loopback(&server) } else { None };
        let mut peer = server.peer_at(address.unwrap_or(server.address));
        for _ in 0..ASKED {
            peer.ask(&frame(REPORT, b"who am I?"));
        }
        assert_eq!(server.statistics().unproven_withheld, 0, "{kind:?}");
    }
}

#[test]
fn cookies_beyond_a_networks_share_are_withheld_and_a_patient_peer_gets_in() {
    for kind in [Kind::Dtls4, Kind::Dtls13] {
        let server = sparing(kind);
        let Some(address) = beyond_loopback(&server) else { return };
        let mut hello = dtls::first_hello(dtls::versions_of(kind));
        let (start, socket) = (Instant::now(), UdpSocket::bind((address.ip(), 0)).unwrap());
        for number in 0..ASKED {
            hello[RANDOM] = number as u8;
            socket.send_to(&hello, address).unwrap();
        }
        server.wait_for("most of them", |statistics| statistics.unproven_withheld > 0);
        // It repeats its hello until it has its share.
        let mut peer = server.peer_at(address);
        assert_eq!(peer.ask(&frame(ECHO, b"in")), frame(ECHO, b"in"), "{kind:?}");
        assert!(start.elapsed() < Duration::from_secs(5));
        let answered = ASKED - server.statistics().unproven_withheld as usize;
        assert!(answered <= SHARE as usize * 6, "{answered} cookies");
    }
}

fn sparing(kind: Kind) -> Server {
    Server::with(kind, 1, Limits { unproven_replies: SHARE, ..Limits::default() })
}

/// The server by an address of this machine that is not loopback's, and so may be anybody's; `None`, and told, without one.
fn beyond_loopback(server: &Server) -> Option<SocketAddr> {
    let probe = UdpSocket::bind("0.0.0.0:0").unwrap();
    // Sends nothing; only asks for the way.
    let own = probe.connect("203.0.113.1:9").and_then(|()| probe.local_addr()).ok();
    let own = own.map(|own| own.ip()).filter(|own| !own.is_loopback() && !own.is_unspecified());
    if own.is_none() {
        println!("skipped: this machine has no address but loopback's");
    }
    own.map(|own| SocketAddr::new(own, server.address.port()))
}

/// Replies a second.
const SHARE: u32 = 4;
const ASKED: usize = 60;
/// Where a hello's random begins, behind two headers and the version.
const RANDOM: usize = 13 + 12 + 2;
