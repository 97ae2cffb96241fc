//! Messages over SSH: their division into packets, the window, and key exchanges in between.

use portreeve_channel_ssh::WindowPolicy;

use super::fixture::{ECHO, LARGE_DEFERRED, TestServer, TransportKind, frame};
use super::ssh_server::settings;

#[test]
fn large_deferred_responses_are_sent_even_if_the_peer_sends_nothing() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    for _ in 0..2 {
        let message = frame(ECHO, &vec![1; 60_000]);
        assert_eq!(peer.request(&message), message);
    }
    // The peer sends nothing more, and its window is large enough for all responses.
    let requests: Vec<u8> = (1..=8).flat_map(|moments| frame(LARGE_DEFERRED, &[moments])).collect();
    peer.send(&requests);
    for number in 1..=8 {
        assert_eq!(peer.receive().len(), frame(LARGE_DEFERRED, &[7; 60_000]).len(), "{number}");
    }
}

#[test]
fn coalesced_and_fragmented_messages_are_answered_separately() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    // The number of messages is small enough that unread responses do not fill the peer's queue.
    let sizes = (0..200).step_by(4).chain([1000, 30_000, 60_000]);
    let messages: Vec<_> = sizes.map(|size| frame(ECHO, &vec![5; size])).collect();
    let stream = messages.concat();
    let (first, mut rest) = stream.split_at(3_000);
    peer.send(first);
    while !rest.is_empty() {
        let (piece, others) = rest.split_at(rest.len().min(777));
        peer.send(piece);
        rest = others;
    }
    for message in &messages {
        assert_eq!(peer.receive(), *message);
    }
}

#[test]
fn every_message_window_policy_does_not_change_responses() {
    let server = TestServer::with_listener(TransportKind::Ssh4, |listener| {
        listener.window = WindowPolicy::EveryMessage
    });
    let mut peer = server.peer();
    for size in [0, 40, 300] {
        let message = frame(ECHO, &vec![1; size]);
        assert_eq!(peer.request(&message), message);
    }
}

#[test]
fn session_continues_after_rekeying() {
    let mut settings = settings();
    settings.rekey_after = 20_000;
    let server = TestServer::with_ssh_settings(TransportKind::Ssh4, settings);
    let mut peer = server.peer();
    for number in 0..300_u32 {
        let message = frame(ECHO, &[number.to_be_bytes(); 100].concat());
        assert_eq!(peer.request(&message), message);
    }
}
