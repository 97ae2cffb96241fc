//! `portreeve doctor` with a real agent: good connections, and failures that need a real agent.

use std::ffi::OsString;
use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use portreeve_broker_protocol::Transport;

use crate::fixture::{OPS, SecureAgent, TestHome, WRITE_COMMUNITY, params};

#[test]
fn doctor_reports_every_step_of_working_connection_as_passed() {
    let agent_site = SecureAgent::new("doctor-well", "");
    let _agent = agent_site.run();
    for (transport, word) in [(Transport::Tls, "tls"), (Transport::Dtls, "dtls")] {
        let output =
            doctor(&format!("{} {word}:127.0.0.1:{}", flags(&agent_site, "ops"), agent_site.port(transport)));
        let steps = [
            "resolve",
            "connect",
            "negotiate",
            "server-identity",
            "client-identity",
            "engine",
            "user",
            "read",
        ];
        let places: Vec<_> = steps
            .map(|step| output.find(&format!("{{\"step\":\"{step}\",\"ok\":true")))
            .into_iter()
            .collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{output}");
        contains(
            &output,
            &["\"verdict\":null", "v1.3\"", "\"name\":\"sysUpTime\"", "by the authority authority"],
        );
    }
    let output = doctor(&format!("-v2c -c look {}", agent_site.home.tcp()));
    contains(&output, &["\"ok\":true,\"steps\"", "\"verdict\":null", "with a community"]);
}

#[test]
fn doctor_reports_that_certificate_user_has_no_access_rights() {
    let agent_site = SecureAgent::new("doctor-rights", "");
    agent_site.issue_certificate("guest", params("guest"));
    let _agent = agent_site.run();
    let output =
        doctor(&format!("{} tls:127.0.0.1:{}", flags(&agent_site, "guest"), agent_site.port(Transport::Tls)));
    contains(
        &output,
        &[
            "{\"step\":\"client-identity\",\"ok\":true",
            "\"verdict\":{\"step\":\"read\"",
            "has no access rights",
        ],
    );
}

#[test]
fn doctor_distinguishes_wrong_pass_phrase_from_unknown_user() {
    let home = TestHome::with("doctor-users", "");
    let _agent = home.run();
    let ask = |who: &str| doctor(&format!("-t 1 -r 1 -l authPriv -a SHA-256 -x AES {who} {}", home.udp()));
    let good = "-A signs_for_ops -X hides_for_ops";
    contains(
        &ask(&format!("-u ops {good}")),
        &["\"verdict\":null", "user ops at authPriv", "\"name\":\"boots\""],
    );
    contains(
        &ask("-u ops -A wrong_words -X hides_for_ops"),
        &[
            "{\"step\":\"engine\",\"ok\":true",
            "{\"step\":\"user\",\"ok\":false",
            "wrong authentication pass phrase",
        ],
    );
    contains(&ask("-u ops -A signs_for_ops -X wrong_words"), &["\"step\":\"user\"", "privacy pass phrase"]);
    contains(&ask(&format!("-u missing {good}")), &["\"step\":\"user\"", "missing", "create the user"]);
}

#[test]
fn doctor_detects_two_agents_with_same_engine_id() {
    let homes = ["doctor-clock-a", "doctor-clock-b"].map(|name| {
        let home = TestHome::with(name, "");
        home.write(
            &std::fs::read_to_string(home.config())
                .unwrap()
                .replace("[agent]\n", "[agent]\nengine-id = \"0x80000000056f6e65\"\n"),
        );
        home
    });
    // One of the agents has been started more often, so its engineBoots is higher.
    drop(homes[1].run_first());
    let _agents = [homes[0].run_first(), homes[1].run()];
    let port = alternating([homes[0].port, homes[1].port]);
    let output = doctor(&format!(
        "-t 1 -r 0 -l authPriv -a SHA-256 -x AES -u ops -A signs_for_ops -X hides_for_ops udp:127.0.0.1:{port}"
    ));
    contains(&output, &["{\"step\":\"user\",\"ok\":false", "shares its engineID with another agent"]);
}

#[test]
fn doctor_distinguishes_too_narrow_view_from_wrong_community() {
    let home = TestHome::with(
        "doctor-view",
        "[[view]]\nname = \"small\"\ninclude = [\"snmp\"]\n\
         [[community]]\nname = \"blinkers\"\naccess = \"read\"\nview = \"small\"\n",
    );
    let _agent = home.run();
    let ask = |community: &str| doctor(&format!("-t 0.5 -r 0 -v2c -c {community} {}", home.udp()));
    contains(&ask("blinkers"), &["\"verdict\":{\"step\":\"read\"", "no view grants"]);
    contains(
        &ask("wrong"),
        &["\"verdict\":{\"step\":\"read\"", "supports SNMPv3, but does not respond to this community"],
    );
    contains(&ask(WRITE_COMMUNITY), &["\"verdict\":null"]);
}

#[test]
fn doctor_tries_udp_when_tcp_is_refused() {
    let home = TestHome::new("doctor-sibling");
    home.write(&format!(
        "[agent]\nstate-dir = \"state\"\n[[listen]]\naddress = \"127.0.0.1:{}\"\n{}",
        home.port, OPS
    ));
    let _agent = home.run();
    let output = doctor(&format!("-v2c -c any {}", home.tcp()));
    contains(
        &output,
        &["\"verdict\":{\"step\":\"connect\"", "an SNMPv3 engine responds over plain UDP", &home.udp()],
    );
}

/// Runs doctor with these arguments; an underscore stands for a blank inside an argument.
fn doctor(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        OsString::from(if word.contains('/') { word.to_owned() } else { word.replace('_', " ") })
    });
    portreeve_doctor::report(words).expect("a valid command line").to_string()
}

#[track_caller]
fn contains(output: &str, words: &[&str]) {
    for word in words {
        assert!(output.contains(word), "{word} is not in\n{output}");
    }
}

fn flags(agent_site: &SecureAgent, who: &str) -> String {
    let path = |name: &str| agent_site.home.path.join(name).display().to_string();
    format!(
        "--certificate {} --key {} --ca {}",
        path(&format!("{who}.pem")),
        path(&format!("{who}.key")),
        path("ca.pem")
    )
}

/// Opens a port that forwards to two agents in turn.
fn alternating(ports: [u16; 2]) -> u16 {
    let front = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = front.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut message = [0; 2048];
        for behind in ports.into_iter().cycle() {
            let Ok((count, peer)) = front.recv_from(&mut message) else { return };
            let back = UdpSocket::bind("127.0.0.1:0").unwrap();
            back.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
            back.send_to(&message[..count], ("127.0.0.1", behind)).unwrap();
            if let Ok(count) = back.recv(&mut message) {
                let _ = front.send_to(&message[..count], peer);
            }
        }
    });
    port
}
