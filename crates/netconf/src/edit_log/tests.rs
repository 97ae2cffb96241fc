use crate::test_server::{Client, OK, TestServer};

/// Makes a change and returns the number and the paths in its log.
fn logged(server: &mut TestServer, client: &mut Client, content: &str) -> (usize, Vec<String>) {
    server.logs.clear();
    let config = format!("<top xmlns='urn:example'>{content}</top>");
    assert_eq!(client.edit(server, "running", &config), OK);
    let log = server.logs.remove(0);
    (log.changes, log.paths)
}

#[test]
fn changed_nodes_are_named_without_values() {
    let mut server = TestServer::new();
    let mut client = server.client("root");
    let interface = "/example:top/interface[name='eth0']";
    for (content, paths) in [
        // Leafs of the top level, in containers without presence.
        ("<key>secret</key>", vec!["/example:top/key".to_owned()]),
        (
            "<key>other</key><limits><sessions>1</sessions></limits>",
            vec!["/example:top/key".to_owned(), "/example:top/limits/sessions".to_owned()],
        ),
        ("<key nc:operation='remove'/>", vec!["/example:top/key".to_owned()]),
        // A new entry is named as a whole.
        ("<interface><name>eth0</name><mtu>1</mtu></interface>", vec![interface.to_owned()]),
        ("<interface><name>eth0</name><mtu>2</mtu></interface>", vec![format!("{interface}/mtu")]),
        (
            "<interface><name>eth0</name><address><ip>192.0.2.1</ip></address></interface>",
            vec![format!("{interface}/address[ip='192.0.2.1']")],
        ),
        ("<interface nc:operation='delete'><name>eth0</name></interface>", vec![interface.to_owned()]),
        ("<tag>a</tag>", vec!["/example:top/tag[.='a']".to_owned()]),
        ("<udp><port>1</port></udp>", vec!["/example:top/udp".to_owned()]),
        ("<udp><port>2</port></udp>", vec!["/example:top/udp/port".to_owned()]),
    ] {
        assert_eq!(logged(&mut server, &mut client, content), (paths.len(), paths), "{content}");
    }
}

#[test]
fn all_changes_are_counted_and_the_first_are_named() {
    let mut server = TestServer::new();
    let mut client = server.client("root");
    let interfaces = |mtu: u32| -> String {
        (0..25)
            .map(|number| format!("<interface><name>e{number:02}</name><mtu>{mtu}</mtu></interface>"))
            .collect()
    };
    for (mtu, end) in [(1, ""), (2, "/mtu")] {
        let (changes, paths) = logged(&mut server, &mut client, &interfaces(mtu));
        assert_eq!((changes, paths.len()), (25, 10));
        assert_eq!(paths[9], format!("/example:top/interface[name='e09']{end}"));
    }
}
