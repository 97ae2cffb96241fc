//! Attacks by a server after our client has accepted its host key.

use std::fs;
use std::net::TcpListener;
use std::thread;

use aws_lc_rs::signature::Ed25519KeyPair;
use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_channel_ssh::client::{ClientSettings, NoPrompter, SshTarget, connect};
use russh::keys::ssh_key::LineEnding;

use super::ssh_encrypted::{DISCONNECT, EncryptedSsh, signer};
use super::ssh_peer::RUNTIME;
use super::ssh_server::{TEST_KEYS, USER};

#[test]
fn t_client_disconnects_when_the_server_overflows_the_window() {
    let error = client_error_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far");
        // Extend the window to the largest size that does not overflow.
        server.open_window(channel, u32::MAX - 1 - 1000);
        server.send_data(channel, b", so good");
        server.open_window(channel, 2);
        server.receive_message(DISCONNECT);
        assert_eq!(server.receive(), None);
    });
    assert_eq!(error.step, ChannelStep::Data);
    assert_eq!(error.cause, "the connection was lost: a window of more than 2^32-1 octets");
}

#[test]
fn t_client_rejects_rekey_with_other_host_key() {
    let error = client_error_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far");
        server.rekey(&signer()).expect("new keys");
        server.send_data(channel, b", so good");
        let other_key = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
        assert_eq!(server.rekey(&other_key), None, "the client accepted another host key");
    });
    assert_eq!(error.step, ChannelStep::Data);
    assert!(error.cause.contains("does not hold the private key of the host key it presented"), "{error}");
}

#[test]
fn t_client_disconnects_on_endless_rekeys() {
    let error = client_error_from(|mut server| {
        let channel = server.serve(1000);
        // A few rekeys per response are allowed.
        for octet in b"so far, so good" {
            (0..10).for_each(|_| server.rekey(&signer()).expect("new keys"));
            server.send_data(channel, &[*octet]);
        }
        let mut rounds = 0;
        while server.rekey(&signer()).is_some() {
            rounds += 1;
            assert!(rounds < 1000, "the client accepts endless rekeys");
        }
    });
    assert_eq!(error.step, ChannelStep::Data);
    assert_eq!(error.cause, "the connection was lost: too many key exchanges");
}

#[test]
fn disconnect_text_of_server_is_reported_with_controls_escaped() {
    let error = client_error_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far, so good");
        server.disconnect("idle for too long\u{7}");
    });
    assert_eq!(error.cause, "the connection was lost: idle for too long\\u{7}");
}

/// Connects a client to `server` and reads until an error occurs, after the expected data.
fn client_error_from(server: impl FnOnce(EncryptedSsh) + Send + 'static) -> ChannelError {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || server(EncryptedSsh::server(listener.accept().unwrap().0)));
    let folder = tempfile::tempdir().unwrap();
    let (identity, known) = (folder.path().join("id"), folder.path().join("known_hosts"));
    TEST_KEYS.key.write_openssh_file(&identity, LineEnding::LF).unwrap();
    let host_key = TEST_KEYS.key.public_key().to_openssh().unwrap();
    fs::write(&known, format!("[127.0.0.1]:{port} {host_key}\n")).unwrap();
    let settings = ClientSettings {
        config_files: Vec::new(),
        agent: None,
        identity_files: vec![identity],
        known_hosts: Some(vec![known]),
        ..ClientSettings::current()
    };
    let target = SshTarget::look_up("127.0.0.1", Some(USER), Some(port), &settings).unwrap();
    let error = RUNTIME.block_on(async {
        let mut channel = connect(&target, &settings, &NoPrompter).await.unwrap();
        let mut received = Vec::new();
        loop {
            match channel.read().await {
                Ok(octets) => received.extend_from_slice(&octets.expect("unexpected end of stream")),
                Err(error) => {
                    assert_eq!(received, b"so far, so good");
                    return error;
                }
            }
        }
    });
    server.join().unwrap();
    error
}
