//! What only streams can get wrong, asked of TCP and behind sshd.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use portreeve_transport::Limits;

use super::fixture::{ACCEPT, DROP, ECHO, Kind, LARGE, LATER, PANIC, Peer, Server, frame};

#[test]
fn messages_glued_together_are_told_apart() {
    for kind in LINES {
        let server = Server::start(kind);
        let mut peer = server.peer();
        let messages: Vec<_> = (0..200_u8).map(|n| frame(ECHO, &vec![n; usize::from(n)])).collect();
        peer.send(&messages.concat());
        for message in &messages {
            assert_eq!(peer.receive(), *message);
        }
    }
}

#[test]
fn a_message_may_come_octet_by_octet() {
    for kind in LINES {
        let server = Server::start(kind);
        let mut peer = server.peer();
        let message = frame(ECHO, &[3; 150]);
        let glued = [message.clone(), message.clone()].concat();
        for octet in &glued {
            peer.send(std::slice::from_ref(octet));
        }
        assert_eq!(peer.receive(), message);
        assert_eq!(peer.receive(), message);
    }
}

#[test]
fn a_message_of_the_longest_size_is_answered_and_one_octet_more_closes() {
    for kind in LINES {
        let limits = Limits { max_message_size: 1000, ..Limits::default() };
        let server = Server::with(kind, 1, limits);
        let mut peer = server.peer();
        let longest = frame(ECHO, &[1; 994]);
        assert_eq!(longest.len(), 1000);
        assert_eq!(peer.ask(&longest), longest);
        // The header alone is enough.
        peer.send(&frame(ECHO, &[1; 995])[..5]);
        assert!(peer.is_cut());
        assert_eq!(server.statistics().closed_too_long, 1);
    }
}

#[test]
fn what_is_no_message_closes_the_session() {
    for kind in LINES {
        let server = Server::start(kind);
        for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0x30, 0x80], &[0x30, 0x88, 1]] {
            let mut peer = server.peer();
            peer.ask(&frame(ECHO, &[]));
            peer.send(garbage);
            assert!(peer.is_cut());
        }
        assert_eq!(server.statistics().closed_not_a_message, 3);
    }
}

#[test]
fn a_connection_cut_in_a_message_is_counted_as_such() {
    for kind in LINES {
        let server = Server::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(ECHO, &[1; 100])[..50]);
        drop(peer);
        server.wait_for("the cut", |statistics| statistics.closed_in_message == 1);
        let mut peer = server.peer();
        peer.ask(&frame(ECHO, &[]));
        drop(peer);
        server.wait_for("the end", |statistics| statistics.closed_by_peer == 1);
    }
}

#[test]
fn a_peer_that_has_finished_sending_still_gets_its_answers() {
    for kind in LINES {
        let server = Server::start(kind);
        let mut peer = server.peer();
        for _ in 0..100 {
            peer.send(&frame(LARGE, &[]));
        }
        peer.finish_sending();
        for _ in 0..100 {
            assert_eq!(peer.receive().len(), 60_006);
        }
        assert!(peer.is_cut());
        server.wait_for("the end", |statistics| statistics.closed_by_peer == 1);
    }
}

#[test]
fn silent_connections_delay_nobody_and_are_closed_after_the_grace_time() {
    for kind in LINES {
        let limits = Limits { grace: Duration::from_millis(400), ..Limits::default() };
        let server = Server::with(kind, 1, limits);
        let mut silent: Vec<_> = (0..200).map(|_| server.peer()).collect();
        // Neither half a message nor one that is dropped saves a connection.
        silent[0].send(&[0x30]);
        silent[1].send(&frame(DROP, &[]));
        let mut answered = server.peer();
        let mut notifier = server.peer();
        let start = Instant::now();
        answered.ask(&frame(ECHO, b"quick"));
        notifier.send(&frame(ACCEPT, &[]));
        assert!(start.elapsed() < Duration::from_millis(300));
        assert!(silent.iter_mut().all(Peer::is_cut));
        assert_eq!(server.statistics().closed_unanswered, 200);
        assert_eq!(answered.ask(&frame(ECHO, b"again")), frame(ECHO, b"again"));
        assert_eq!(notifier.ask(&frame(ECHO, b"again")), frame(ECHO, b"again"));
    }
}

#[test]
fn a_session_idle_for_too_long_is_closed() {
    for kind in LINES {
        let limits = Limits { idle: Duration::from_millis(300), ..Limits::default() };
        let server = Server::with(kind, 1, limits);
        let mut peer = server.peer();
        let start = Instant::now();
        for _ in 0..4 {
            peer.ask(&frame(ECHO, &[]));
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!(start.elapsed() >= Duration::from_millis(300), "activity keeps it open");
        assert!(peer.is_cut());
        assert_eq!(server.statistics().closed_idle, 1);
    }
}

#[test]
fn at_a_sources_share_the_oldest_unanswered_connection_goes() {
    for kind in LINES {
        let limits = Limits { sessions_per_source: 3, ..Limits::default() };
        let server = Server::with(kind, 2, limits);
        let mut first = server.peer();
        first.ask(&frame(ECHO, &[]));
        let mut second = server.peer();
        server.wait_for("two sessions", |statistics| statistics.sessions_opened == 2);
        let _third = server.peer();
        server.wait_for("three sessions", |statistics| statistics.sessions_opened == 3);
        let mut fourth = server.peer();
        assert_eq!(fourth.ask(&frame(ECHO, b"new")), frame(ECHO, b"new"));
        assert!(second.is_cut());
        assert_eq!(first.ask(&frame(ECHO, b"old")), frame(ECHO, b"old"));
        assert_eq!(server.statistics().closed_for_room, 1);
    }
}

#[test]
fn where_every_place_is_in_use_the_newest_is_refused() {
    for kind in LINES {
        let server = Server::with(kind, 1, Limits { sessions: 2, ..Limits::default() });
        let mut kept: Vec<_> = (0..2).map(|_| server.peer()).collect();
        kept.iter_mut().for_each(|peer| assert_eq!(peer.ask(&frame(ECHO, &[])), frame(ECHO, &[])));
        assert!(server.peer().is_cut());
        kept.iter_mut().for_each(|peer| assert_eq!(peer.ask(&frame(ECHO, &[])), frame(ECHO, &[])));
        assert_eq!(server.statistics().sessions_refused, 1);
    }
}

#[test]
fn a_reader_that_never_reads_is_not_read_from_and_cut_in_the_end() {
    for kind in LINES {
        let limits = Limits { stall: Duration::from_millis(500), ..Limits::default() };
        let server = Server::with(kind, 1, limits);
        let mut greedy = server.peer();
        match &mut greedy {
            Peer::Stream(stream, _) => {
                stream.set_nonblocking(true).unwrap();
                ask_until_nothing_is_taken(stream);
            }
            Peer::Relay(stream, _) => {
                stream.set_nonblocking(true).unwrap();
                ask_until_nothing_is_taken(stream);
            }
            _ => panic!("a line in clear was asked for"),
        }
        assert_eq!(server.peer().ask(&frame(ECHO, b"other")), frame(ECHO, b"other"));
        server.wait_for("the cut", |statistics| statistics.closed_stalled == 1);
    }
}

/// Our and the server's buffers are full then. `stream` does not block.
fn ask_until_nothing_is_taken(stream: &mut impl Write) {
    let question = frame(LARGE, &[]).repeat(1000);
    let (mut asked, mut full_since) = (0, None);
    loop {
        match stream.write(&question) {
            Ok(count) => {
                asked += count;
                full_since = None;
                assert!(asked < 64 << 20, "questions are read for ever");
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if full_since.get_or_insert_with(Instant::now).elapsed() > Duration::from_millis(100) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            // Cut already, on a slow machine.
            Err(_) => return,
        }
    }
}

#[test]
fn late_answers_to_a_reader_that_never_reads_are_bounded() {
    let server = Server::with(Kind::Tcp4, 1, Limits { max_message_size: 61_000, ..Limits::default() });
    let mut greedy = server.peer();
    let question = frame(LATER, &[9; 60_000]);
    let mut asked = 0;
    // Each is answered after it has been read, so only the bound on what waits can stop this.
    while server.statistics().closed_stalled == 0 && asked < 2000 {
        if greedy.stream().write_all(&question).is_err() {
            break;
        }
        asked += 1;
    }
    server.wait_for("the cut", |statistics| statistics.closed_stalled == 1);
}

#[test]
fn a_panic_ends_its_session_only() {
    for kind in LINES {
        let server = Server::start(kind);
        let (mut good, mut bad) = (server.peer(), server.peer());
        good.ask(&frame(ECHO, &[]));
        bad.send(&frame(PANIC, &[]));
        assert!(bad.is_cut());
        assert_eq!(good.ask(&frame(ECHO, b"on")), frame(ECHO, b"on"));
        assert_eq!(server.statistics().closed_by_panic, 1);
    }
}

#[test]
fn a_late_answer_to_a_closed_session_is_counted() {
    for kind in LINES {
        let server = Server::start(kind);
        let mut peer = server.peer();
        peer.send(&frame(LATER, &[]));
        peer.ask(&frame(ECHO, &[]));
        drop(peer);
        server.wait_for("its loss", |statistics| statistics.late_answers_without_session == 1);
    }
}

/// Streams of messages in clear, over which a test may write whatever octets it wants.
const LINES: [Kind; 3] = [Kind::Tcp4, Kind::Tcp6, Kind::Relay];
