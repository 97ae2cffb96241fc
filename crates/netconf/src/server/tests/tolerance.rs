//! Messages as clients of others send them.

use portreeve_netconf_message::hello::Version;
use portreeve_netconf_message::names::NETCONF;

use crate::test_server::{Client, NOW, OK, TestServer, tags};
use crate::{Peer, Phase, Transport};

#[test]
fn hello_begins_with_a_line_feed() {
    let mut server = TestServer::new();
    let peer = Peer { user: "writer".into(), transport: Transport::Ssh, address: "unknown".into() };
    let id = server.server.open(peer, NOW).unwrap();
    let mut client = Client::new(id);
    client.replies(&mut server);
    let hello = format!(
        "\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nc:hello xmlns:nc=\"{NETCONF}\">\n  <nc:capabilities>\
         <nc:capability>\n urn:ietf:params:netconf:base:1.1 </nc:capability>\n</nc:capabilities>\n</nc:hello>]]>]]>"
    );
    client.send(&mut server, &hello).unwrap();
    client.use_version(Version::V1_1);
    assert_eq!(client.request(&mut server, "<commit/>"), OK);
}

#[test]
fn line_feed_follows_each_message() {
    for (version, message) in [
        (Version::V1_1, "\n#LENGTH\nMESSAGE\n##\n\n"),
        (Version::V1_1, "\n#LENGTH\nMESSAGE\n##\n"),
        (Version::V1_0, "MESSAGE]]>]]>\n"),
        (Version::V1_0, "\nMESSAGE\n]]>]]>"),
    ] {
        let mut server = TestServer::new();
        let mut client = server.client_of_version("writer", version);
        let rpc = format!("<?xml version='1.0'?><rpc xmlns='{NETCONF}' message-id='1'><commit/></rpc>");
        let message = message.replace("LENGTH", &rpc.len().to_string()).replace("MESSAGE", &rpc);
        for _ in 0..3 {
            client.send(&mut server, &message).unwrap();
            assert_eq!(client.replies(&mut server), [OK], "{message:?}");
        }
    }
}

/// Else the session would be closed because the rest of the request does not arrive.
#[test]
fn white_space_between_messages_begins_no_request() {
    for (version, white_space) in [(Version::V1_0, " \t\r\n"), (Version::V1_1, "\n")] {
        let mut server = TestServer::new();
        let mut client = server.client_of_version("writer", version);
        for _ in 0..2 {
            client.send(&mut server, white_space).unwrap();
            assert_eq!(server.server.phase(client.id), Some(Phase::Idle));
            assert_eq!(client.request(&mut server, "<commit/>"), OK);
        }
    }
}

#[test]
fn message_is_divided_into_many_chunks() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let rpc = format!("<rpc xmlns='{NETCONF}' message-id='1'><commit/></rpc>");
    let chunks: String = rpc.chars().map(|c| format!("\n#1\n{c}")).collect();
    client.send(&mut server, &format!("{chunks}\n##\n")).unwrap();
    assert_eq!(client.replies(&mut server), [OK]);
}

#[test]
fn attributes_and_prefixes_of_requests_are_returned() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let message = format!(
        "<nc:rpc xmlns:nc='{NETCONF}' xmlns:ex='urn:x' ex:user-id='fred' message-id='urn:uuid:1&amp;2'><nc:commit/></nc:rpc>"
    );
    client.send_message(&mut server, &message).unwrap();
    let reply = client.replies(&mut server).concat();
    assert!(
        reply.contains("ex:user-id=\"fred\"") && reply.contains("message-id=\"urn:uuid:1&amp;2\""),
        "{reply}"
    );
}

#[test]
fn operation_attribute_has_no_prefix() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let tag = |attribute: &str| format!("<top xmlns='urn:example'><tag {attribute}>a</tag></top>");
    assert_eq!(client.edit(&mut server, "candidate", &tag("")), OK);
    assert_eq!(client.edit(&mut server, "candidate", &tag("operation='remove'")), OK);
    assert_eq!(client.data(&mut server, "candidate", ""), "");
}

#[test]
fn parameters_come_in_any_order() {
    let mut server = TestServer::new();
    let mut client = server.client("root");
    let config = "<config><top xmlns='urn:example'><tag>a</tag></top></config>";
    let options = [
        "<target><candidate/></target>",
        "<error-option>stop-on-error</error-option>",
        "<test-option>set</test-option>",
        "<default-operation>merge</default-operation>",
    ];
    for first in 0..options.len() {
        let mut parameters = options.to_vec();
        parameters.rotate_left(first);
        let before = format!("<edit-config>{}{config}</edit-config>", parameters.concat());
        assert_eq!(client.request(&mut server, &before), OK, "{before}");
    }
    let [target, error, test, default] = options;
    let after = format!("<edit-config>{target}{config}{error}{test}{default}</edit-config>");
    assert_eq!(client.request(&mut server, &after), OK);
    let late = "<default-operation>replace</default-operation>";
    let reply = client.request(&mut server, &format!("<edit-config>{target}{config}{late}</edit-config>"));
    assert_eq!(tags(&reply), ["bad-element"]);
    for copy in [
        format!("<copy-config><source>{config}</source><target><running/></target></copy-config>"),
        format!("<copy-config><target><running/></target><source>{config}</source></copy-config>"),
    ] {
        assert_eq!(client.request(&mut server, &copy), OK);
    }
    let get =
        "<get-config><filter><top xmlns='urn:example'/></filter><source><running/></source></get-config>";
    assert!(client.request(&mut server, get).contains("<tag>a</tag>"));
}

/// The sequence of the Ansible modules, whose default for error-option is stop-on-error.
#[test]
fn ansible_edits_by_the_candidate() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let config = "<top xmlns='urn:example'><tag>a</tag></top>";
    assert_eq!(client.request(&mut server, "<lock><target><candidate/></target></lock>"), OK);
    assert_eq!(client.data(&mut server, "candidate", ""), "");
    let option = "<default-operation>merge</default-operation><error-option>stop-on-error</error-option>";
    assert_eq!(client.edit_with(&mut server, "candidate", option, config), OK);
    assert_eq!(client.data(&mut server, "candidate", ""), "<top><tag>a</tag></top>");
    assert_eq!(client.request(&mut server, "<commit/>"), OK);
    assert_eq!(client.data(&mut server, "running", ""), "<top><tag>a</tag></top>");
    assert_eq!(client.request(&mut server, "<unlock><target><candidate/></target></unlock>"), OK);
    assert_eq!(client.data(&mut server, "running", ""), "<top><tag>a</tag></top>");
}

/// The sequence of OpenDaylight, which locks both datastores, and keeps sessions alive with an
/// empty filter.
#[test]
fn both_datastores_are_locked() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let of_each = |operation: &str| {
        ["running", "candidate"]
            .map(|target| format!("<{operation}><target><{target}/></target></{operation}>"))
    };
    for operation in of_each("lock") {
        assert_eq!(client.request(&mut server, &operation), OK);
    }
    assert_eq!(client.data(&mut server, "running", "<filter type='subtree'/>"), "");
    assert_eq!(client.edit(&mut server, "candidate", "<top xmlns='urn:example'><tag>a</tag></top>"), OK);
    assert_eq!(client.request(&mut server, "<commit/>"), OK);
    for operation in of_each("unlock") {
        assert_eq!(client.request(&mut server, &operation), OK);
    }
    assert_eq!(server.running_locks, [Some(1), None]);
}

#[test]
fn well_formed_requests_that_are_wrong_do_not_end_the_session() {
    let mut server = TestServer::new();
    let mut client = server.client("root");
    for (operation, tag) in [
        ("", "missing-element"),
        ("<none/>", "operation-not-supported"),
        ("<commit/><commit/>", "unknown-element"),
        ("<commit><confirmed/></commit>", "unknown-element"),
        ("<cancel-commit/>", "operation-not-supported"),
        ("<get-config/>", "missing-element"),
        ("<get-config><source><startup/></source></get-config>", "unknown-element"),
        ("<get-config><source><url>file:///etc/passwd</url></source></get-config>", "unknown-element"),
        ("<get><filter type='xpath' select='/'/></get>", "bad-attribute"),
        ("<delete-config><target><running/></target></delete-config>", "unknown-element"),
        ("<delete-config><target><candidate/></target></delete-config>", "unknown-element"),
        (
            "<copy-config><target><running/></target><source><running/></source></copy-config>",
            "invalid-value",
        ),
        ("<kill-session><session-id>0</session-id></kill-session>", "invalid-value"),
        ("<lock><target><startup/></target></lock>", "unknown-element"),
    ] {
        assert_eq!(tags(&client.request(&mut server, operation)), [tag], "{operation}");
    }
    client.send_message(&mut server, &format!("<rpc xmlns='{NETCONF}'><commit/></rpc>")).unwrap();
    assert_eq!(tags(&client.replies(&mut server).concat()), ["missing-attribute"]);
    assert_eq!(client.request(&mut server, "<commit/>"), OK);
}

/// Ansible passes operations and configurations on as they are, without a namespace.
#[test]
fn operations_and_parameters_have_no_namespace() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let mut request = |content: &str| {
        let message = format!("<nc:rpc xmlns:nc='{NETCONF}' message-id='1'>{content}</nc:rpc>");
        client.send_message(&mut server, &message).unwrap();
        client.replies(&mut server).concat()
    };
    let data = "<top xmlns='urn:example'><tag>a</tag></top>";
    for content in [
        "<lock><target><candidate/></target></lock>".to_owned(),
        format!(
            "<nc:edit-config><nc:target><nc:candidate/></nc:target><nc:default-operation>merge</nc:default-operation>\
             <config xmlns:xc='{NETCONF}'>{data}</config></nc:edit-config>"
        ),
        format!("<validate><source><config>{data}</config></source></validate>"),
        "<commit/>".to_owned(),
    ] {
        assert!(request(&content).contains("ok/>"), "{content}");
    }
    let reply = request(
        "<get-config><source><running/></source><filter><top xmlns='urn:example'/></filter></get-config>",
    );
    assert!(reply.contains("<tag>a</tag>"), "{reply}");
    // Other namespaces, and data without one, are errors.
    for (content, tag) in [
        ("<commit xmlns='urn:other'/>", "operation-not-supported"),
        ("<lock><target xmlns='urn:other'><running/></target></lock>", "unknown-namespace"),
        (
            "<edit-config><target><running/></target><config><top/></config></edit-config>",
            "unknown-namespace",
        ),
    ] {
        assert_eq!(tags(&request(content).replace("nc:", "")), [tag], "{content}");
    }
}
