//! Floods of invalid messages (attacks A14 and D): other clients are still served, the counters are
//! correct, and memory does not grow.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_mib::{
    Object,
    modules::{framework_mib::SNMP_ENGINE_ID, snmpv2_mib::*, usm_mib::*},
};
use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, ber::ReverseWriter};
use portreeve_snmp_manager::{Credentials, RetryPolicy};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};

use crate::fixture::{
    Attacker, Manager, ProcessUsage, READ_COMMUNITY, TestHome, get_message, junk, ops, v3_get, wait_until,
};

#[test]
fn d1_poller_is_answered_during_junk_flood() {
    let home = TestHome::with("d1", "");
    let agent = home.run();
    // There are several pollers, so that some share a worker with the flood.
    let mut pollers: Vec<_> = (0..4).map(|_| Poller::new(&home)).collect();
    pollers.iter_mut().for_each(Poller::poll);
    let before = ProcessUsage::of(&agent);
    let over = AtomicBool::new(false);
    let sent = thread::scope(|scope| {
        let flood = scope.spawn(|| {
            let (attacker, start) = (Attacker::new(home.port), Instant::now());
            let mut sent = 0;
            while sent < 200_000 && start.elapsed() < Duration::from_secs(5) {
                attacker.send(&junk(sent));
                sent += 1;
            }
            over.store(true, Ordering::Relaxed);
            (sent, start.elapsed())
        });
        while !over.load(Ordering::Relaxed) {
            pollers.iter_mut().for_each(Poller::poll);
            thread::sleep(Duration::from_millis(2));
        }
        flood.join().unwrap()
    });
    let (sent_polls, answered): (u32, u32) =
        pollers.iter().fold((0, 0), |sum, poller| (sum.0 + poller.sent_polls, sum.1 + poller.answered));
    let mut times: Vec<_> = pollers.into_iter().flat_map(|poller| poller.times).collect();
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100];
    println!("{} junk datagrams in {:?}: {answered} of {sent_polls} polls, p99 {p99:?}", sent.0, sent.1);
    assert!(sent_polls > 50, "too few polls to be a test: {sent_polls}");
    assert!(answered * 100 >= sent_polls * 99, "{answered} of {sent_polls} polls were answered");
    before.assert_restored(&agent);
}

#[test]
fn d1_junk_datagrams_are_counted_and_not_answered() {
    let home = TestHome::with("d1-counted", "");
    let agent = home.run();
    let before = count(&home, &SNMP_IN_ASN_PARSE_ERRS);
    let attacker = Attacker::new(home.port);
    for number in 0..4000 {
        attacker.send(&junk(number));
        if number % 40 == 39 {
            // This request gets the first response, so nothing before it was answered.
            attacker.send(&get_message(READ_COMMUNITY, 7));
            assert_eq!(attacker.receive()[..2], get_answer_head(&home)[..2]);
        }
    }
    assert_eq!(count(&home, &SNMP_IN_ASN_PARSE_ERRS) - before, 4000);
    assert!(!agent.log().contains("panicked"), "{}", agent.log());
}

#[test]
fn d1_shortest_and_longest_datagrams_are_counted_as_junk() {
    let home = TestHome::with("d1-sizes", "");
    let _agent = home.run();
    let before = count(&home, &SNMP_IN_ASN_PARSE_ERRS);
    let attacker = Attacker::new(home.port);
    for length in [0, 1, 2, 1472, 65_000, 65_507] {
        attacker.send(&vec![0x30; length]);
        attacker.send(&get_message(READ_COMMUNITY, 7));
        assert!(!attacker.receive().is_empty(), "after {length} octets");
    }
    assert_eq!(count(&home, &SNMP_IN_ASN_PARSE_ERRS) - before, 6);
}

#[test]
fn d1_junk_connections_are_closed_while_valid_connection_stays_open() {
    let home = TestHome::with("d1-tcp", "");
    let agent = home.run();
    let mut manager = Manager::open(&home.tcp(), ops());
    manager.text(&SYS_NAME);
    let before = ProcessUsage::of(&agent);
    for number in 0..2000 {
        let mut stream = TcpStream::connect(("127.0.0.1", home.port)).unwrap();
        // The agent may have closed the connection after the first octets.
        let _ = stream.write_all(&junk(number));
        if number % 100 == 0 {
            manager.text(&SYS_NAME);
        }
    }
    wait_until("closed connections", || agent.descriptors() <= before.descriptors);
    manager.text(&SYS_NAME);
    before.assert_restored(&agent);
}

#[test]
fn d2_flood_with_unknown_user_names_is_counted_and_does_not_leak_memory() {
    let home = TestHome::with("d2", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    let unknown = |number: i32| v3_get(&engine_id, &format!("unknown{number}"), number);
    flood_with_reports(&home, unknown, 500);
    let usage = ProcessUsage::of(&agent);
    let before = count(&home, &USM_STATS_UNKNOWN_USER_NAMES);
    flood_with_reports(&home, unknown, FLOOD);
    assert_eq!(count(&home, &USM_STATS_UNKNOWN_USER_NAMES) - before, u64::from(FLOOD));
    home.ops().text(&SYS_NAME);
    usage.assert_restored(&agent);
}

#[test]
fn d3_flood_with_unknown_engine_ids_is_counted_and_does_not_leak_memory() {
    let home = TestHome::with("d3", "");
    let agent = home.run();
    let unknown = |number: i32| {
        let engine_id = [&[0x80, 0, 0, 0, 4][..], &number.to_be_bytes()].concat();
        v3_get(&engine_id, "ops", number)
    };
    flood_with_reports(&home, unknown, 500);
    let usage = ProcessUsage::of(&agent);
    let before = count(&home, &USM_STATS_UNKNOWN_ENGINE_IDS);
    flood_with_reports(&home, unknown, FLOOD);
    assert_eq!(count(&home, &USM_STATS_UNKNOWN_ENGINE_IDS) - before, u64::from(FLOOD));
    home.ops().text(&SYS_NAME);
    usage.assert_restored(&agent);
}

#[test]
fn a14_datagram_from_agents_own_port_does_not_cause_response_loop() {
    // The test's socket and the agent's share a port, and the kernel selects the receiver by the
    // ports. The test tries several ports until the agent receives the datagrams.
    let parse_response = (0..16).find_map(|attempt| {
        let home = TestHome::with(&format!("a14-{attempt}"), "");
        let _agent = home.run();
        let before = count(&home, &SNMP_IN_PKTS);
        send_from_its_own_port(&home);
        thread::sleep(Duration::from_millis(100));
        let after = count(&home, &SNMP_IN_PKTS);
        thread::sleep(Duration::from_millis(200));
        let later = count(&home, &SNMP_IN_PKTS);
        assert_eq!(later - after, 1, "only the request itself is new");
        // The agent may send itself a response to each of the three datagrams, but must not respond
        // to those responses.
        assert!(after - before <= 7, "{} datagrams of three", after - before - 1);
        (after - before > 1).then_some(after - before)
    });
    assert!(parse_response.is_some(), "no agent ever received it");
}

/// Sends a request, a discovery request and a Response from the agent's own address and port.
fn send_from_its_own_port(home: &TestHome) {
    let own = SocketAddr::from(([127, 0, 0, 1], home.port));
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::DGRAM, None).unwrap();
    socket.set_reuse_port(true).unwrap();
    socket.bind(&own.into()).unwrap();
    let mut buffer = [0; 64];
    let mut response = ReverseWriter::new(&mut buffer);
    prepend_pdu(&mut response, PduType::Response, 1, 0, 0).unwrap();
    prepend_community_message(&mut response, MessageProcessingModel::V2c, READ_COMMUNITY.as_bytes()).unwrap();
    for message in [&get_message(READ_COMMUNITY, 1)[..], &v3_get(b"", "", 1), response.written()] {
        socket.send_to(message, &own.into()).unwrap();
    }
}

/// Sends `count` messages that each cause a Report, never more at once than socket buffers hold.
fn flood_with_reports(home: &TestHome, message: impl Fn(i32) -> Vec<u8>, count: u32) {
    let attacker = Attacker::new(home.port);
    let mut waiting = 0;
    for number in 1..=count {
        attacker.send(&message(number as i32));
        waiting += 1;
        if waiting == 32 || number == count {
            (0..waiting).for_each(|_| assert!(!attacker.receive().is_empty()));
            waiting = 0;
        }
    }
}

fn count(home: &TestHome, counter: &Object) -> u64 {
    home.reader().number(counter)
}

/// Returns the start of a response to sysUpTime.0.
fn get_answer_head(home: &TestHome) -> Vec<u8> {
    let sender = Attacker::new(home.port);
    sender.send(&get_message(READ_COMMUNITY, 7));
    sender.receive()
}

/// A manager that polls and retries.
struct Poller {
    manager: Manager,
    sent_polls: u32,
    answered: u32,
    times: Vec<Duration>,
}

impl Poller {
    fn new(home: &TestHome) -> Self {
        let retry = RetryPolicy::fixed(Duration::from_millis(250), 3);
        let manager = Manager::with(&home.udp(), Credentials::V2c(Secret::from(READ_COMMUNITY)), retry);
        Self { manager, sent_polls: 0, answered: 0, times: Vec::new() }
    }

    fn poll(&mut self) {
        let start = Instant::now();
        self.sent_polls += 1;
        self.answered += u32::from(self.manager.try_get(&SYS_NAME, &[0]).is_ok());
        self.times.push(start.elapsed());
    }
}

const FLOOD: u32 = 20_000;
