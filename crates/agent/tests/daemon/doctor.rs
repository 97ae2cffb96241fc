//! What `portreeve doctor` says of a real agent: when all is well, and of troubles that only an agent can have.

use std::ffi::OsString;
use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use portreeve_broker_protocol::Transport;

use crate::fixture::{CHANGE, Gate, Home, OPS, params};

#[test]
fn a_good_connection_passes_every_step() {
    let gate = Gate::new("doctor-well", "");
    let _agent = gate.run();
    for (transport, word) in [(Transport::Tls, "tls"), (Transport::Dtls, "dtls")] {
        let said = doctor(&format!("{} {word}:127.0.0.1:{}", flags(&gate, "ops"), gate.port(transport)));
        let steps = [
            "resolve",
            "connect",
            "negotiate",
            "server-identity",
            "client-identity",
            "engine",
            "user",
            "answer",
        ];
        let places: Vec<_> = steps
            .map(|step| said.find(&format!("{{\"step\":\"{step}\",\"well\":true")))
            .into_iter()
            .collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{said}");
        contains(
            &said,
            &["\"verdict\":null", "v1.3\"", "\"name\":\"sysUpTime\"", "by the authority authority"],
        );
    }
    let said = doctor(&format!("-v2c -c look {}", gate.home.tcp()));
    contains(&said, &["\"well\":true,\"steps\"", "\"verdict\":null", "with a community"]);
}

#[test]
fn a_certificate_whose_name_has_no_rights_is_let_in_and_told_nothing() {
    let gate = Gate::new("doctor-rights", "");
    gate.certify("guest", params("guest"));
    let _agent = gate.run();
    let said = doctor(&format!("{} tls:127.0.0.1:{}", flags(&gate, "guest"), gate.port(Transport::Tls)));
    contains(
        &said,
        &[
            "{\"step\":\"client-identity\",\"well\":true",
            "\"verdict\":{\"step\":\"answer\"",
            "has no access rights",
        ],
    );
}

#[test]
fn wrong_pass_phrases_and_unknown_users_are_told_apart() {
    let home = Home::with("doctor-users", "");
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
            "{\"step\":\"engine\",\"well\":true",
            "{\"step\":\"user\",\"well\":false",
            "wrong authentication pass phrase",
        ],
    );
    contains(&ask("-u ops -A signs_for_ops -X wrong_words"), &["\"step\":\"user\"", "privacy pass phrase"]);
    contains(&ask(&format!("-u nobody {good}")), &["\"step\":\"user\"", "nobody", "create the user"]);
}

#[test]
fn two_agents_with_one_engine_id_show_two_clocks() {
    let homes = ["doctor-clock-a", "doctor-clock-b"].map(|name| {
        let home = Home::with(name, "");
        home.write(
            &std::fs::read_to_string(home.config())
                .unwrap()
                .replace("[agent]\n", "[agent]\nengine-id = \"0x80000000056f6e65\"\n"),
        );
        home
    });
    // One of them has been started more often.
    drop(homes[1].run());
    let _agents = [homes[0].run(), homes[1].run()];
    let port = alternating([homes[0].port, homes[1].port]);
    let said = doctor(&format!(
        "-t 1 -r 0 -l authPriv -a SHA-256 -x AES -u ops -A signs_for_ops -X hides_for_ops udp:127.0.0.1:{port}"
    ));
    contains(&said, &["{\"step\":\"user\",\"well\":false", "another one has its engineID"]);
}

#[test]
fn a_community_that_sees_nothing_and_one_that_is_wrong_are_told_apart() {
    let home = Home::with(
        "doctor-view",
        "[[view]]\nname = \"small\"\ninclude = [\"snmp\"]\n\
         [[community]]\nname = \"blinkers\"\naccess = \"read\"\nview = \"small\"\n",
    );
    let _agent = home.run();
    let ask = |community: &str| doctor(&format!("-t 0.5 -r 0 -v2c -c {community} {}", home.udp()));
    contains(&ask("blinkers"), &["\"verdict\":{\"step\":\"answer\"", "no view grants"]);
    contains(&ask("wrong"), &["\"verdict\":{\"step\":\"answer\"", "speaks SNMPv3: the community is wrong"]);
    contains(&ask(CHANGE), &["\"verdict\":null"]);
}

#[test]
fn where_tcp_is_refused_udp_is_looked_at() {
    let home = Home::new("doctor-sibling");
    home.write(&format!(
        "[agent]\nstate-dir = \"state\"\n[[listen]]\naddress = \"127.0.0.1:{}\"\n{}",
        home.port, OPS
    ));
    let _agent = home.run();
    let said = doctor(&format!("-v2c -c any {}", home.tcp()));
    contains(&said, &["\"verdict\":{\"step\":\"connect\"", "SNMPv3 answers over UDP in clear", &home.udp()]);
}

/// What is said of these words; a blank inside of one is written as an underscore.
fn doctor(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        OsString::from(if word.contains('/') { word.to_owned() } else { word.replace('_', " ") })
    });
    portreeve_doctor::report(words).expect("words that mean something").to_string()
}

#[track_caller]
fn contains(said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
}

fn flags(gate: &Gate, who: &str) -> String {
    let path = |name: &str| gate.home.path.join(name).display().to_string();
    format!(
        "--certificate {} --key {} --ca {}",
        path(&format!("{who}.pem")),
        path(&format!("{who}.key")),
        path("ca.pem")
    )
}

/// A port behind which two agents take turns.
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
