//! get, get-config and filters.

use crate::test_server::{OK, TestServer, tags};

const CONFIG: &str = "<top xmlns='urn:example'>\
    <interface><name>eth1</name><mtu>1500</mtu></interface>\
    <interface><name>eth0</name><address><ip>192.0.2.1</ip><prefix-length>24</prefix-length></address></interface>\
    <tag>b</tag><tag>a</tag><rule><id>2</id></rule><rule><id>1</id></rule></top>";

fn server() -> TestServer {
    let mut server = TestServer::new();
    let mut root = server.client("root");
    assert_eq!(root.edit(&mut server, "running", CONFIG), OK);
    server.server.closed(root.id);
    server
}

#[test]
fn get_config_returns_everything_in_order() {
    let mut server = server();
    let mut client = server.client("reader");
    let expected = "<top><interface><name>eth0</name><address><ip>192.0.2.1</ip><prefix-length>24</prefix-length></address></interface>\
        <interface><name>eth1</name><mtu>1500</mtu></interface><tag>a</tag><tag>b</tag>\
        <rule><id>2</id></rule><rule><id>1</id></rule></top>";
    assert_eq!(client.data(&mut server, "running", ""), expected);
    assert_eq!(client.data(&mut server, "candidate", ""), expected);
}

#[test]
fn filters_select_parts() {
    let mut server = server();
    let mut client = server.client("reader");
    for (filter, expected) in [
        ("", ""),
        ("<top xmlns='urn:other'/>", ""),
        ("<none xmlns='urn:example'/>", ""),
        ("<top xmlns='urn:example'><tag/></top>", "<top><tag>a</tag><tag>b</tag></top>"),
        ("<top xmlns=''><tag/></top>", "<top><tag>a</tag><tag>b</tag></top>"),
        (
            "<top xmlns='urn:example'><tag> b </tag><rule/></top>",
            "<top><tag>b</tag><rule><id>2</id></rule><rule><id>1</id></rule></top>",
        ),
        ("<top xmlns='urn:example'><tag>c</tag><rule/></top>", ""),
        (
            "<top xmlns='urn:example'><interface><mtu/></interface></top>",
            "<top><interface><name>eth1</name><mtu>1500</mtu></interface></top>",
        ),
        (
            "<top xmlns='urn:example'><interface><name>eth0</name></interface></top>",
            "<top><interface><name>eth0</name><address><ip>192.0.2.1</ip><prefix-length>24</prefix-length></address></interface></top>",
        ),
        (
            "<top xmlns='urn:example'><interface><mtu>+1500</mtu><name/></interface></top>",
            "<top><interface><name>eth1</name><mtu>1500</mtu></interface></top>",
        ),
        ("<top xmlns='urn:example'><rule><id>1</id></rule></top>", "<top><rule><id>1</id></rule></top>"),
        ("<top xmlns='urn:example'><rule a='1'/></top>", ""),
        // Entries are in the order of the list, not of the filter.
        (
            "<top xmlns='urn:example'><rule><id>1</id></rule><rule><id>2</id></rule></top>",
            "<top><rule><id>2</id></rule><rule><id>1</id></rule></top>",
        ),
        (
            "<top xmlns='urn:example'><interface><name>eth1</name><mtu/></interface>\
             <interface><name>eth0</name><mtu/></interface></top>",
            "<top><interface><name>eth0</name></interface>\
             <interface><name>eth1</name><mtu>1500</mtu></interface></top>",
        ),
    ] {
        let filter = format!("<filter type='subtree'>{filter}</filter>");
        assert_eq!(client.data(&mut server, "running", &filter), expected, "{filter}");
    }
}

//= rfc6241#7.7-p1
//= type=test
#[test]
fn get_contains_configuration_and_state() {
    let mut server = server();
    let mut client = server.client("reader");
    let all = client.request(&mut server, "<get/>");
    for part in ["<top xmlns=\"urn:example\">", "<netconf-state", "<yang-library", "<modules-state"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let filter = "<get><filter><top xmlns='urn:example'><tag/></top></filter></get>";
    let some = client.request(&mut server, filter);
    assert_eq!(
        some,
        "<rpc-reply message-id=\"1\"><data><top xmlns=\"urn:example\"><tag>a</tag><tag>b</tag></top></data></rpc-reply>"
    );
    let config = client.data(&mut server, "running", "");
    assert!(!config.contains("netconf-state") && !config.contains("yang-library"));
}

//= rfc6243#4.5.1-p1
//= type=test
#[test]
fn only_the_announced_mode_of_defaults_is_accepted() {
    let mut server = server();
    let mut client = server.client("root");
    let mode = |mode: &str| {
        format!(
            "<with-defaults xmlns='urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults'>{mode}</with-defaults>"
        )
    };
    for (operation, end) in [
        ("<get>", "</get>"),
        ("<get-config><source><running/></source>", "</get-config>"),
        ("<copy-config><target><candidate/></target><source><running/></source>", "</copy-config>"),
    ] {
        for refused in ["report-all", "report-all-tagged", "trim", "other"] {
            let reply = client.request(&mut server, &format!("{operation}{}{end}", mode(refused)));
            assert_eq!(tags(&reply), ["invalid-value"], "{operation} {refused}");
        }
        let reply = client.request(&mut server, &format!("{operation}{}{end}", mode("explicit")));
        assert!(tags(&reply).is_empty(), "{reply}");
    }
}
