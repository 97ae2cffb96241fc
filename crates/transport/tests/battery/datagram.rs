//! What only datagrams can get wrong.

use portreeve_transport::Limits;

use super::fixture::{ECHO, Kind, Server, TOO_LARGE, frame};

#[test]
fn a_datagram_longer_than_a_message_may_be_is_dropped_and_counted() {
    for kind in [Kind::Udp4, Kind::Udp6] {
        let server = Server::with(kind, 1, Limits { max_message_size: 1000, ..Limits::default() });
        let mut peer = server.peer();
        peer.send(&frame(ECHO, &[0; 2000]));
        assert_eq!(peer.ask(&frame(ECHO, b"next")), frame(ECHO, b"next"));
        assert_eq!(server.statistics().datagrams_truncated, 1);
    }
}

#[test]
fn an_answer_no_datagram_can_carry_is_counted_and_harms_no_other() {
    for kind in [Kind::Udp4, Kind::Udp6] {
        let server = Server::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(ECHO, b"1"));
        peer.send(&frame(TOO_LARGE, &[]));
        peer.send(&frame(ECHO, b"2"));
        assert_eq!(peer.receive(), frame(ECHO, b"1"));
        assert_eq!(peer.receive(), frame(ECHO, b"2"));
        server.wait_for("the count", |statistics| statistics.datagram_send_errors == 1);
    }
}

#[test]
fn a_peer_that_is_gone_before_its_answer_stops_nobody() {
    for kind in [Kind::Udp4, Kind::Udp6] {
        let server = Server::start(kind);
        for _ in 0..20 {
            // Each answer meets a closed port, and an ICMP error comes back.
            server.peer().send(&frame(ECHO, &[]));
        }
        assert_eq!(server.peer().ask(&frame(ECHO, b"alive")), frame(ECHO, b"alive"));
    }
}
