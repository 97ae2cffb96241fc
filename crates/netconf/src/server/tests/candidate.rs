//! The candidate and its branch of the running configuration.

use portreeve_datastore::RefusalKind;

use crate::test_server::{OK, TestServer, tags};

fn interface(name: &str, mtu: u32) -> String {
    format!("<top xmlns='urn:example'><interface><name>{name}</name><mtu>{mtu}</mtu></interface></top>")
}

fn shown(interfaces: &[(&str, u32)]) -> String {
    let entry =
        |(name, mtu): &(&str, u32)| format!("<interface><name>{name}</name><mtu>{mtu}</mtu></interface>");
    format!("<top>{}</top>", interfaces.iter().map(entry).collect::<String>())
}

#[test]
fn candidate_follows_running_until_it_is_modified() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.edit(&mut server, "running", &interface("a", 1)), OK);
    assert_eq!(two.data(&mut server, "candidate", ""), shown(&[("a", 1)]));
    assert_eq!(two.edit(&mut server, "candidate", &interface("b", 2)), OK);
    assert_eq!(one.edit(&mut server, "running", &interface("c", 3)), OK);
    // All sessions share it, and it is a branch now.
    assert_eq!(one.data(&mut server, "candidate", ""), shown(&[("a", 1), ("b", 2)]));
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 1), ("c", 3)]));
    assert_eq!(one.request(&mut server, "<commit/>"), OK);
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 1), ("b", 2), ("c", 3)]));
    assert_eq!(one.data(&mut server, "candidate", ""), shown(&[("a", 1), ("b", 2), ("c", 3)]));
    assert!(!server.server.status().is_candidate_modified);
}

//= rfc6241#8.3.4.2-p1
//= type=test
#[test]
fn commit_and_validate_refuse_conflicts_with_their_paths() {
    let mut server = TestServer::new();
    let mut one = server.client("writer");
    assert_eq!(one.edit(&mut server, "running", &interface("a", 1)), OK);
    assert_eq!(one.edit(&mut server, "candidate", &interface("a", 2)), OK);
    assert_eq!(one.edit(&mut server, "running", &interface("a", 3)), OK);
    for operation in ["<commit/>", "<validate><source><candidate/></source></validate>"] {
        let reply = one.request(&mut server, operation);
        assert_eq!(tags(&reply), ["operation-failed"]);
        assert!(
            reply.contains("/example:top/example:interface[example:name='a']/example:mtu</error-path>"),
            "{reply}"
        );
    }
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 3)]));
    assert_eq!(one.request(&mut server, "<discard-changes/>"), OK);
    assert_eq!(one.data(&mut server, "candidate", ""), shown(&[("a", 3)]));
    assert_eq!(one.request(&mut server, "<commit/>"), OK);
}

#[test]
fn change_during_a_commit_remains_in_the_candidate() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.edit(&mut server, "candidate", &interface("a", 1)), OK);
    server.holds_transactions = true;
    one.begin(&mut server, "<commit/>");
    assert!(one.replies(&mut server).is_empty(), "the transaction is not complete");
    assert_eq!(two.edit(&mut server, "candidate", &interface("b", 2)), OK);
    server.run_held();
    assert_eq!(one.replies(&mut server), [OK]);
    assert_eq!(two.data(&mut server, "running", ""), shown(&[("a", 1)]));
    assert_eq!(two.data(&mut server, "candidate", ""), shown(&[("a", 1), ("b", 2)]));
    server.holds_transactions = false;
    // The changes that have been committed do not belong to the candidate any more.
    assert_eq!(one.edit(&mut server, "running", &interface("a", 9)), OK);
    assert_eq!(two.request(&mut server, "<commit/>"), OK);
    assert_eq!(two.data(&mut server, "running", ""), shown(&[("a", 9), ("b", 2)]));
}

//= rfc6241#8.3.4.1-p1
//= type=test
#[test]
fn transaction_that_is_refused_changes_nothing() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.edit(&mut server, "running", &interface("a", 1)), OK);
    assert_eq!(one.edit(&mut server, "candidate", &interface("a", 2)), OK);
    server.holds_transactions = true;
    one.begin(&mut server, "<commit/>");
    two.begin(
        &mut server,
        &format!(
            "<edit-config><target><running/></target><config>{}</config></edit-config>",
            interface("a", 3)
        ),
    );
    server.run_held();
    // The first of them wins.
    assert_eq!(one.replies(&mut server), [OK]);
    assert_eq!(tags(&two.replies(&mut server).concat()), ["operation-failed"]);
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 2)]));
    assert_eq!(server.logs.last().map(|log| (log.session, log.failure.is_some())), Some((two.id, true)));
}

#[test]
fn session_that_ends_during_its_commit_does_not_disturb_others() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("writer"));
    assert_eq!(one.edit(&mut server, "candidate", &interface("a", 1)), OK);
    server.holds_transactions = true;
    one.begin(&mut server, "<commit/>");
    server.server.closed(one.id);
    server.run_held();
    assert_eq!(two.data(&mut server, "running", ""), shown(&[("a", 1)]));
    assert!(!server.server.status().is_candidate_modified);
}

#[test]
fn candidate_is_validated_by_commit_only() {
    let mut server = TestServer::new();
    let mut one = server.client("writer");
    let invalid = "<top xmlns='urn:example'><udp/></top>";
    assert_eq!(one.edit(&mut server, "candidate", invalid), OK);
    assert_eq!(tags(&one.request(&mut server, "<commit/>")), ["data-missing"]);
    assert_eq!(
        tags(&one.request(&mut server, "<validate><source><candidate/></source></validate>")),
        ["data-missing"]
    );
    assert_eq!(one.data(&mut server, "running", ""), "");
    assert!(server.server.status().is_candidate_modified, "the client can correct it");
    assert_eq!(
        one.edit(&mut server, "candidate", "<top xmlns='urn:example'><udp><port>1</port></udp></top>"),
        OK
    );
    assert_eq!(one.request(&mut server, "<commit/>"), OK);
}

//= rfc6241#7.3-p2
//= type=test
#[test]
fn copies_replace_the_whole_datastore() {
    let mut server = TestServer::new();
    let mut one = server.client("root");
    let copy = |target: &str, source: &str| {
        format!("<copy-config><target><{target}/></target><source>{source}</source></copy-config>")
    };
    assert_eq!(one.edit(&mut server, "running", &interface("a", 1)), OK);
    let config = format!("<config>{}</config>", interface("b", 2));
    assert_eq!(one.request(&mut server, &copy("candidate", &config)), OK);
    assert_eq!(one.data(&mut server, "candidate", ""), shown(&[("b", 2)]));
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 1)]));
    assert_eq!(one.request(&mut server, &copy("running", "<candidate/>")), OK);
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("b", 2)]));
    assert!(!server.server.status().is_candidate_modified);
    assert_eq!(one.edit(&mut server, "candidate", &interface("c", 3)), OK);
    assert_eq!(one.request(&mut server, &copy("candidate", "<running/>")), OK);
    assert_eq!(one.data(&mut server, "candidate", ""), shown(&[("b", 2)]));
    assert!(!server.server.status().is_candidate_modified);
    let config = format!("<config>{}</config>", interface("d", 4));
    assert_eq!(one.request(&mut server, &copy("running", &config)), OK);
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("d", 4)]));
    let invalid = "<config><top xmlns='urn:example'><udp/></top></config>";
    assert_eq!(tags(&one.request(&mut server, &copy("running", invalid))), ["data-missing"]);
}

#[test]
fn change_by_another_protocol_is_merged_at_commit() {
    let mut server = TestServer::new();
    let mut one = server.client("writer");
    let empty = server.tree();
    assert_eq!(one.edit(&mut server, "running", &interface("a", 1)), OK);
    let other = server.tree();
    server.change_elsewhere(&other, &empty);
    assert_eq!(one.edit(&mut server, "candidate", &interface("b", 2)), OK);
    server.change_elsewhere(&empty, &other);
    assert_eq!(one.request(&mut server, "<commit/>"), OK);
    assert_eq!(one.data(&mut server, "running", ""), shown(&[("a", 1), ("b", 2)]));
}

#[test]
fn second_result_of_a_transaction_has_no_effect() {
    let mut server = TestServer::new();
    let mut one = server.client("writer");
    server.holds_transactions = true;
    let edit = |name: &str| {
        format!(
            "<edit-config><target><running/></target><config>{}</config></edit-config>",
            interface(name, 1)
        )
    };
    one.begin(&mut server, &edit("a"));
    let (first, _) = server.held.remove(0);
    server.server.complete(first, Err(RefusalKind::ResourceUnavailable.into()));
    assert_eq!(tags(&one.replies(&mut server).concat()), ["resource-denied"]);
    one.begin(&mut server, &edit("b"));
    server.server.complete(first, Err(RefusalKind::Internal.into()));
    assert!(one.replies(&mut server).is_empty(), "the second transaction is not complete");
    server.run_held();
    assert_eq!(one.replies(&mut server), [OK]);
}
