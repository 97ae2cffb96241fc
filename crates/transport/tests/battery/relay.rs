//! What only sessions behind sshd can get wrong.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use portreeve_sys::{account_name, effective_user};
use portreeve_transport::{Accounts, Limits};

use super::fixture::{ECHO, Kind, LARGE, Peer, Server, WHO, frame};

#[test]
fn who_asks_is_the_account_of_the_process_and_nothing_that_it_says() {
    let name = account_name(effective_user()).unwrap().unwrap();
    for accounts in [Accounts::Ours, Accounts::Named(vec!["x".into(), name.clone()]), Accounts::All] {
        let server = Server::for_accounts(accounts);
        let answer = server.peer().ask(&frame(WHO, b"root is asking, or so I say"));
        assert_eq!(answer, frame(WHO, format!("{name} authPriv ssh").as_bytes()));
    }
}

#[test]
fn an_account_that_is_not_named_is_closed_without_a_word_and_counted() {
    let server = Server::for_accounts(Accounts::Named(vec!["somebody else".into()]));
    assert!(server.peer().is_cut());
    assert_eq!(server.statistics().closed_handshake_failed, 1);
    assert_eq!(server.statistics().sessions_opened, 1);
}

#[test]
fn a_peer_that_has_finished_sending_still_gets_its_answers() {
    let server = Server::start(Kind::Relay);
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

#[test]
fn what_comes_before_the_account_is_known_waits_for_that() {
    let server = Server::start(Kind::Relay);
    for n in 0..50_u8 {
        let mut peer = server.peer();
        let messages: Vec<_> = (0..20).map(|size| frame(ECHO, &vec![n; 37 * size])).collect();
        peer.send(&messages.concat());
        messages.iter().for_each(|message| assert_eq!(peer.receive(), *message));
    }
}

#[test]
fn at_an_accounts_share_its_oldest_silent_connection_goes() {
    let server = Server::with(Kind::Relay, 2, Limits { sessions_per_source: 3, ..Limits::default() });
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

#[test]
fn a_reader_that_never_reads_is_not_read_from_and_cut_in_the_end() {
    let limits = Limits { stall: Duration::from_millis(500), ..Limits::default() };
    let server = Server::with(Kind::Relay, 1, limits);
    let Peer::Relay(mut stream, _) = server.peer() else { panic!("that is what was asked for") };
    stream.set_nonblocking(true).unwrap();
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
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            // Cut already, on a slow machine.
            Err(_) => break,
        }
    }
    assert_eq!(server.peer().ask(&frame(ECHO, b"other")), frame(ECHO, b"other"));
    server.wait_for("the cut", |statistics| statistics.closed_stalled == 1);
}

#[test]
fn connections_that_say_nothing_go_after_the_grace_time() {
    let server =
        Server::with(Kind::Relay, 1, Limits { grace: Duration::from_millis(300), ..Limits::default() });
    let mut silent: Vec<_> = (0..20).map(|_| server.peer()).collect();
    assert_eq!(server.peer().ask(&frame(ECHO, b"quick")), frame(ECHO, b"quick"));
    assert!(silent.iter_mut().all(Peer::is_cut));
    assert_eq!(server.statistics().closed_unanswered, 20);
}
