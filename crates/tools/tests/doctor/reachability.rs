//! Closed ports, silent servers, and other protocols on the port.

use crate::{test_home::TestHome, test_servers};

#[test]
fn closed_port_is_distinguished_from_silent_port() {
    let (home, closed) = (TestHome::new(), test_servers::closed_port());
    home.doctor(&format!("-v2c -c public tcp:127.0.0.1:{closed}"))
        .fails_at("connecting", &["nothing listens on the requested port", "hint: start the agent"]);
    home.doctor(&format!("-v2c -c public -t 0.3 -r 0 udp:127.0.0.1:{closed}"))
        .fails_at("reading the system group", &["nothing listens on the requested port"]);

    let (_socket, silent) = test_servers::silent_udp();
    home.doctor(&format!("-v2c -c public -t 0.3 -r 0 udp:127.0.0.1:{silent}"))
        .fails_at("reading the system group", &["the community is wrong, or", "hint: check the community"]);
    home.doctor(&format!("-u ops -t 0.3 -r 0 udp:127.0.0.1:{silent}"))
        .fails_at("discovering the SNMP engine", &["no SNMPv3 engine responds at this address"]);
}

#[test]
fn diagnosis_of_unresolvable_name_fails_at_first_step() {
    TestHome::new()
        .doctor("-v2c -c public no-such-host.invalid")
        .fails_at("resolving the name", &["no-such-host.invalid", "hint: check the spelling of the name"]);
}

#[test]
fn diagnosis_of_silent_server_ends_at_timeout() {
    let home = TestHome::new();
    let flags = crate::certificates::TestAuthority::new("ours").flags(&home);
    let port = test_servers::silent_tcp();
    home.doctor(&format!("{flags} -t 0.4 -r 0 tls:127.0.0.1:{port}"))
        .fails_at("negotiating protocol and keys", &["nothing received for 0.4 s"]);
    let (_socket, port) = test_servers::silent_udp();
    home.doctor(&format!("{flags} -t 0.4 -r 0 dtls:127.0.0.1:{port}"))
        .fails_at("negotiating protocol and keys", &["nothing received for 0.4 s"]);
}

#[test]
fn server_of_another_protocol_on_the_port_is_identified() {
    let home = TestHome::new();
    let flags = crate::certificates::TestAuthority::new("ours").flags(&home);
    let ssh = test_servers::send_greeting(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n");
    home.doctor(&format!("{flags} tls:127.0.0.1:{ssh}")).fails_at(
        "negotiating protocol and keys",
        &[
            "the peer does not speak TLS",
            "also: an SSH server (SSH-2.0-OpenSSH_9.2p1 Debian-2) responds at 127.0.0.1",
            &format!("hint: try ssh:127.0.0.1:{ssh}"),
        ],
    );
    let mail = test_servers::send_greeting(b"220 mail.example ESMTP\r\n");
    home.doctor(&format!("-t 1 -r 0 ssh:127.0.0.1:{mail}"))
        .fails_at("negotiating protocol and keys", &["whose first line is \"220 mail.example ESMTP\""]);
    let web = test_servers::web();
    for transport in ["tls", "ssh"] {
        home.doctor(&format!("{flags} -t 1 -r 0 {transport}:127.0.0.1:{web}")).fails_at(
            "negotiating protocol and keys",
            &["a web server (HTTP) responds", "the service on this port is not an SNMP agent"],
        );
    }
    home.doctor(&format!("-v2c -c public -t 1 -r 0 tcp:127.0.0.1:{ssh}")).fails_at(
        "reading the system group",
        &["malformed SNMP message", "also: an SSH server", &format!("hint: try ssh:127.0.0.1:{ssh}")],
    );
    let hung = test_servers::send_greeting(b"SSH-1.5-Old\r\n");
    home.doctor(&format!("-t 0.5 -r 0 ssh:127.0.0.1:{hung}")).fails_at(
        "negotiating protocol and keys",
        &["the server sent \"SSH-1.5-Old\", then nothing for 0.5 s"],
    );
}

#[test]
fn help_exits_with_0_and_missing_agent_argument_with_1() {
    let output = TestHome::new().doctor("");
    assert_eq!(output.code, Some(1));
    let output = TestHome::new().doctor("--help");
    assert_eq!(output.code, Some(0));
    output.contains(&["USAGE: portreeve doctor [OPTIONS] AGENT", "--certificate FILE", "--json"]);
}

#[test]
fn json_report_has_steps_and_verdict_but_no_community() {
    let closed = test_servers::closed_port();
    let output = TestHome::new().doctor(&format!("--json -v2c -c public tcp:127.0.0.1:{closed}"));
    assert_eq!(output.code, Some(1));
    output.contains(&[
        "\"ok\":false",
        "{\"step\":\"resolve\",\"ok\":true,\"milliseconds\":",
        "\"verdict\":{\"step\":\"connect\",\"cause\":\"nothing listens on the requested port",
    ]);
    assert!(!output.text.contains("public"), "the community is a secret");
}
