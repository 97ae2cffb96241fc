//! The end of SSH sessions: by revocation, at shutdown, and after all octets are sent.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portreeve_channel_ssh::keys::RevokedKeys;
use portreeve_channel_ssh::server::{Authentication, Authorities, ServerSettings, SshServer};
use portreeve_transport::{Limits, TransportSecurity};
use rand::rng;
use russh::keys::ssh_key::certificate::{Builder, CertType};
use russh::keys::{Algorithm, Certificate, PrivateKey};

use super::fixture::{ECHO, LARGE, ON_WAKE, PANIC, TestServer, TransportKind, frame};
use super::security::security;
use super::ssh_encrypted::{CHANNEL_CLOSE, CHANNEL_DATA, DISCONNECT, EncryptedSsh, data};
use super::ssh_peer::SshPeer;
use super::ssh_server::{TEST_KEYS, USER, settings};

#[test]
fn review_l13_session_is_closed_when_its_key_is_revoked() {
    let (server, ssh) = start_replaceable(settings());
    let mut peer = server.peer();
    peer.request(&frame(ECHO, b"1"));
    for is_revoked in [false, true] {
        ssh.replace(if is_revoked { settings_without_users() } else { settings() });
        server.running().sessions().recheck();
        if is_revoked {
            assert!(peer.is_closed());
            assert_eq!(server.statistics().closed_identity_revoked, 1);
        } else {
            assert_eq!(peer.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
        }
    }
}

/// The peer accepts no more octets, so that the channels are still closing when the last session
/// ends.
#[test]
fn review_l13_connection_with_three_channels_is_closed_when_key_is_revoked() {
    let (server, ssh) = start_replaceable(settings());
    let mut peer = EncryptedSsh::log_in(&server, USER);
    for _ in 0..3 {
        let channel = peer.open_session(1000);
        peer.send_data(channel, &frame(LARGE, &[]));
        peer.receive_message(CHANNEL_DATA);
    }
    ssh.replace(settings_without_users());
    server.running().sessions().recheck();
    peer.receive_message(DISCONNECT);
    server.wait_for_statistics("all closes", |statistics| statistics.closed_identity_revoked == 3);
}

/// The list names the certified key only: neither the certificate nor its authority.
#[test]
fn review_l13_session_of_a_certificate_is_closed_when_its_key_is_revoked() {
    let authority = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
    let with_revoked = |list: &str| {
        let mut settings = settings();
        let authorities = Authorities::new([authority.public_key().key_data().clone()]);
        let revoked = RevokedKeys::parse(list).unwrap();
        settings.authentication = Authentication { authorities, revoked, ..Authentication::default() };
        settings
    };
    let (server, ssh) = start_replaceable(with_revoked(""));
    let mut peer = SshPeer::log_in_with_certificate(server.address, user_certificate(&authority));
    peer.request(&frame(ECHO, b"1"));
    let another_key = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
    ssh.replace(with_revoked(&another_key.public_key().to_openssh().unwrap()));
    server.running().sessions().recheck();
    assert_eq!(peer.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
    ssh.replace(with_revoked(&TEST_KEYS.key.public_key().to_openssh().unwrap()));
    server.running().sessions().recheck();
    assert!(peer.is_closed());
    assert_eq!(server.statistics().closed_identity_revoked, 1);
}

#[test]
fn connection_with_three_channels_is_disconnected_at_shutdown() {
    let mut server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    for _ in 0..3 {
        let channel = peer.open_session(1000);
        peer.send_data(channel, &frame(ECHO, b"1"));
        peer.receive_message(CHANNEL_DATA);
    }
    let start = Instant::now();
    server.running.take().unwrap().shutdown();
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    peer.receive_message(DISCONNECT);
}

#[test]
fn channel_is_closed_after_all_octets_are_sent() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    peer.open_session(1000);
    let channel = peer.open_session(1000);
    // The second message is malformed, and ends the session.
    peer.send_data(channel, &[&frame(LARGE, &[]), &b"GET / HTTP/1.1"[..]].concat());
    let mut received = peer.receive_message(CHANNEL_DATA).len() - 9;
    peer.open_window(channel, 100_000);
    loop {
        let message = peer.receive().unwrap();
        match message[0] {
            CHANNEL_DATA => received += data(&message).len(),
            CHANNEL_CLOSE => break,
            _ => {}
        }
    }
    assert_eq!(received, frame(LARGE, &[7; 60_000]).len());
}

/// A notification has no response: its sender may close the connection at once.
#[test]
fn message_is_handled_although_its_sender_disconnects_immediately() {
    let server = TestServer::start(TransportKind::Ssh4);
    for count in 1..=20 {
        let mut peer = EncryptedSsh::log_in(&server, USER);
        let channel = peer.open_channel(1000);
        peer.send_subsystem_request(channel);
        // The panic is counted, so that the test sees that the message was handled.
        peer.send_data(channel, &frame(PANIC, b"notification"));
        peer.disconnect("sent");
        server.wait_for_statistics("the message", |statistics| statistics.handler_panics == count);
    }
}

#[test]
fn deferred_responses_are_sent_before_shutdown() {
    let mut server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    let message = frame(ON_WAKE, &[1; 60_000]);
    for _ in 0..5 {
        peer.send(&message);
    }
    // All messages before this one are handled.
    let last = frame(ECHO, b"1");
    assert_eq!(peer.request(&last), last);
    server.running.take().unwrap().shutdown();
    for _ in 0..5 {
        assert!(peer.receive() == message);
    }
    assert!(peer.is_closed());
}

/// Starts a server whose settings the test can replace.
fn start_replaceable(settings: ServerSettings) -> (TestServer, Arc<SshServer>) {
    let ssh = Arc::new(SshServer::new(settings));
    let security = TransportSecurity { ssh: Some(Arc::clone(&ssh)), ..security() };
    let kind = TransportKind::Ssh4;
    (TestServer::with_security(kind, kind.listener(), 1, Limits::default(), security), ssh)
}

/// Returns settings that revoke the key of all users.
fn settings_without_users() -> ServerSettings {
    let mut settings = settings();
    let keys = fs::read(TEST_KEYS.folder.path().join(USER)).unwrap();
    settings.authentication.revoked = RevokedKeys::parse(&keys).unwrap();
    settings
}

/// Issues a certificate for the key of [`USER`].
fn user_certificate(authority: &PrivateKey) -> Certificate {
    let key = TEST_KEYS.key.public_key();
    let mut builder = Builder::new_with_random_nonce(&mut rng(), key, 0, u64::MAX - 1).unwrap();
    builder.cert_type(CertType::User).unwrap().valid_principal(USER).unwrap();
    builder.sign(authority).unwrap()
}
