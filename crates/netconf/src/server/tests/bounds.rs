//! Limits of memory and time.

use portreeve_netconf_message::names::NETCONF;

use portreeve_yang_tree::TreeSize;

use crate::executor::MAX_OCTETS_IN_FLIGHT;
use crate::test_server::{OK, TestServer, tags};
use crate::{Datastores, Phase};

#[test]
fn requests_of_all_sessions_are_bounded_together() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    let executor = &mut server.server.executor;
    executor.count_octets(one.id, MAX_OCTETS_IN_FLIGHT - 1000).unwrap();
    let long = format!("<top xmlns='urn:example'><tag>{}</tag></top>", "x".repeat(2000));
    assert_eq!(tags(&two.edit(&mut server, "running", &long)), ["resource-denied"]);
    assert_eq!(two.edit(&mut server, "running", "<top xmlns='urn:example'><tag>y</tag></top>"), OK);
    assert_eq!(
        server.server.executor.octets_in_flight,
        MAX_OCTETS_IN_FLIGHT - 1000,
        "replies release octets"
    );
    server.server.closed(one.id);
    assert_eq!(server.server.executor.octets_in_flight, 0);
    assert_eq!(two.edit(&mut server, "running", &long), OK);
    one = server.client("writer");
    one.send(&mut server, &format!("\n#9000\n<rpc xmlns='{NETCONF}' message-id='1'><commit>")).unwrap();
    assert!(server.server.executor.octets_in_flight > 0);
    one.send(&mut server, "</x>").unwrap();
    assert_eq!(server.server.executor.octets_in_flight, 0, "malformed messages release octets");
}

#[test]
fn refused_request_is_skipped_without_storing_it() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    let start =
        format!("<rpc xmlns='{NETCONF}' message-id='1'><edit-config><target><running/></target><config>");
    client.send(&mut server, &format!("\n#{}\n{start}", start.len())).unwrap();
    for _ in 0..100 {
        let piece = "<top xmlns='urn:example'/>".repeat(10);
        client.send(&mut server, &format!("\n#{}\n{piece}", piece.len())).unwrap();
        assert_eq!(server.server.executor.octets_in_flight, 0);
    }
    let end = "</config></edit-config></rpc>";
    client.send(&mut server, &format!("\n#{}\n{end}\n##\n", end.len())).unwrap();
    assert_eq!(tags(&client.replies(&mut server).concat()), ["access-denied"]);
}

#[test]
fn large_reply_is_produced_in_pieces_of_one_version() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let users = |value: char| {
        let entry = |number| {
            format!(
                "<user><name>u{number:04}</name><full-name>{}</full-name></user>",
                value.to_string().repeat(200)
            )
        };
        format!("<top xmlns='urn:example'><users>{}</users></top>", (0..1000).map(entry).collect::<String>())
    };
    client.edit_fast(&mut server, "running", &users('q'));
    client.begin(&mut server, "<get-config><source><running/></source></get-config>");
    let first = server.server.produce(client.id).unwrap();
    assert!((60_000..150_000).contains(&first.len()), "{}", first.len());
    assert_eq!(server.server.phase(client.id), Some(Phase::Replying));
    let mut other = server.client("writer");
    other.edit_fast(&mut server, "running", &users('z'));
    let mut reply = first;
    while server.server.phase(client.id) == Some(Phase::Replying) {
        let piece = server.server.produce(client.id).unwrap();
        assert!(piece.len() < 150_000);
        reply.extend(piece);
    }
    let reply = String::from_utf8(reply).unwrap();
    let (old, new) = (reply.matches('q').count(), reply.matches('z').count());
    assert!(old >= 200_000 && new == 0, "{old} {new}");
    assert!(other.data(&mut server, "running", "").contains("zzzz"));
}

#[test]
fn filter_that_costs_too_much_is_refused() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let entry = |number| format!("<user><name>u{number:04}</name></user>");
    let users: String = (0..3000).map(entry).collect();
    client.edit_fast(
        &mut server,
        "running",
        &format!("<top xmlns='urn:example'><users>{users}</users></top>"),
    );
    // Content matches without keys are compared with each entry.
    let matches = "<user><type>a</type><full-name/></user>".repeat(4000);
    let operation = format!(
        "<get-config><source><running/></source><filter><top xmlns='urn:example'><users>{matches}</users></top></filter></get-config>"
    );
    client.begin_fast(&mut server, &operation);
    let reply = client.replies(&mut server).concat();
    assert_eq!(tags(&reply), ["too-big"]);
    assert_eq!(client.request(&mut server, "<commit/>"), OK);
}

#[test]
fn one_request_is_executed_at_a_time() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    server.holds_transactions = true;
    client.begin(&mut server, "<edit-config><target><running/></target><config><top xmlns='urn:example'><tag>a</tag></top></config></edit-config>");
    assert_eq!(server.server.phase(client.id), Some(Phase::Executing));
    assert!(!server.server.wants_input(client.id) && server.server.has_unanswered(client.id));
    server.run_held();
    assert_eq!(client.replies(&mut server), [OK]);
    assert!(server.server.wants_input(client.id));
}

#[test]
fn configuration_is_not_larger_than_the_quota() {
    let mut server = TestServer::new();
    let mut client = server.client("root");
    server.server.executor.quota = TreeSize { leafs: 3, octets: 10 };
    let tags_of =
        |values: &[&str]| -> String { values.iter().map(|value| format!("<tag>{value}</tag>")).collect() };
    let config = |values: &[&str]| format!("<top xmlns='urn:example'>{}</top>", tags_of(values));
    for target in ["running", "candidate"] {
        for values in [&["a", "b", "c", "d"][..], &["0123456789x"]] {
            assert_eq!(tags(&client.edit(&mut server, target, &config(values))), ["resource-denied"]);
            let copy = format!(
                "<copy-config><target><{target}/></target><source><config>{}</config></source></copy-config>",
                config(values)
            );
            assert_eq!(tags(&client.request(&mut server, &copy)), ["resource-denied"]);
        }
        assert_eq!(client.edit(&mut server, target, &config(&["a", "b", "c"])), OK);
    }
}
