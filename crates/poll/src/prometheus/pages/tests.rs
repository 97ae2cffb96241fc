use super::is_known_host;

#[test]
fn review_l10_host_header_accepts_only_addresses_or_configured_names() {
    let names = ["poller.example.net".to_owned(), "poller".to_owned()];
    for host in [
        "127.0.0.1:9116",
        "127.0.0.1",
        "192.0.2.1:80",
        "[::1]:9116",
        "[2001:db8::1]",
        "localhost:9116",
        "LOCALHOST.",
        "poller",
        "Poller.Example.net:9116",
        "poller.example.net.",
    ] {
        assert!(is_known_host(host, &names), "{host}");
    }
    for host in [
        "attacker.example",
        "attacker.example:9116",
        "127.0.0.1.attacker.example",
        "localhost.attacker.example",
        "poller.example.net.attacker.example",
        "attacker.example:80:9116",
        "[::1].attacker.example",
        "0x7f.1",
        "",
        ":9116",
    ] {
        assert!(!is_known_host(host, &names), "{host}");
    }
    assert!(!is_known_host("poller", &[]));
}
