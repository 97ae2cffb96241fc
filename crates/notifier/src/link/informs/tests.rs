//! The counters of messages that are dropped.

use std::{net::SocketAddr, time::Duration};

use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_manager::{Credentials, SessionOptions};
use tokio::time::sleep;

use super::*;
use crate::test_site::{Site, notification};

const INFORM: u8 = 0xa6;
const RESPONSE: u8 = 0xa2;
const GET: u8 = 0xa0;

/// Sends an inform in each of several contexts. Returns the messages.
fn send(informs: &mut SentInforms, contexts: &[&str]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    for (id, context) in contexts.iter().enumerate() {
        let content = OutgoingNotification { context_name: context.as_bytes().into(), ..notification(10) };
        let mut session =
            Session::new(Credentials::V2c("public".into()), &SessionOptions::default(), 7 + id as u64);
        let handle = session.request(&content.request);
        messages.push(session.poll_output(Timestamp::ZERO).unwrap().to_vec());
        informs.add_session(&content.context_name, session);
        informs.sessions.last_mut().unwrap().sent.insert(handle, id as u64);
    }
    messages
}

/// Replaces the first occurrence of octets.
fn replaced(message: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = message.windows(old.len()).position(|window| window == old).expect("the octets");
    [&message[..at], new, &message[at + old.len()..]].concat()
}

fn counter(informs: &mut SentInforms, message: &[u8]) -> Option<Counter> {
    informs.handle_input(Timestamp::ZERO, message).expect_err("a dropped message").counter()
}

#[test]
fn dropped_response_is_counted_by_its_reason() {
    // With two sessions, each message is dropped by both, and counted once.
    for contexts in [&[""][..], &["", "other"]] {
        let mut informs = SentInforms::default();
        let sent = send(&mut informs, contexts).remove(0);
        let response = replaced(&sent, &[INFORM], &[RESPONSE]);
        for (name, message, expected) in [
            ("malformed", b"rubbish".to_vec(), Counter::SnmpInAsnParseErrs),
            ("cut", response[..response.len() - 1].to_vec(), Counter::SnmpInAsnParseErrs),
            ("version 9", replaced(&response, &[2, 1, 1], &[2, 1, 9]), Counter::SnmpInBadVersions),
            ("SNMPv1", replaced(&response, &[2, 1, 1], &[2, 1, 0]), Counter::SnmpUnknownPduHandlers),
            ("community", replaced(&response, b"public", b"secret"), Counter::SnmpInBadCommunityNames),
            ("request", replaced(&sent, &[INFORM], &[GET]), Counter::SnmpUnknownPduHandlers),
        ] {
            assert_eq!(counter(&mut informs, &message), Some(expected), "{name}");
        }
        assert!(informs.poll_event(&Name::from(*b"user")).is_none());
        assert!(informs.handle_input(Timestamp::ZERO, &response).is_ok());
        assert_eq!(
            counter(&mut informs, &response),
            Some(Counter::SnmpUnknownPduHandlers),
            "a second response"
        );
    }
}

#[test]
fn response_is_accepted_by_the_session_of_its_context() {
    let mut informs = SentInforms::default();
    let messages = send(&mut informs, &["", "other"]);
    for (id, sent) in messages.iter().enumerate().rev() {
        assert!(informs.handle_input(Timestamp::ZERO, &replaced(sent, &[INFORM], &[RESPONSE])).is_ok());
        assert_eq!(informs.poll_event(&Name::from(*b"user")).unwrap().0, id as u64);
    }
}

#[test]
fn message_to_a_link_without_informs_is_counted() {
    let sent = send(&mut SentInforms::default(), &[""]).remove(0);
    for (message, expected) in [
        (b"rubbish".to_vec(), Counter::SnmpInAsnParseErrs),
        (replaced(&sent, &[2, 1, 1], &[2, 1, 9]), Counter::SnmpInBadVersions),
        (sent, Counter::SnmpUnknownPduHandlers),
    ] {
        assert_eq!(counter(&mut SentInforms::default(), &message), Some(expected));
    }
}

#[test]
fn dropped_response_increments_the_counter_of_the_agent() {
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        let peer = await_sender(site).await;
        site.receiver.send_to(b"rubbish", peer).unwrap();
        let count = || site.core.recorder().statistics().counter32(Counter::SnmpInAsnParseErrs);
        let mut attempts = 0..2000;
        while count() == 0 {
            attempts.next().expect("a counted message");
            sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(count(), 1);
    });
}

/// Waits for a message. Returns the address of its sender.
async fn await_sender(site: &Site) -> SocketAddr {
    site.receiver.set_nonblocking(true).unwrap();
    let mut attempts = 0..2000;
    loop {
        if let Ok((_, peer)) = site.receiver.recv_from(&mut [0; 1000]) {
            return peer;
        }
        attempts.next().expect("a message");
        sleep(Duration::from_millis(5)).await;
    }
}
