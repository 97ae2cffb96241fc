//! What a server tries that means ill, once our client has taken it for the right one.

use std::fs;
use std::net::TcpListener;
use std::thread;

use aws_lc_rs::signature::Ed25519KeyPair;
use portreeve_channel::{ChannelError, Step};
use portreeve_channel_ssh::client::{ClientSettings, Nobody, SshTarget, connect};
use russh::keys::ssh_key::LineEnding;

use super::ssh::{RUNTIME, USER, WORLD};
use super::ssh_sealed::{DISCONNECT, Sealed, signer};

#[test]
fn t_a_server_that_opens_a_window_beyond_its_bound_is_left() {
    let error = read_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far");
        // As wide as can be without being taken for wider.
        server.open_window(channel, u32::MAX - 1 - 1000);
        server.send_data(channel, b", so good");
        server.open_window(channel, 2);
        server.receive_some(DISCONNECT);
        assert_eq!(server.receive(), None);
    });
    assert_eq!(error.step, Step::Data);
    assert_eq!(error.cause, "the connection is lost: a window of more than 2^32-1 octets");
}

#[test]
fn t_new_keys_are_taken_from_whom_the_session_began_with_and_from_nobody_else() {
    let error = read_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far");
        server.exchange_anew(&signer()).expect("new keys");
        server.send_data(channel, b", so good");
        let somebody = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
        assert_eq!(server.exchange_anew(&somebody), None, "anybody may give new keys");
    });
    assert_eq!(error.step, Step::Data);
    assert!(error.cause.contains("does not hold the host key that it shows"), "{error}");
}

#[test]
fn t_a_server_that_makes_new_keys_without_end_is_left() {
    let error = read_from(|mut server| {
        let channel = server.serve(1000);
        // A few for each answer are its own affair.
        for octet in b"so far, so good" {
            (0..10).for_each(|_| server.exchange_anew(&signer()).expect("new keys"));
            server.send_data(channel, &[*octet]);
        }
        let mut rounds = 0;
        while server.exchange_anew(&signer()).is_some() {
            rounds += 1;
            assert!(rounds < 1000, "new keys are made for ever");
        }
    });
    assert_eq!(error.step, Step::Data);
    assert_eq!(error.cause, "the connection is lost: new keys without end");
}

#[test]
fn what_a_server_says_when_it_ends_a_session_is_told() {
    let error = read_from(|mut server| {
        let channel = server.serve(1000);
        server.send_data(channel, b"so far, so good");
        server.disconnect("idle for too long\u{7}");
    });
    assert_eq!(error.cause, "the connection is lost: idle for too long\\u{7}");
}

/// Connects to such a server and reads until it fails, after what was said until then.
fn read_from(server: impl FnOnce(Sealed) + Send + 'static) -> ChannelError {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || server(Sealed::server(listener.accept().unwrap().0)));
    let folder = tempfile::tempdir().unwrap();
    let (identity, known) = (folder.path().join("id"), folder.path().join("known_hosts"));
    WORLD.key.write_openssh_file(&identity, LineEnding::LF).unwrap();
    let host_key = WORLD.key.public_key().to_openssh().unwrap();
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
        let mut channel = connect(&target, &settings, &Nobody).await.unwrap();
        let mut said = Vec::new();
        loop {
            match channel.read().await {
                Ok(octets) => said.extend_from_slice(&octets.expect("no end in order")),
                Err(error) => {
                    assert_eq!(said, b"so far, so good");
                    return error;
                }
            }
        }
    });
    server.join().unwrap();
    error
}
