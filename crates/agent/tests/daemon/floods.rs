//! Floods from strangers (reliability lines A14 and D): the polite are served, counters are right, memory stays.

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

use crate::fixture::{Attacker, Home, LOOK, Levels, Manager, get_message, junk, ops, v3_get, wait_until};

#[test]
fn d1_a_polite_poller_is_answered_beside_a_flood_of_junk() {
    let home = Home::with("d1", "");
    let agent = home.run();
    // Several pollers, so that some share a worker with the flood.
    let mut pollers: Vec<_> = (0..4).map(|_| Poller::new(&home)).collect();
    pollers.iter_mut().for_each(Poller::poll);
    let before = Levels::of(&agent);
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
    let (asked, answered): (u32, u32) =
        pollers.iter().fold((0, 0), |sum, poller| (sum.0 + poller.asked, sum.1 + poller.answered));
    let mut times: Vec<_> = pollers.into_iter().flat_map(|poller| poller.times).collect();
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100];
    println!("{} junk datagrams in {:?}: {answered} of {asked} polls, p99 {p99:?}", sent.0, sent.1);
    assert!(asked > 50, "too few polls to be a test: {asked}");
    assert!(answered * 100 >= asked * 99, "{answered} of {asked} polls were answered");
    Levels::of(&agent).assert_back_to(before);
}

#[test]
fn d1_each_datagram_of_junk_is_counted_and_none_is_answered() {
    let home = Home::with("d1-counted", "");
    let agent = home.run();
    let before = count(&home, &SNMP_IN_ASN_PARSE_ERRS);
    let attacker = Attacker::new(home.port);
    for number in 0..4000 {
        attacker.send(&junk(number));
        if number % 40 == 39 {
            // What is answered first is this, so nothing before it was.
            attacker.send(&get_message(LOOK, 7));
            assert_eq!(attacker.receive()[..2], get_answer_head(&home)[..2]);
        }
    }
    assert_eq!(count(&home, &SNMP_IN_ASN_PARSE_ERRS) - before, 4000);
    assert!(!agent.log().contains("panicked"), "{}", agent.log());
}

#[test]
fn d1_the_shortest_and_the_longest_datagrams_are_junk_like_any_other() {
    let home = Home::with("d1-sizes", "");
    let _agent = home.run();
    let before = count(&home, &SNMP_IN_ASN_PARSE_ERRS);
    let attacker = Attacker::new(home.port);
    for length in [0, 1, 2, 1472, 65_000, 65_507] {
        attacker.send(&vec![0x30; length]);
        attacker.send(&get_message(LOOK, 7));
        assert!(!attacker.receive().is_empty(), "after {length} octets");
    }
    assert_eq!(count(&home, &SNMP_IN_ASN_PARSE_ERRS) - before, 6);
}

#[test]
fn d1_connections_that_talk_junk_are_closed_beside_one_that_does_not() {
    let home = Home::with("d1-tcp", "");
    let agent = home.run();
    let mut polite = Manager::open(&home.tcp(), ops());
    polite.text(&SYS_NAME);
    let before = Levels::of(&agent);
    for number in 0..2000 {
        let mut stream = TcpStream::connect(("127.0.0.1", home.port)).unwrap();
        // It may already have been closed for what was in the first octets.
        let _ = stream.write_all(&junk(number));
        if number % 100 == 0 {
            polite.text(&SYS_NAME);
        }
    }
    wait_until("their end", || agent.descriptors() <= before.descriptors);
    polite.text(&SYS_NAME);
    Levels::of(&agent).assert_back_to(before);
}

#[test]
fn d2_a_flood_of_unknown_users_is_reported_counted_and_forgotten() {
    let home = Home::with("d2", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    let unknown = |number: i32| v3_get(&engine_id, &format!("nobody{number}"), number);
    flood_with_reports(&home, unknown, 500);
    let levels = Levels::of(&agent);
    let before = count(&home, &USM_STATS_UNKNOWN_USER_NAMES);
    flood_with_reports(&home, unknown, FLOOD);
    assert_eq!(count(&home, &USM_STATS_UNKNOWN_USER_NAMES) - before, u64::from(FLOOD));
    home.ops().text(&SYS_NAME);
    Levels::of(&agent).assert_back_to(levels);
}

#[test]
fn d3_a_flood_of_unknown_engine_ids_leaves_nothing_behind() {
    let home = Home::with("d3", "");
    let agent = home.run();
    let unknown = |number: i32| {
        let engine_id = [&[0x80, 0, 0, 0, 4][..], &number.to_be_bytes()].concat();
        v3_get(&engine_id, "ops", number)
    };
    flood_with_reports(&home, unknown, 500);
    let levels = Levels::of(&agent);
    let before = count(&home, &USM_STATS_UNKNOWN_ENGINE_IDS);
    flood_with_reports(&home, unknown, FLOOD);
    assert_eq!(count(&home, &USM_STATS_UNKNOWN_ENGINE_IDS) - before, u64::from(FLOOD));
    home.ops().text(&SYS_NAME);
    Levels::of(&agent).assert_back_to(levels);
}

#[test]
fn a14_a_datagram_from_the_agents_own_port_causes_no_loop() {
    // The kernel chooses by the ports which socket of the group hears it; some port will have it heard by the agent.
    let heard = (0..16).find_map(|attempt| {
        let home = Home::with(&format!("a14-{attempt}"), "");
        let _agent = home.run();
        let before = count(&home, &SNMP_IN_PKTS);
        send_from_its_own_port(&home);
        thread::sleep(Duration::from_millis(100));
        let after = count(&home, &SNMP_IN_PKTS);
        thread::sleep(Duration::from_millis(200));
        let later = count(&home, &SNMP_IN_PKTS);
        assert_eq!(later - after, 1, "only the question itself is new");
        // Each of the three may be answered to the agent itself, and that answer is the end of it.
        assert!(after - before <= 7, "{} datagrams of three", after - before - 1);
        (after - before > 1).then_some(after - before)
    });
    assert!(heard.is_some(), "no agent ever heard it");
}

/// What a manager asks, what discovery asks, and a Response, each from the agent's own address and port.
fn send_from_its_own_port(home: &Home) {
    let own = SocketAddr::from(([127, 0, 0, 1], home.port));
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::DGRAM, None).unwrap();
    socket.set_reuse_port(true).unwrap();
    socket.bind(&own.into()).unwrap();
    let mut buffer = [0; 64];
    let mut response = ReverseWriter::new(&mut buffer);
    prepend_pdu(&mut response, PduType::Response, 1, 0, 0).unwrap();
    prepend_community_message(&mut response, MessageProcessingModel::V2c, LOOK.as_bytes()).unwrap();
    for message in [&get_message(LOOK, 1)[..], &v3_get(b"", "", 1), response.written()] {
        socket.send_to(message, &own.into()).unwrap();
    }
}

/// Sends that many messages that are answered with a Report each, never more at once than sockets hold.
fn flood_with_reports(home: &Home, message: impl Fn(i32) -> Vec<u8>, count: u32) {
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

fn count(home: &Home, counter: &Object) -> u64 {
    home.reader().number(counter)
}

/// The head of an answer to sysUpTime.0.
fn get_answer_head(home: &Home) -> Vec<u8> {
    let polite = Attacker::new(home.port);
    polite.send(&get_message(LOOK, 7));
    polite.receive()
}

/// One who asks now and then, and tries again as managers do.
struct Poller {
    manager: Manager,
    asked: u32,
    answered: u32,
    times: Vec<Duration>,
}

impl Poller {
    fn new(home: &Home) -> Self {
        let retry = RetryPolicy::fixed(Duration::from_millis(250), 3);
        let manager = Manager::with(&home.udp(), Credentials::V2c(Secret::from(LOOK)), retry);
        Self { manager, asked: 0, answered: 0, times: Vec::new() }
    }

    fn poll(&mut self) {
        let start = Instant::now();
        self.asked += 1;
        self.answered += u32::from(self.manager.try_get(&SYS_NAME, &[0]).is_ok());
        self.times.push(start.elapsed());
    }
}

const FLOOD: u32 = 20_000;
