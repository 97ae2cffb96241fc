//! The situations of the examples in RFC 6241, with other data.

use crate::test_server::{Client, OK, TestServer, tags};

const USERS: &str = "<top xmlns='urn:example'><users>\
    <user><name>ada</name><type>root</type><full-name>Ada L</full-name><company-info><dept>1</dept><id>1</id></company-info></user>\
    <user><name>bob</name><type>admin</type><full-name>Bob B</full-name><company-info><dept>2</dept><id>2</id></company-info></user>\
    <user><name>cat</name><type>admin</type><full-name>Cat C</full-name><company-info><dept>2</dept><id>3</id></company-info></user>\
    </users></top>";

const ADA: &str = "<user><name>ada</name><type>root</type><full-name>Ada L</full-name><company-info><dept>1</dept><id>1</id></company-info></user>";
const BOB: &str = "<user><name>bob</name><type>admin</type><full-name>Bob B</full-name><company-info><dept>2</dept><id>2</id></company-info></user>";
const CAT: &str = "<user><name>cat</name><type>admin</type><full-name>Cat C</full-name><company-info><dept>2</dept><id>3</id></company-info></user>";

fn with(config: &str) -> (TestServer, Client) {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    assert_eq!(client.edit(&mut server, "running", config), OK);
    (server, client)
}

/// RFC 6241 §6.4.1 to §6.4.7.
#[test]
fn subtree_filters() {
    let (mut server, mut client) = with(USERS);
    let users = |content: &str| format!("<top><users>{content}</users></top>");
    let filter = |content: &str| {
        format!("<filter type='subtree'><top xmlns='urn:example'><users>{content}</users></top></filter>")
    };
    let all = users(&[ADA, BOB, CAT].concat());
    for (filter, expected) in [
        // No filter, an empty one, and the whole subtree.
        (String::new(), all.clone()),
        ("<filter type='subtree'/>".to_owned(), String::new()),
        ("<filter type='subtree'><top xmlns='urn:example'><users/></top></filter>".to_owned(), all.clone()),
        // All entries by an empty list, or by names of nodes in it.
        (filter("<user/>"), all),
        (
            filter("<user><name/></user>"),
            users("<user><name>ada</name></user><user><name>bob</name></user><user><name>cat</name></user>"),
        ),
        // One entry, and parts of one entry.
        (filter("<user><name>bob</name></user>"), users(BOB)),
        (
            filter("<user><name>bob</name><type/><full-name/></user>"),
            users("<user><name>bob</name><type>admin</type><full-name>Bob B</full-name></user>"),
        ),
        // Several entries with different parts.
        (
            filter(
                "<user><name>ada</name><company-info/></user>\
                 <user><name>bob</name><company-info><id/></company-info></user>\
                 <user><name>cat</name><type>admin</type><company-info><dept/></company-info></user>",
            ),
            users(
                "<user><name>ada</name><company-info><dept>1</dept><id>1</id></company-info></user>\
                 <user><name>bob</name><company-info><id>2</id></company-info></user>\
                 <user><name>cat</name><type>admin</type><company-info><dept>2</dept></company-info></user>",
            ),
        ),
        // A content match node that does not match.
        (filter("<user><name>cat</name><type>root</type></user>"), String::new()),
    ] {
        assert_eq!(client.data(&mut server, "running", &filter), expected, "{filter}");
    }
}

/// RFC 6241 §7.2.
#[test]
fn edits_of_interfaces() {
    let interface = |attribute: &str, content: &str| {
        format!("<top xmlns='urn:example'><interface {attribute}>{content}</interface></top>")
    };
    let (mut server, mut client) = with(&interface("", "<name>eth0</name>"));
    // Set a leaf of an entry.
    assert_eq!(client.edit(&mut server, "running", &interface("", "<name>eth0</name><mtu>1500</mtu>")), OK);
    // Replace an entry with everything in it.
    let content = "<name>eth0</name><address><ip>192.0.2.4</ip><prefix-length>24</prefix-length></address>";
    assert_eq!(client.edit(&mut server, "running", &interface("nc:operation='replace'", content)), OK);
    let expected = "<top><interface><name>eth0</name><address><ip>192.0.2.4</ip><prefix-length>24</prefix-length></address></interface></top>";
    assert_eq!(client.data(&mut server, "running", ""), expected);
    // Delete one entry of an inner list, with the default operation none.
    let none = "<default-operation>none</default-operation>";
    let inner = "<name>eth0</name><address nc:operation='delete'><ip>192.0.2.4</ip></address>";
    assert_eq!(client.edit_with(&mut server, "running", none, &interface("", inner)), OK);
    assert_eq!(
        client.data(&mut server, "running", ""),
        "<top><interface><name>eth0</name></interface></top>"
    );
    // Delete the entry.
    let delete = interface("nc:operation='delete'", "<name>eth0</name>");
    assert_eq!(client.edit_with(&mut server, "running", none, &delete), OK);
    assert_eq!(client.data(&mut server, "running", ""), "");
    assert_eq!(tags(&client.edit_with(&mut server, "running", none, &delete)), ["data-missing"]);
}

/// RFC 6241 §8.3.4.2, §8.3.4.1 and Appendix E.
#[test]
fn change_by_lock_edit_validate_commit_and_unlock() {
    let (mut server, mut client) = with(USERS);
    let change =
        "<top xmlns='urn:example'><users><user><name>dan</name><type>admin</type></user></users></top>";
    for operation in [
        "<lock><target><running/></target></lock>",
        "<discard-changes/>",
        "<lock><target><candidate/></target></lock>",
    ] {
        assert_eq!(client.request(&mut server, operation), OK);
    }
    assert_eq!(client.edit(&mut server, "candidate", change), OK);
    assert_eq!(client.request(&mut server, "<discard-changes/>"), OK);
    assert!(!client.data(&mut server, "candidate", "").contains("dan"));
    assert_eq!(client.edit(&mut server, "candidate", change), OK);
    for operation in [
        "<validate><source><candidate/></source></validate>",
        "<commit/>",
        "<unlock><target><candidate/></target></unlock>",
        "<unlock><target><running/></target></unlock>",
        "<close-session/>",
    ] {
        assert_eq!(client.request(&mut server, operation), OK, "{operation}");
    }
    let mut other = server.client("reader");
    assert!(other.data(&mut server, "running", "").contains("<name>dan</name><type>admin</type>"));
}
