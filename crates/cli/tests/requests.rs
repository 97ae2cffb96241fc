//! Tests of the real binary with an agent in the test process.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::net::UdpSocket;

use portreeve_smi::OwnedValue::{self, Integer, OctetString, TimeTicks};
use portreeve_snmp_message::PduType;
use support::{
    fake_agent::{self, FakeAgent, FakeResponse, honest_response},
    portreeve,
};

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];
const SYS_UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const SYS_CONTACT: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 4, 0];
const IF_NUMBER: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 1, 0];

fn text(text: &str) -> OwnedValue {
    OctetString(text.as_bytes().to_vec())
}

fn small_agent() -> FakeAgent {
    FakeAgent::with(&[
        (SYS_DESCR, text("a test")),
        (SYS_UP_TIME, TimeTicks(14_096_763)),
        (SYS_CONTACT, text("me")),
        (IF_NUMBER, Integer(2)),
    ])
}

#[test]
fn get_prints_the_same_line_for_symbolic_and_numeric_names() {
    let agent = small_agent();
    let line = "SNMPv2-MIB::sysUpTime.0 = Timeticks: (14096763) 1 day, 15:09:27.63\n";
    for name in ["sysUpTime.0", ".1.3.6.1.2.1.1.3.0", "SNMPv2-MIB::sysUpTime.0"] {
        portreeve(&format!("get -v2c -c public {} {name}", agent.address)).expect(0, line, "");
    }
}

#[test]
fn output_options_change_the_format_of_a_variable() {
    let agent = small_agent();
    let table = [
        ("-On", ".1.3.6.1.2.1.1.1.0 = STRING: a test\n"),
        ("-Oqv", "a test\n"),
        ("-OQ", "SNMPv2-MIB::sysDescr.0 = a test\n"),
        ("-Oqs", "sysDescr.0 a test\n"),
    ];
    for (letters, expected) in table {
        let line = format!("get {letters} -v2c -c public {} sysDescr.0", agent.address);
        portreeve(&line).expect(0, expected, "");
    }
}

#[test]
fn timeout_message_names_the_agent_and_command_exits_with_1() {
    let stderr = "Timeout: No Response from udp:127.0.0.1:9.\n";
    portreeve("get -v2c -c public -r1 -t0.05 udp:127.0.0.1:9 sysDescr.0").expect(1, "", stderr);
    let stderr = "Timeout: No Response from 127.0.0.1:9\n";
    portreeve("walk -v2c -c public -r0 -t0.05 127.0.0.1:9").expect(1, "", stderr);
}

#[test]
fn deadline_option_ends_request_despite_retries_and_requires_number() {
    let started = std::time::Instant::now();
    let output = portreeve("get -v2c -c public --deadline 0.3 127.0.0.1:9 sysDescr.0");
    output.expect(1, "", "Timeout: No Response from 127.0.0.1:9.\n");
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
    let output = portreeve("get -v2c -c public --deadline x 127.0.0.1:9 sysDescr.0");
    assert!(
        output.stderr.starts_with("Invalid number of seconds after --deadline.\nUSAGE: "),
        "{}",
        output.stderr
    );
}

#[test]
fn m1_m2_response_with_wrong_request_id_or_community_is_ignored() {
    let agent = FakeAgent::start(|request| {
        let good = request.response(vec![(SYS_DESCR.to_vec(), text("a lie"))]);
        vec![
            FakeResponse { request_id: good.request_id ^ 1, ..good.clone() },
            FakeResponse { community: "other".to_owned(), ..good },
        ]
    });
    let output = portreeve(&format!("get -v2c -c public -r0 -t0.2 {} sysDescr.0", agent.address));
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""));
    assert!(output.stderr.contains(
        "hint: the last message from the agent was dropped: the community differs from that of the request"
    ));
}

#[test]
fn m4_response_from_other_port_is_ignored() {
    let (requested_socket, other) =
        (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    let address = requested_socket.local_addr().unwrap();
    let impostor = std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        let (length, from) = requested_socket.recv_from(&mut buffer).unwrap();
        let request = fake_agent::read(&buffer[..length]);
        let response = request.response(vec![(SYS_DESCR.to_vec(), text("a lie"))]);
        other.send_to(&fake_agent::write(request.version, &response), from).unwrap();
    });
    let output = portreeve(&format!("get -v2c -c public -r0 -t0.2 {address} sysDescr.0"));
    impostor.join().unwrap();
    output.expect(1, "", &format!("Timeout: No Response from {address}.\n"));
}

#[test]
fn m5_response_for_other_object_is_ignored() {
    let agent =
        FakeAgent::start(|request| vec![request.response(vec![(SYS_CONTACT.to_vec(), text("a lie"))])]);
    let output = portreeve(&format!("get -v2c -c public -r0 -t0.2 {} sysDescr.0", agent.address));
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""));
}

#[test]
fn get_retries_without_rejected_variable_unless_option_cf_is_given() {
    let agent = small_agent();
    let stderr = "Error in packet\nReason: (noSuchName) There is no such variable name in this MIB.\n\
                  Failed object: SNMPv2-MIB::sysName.0\n\n";
    let output = portreeve(&format!("get -v1 -c public {} sysName.0 sysContact.0", agent.address));
    output.expect(2, "SNMPv2-MIB::sysContact.0 = STRING: me\n", stderr);
    let output = portreeve(&format!("get -v1 -Cf -c public {} sysName.0 sysContact.0", agent.address));
    output.expect(2, "", stderr);
}

#[test]
fn m11_huge_error_status_and_index_are_reported_without_panic() {
    let agent = FakeAgent::start(|request| vec![request.reject(i32::MAX, i32::MAX)]);
    let output = portreeve(&format!("get -v2c -c public {} sysName.0", agent.address));
    output.expect(2, "", "Error in packet\nReason: Unknown Error\n");
}

#[test]
fn walk_prints_only_variables_of_the_subtree() {
    let agent = small_agent();
    let expected = "SNMPv2-MIB::sysDescr.0 = STRING: a test\n\
                    SNMPv2-MIB::sysUpTime.0 = Timeticks: (14096763) 1 day, 15:09:27.63\n\
                    SNMPv2-MIB::sysContact.0 = STRING: me\n";
    for line in [
        "walk -v1",
        "walk -v2c",
        "walk --one-by-one -v1",
        "walk --one-by-one -v2c",
        "bulkwalk -v2c",
        "bulkwalk -v2c -Cr2",
        "bulkwalk -v2c -Cr1",
    ] {
        portreeve(&format!("{line} -c public {} system", agent.address)).expect(0, expected, "");
    }
}

#[test]
fn walk_of_an_instance_prints_that_instance() {
    let agent = small_agent();
    let line = format!("walk -v2c -c public {} sysContact.0", agent.address);
    portreeve(&line).expect(0, "SNMPv2-MIB::sysContact.0 = STRING: me\n", "");
}

#[test]
fn walk_prints_end_of_mib_as_net_snmp_does() {
    let agent = small_agent();
    let output = portreeve(&format!("walk -v1 -c public {} .1.3.6.1.9", agent.address));
    output.expect(0, "End of MIB\n", "");
    let output = portreeve(&format!("walk -v2c -On -c public {} .1.3.6.1.9", agent.address));
    let line = ".1.3.6.1.9 = No more variables left in this MIB View (It is past the end of the MIB tree)\n";
    output.expect(0, line, "");
}

#[test]
fn m7_m8_walk_stops_when_oid_does_not_increase() {
    let agent =
        FakeAgent::start(|request| vec![request.response(vec![(SYS_UP_TIME.to_vec(), TimeTicks(1))])]);
    for verb in ["walk", "walk --one-by-one", "bulkwalk"] {
        let output = portreeve(&format!("{verb} -On -v2c -c public {} .1.3.6.1.2.1.1", agent.address));
        assert_eq!(output.code, Some(1));
        assert_eq!(output.stdout.lines().count(), 2);
        let stderr = "Error: OID not increasing: .1.3.6.1.2.1.1.3.0\n >= .1.3.6.1.2.1.1.3.0\n\n";
        assert_eq!(output.stderr, stderr);
    }
}

#[test]
fn walk_prints_every_variable_of_large_subtree() {
    const VARIABLES: u32 = 501_000;
    let agent = FakeAgent::start(|request| {
        let last = request.names[0].get(8).copied().unwrap_or_default();
        let names = (last + 1..=last + 1500).map(|number| match number {
            1..=VARIABLES => vec![1, 3, 6, 1, 2, 1, 1, 9, number],
            _ => vec![1, 3, 6, 1, 2, 1, 2],
        });
        vec![request.response(names.map(|name| (name, Integer(1))).collect())]
    });
    let walk = format!("bulkwalk -On -Cr1500 -v2c -c public {} 1.3.6.1.2.1.1.9", agent.address);
    let output = portreeve(&walk);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(output.stdout.lines().count(), VARIABLES as usize);
}

#[test]
fn m6_m9_endless_or_looping_walk_stops_with_error() {
    let up = FakeAgent::start(|request| {
        let mut name = request.names[0].clone();
        match name.len() {
            8 => name[7] += 1,
            _ => name = vec![1, 3, 6, 1, 2, 1, 1, 1],
        }
        vec![request.response(vec![(name, Integer(1))])]
    });
    let output = portreeve(&format!("walk --max-variables=100 -v2c -c public {} system", up.address));
    assert_eq!((output.code, output.stdout.lines().count()), (Some(1), 100));
    assert_eq!(output.stderr, "Error: the walk reached the maximum number of variables\n");
    let round = FakeAgent::start(|request| {
        let last = request.names[0].last().copied().unwrap_or_default();
        vec![request.response(vec![(vec![1, 3, 6, 1, 2, 1, 1, 1, (last + 1) % 50], Integer(1))])]
    });
    let output = portreeve(&format!("walk -Cc -v2c -c public {} system", round.address));
    assert_eq!(output.code, Some(1));
    assert!(output.stdout.lines().count() < 500);
    assert!(output.stderr.starts_with("Error: the agent's names loop"));
}

#[test]
fn bulkwalk_completes_with_fewer_repetitions_after_too_big_response() {
    let variables: Vec<(Vec<u32>, OwnedValue)> =
        (1..=20).map(|n| (vec![1, 3, 6, 1, 2, 1, 1, 9, n], Integer(n as i32))).collect();
    let agent = FakeAgent::start(move |request| {
        let too_big = request.pdu_type == PduType::GetBulkRequest && request.parameters.1 > 3;
        vec![if too_big { request.reject(1, 0) } else { honest_response(&variables, request) }]
    });
    let output = portreeve(&format!("bulkwalk -Oqv -v2c -c public {} .1.3.6.1.2.1.1.9", agent.address));
    assert_eq!(output.code, Some(0), "{output:?}");
    // The last line is the agent's endOfMibView, as with Net-SNMP.
    assert_eq!(output.stdout.lines().count(), 21);
}

#[test]
fn set_prints_the_written_value_unless_quiet_option_is_given() {
    let agent = FakeAgent::start(|request| {
        assert_eq!(request.pdu_type, PduType::SetRequest);
        vec![request.response(vec![(SYS_CONTACT.to_vec(), text("you"))])]
    });
    let line = format!("-v2c -c public {} sysContact.0 s you", agent.address);
    portreeve(&format!("set {line}")).expect(0, "SNMPv2-MIB::sysContact.0 = STRING: you\n", "");
    portreeve(&format!("set -Cq {line}")).expect(0, "", "");
}

#[test]
fn rejected_set_exits_with_2() {
    let agent = FakeAgent::start(|request| vec![request.reject(6, 1)]);
    let output = portreeve(&format!("set -v2c -c public {} sysContact.0 s you", agent.address));
    output.expect(2, "", "Error in packet.\nReason: noAccess\nFailed object: SNMPv2-MIB::sysContact.0\n\n");
}

#[test]
fn get_exits_silently_with_1_if_stdout_is_closed() {
    let agent = small_agent();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_portreeve"))
        .args(["get", "-v2c", "-c", "public", &agent.address, "sysDescr.0"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
}

#[test]
fn stats_line_of_walk_counts_only_objects_of_the_subtree() {
    let agent = small_agent();
    // The variable after the end of the range is not counted.
    for (how, objects, exchanges) in [("--one-by-one ", 3, 4), ("", 3, 1)] {
        let output = portreeve(&format!("walk {how}--stats -v2c -c public {} system", agent.address));
        let (words, seconds) = output.stderr.trim_end().rsplit_once(" seconds=").unwrap();
        assert!(
            words.starts_with(&format!("objects={objects} exchanges={exchanges} octets_out=")),
            "{words}"
        );
        assert!(seconds.parse::<f64>().unwrap() < 60.0);
    }
}
