//! Rights of users with different levels.

use crate::test_server::{OK, TestServer, tags};

#[test]
fn operations_are_refused_before_their_parameters_are_read() {
    let mut server = TestServer::new();
    let mut reader = server.client("reader");
    let mut narrow = server.client("narrow");
    // The parameters are wrong, which is not noticed.
    for operation in ["edit-config", "copy-config", "lock", "unlock", "delete-config", "kill-session"] {
        let reply = reader.request(&mut server, &format!("<{operation}><wrong/></{operation}>"));
        assert_eq!(tags(&reply), ["access-denied"], "{operation}");
    }
    for operation in ["<commit/>", "<discard-changes/>"] {
        assert_eq!(tags(&reader.request(&mut server, operation)), ["access-denied"]);
    }
    let validate = "<validate><source><config><none/></config></source></validate>";
    assert_eq!(tags(&reader.request(&mut server, validate)), ["access-denied"]);
    assert_eq!(reader.request(&mut server, "<validate><source><running/></source></validate>"), OK);
    for operation in ["<get/>", "<get-config><source><running/></source></get-config>"] {
        assert!(tags(&reader.request(&mut server, operation)).is_empty());
        assert_eq!(tags(&narrow.request(&mut server, operation)), ["access-denied"]);
    }
}

fn top(content: &str) -> String {
    format!("<top xmlns='urn:example'>{content}</top>")
}

const ALL: &str = "<top xmlns='urn:example'><tag>a</tag><key>secret</key><limits><sessions>1</sessions></limits></top>\
    <nacm xmlns='urn:acm'><enable-nacm>x</enable-nacm></nacm>\
    <snmp xmlns='urn:snmp'><vacm><x>x</x></vacm><usm><x>x</x></usm><engine><x>x</x></engine></snmp>";

fn server() -> TestServer {
    let mut server = TestServer::new();
    let mut root = server.client("root");
    assert_eq!(root.edit(&mut server, "running", ALL), OK);
    server
}

#[test]
fn hidden_nodes_are_not_read() {
    let mut server = server();
    for (user, sees) in [("root", true), ("writer", false), ("reader", false)] {
        let mut client = server.client(user);
        for filter in [
            "",
            "<filter><top xmlns='urn:example'/></filter>",
            "<filter><top xmlns='urn:example'><key/></top></filter>",
            "<filter><top xmlns='urn:example'><key>secret</key></top></filter>",
        ] {
            let data = client.data(&mut server, "running", filter);
            assert_eq!(data.contains("secret"), sees, "{user} {filter}: {data}");
        }
        let data = client.data(&mut server, "running", "");
        assert!(
            data.contains("<tag>a</tag>") && data.contains("<limits>") && data.contains("<nacm"),
            "{data}"
        );
        let get = client.request(&mut server, "<get/>");
        assert_eq!(get.contains("secret"), sees);
    }
}

#[test]
fn protected_nodes_are_written_by_recovery_users_only() {
    for (content, path) in [
        (top("<key>x</key>"), "/example:top/example:key"),
        (top("<key nc:operation='create'>x</key>"), "/example:top/example:key"),
        (top("<key nc:operation='remove'/>"), "/example:top/example:key"),
        (top("<limits><sessions>2</sessions></limits>"), "/example:top/example:limits"),
        (top("<limits nc:operation='remove'/>"), "/example:top/example:limits"),
        ("<nacm xmlns='urn:acm'><enable-nacm>y</enable-nacm></nacm>".to_owned(), "enable-nacm"),
        ("<snmp xmlns='urn:snmp'><vacm><x>y</x></vacm></snmp>".to_owned(), "vacm"),
        ("<snmp xmlns='urn:snmp'><usm><x>y</x></usm></snmp>".to_owned(), "usm"),
    ] {
        for target in ["running", "candidate"] {
            let mut server = server();
            let mut writer = server.client("writer");
            let reply = writer.edit(&mut server, target, &content);
            assert_eq!(tags(&reply), ["access-denied"], "{content}");
            assert!(reply.contains(path), "{path}: {reply}");
            assert!(!server.server.status().is_candidate_modified);
            let mut root = server.client("root");
            let expected = if content.contains("create") { vec!["data-exists"] } else { vec![] };
            assert_eq!(tags(&root.edit(&mut server, target, &content)), expected);
        }
    }
}

#[test]
fn unprotected_nodes_beside_protected_ones_are_written() {
    let mut server = server();
    let mut writer = server.client("writer");
    assert_eq!(writer.edit(&mut server, "running", &top("<tag>b</tag>")), OK);
    assert_eq!(
        writer.edit(&mut server, "running", "<snmp xmlns='urn:snmp'><engine><x>y</x></engine></snmp>"),
        OK
    );
    // What does not change is not a write.
    assert_eq!(writer.edit(&mut server, "running", &top("<limits><sessions>1</sessions></limits>")), OK);
}

#[test]
fn denied_creation_does_not_reveal_existence() {
    let create = top("<key nc:operation='create'>x</key>");
    let delete = top("<key nc:operation='delete'/>");
    for content in [create, delete] {
        let mut with = server();
        let mut without = TestServer::new();
        let replies = [&mut with, &mut without].map(|server| {
            let mut writer = server.client("writer");
            writer.edit(server, "running", &content)
        });
        assert_eq!(tags(&replies[0]), ["access-denied"]);
        assert_eq!(replies[0], replies[1]);
    }
}

#[test]
fn commit_needs_rights_to_the_changes_of_others() {
    let mut server = server();
    let (mut root, mut writer) = (server.client("root"), server.client("writer"));
    assert_eq!(root.edit(&mut server, "candidate", &top("<key>other</key><tag>b</tag>")), OK);
    let copy = "<copy-config><target><running/></target><source><candidate/></source></copy-config>";
    for operation in ["<commit/>", copy] {
        let reply = writer.request(&mut server, operation);
        assert_eq!(tags(&reply), ["access-denied"], "{reply}");
    }
    assert!(server.server.status().is_candidate_modified);
    assert_eq!(root.request(&mut server, "<commit/>"), OK);
}

#[test]
fn copy_cannot_remove_what_its_user_may_not_write() {
    let mut server = server();
    let mut writer = server.client("writer");
    for target in ["running", "candidate"] {
        let copy = format!(
            "<copy-config><target><{target}/></target><source><config>{}</config></source></copy-config>",
            top("<tag>b</tag>")
        );
        assert_eq!(tags(&writer.request(&mut server, &copy)), ["access-denied"], "{target}");
    }
}

#[test]
fn errors_of_constraints_do_not_name_hidden_nodes() {
    // The fault is a conflict of two changes. The node, or the one that contains it, is hidden.
    for (content, path) in [
        ("<key>VALUE</key>", "/example:top/example:key"),
        ("<vault><pin>VALUE</pin></vault>", "/example:top/example:vault/example:pin"),
    ] {
        let mut server = server();
        let (mut root, mut writer) = (server.client("root"), server.client("writer"));
        let with = |value: &str| top(&content.replace("VALUE", value));
        assert_eq!(root.edit(&mut server, "candidate", &with("one")), OK);
        assert_eq!(root.edit(&mut server, "running", &with("two")), OK);
        let validate = "<validate><source><candidate/></source></validate>";
        let reply = writer.request(&mut server, validate);
        assert_eq!(tags(&reply), ["operation-failed"]);
        assert!(!reply.contains("error-path"), "{reply}");
        let reply = root.request(&mut server, validate);
        assert!(reply.contains(&format!("{path}</error-path>")), "{reply}");
    }
}

#[test]
fn rights_are_those_at_the_time_of_each_request() {
    let mut server = server();
    let mut client = server.client("later");
    assert_eq!(tags(&client.request(&mut server, "<get/>")), ["access-denied"]);
    server.server.set_recovery(["later".into()].into());
    assert!(tags(&client.request(&mut server, "<get/>")).is_empty());
}
