//! Forged and replayed messages, and the engines of senders.

use std::{cell::RefCell, net::UdpSocket, rc::Rc};

use portreeve_smi::EngineBoots;
use portreeve_snmp_manager::{Client, ClockReading, Credentials, TrapSender, UsmUser, WireMessage};

use crate::site::{Site, cold_start, community, options, refused, sender, user, user_with};

/// Sends an inform of the user and returns its last message.
fn record_inform(site: &Site) -> Vec<u8> {
    let last = Rc::new(RefCell::new(Vec::new()));
    let mut client = Client::open(&site.address(), user(), &options()).unwrap();
    let recorded = Rc::clone(&last);
    client.observe(move |message| {
        if let WireMessage::Sent(octets) = message {
            *recorded.borrow_mut() = octets.to_vec();
        }
    });
    client.request(&cold_start()).unwrap();
    drop(client);
    last.take()
}

/// Sends a trap with this clock and returns its message.
fn record_trap(site: &Site, boots: u32, time: u32) -> Vec<u8> {
    let last = Rc::new(RefCell::new(Vec::new()));
    let mut sender = TrapSender::open(&site.address(), user(), sender(4), &options()).unwrap();
    let recorded = Rc::clone(&last);
    sender.observe(move |message| {
        if let WireMessage::Sent(octets) = message {
            *recorded.borrow_mut() = octets.to_vec();
        }
    });
    let clock = ClockReading { boots: EngineBoots::new(boots).unwrap(), time };
    sender.send(clock, cold_start().variables()).unwrap();
    drop(sender);
    last.take()
}

/// Sends a message, and then an inform by community, whose line comes last.
fn send(site: &Site, message: &[u8]) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.send_to(message, ("127.0.0.1", site.port)).unwrap();
    site.inform(community(true)).unwrap();
}

#[test]
fn forged_informs_and_traps_are_refused() {
    let site = Site::new("forged", "");
    let receiver = site.run();
    let inform = record_inform(&site);
    let trap = record_trap(&site, 1, 100);
    site.await_lines(2);
    let mut forged = 0;
    for message in [inform, trap] {
        // One octet of the digest, of the privacy parameters, and of the encrypted PDU.
        for position in [message.len() - 1, message.len() / 2, message.len() - 90] {
            let mut changed = message.clone();
            changed[position] ^= 1;
            send(&site, &changed);
            forged += 1;
        }
    }
    assert_eq!(site.lines(), 2 + forged, "only the informs by community are added");
    let log = receiver.end();
    assert_eq!(refused(&log), forged, "{log}");
}

#[test]
fn inform_with_wrong_key_or_unknown_user_is_counted_but_not_discovery() {
    let site = Site::new("wrong-inform", "");
    let receiver = site.run();
    // Each client discovers the engine ID and the clock.
    for _ in 0..3 {
        site.inform(user()).unwrap();
    }
    let unknown = Credentials::V3(UsmUser::unauthenticated(b"unknown"));
    for credentials in [user_with("another phrase"), unknown] {
        assert!(site.inform(credentials).is_err());
    }
    assert_eq!(site.lines(), 3);
    let log = receiver.end();
    assert_eq!(refused(&log), 2, "{log}");
}

#[test]
fn inform_of_an_earlier_start_of_the_receiver_is_refused() {
    let site = Site::new("inform-replay", "");
    let receiver = site.run();
    let inform = record_inform(&site);
    receiver.kill();
    let _receiver = site.run();
    send(&site, &inform);
    assert_eq!(site.lines(), 2, "the inform by community is added");
    // The receiver is authoritative: a sender with the new clock is accepted.
    record_inform(&site);
    assert_eq!(site.lines(), 3);
}

#[test]
fn trap_outside_the_time_window_of_its_sender_is_refused() {
    let site = Site::new("trap-window", "");
    let _receiver = site.run();
    let old = record_trap(&site, 3, 1000);
    site.await_lines(1);
    record_trap(&site, 3, 1200);
    site.await_lines(2);
    send(&site, &old);
    assert_eq!(site.lines(), 3, "200 seconds are outside the window");
    record_trap(&site, 3, 1100);
    site.await_lines(4);
    // A trap with a wrong key changes no clock.
    site.trap_at(user_with("another phrase"), sender(4), 9, 1);
    site.inform(community(true)).unwrap();
    record_trap(&site, 3, 1250);
    site.await_lines(6);
}

#[test]
fn old_trap_is_refused_after_a_restart_of_the_receiver() {
    let site = Site::new("trap-replay", "");
    let receiver = site.run();
    let old = record_trap(&site, 7, 850);
    site.await_lines(1);
    record_trap(&site, 7, 1001);
    site.await_lines(2);
    send(&site, &old);
    assert_eq!(site.lines(), 3, "outside the window before the restart");
    receiver.kill();
    let _receiver = site.run();
    send(&site, &old);
    site.trap(user(), 6);
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 5, "and after it, as is a trap with boots 6");
    record_trap(&site, 7, 1002);
    site.await_lines(6);
}

#[test]
fn sender_outside_the_networks_of_its_user_is_refused() {
    let site = Site::new("networks", "");
    site.replace("127.0.0.0/8", "192.0.2.0/24");
    let _receiver = site.run();
    site.trap(user(), 1);
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1, "only the inform by community is accepted");
}

#[test]
fn two_senders_with_one_engine_id_are_reported_once() {
    let site = Site::new("shared", "");
    let receiver = site.run();
    let trap = record_trap(&site, 1, 100);
    let other = UdpSocket::bind("127.0.0.2:0").unwrap();
    for _ in 0..2 {
        other.send_to(&trap, ("127.0.0.1", site.port)).unwrap();
    }
    site.await_lines(3);
    let expected = "two senders have the same engine ID engine_id=0x800000000501020304 first=127.0.0.1 \
                    second=127.0.0.2";
    let log = receiver.end();
    assert_eq!(log.matches(expected).count(), 1, "{log}");
}

#[test]
fn unknown_engines_do_not_cost_key_derivations() {
    let site = Site::new("engines", "");
    let receiver = site.run();
    let cpu_time = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", receiver.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        // utime and stime, see proc(5).
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", receiver.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap().to_owned();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    };
    let trap = record_trap(&site, 1, 100);
    site.await_lines(1);
    let (ticks, memory) = (cpu_time(), resident());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let position = trap.windows(9).position(|octets| octets == sender(4).as_bytes()).unwrap();
    for number in 0_u32..10_000 {
        let mut forged = trap.clone();
        forged[position + 5..position + 9].copy_from_slice(&number.to_be_bytes());
        socket.send_to(&forged, ("127.0.0.1", site.port)).unwrap();
        if number % 100 == 0 {
            // So that the socket does not overflow.
            site.inform(community(true)).unwrap();
        }
    }
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 102);
    // Hashing a mebibyte for each, as for the key of a pass phrase, would take six seconds or more.
    let seconds = (cpu_time() - ticks) / 100;
    assert!(seconds < 3, "{seconds} s of processor time");
    assert!(resident() < memory + 8192, "{memory} kB, then {} kB", resident());
}

#[test]
fn level_below_that_of_the_rule_is_refused() {
    let site = Site::new("level", "");
    let _receiver = site.run();
    let Credentials::V3(user) = user() else { panic!() };
    let without_privacy = Credentials::V3(user.limited_to(portreeve_snmp_manager::SecurityLevel::AuthNoPriv));
    assert!(site.inform(without_privacy).is_err());
    assert_eq!(site.lines(), 0);
}
