//! What only sessions behind sshd can get wrong.

use portreeve_sys::{account_name, effective_user};
use portreeve_transport::Accounts;

use super::fixture::{ECHO, Kind, Server, WHO, frame};

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
fn what_comes_before_the_account_is_known_waits_for_that() {
    let server = Server::start(Kind::Relay);
    for n in 0..50_u8 {
        let mut peer = server.peer();
        let messages: Vec<_> = (0..20).map(|size| frame(ECHO, &vec![n; 37 * size])).collect();
        peer.send(&messages.concat());
        messages.iter().for_each(|message| assert_eq!(peer.receive(), *message));
    }
}
