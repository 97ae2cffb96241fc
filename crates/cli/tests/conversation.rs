//! The real binary with an agent in the test.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::net::UdpSocket;

use portreeve_smi::OwnedValue::{self, Integer, OctetString, TimeTicks};
use portreeve_snmp_message::PduType;
use support::{
    fake_agent::{self, Answer, FakeAgent, honest},
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
fn get_prints_the_line_that_scripts_know() {
    let agent = small_agent();
    let line = "SNMPv2-MIB::sysUpTime.0 = Timeticks: (14096763) 1 day, 15:09:27.63\n";
    for name in ["sysUpTime.0", ".1.3.6.1.2.1.1.3.0", "SNMPv2-MIB::sysUpTime.0"] {
        portreeve(&format!("get -v2c -c public {} {name}", agent.address)).expect(0, line, "");
    }
}

#[test]
fn output_letters_change_the_line() {
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
fn an_agent_that_is_missing_is_named_and_the_exit_code_is_1() {
    let stderr = "Timeout: No Response from udp:127.0.0.1:9.\n";
    portreeve("get -v2c -c public -r1 -t0.05 udp:127.0.0.1:9 sysDescr.0").expect(1, "", stderr);
    let stderr = "Timeout: No Response from 127.0.0.1:9\n";
    portreeve("walk -v2c -c public -r0 -t0.05 127.0.0.1:9").expect(1, "", stderr);
}

#[test]
fn a_deadline_ends_a_request_however_often_it_is_sent() {
    let started = std::time::Instant::now();
    let said = portreeve("get -v2c -c public --deadline 0.3 127.0.0.1:9 sysDescr.0");
    said.expect(1, "", "Timeout: No Response from 127.0.0.1:9.\n");
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
    let said = portreeve("get -v2c -c public --deadline x 127.0.0.1:9 sysDescr.0");
    assert!(
        said.stderr.starts_with("Invalid number of seconds after --deadline.\nUSAGE: "),
        "{}",
        said.stderr
    );
}

#[test]
fn m1_m2_a_wrong_request_id_or_community_is_never_shown() {
    let agent = FakeAgent::start(|question| {
        let good = question.answer(vec![(SYS_DESCR.to_vec(), text("a lie"))]);
        vec![
            Answer { request_id: good.request_id ^ 1, ..good.clone() },
            Answer { community: "other".to_owned(), ..good },
        ]
    });
    let said = portreeve(&format!("get -v2c -c public -r0 -t0.2 {} sysDescr.0", agent.address));
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
    assert!(said.stderr.contains("hint: a message from the agent was ignored: it has another community"));
}

#[test]
fn m4_an_answer_from_another_port_is_never_shown() {
    let (asked, other) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    let address = asked.local_addr().unwrap();
    let liar = std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        let (length, from) = asked.recv_from(&mut buffer).unwrap();
        let question = fake_agent::read(&buffer[..length]);
        let answer = question.answer(vec![(SYS_DESCR.to_vec(), text("a lie"))]);
        other.send_to(&fake_agent::write(question.version, &answer), from).unwrap();
    });
    let said = portreeve(&format!("get -v2c -c public -r0 -t0.2 {address} sysDescr.0"));
    liar.join().unwrap();
    said.expect(1, "", &format!("Timeout: No Response from {address}.\n"));
}

#[test]
fn m5_an_answer_about_another_object_is_never_shown() {
    let agent =
        FakeAgent::start(|question| vec![question.answer(vec![(SYS_CONTACT.to_vec(), text("a lie"))])]);
    let said = portreeve(&format!("get -v2c -c public -r0 -t0.2 {} sysDescr.0", agent.address));
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_rejection_is_told_and_the_rest_is_asked_again() {
    let agent = small_agent();
    let stderr = "Error in packet\nReason: (noSuchName) There is no such variable name in this MIB.\n\
                  Failed object: SNMPv2-MIB::sysName.0\n\n";
    let said = portreeve(&format!("get -v1 -c public {} sysName.0 sysContact.0", agent.address));
    said.expect(2, "SNMPv2-MIB::sysContact.0 = STRING: me\n", stderr);
    let said = portreeve(&format!("get -v1 -Cf -c public {} sysName.0 sysContact.0", agent.address));
    said.expect(2, "", stderr);
}

#[test]
fn m11_huge_error_fields_are_told_without_harm() {
    let agent = FakeAgent::start(|question| vec![question.reject(i32::MAX, i32::MAX)]);
    let said = portreeve(&format!("get -v2c -c public {} sysName.0", agent.address));
    said.expect(2, "", "Error in packet\nReason: Unknown Error\n");
}

#[test]
fn walks_print_the_subtree_and_no_more() {
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
fn a_walk_of_an_instance_reads_it() {
    let agent = small_agent();
    let line = format!("walk -v2c -c public {} sysContact.0", agent.address);
    portreeve(&line).expect(0, "SNMPv2-MIB::sysContact.0 = STRING: me\n", "");
}

#[test]
fn the_end_of_everything_is_told_as_scripts_know_it() {
    let agent = small_agent();
    let said = portreeve(&format!("walk -v1 -c public {} .1.3.6.1.9", agent.address));
    said.expect(0, "End of MIB\n", "");
    let said = portreeve(&format!("walk -v2c -On -c public {} .1.3.6.1.9", agent.address));
    let line = ".1.3.6.1.9 = No more variables left in this MIB View (It is past the end of the MIB tree)\n";
    said.expect(0, line, "");
}

#[test]
fn m7_m8_a_walk_that_does_not_go_up_ends_with_a_message() {
    let agent =
        FakeAgent::start(|question| vec![question.answer(vec![(SYS_UP_TIME.to_vec(), TimeTicks(1))])]);
    for verb in ["walk", "walk --one-by-one", "bulkwalk"] {
        let said = portreeve(&format!("{verb} -On -v2c -c public {} .1.3.6.1.2.1.1", agent.address));
        assert_eq!(said.code, Some(1));
        assert_eq!(said.stdout.lines().count(), 2);
        let stderr = "Error: OID not increasing: .1.3.6.1.2.1.1.3.0\n >= .1.3.6.1.2.1.1.3.0\n\n";
        assert_eq!(said.stderr, stderr);
    }
}

#[test]
fn m6_m9_walks_without_end_end_with_a_message() {
    let up = FakeAgent::start(|question| {
        let mut name = question.names[0].clone();
        match name.len() {
            8 => name[7] += 1,
            _ => name = vec![1, 3, 6, 1, 2, 1, 1, 1],
        }
        vec![question.answer(vec![(name, Integer(1))])]
    });
    let said = portreeve(&format!("walk --max-variables=100 -v2c -c public {} system", up.address));
    assert_eq!((said.code, said.stdout.lines().count()), (Some(1), 100));
    assert!(said.stderr.starts_with("Error: the agent goes on without end\nhint: "));
    let round = FakeAgent::start(|question| {
        let last = question.names[0].last().copied().unwrap_or_default();
        vec![question.answer(vec![(vec![1, 3, 6, 1, 2, 1, 1, 1, (last + 1) % 50], Integer(1))])]
    });
    let said = portreeve(&format!("walk -Cc -v2c -c public {} system", round.address));
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.lines().count() < 500);
    assert!(said.stderr.starts_with("Error: the agent goes round in a loop"));
}

#[test]
fn a_bulk_walk_halves_what_it_asks_for_when_that_is_too_big() {
    let variables: Vec<(Vec<u32>, OwnedValue)> =
        (1..=20).map(|n| (vec![1, 3, 6, 1, 2, 1, 1, 9, n], Integer(n as i32))).collect();
    let agent = FakeAgent::start(move |question| {
        let too_big = question.pdu_type == PduType::GetBulkRequest && question.parameters.1 > 3;
        vec![if too_big { question.reject(1, 0) } else { honest(&variables, question) }]
    });
    let said = portreeve(&format!("bulkwalk -Oqv -v2c -c public {} .1.3.6.1.2.1.1.9", agent.address));
    assert_eq!(said.code, Some(0), "{said:?}");
    // The last line is the agent's endOfMibView, as with Net-SNMP.
    assert_eq!(said.stdout.lines().count(), 21);
}

#[test]
fn set_writes_and_tells_what_was_written() {
    let agent = FakeAgent::start(|question| {
        assert_eq!(question.pdu_type, PduType::SetRequest);
        vec![question.answer(vec![(SYS_CONTACT.to_vec(), text("you"))])]
    });
    let line = format!("-v2c -c public {} sysContact.0 s you", agent.address);
    portreeve(&format!("set {line}")).expect(0, "SNMPv2-MIB::sysContact.0 = STRING: you\n", "");
    portreeve(&format!("set -Cq {line}")).expect(0, "", "");
}

#[test]
fn set_tells_a_rejection_with_exit_code_2() {
    let agent = FakeAgent::start(|question| vec![question.reject(6, 1)]);
    let said = portreeve(&format!("set -v2c -c public {} sysContact.0 s you", agent.address));
    said.expect(2, "", "Error in packet.\nReason: noAccess\nFailed object: SNMPv2-MIB::sysContact.0\n\n");
}

#[test]
fn a_reader_that_leaves_is_no_news() {
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
fn statistics_are_one_line_on_standard_error() {
    let agent = small_agent();
    // The one past the end is no object.
    for (how, objects, exchanges) in [("--one-by-one ", 3, 4), ("", 3, 1)] {
        let said = portreeve(&format!("walk {how}--stats -v2c -c public {} system", agent.address));
        let (words, seconds) = said.stderr.trim_end().rsplit_once(" seconds=").unwrap();
        assert!(
            words.starts_with(&format!("objects={objects} exchanges={exchanges} octets_out=")),
            "{words}"
        );
        assert!(seconds.parse::<f64>().unwrap() < 60.0);
    }
}
