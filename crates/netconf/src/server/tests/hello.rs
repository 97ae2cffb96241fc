//! The beginning and the end of sessions.

use portreeve_netconf_message::hello::Version;

use crate::test_server::{Client, NOW, OK, TestServer};
use crate::{CloseReason, OpenError, Peer, Phase, Transport};

fn peer() -> Peer {
    Peer { user: "writer".into(), transport: Transport::Ssh, address: "192.0.2.7:40112".into() }
}

/// The capabilities in a hello, without the identifiers of the library.
fn capabilities(hello: &str) -> Vec<String> {
    let capabilities = hello.split("<capability>").skip(1);
    capabilities.map(|rest| rest.split_once("</capability>").unwrap().0.replace("&amp;", "&")).collect()
}

//= rfc7950#5.6.4-p1
//= type=test
#[test]
fn hello_announces_operations_and_modules_of_yang_1() {
    let mut server = TestServer::new();
    let id = server.server.open(peer(), NOW).unwrap();
    let hello = Client::new(id).exchange_hellos(&mut server, Version::V1_1);
    assert!(hello.contains("<session-id>1</session-id>"), "{hello}");
    let announced = capabilities(&hello);
    for expected in [
        "urn:ietf:params:netconf:base:1.0",
        "urn:ietf:params:netconf:base:1.1",
        "urn:ietf:params:netconf:capability:writable-running:1.0",
        "urn:ietf:params:netconf:capability:candidate:1.0",
        "urn:ietf:params:netconf:capability:rollback-on-error:1.0",
        "urn:ietf:params:netconf:capability:validate:1.0",
        "urn:ietf:params:netconf:capability:validate:1.1",
        "urn:ietf:params:netconf:capability:with-defaults:1.0?basic-mode=explicit",
        "urn:example?module=example&revision=2026-11-23&features=fast,safe&deviations=example-deviations",
        "urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring?module=ietf-netconf-monitoring&revision=2026-11-23",
    ] {
        assert!(announced.iter().any(|capability| capability == expected), "{expected}: {announced:#?}");
    }
    let library = |start: &str| announced.iter().find(|capability| capability.starts_with(start)).unwrap();
    let newer =
        library("urn:ietf:params:netconf:capability:yang-library:1.1?revision=2019-01-04&content-id=");
    let older =
        library("urn:ietf:params:netconf:capability:yang-library:1.0?revision=2016-06-21&module-set-id=");
    assert_eq!(newer.rsplit('=').next(), older.rsplit('=').next());
    for absent in
        ["confirmed-commit", "startup", "xpath", ":url", "module=ietf-yang-library", "example-types"]
    {
        assert!(!announced.iter().any(|capability| capability.contains(absent)), "{absent}");
    }
    // Everything is announced once.
    let mut distinct = announced.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), announced.len());
}

#[test]
fn identifiers_are_not_used_again() {
    let mut server = TestServer::new();
    let first = server.client("writer").id;
    server.server.closed(first);
    assert_eq!((first, server.client("writer").id), (1, 2));
}

#[test]
fn sessions_are_limited() {
    let mut server = TestServer::new();
    let clients: Vec<_> = (0..8).map(|_| server.client("writer").id).collect();
    assert_eq!(server.server.open(peer(), NOW), Err(OpenError::TooManySessions));
    server.server.closed(clients[3]);
    assert_eq!(server.server.open(peer(), NOW), Ok(9));
}

#[test]
fn close_session_is_answered_and_needs_no_rights() {
    let mut server = TestServer::new();
    for user in ["writer", "unknown"] {
        let mut client = server.client(user);
        assert_eq!(client.request(&mut server, "<close-session/>"), OK);
        assert!(server.server.is_closing(client.id) && !server.server.wants_input(client.id));
        server.server.closed(client.id);
    }
    assert!(server.server.status().sessions.is_empty());
    assert_eq!(server.server.status().totals.dropped_sessions, 0);
}

#[test]
fn malformed_message_ends_the_session_and_its_locks() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    assert_eq!(client.request(&mut server, "<lock><target><running/></target></lock>"), OK);
    client.send_message(&mut server, "<rpc").unwrap();
    assert!(client.replies(&mut server).concat().contains("malformed-message"));
    assert!(server.server.is_closing(client.id));
    assert!(server.server.status().locks.is_empty());
    server.server.closed(client.id);
    assert_eq!(server.server.status().totals.dropped_sessions, 1);
}

#[test]
fn bad_hello_closes_the_session_and_is_counted() {
    let mut server = TestServer::new();
    let id = server.server.open(peer(), NOW).unwrap();
    let result = Client::new(id).send(&mut server, "<hello/>]]>]]>");
    assert!(matches!(result, Err(CloseReason::Hello(_))), "{result:?}");
    assert_eq!(server.server.status().totals.bad_hellos, 1);
    server.server.closed(id);
    assert_eq!(server.server.receive(id, &mut &b"x"[..], NOW), Err(CloseReason::Ended));
    assert_eq!(server.server.produce(id), Err(CloseReason::Ended));
}

#[test]
fn phase_shows_what_a_session_does() {
    let mut server = TestServer::new();
    let id = server.server.open(peer(), NOW).unwrap();
    assert_eq!(server.server.phase(id), Some(Phase::Hello));
    let mut client = Client::new(id);
    client.exchange_hellos(&mut server, Version::V1_0);
    assert_eq!(server.server.phase(id), Some(Phase::Idle));
    client.send(&mut server, "<rpc xmlns='urn:ietf:params:xml:ns:netconf:base:1.0' message-id='1'>").unwrap();
    assert_eq!(server.server.phase(id), Some(Phase::Receiving));
    client.send(&mut server, "<get/></rpc>]]>]]>").unwrap();
    assert_eq!(server.server.phase(id), Some(Phase::Replying));
    assert!(server.server.has_unanswered(id));
    assert_eq!(client.replies(&mut server).len(), 1);
    assert_eq!(server.server.phase(id), Some(Phase::Idle));
    assert!(!server.server.has_unanswered(id));
}
