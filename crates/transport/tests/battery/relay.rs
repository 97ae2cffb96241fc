//! Tests specific to sshd relay sessions.

use portreeve_sys::{account_name, effective_uid};
use portreeve_transport::AllowedAccounts;

use super::fixture::{ECHO, IDENTITY, TestServer, TransportKind, frame};

#[test]
fn security_name_is_the_account_of_the_peer_process() {
    let name = account_name(effective_uid()).unwrap().unwrap();
    for accounts in [
        AllowedAccounts::OwnAndRoot,
        AllowedAccounts::Named(vec!["x".into(), name.clone()]),
        AllowedAccounts::All,
    ] {
        let server = TestServer::with_accounts(accounts);
        let answer = server.peer().request(&frame(IDENTITY, b"user=root"));
        assert_eq!(answer, frame(IDENTITY, format!("{name} authPriv ssh").as_bytes()));
    }
}

#[test]
fn session_of_disallowed_account_is_closed_and_counted() {
    let server = TestServer::with_accounts(AllowedAccounts::Named(vec!["other account".into()]));
    assert!(server.peer().is_closed());
    assert_eq!(server.statistics().closed_handshake_failed, 1);
    assert_eq!(server.statistics().sessions_opened, 1);
}

#[test]
fn messages_sent_before_the_account_lookup_ends_are_answered() {
    let server = TestServer::start(TransportKind::Relay);
    for n in 0..50_u8 {
        let mut peer = server.peer();
        let messages: Vec<_> = (0..20).map(|size| frame(ECHO, &vec![n; 37 * size])).collect();
        peer.send(&messages.concat());
        messages.iter().for_each(|message| assert_eq!(peer.receive(), *message));
    }
}
