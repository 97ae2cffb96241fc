//! Nobody is there, or somebody else.

use crate::{patient::Home, servers};

#[test]
fn a_closed_port_is_told_from_a_silent_one() {
    let (home, closed) = (Home::new(), servers::closed_port());
    home.doctor(&format!("-v2c -c public tcp:127.0.0.1:{closed}"))
        .fails_at("connecting", &["nothing listens there", "hint: start the agent"]);
    home.doctor(&format!("-v2c -c public -t 0.3 -r 0 udp:127.0.0.1:{closed}"))
        .fails_at("asking for the system group", &["nothing listens there"]);

    let (_socket, silent) = servers::silent_udp();
    home.doctor(&format!("-v2c -c public -t 0.3 -r 0 udp:127.0.0.1:{silent}")).fails_at(
        "asking for the system group",
        &["the community is wrong, or", "hint: check the community"],
    );
    home.doctor(&format!("-u ops -t 0.3 -r 0 udp:127.0.0.1:{silent}"))
        .fails_at("finding the SNMP engine", &["no SNMPv3 engine answers there"]);
}

#[test]
fn a_name_without_address_is_the_first_step() {
    Home::new()
        .doctor("-v2c -c public no-such-host.invalid")
        .fails_at("finding the address", &["no-such-host.invalid", "hint: check how the name is spelled"]);
}

#[test]
fn a_server_that_says_nothing_is_waited_for_no_longer_than_asked() {
    let home = Home::new();
    let flags = crate::certificates::Authority::new("ours").flags(&home);
    let port = servers::silent_tcp();
    home.doctor(&format!("{flags} -t 0.4 -r 0 tls:127.0.0.1:{port}"))
        .fails_at("agreeing on a protocol and keys", &["nothing has come for 0.4 s"]);
    let (_socket, port) = servers::silent_udp();
    home.doctor(&format!("{flags} -t 0.4 -r 0 dtls:127.0.0.1:{port}"))
        .fails_at("agreeing on a protocol and keys", &["nothing has come for 0.4 s"]);
}

#[test]
fn another_protocol_at_the_port_is_named() {
    let home = Home::new();
    let flags = crate::certificates::Authority::new("ours").flags(&home);
    let ssh = servers::greeting(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n");
    home.doctor(&format!("{flags} tls:127.0.0.1:{ssh}")).fails_at(
        "agreeing on a protocol and keys",
        &[
            "what the peer sends is not TLS",
            "also: an SSH server (SSH-2.0-OpenSSH_9.2p1 Debian-2) answers at 127.0.0.1",
            &format!("hint: ask there as ssh:127.0.0.1:{ssh}"),
        ],
    );
    let mail = servers::greeting(b"220 mail.example ESMTP\r\n");
    home.doctor(&format!("-t 1 -r 0 ssh:127.0.0.1:{mail}"))
        .fails_at("agreeing on a protocol and keys", &["begins with \"220 mail.example ESMTP\""]);
    let web = servers::web();
    for transport in ["tls", "ssh"] {
        home.doctor(&format!("{flags} -t 1 -r 0 {transport}:127.0.0.1:{web}")).fails_at(
            "agreeing on a protocol and keys",
            &["a web server (HTTP) answers", "that is no agent"],
        );
    }
    home.doctor(&format!("-v2c -c public -t 1 -r 0 tcp:127.0.0.1:{ssh}")).fails_at(
        "asking for the system group",
        &["no SNMP message", "also: an SSH server", &format!("hint: ask there as ssh:127.0.0.1:{ssh}")],
    );
    let hung = servers::greeting(b"SSH-1.5-Old\r\n");
    home.doctor(&format!("-t 0.5 -r 0 ssh:127.0.0.1:{hung}")).fails_at(
        "agreeing on a protocol and keys",
        &["the server has said \"SSH-1.5-Old\", and then nothing for 0.5 s"],
    );
}

#[test]
fn a_command_line_that_means_nothing_says_how_it_is_used() {
    let said = Home::new().doctor("");
    assert_eq!(said.code, Some(1));
    let said = Home::new().doctor("--help");
    assert_eq!(said.code, Some(0));
    said.says(&["USAGE: portreeve doctor [OPTIONS] AGENT", "--certificate FILE", "--json"]);
}

#[test]
fn programs_get_the_same_as_data() {
    let closed = servers::closed_port();
    let said = Home::new().doctor(&format!("--json -v2c -c public tcp:127.0.0.1:{closed}"));
    assert_eq!(said.code, Some(1));
    said.says(&[
        "\"well\":false",
        "{\"step\":\"resolve\",\"well\":true,\"milliseconds\":",
        "\"verdict\":{\"step\":\"connect\",\"cause\":\"nothing listens there",
    ]);
    assert!(!said.text.contains("public"), "the community is a secret");
}
