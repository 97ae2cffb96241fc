//! edit-config: operations, parameters and errors.

use portreeve_netconf_message::rpc::Datastore;

use crate::test_server::{Client, OK, TestServer, tags};

/// The entries of the list of users, as RFC 6241 §6 and §7.2 use it.
const USERS: &str = "<top xmlns='urn:example'><users>\
    <user><name>root</name><type>superuser</type><full-name>Charlie Root</full-name>\
      <company-info><dept>1</dept><id>1</id></company-info></user>\
    <user><name>fred</name><type>admin</type><full-name>Fred Flintstone</full-name></user>\
    </users></top>";

fn with_users() -> (TestServer, Client) {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    assert_eq!(client.edit(&mut server, "running", USERS), OK);
    (server, client)
}

fn users(content: &str) -> String {
    format!("<top xmlns='urn:example'><users>{content}</users></top>")
}

/// Operation, the entry exists, and the result.
#[test]
fn operations_depend_on_what_exists() {
    for (operation, exists, error, remains) in [
        ("merge", false, None, true),
        ("merge", true, None, true),
        ("replace", false, None, true),
        ("replace", true, None, true),
        ("create", false, None, true),
        ("create", true, Some("data-exists"), true),
        ("delete", false, Some("data-missing"), false),
        ("delete", true, None, false),
        ("remove", false, None, false),
        ("remove", true, None, false),
    ] {
        for target in ["running", "candidate"] {
            let (mut server, mut client) = with_users();
            let name = if exists { "fred" } else { "barney" };
            let entry = users(&format!(
                "<user nc:operation='{operation}'><name>{name}</name><type>admin</type></user>"
            ));
            let reply = client.edit(&mut server, target, &entry);
            match error {
                None => assert_eq!(reply, OK, "{operation} {name}"),
                Some(tag) => {
                    assert_eq!(tags(&reply), [tag], "{operation} {name}");
                    let path = format!("example:users/example:user[example:name='{name}']</error-path>");
                    assert!(reply.contains(&path), "{reply}");
                }
            }
            let data = client.data(&mut server, target, "");
            assert_eq!(data.contains(&format!("<name>{name}</name>")), remains, "{operation}: {data}");
            assert_eq!(
                data.contains("Fred"),
                exists_with_full_name(operation, exists),
                "{operation}: {data}"
            );
        }
    }
}

/// Returns true if the full name of fred remains: if he is not touched, or merged.
fn exists_with_full_name(operation: &str, is_fred: bool) -> bool {
    !is_fred || matches!(operation, "merge" | "create")
}

#[test]
fn default_operation_applies_to_nodes_without_their_own() {
    let (mut server, mut client) = with_users();
    let mut edit = |default: &str, config: &str| {
        let parameter = format!("<default-operation>{default}</default-operation>");
        let reply = client.edit_with(&mut server, "running", &parameter, config);
        (reply, client.data(&mut server, "running", ""))
    };
    let (reply, data) = edit("none", &users("<user nc:operation='delete'><name>root</name></user>"));
    assert_eq!((reply.as_str(), data.contains("root"), data.contains("fred")), (OK, false, true));
    let (reply, _) = edit("none", &users("<user><name>barney</name></user>"));
    assert_eq!(tags(&reply), ["data-missing"]);
    let (reply, data) = edit("replace", &users("<user><name>barney</name></user>"));
    assert_eq!(reply, OK);
    assert_eq!(data, "<top><users><user><name>barney</name></user></users></top>");
    assert_eq!(tags(&edit("other", "").0), ["invalid-value"]);
}

//= rfc6241#7.2-p2
//= type=test
#[test]
fn error_leaves_the_datastore_unchanged_with_any_error_option() {
    for option in ["", "stop-on-error", "continue-on-error", "rollback-on-error"] {
        for target in ["running", "candidate"] {
            let (mut server, mut client) = with_users();
            let parameter = match option {
                "" => String::new(),
                _ => format!("<error-option>{option}</error-option>"),
            };
            let config =
                users("<user><name>a</name></user><user nc:operation='delete'><name>b</name></user>");
            let before = client.data(&mut server, target, "");
            assert_eq!(tags(&client.edit_with(&mut server, target, &parameter, &config)), ["data-missing"]);
            assert_eq!(client.data(&mut server, target, ""), before, "{option} {target}");
            assert_eq!(
                client.edit_with(&mut server, target, &parameter, &users("<user><name>a</name></user>")),
                OK
            );
        }
    }
}

//= rfc6241#7.2-p3
//= type=test
#[test]
fn test_option_decides_about_test_and_change() {
    let invalid = "<top xmlns='urn:example'><udp/></top>";
    let valid = "<top xmlns='urn:example'><tag>x</tag></top>";
    for (target, option, config, error, changes) in [
        ("running", "test-only", valid, None, false),
        ("running", "test-only", invalid, Some("data-missing"), false),
        ("running", "set", valid, None, true),
        // The running configuration is never invalid.
        ("running", "set", invalid, Some("data-missing"), false),
        ("running", "test-then-set", valid, None, true),
        ("running", "test-then-set", invalid, Some("data-missing"), false),
        ("candidate", "test-only", valid, None, false),
        ("candidate", "test-only", invalid, Some("data-missing"), false),
        // Constraints of the candidate are checked at its commit (RFC 7950 §8.3.3).
        ("candidate", "test-then-set", invalid, None, true),
        ("candidate", "set", invalid, None, true),
    ] {
        let mut server = TestServer::new();
        let mut client = server.client("writer");
        let parameter = format!("<test-option>{option}</test-option>");
        let reply = client.edit_with(&mut server, target, &parameter, config);
        match error {
            None => assert_eq!(reply, OK, "{target} {option}"),
            Some(tag) => assert_eq!(tags(&reply), [tag], "{target} {option}"),
        }
        assert_eq!(!client.data(&mut server, target, "").is_empty(), changes, "{target} {option}");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let config = |content: &str| format!("<top xmlns='urn:example'>{content}</top>");
    for (content, tag, part) in [
        (
            config("<none/>"),
            "unknown-element",
            "<bad-element xmlns:bad=\"urn:example\">bad:none</bad-element>",
        ),
        (
            "<top xmlns='urn:none'/>".to_owned(),
            "unknown-namespace",
            "<bad-namespace>urn:none</bad-namespace>",
        ),
        (config("<interface><mtu>1</mtu></interface>"), "missing-element", "bad:name</bad-element>"),
        (
            config("<interface><name>a</name><mtu>x</mtu></interface>"),
            "invalid-value",
            "[example:name='a']/example:mtu",
        ),
        (
            config("<tag nc:operation='wrong'>a</tag>"),
            "bad-attribute",
            "<bad-attribute>operation</bad-attribute>",
        ),
        (
            config("<main-interface>none</main-interface>"),
            "data-missing/instance-required",
            "example:main-interface",
        ),
        (config("<udp/>"), "data-missing", "example:udp/example:port"),
        (
            config("<interface><name>a</name><row-status>active</row-status></interface>"),
            "operation-not-supported",
            "[example:name='a']/example:row-status",
        ),
        (config("<udp><port>1</port></udp><unix>x</unix>"), "bad-element", ""),
        (config("text"), "bad-element", ""),
        (
            "<netconf-state xmlns='urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring'/>".to_owned(),
            "unknown-element",
            "netconf-state",
        ),
    ] {
        let mut server = TestServer::new();
        let mut client = server.client("writer");
        let reply = client.edit(&mut server, "running", &content);
        assert_eq!(tags(&reply), [tag], "{reply}");
        assert!(reply.contains(part), "{part}: {reply}");
        assert_eq!(client.data(&mut server, "running", ""), "", "{content}");
        assert_eq!(client.edit(&mut server, "running", &config("<tag>a</tag>")), OK, "the session goes on");
    }
}

#[test]
fn several_faults_are_reported_together() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let config = "<top xmlns='urn:example'><main-interface>none</main-interface><udp/></top>";
    let mut found = tags(&client.edit(&mut server, "running", config));
    found.sort();
    assert_eq!(found, ["data-missing", "data-missing/instance-required"]);
}

#[test]
fn entries_that_users_order_are_placed() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let yang = "xmlns:y='urn:ietf:params:xml:ns:yang:1' xmlns:e='urn:example'";
    let rule = |id: u32, placement: &str| {
        format!("<top xmlns='urn:example'><rule {yang} {placement}><id>{id}</id></rule></top>")
    };
    for (id, placement) in
        [(1, ""), (2, ""), (3, "y:insert='first'"), (4, "y:insert='after' y:key=\"[e:id='1']\"")]
    {
        assert_eq!(client.edit(&mut server, "running", &rule(id, placement)), OK, "{id}");
    }
    let data = client.data(&mut server, "running", "");
    let order: Vec<&str> = data.split("<id>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(order, ["3", "1", "4", "2"]);
    let reply = client.edit(&mut server, "running", &rule(5, "y:insert='before' y:key=\"[e:id='77']\""));
    assert_eq!(tags(&reply), ["bad-attribute/missing-instance"]);
}

#[test]
fn requests_without_config_and_without_change() {
    let (mut server, mut client) = with_users();
    let missing = "<edit-config><target><running/></target></edit-config>";
    assert_eq!(tags(&client.request(&mut server, missing)), ["missing-element"]);
    assert_eq!(client.edit(&mut server, "running", ""), OK);
    let generation = server.datastore.state().current().generation;
    assert_eq!(client.edit(&mut server, "running", USERS), OK);
    assert_eq!(server.datastore.state().current().generation, generation, "nothing has changed");
}

//= rfc6241#8.6.4.1-p1
//= type=test
#[test]
fn validate_checks_running_and_given_configurations() {
    let (mut server, mut client) = with_users();
    let validate = |source: &str| format!("<validate><source>{source}</source></validate>");
    assert_eq!(client.request(&mut server, &validate("<running/>")), OK);
    assert_eq!(client.request(&mut server, &validate(&format!("<config>{USERS}</config>"))), OK);
    let invalid = "<config><top xmlns='urn:example'><udp/></top></config>";
    assert_eq!(tags(&client.request(&mut server, &validate(invalid))), ["data-missing"]);
    assert_eq!(
        tags(&client.request(&mut server, &validate("<config><none/></config>"))),
        ["unknown-namespace"]
    );
}

#[test]
fn edits_are_logged_without_values() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    let entries: String =
        (0..12).map(|number| format!("<user><name>u{number:02}</name><type>value</type></user>")).collect();
    assert_eq!(client.edit(&mut server, "running", &users(&entries)), OK);
    assert_eq!(
        client.edit(&mut server, "candidate", &users("<user><name>u01</name><type>b</type></user>")),
        OK
    );
    let [first, second] = server.logs.as_slice() else { panic!("{:?}", server.logs) };
    assert_eq!((first.session, &*first.user, &*first.address), (1, "writer", "192.0.2.7:40112"));
    assert_eq!((first.changes, first.paths.len(), first.failure.as_ref()), (12, 10, None));
    assert_eq!(first.paths[0], "/example:top/users/user[name='u00']");
    let datastores = [first, second].map(|log| log.datastore.map(Datastore::as_str));
    assert_eq!(datastores, [Some("running"), Some("candidate")]);
    assert_eq!(second.paths, ["/example:top/users/user[name='u01']/type"]);
    assert!(!format!("{:?}", server.logs).contains("value"));
}

#[test]
fn refused_edits_are_logged_without_values() {
    let mut server = TestServer::new();
    let entry = users("<user><name>u01</name><type>secret</type></user>");
    // The user has no right to request the operation.
    server.client("reader").edit(&mut server, "running", &entry);
    let mut client = server.client("writer");
    // The content is wrong, the datastore is locked, the entry does not exist.
    client.edit(&mut server, "running", &users("<user><name>u01</name><secret>x</secret></user>"));
    let mut holder = server.client("writer");
    holder.request(&mut server, "<lock><target><running/></target></lock>");
    client.edit(&mut server, "running", &entry);
    holder.request(&mut server, "<unlock><target><running/></target></unlock>");
    client.edit(
        &mut server,
        "running",
        &users(
            "<user xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\" nc:operation=\"delete\"><name>u01</name></user>",
        ),
    );
    // Refused requests that change nothing are not edits.
    client.request(&mut server, "<unlock><target><running/></target></unlock>");
    let logs: Vec<_> =
        server.logs.iter().map(|log| (&*log.user, log.failure.as_deref(), log.changes)).collect();
    assert_eq!(
        logs,
        [
            ("reader", Some("access-denied"), 0),
            ("writer", Some("unknown-element"), 0),
            ("writer", Some("in-use"), 0),
            ("writer", Some("data-missing"), 0),
        ]
    );
    assert!(!format!("{:?}", server.logs).contains("secret"), "{:?}", server.logs);
    assert_eq!(server.logs[3].paths.len(), 1);
}
