//! What the transport models tell of the ends of sessions.

use std::time::Duration;

use portreeve_transport::Limits;

use super::fixture::{ECHO, EVENTS, Kind, ON_WAKE, Server, frame};

const SESSIONS: [Kind; 4] = [Kind::Ssh4, Kind::Tls4, Kind::Dtls4, Kind::Dtls13];

//= rfc5592#5.4-1
//= rfc5592#5.4-3
//= rfc6353#5.4-1
//= rfc6353#5.4-4
//= type=test
#[test]
fn a_session_that_we_close_is_told_as_ours_and_one_that_its_peer_closes_is_not() {
    for kind in SESSIONS {
        let limits = Limits { idle: Duration::from_millis(400), ..Limits::default() };
        let server = Server::with(kind, 1, limits);
        let mut idle = server.peer();
        idle.ask(&frame(ECHO, &[]));
        assert!(idle.is_cut(), "{kind:?}");
        server.wait_for("the end", |statistics| statistics.closed_idle == 1);
        assert_eq!(server.peer().ask(&frame(EVENTS, &[])), frame(EVENTS, &[1, 0]), "{kind:?}");
        if !kind.is_dtls() {
            // Its peer has gone meanwhile; over UDP nobody hears of that.
            server.wait_for("its end", |statistics| statistics.closed_by_peer == 1);
            assert_eq!(server.peer().ask(&frame(EVENTS, &[])), frame(EVENTS, &[1, 0]), "{kind:?}");
        }
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
fn an_answer_goes_to_the_session_of_its_request_or_nowhere() {
    for kind in [Kind::Ssh4, Kind::Tls4] {
        let server = Server::start(kind);
        let mut gone = server.peer();
        let mut other = server.peer();
        gone.send(&frame(ON_WAKE, b"for the one"));
        gone.ask(&frame(ECHO, &[]));
        drop(gone);
        server.wait_for("its end", |statistics| statistics.closed_by_peer == 1);
        server.running().wake_all();
        server.wait_for("its loss", |statistics| statistics.late_answers_without_session == 1);
        assert_eq!(other.ask(&frame(EVENTS, &[])), frame(EVENTS, &[0, 1]), "{kind:?}");
    }
}
