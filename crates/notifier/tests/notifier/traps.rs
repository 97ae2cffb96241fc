//! Traps, which are sent once.

use std::net::TcpListener;

use crate::{
    log,
    receiver::{Receiver, wait_until},
    site::{Site, notification},
};

#[test]
fn trap_is_sent_once_to_each_target() {
    let receivers = [Receiver::udp(), Receiver::tcp()];
    let mut site = Site::new();
    site.address("trap-udp", "traps", false, receivers[0].address);
    site.address("trap-tcp", "traps", true, receivers[1].address);
    let notifier = site.run();
    for number in 1..=50 {
        assert_eq!(notifier.submit(number).unwrap().traps, 2);
    }
    for receiver in &receivers {
        receiver.await_count(50);
        let numbers: Vec<_> = receiver.messages().iter().map(|message| message.number).collect();
        assert_eq!(numbers, Vec::from_iter(1..=50));
    }
    assert_eq!(notifier.target("trap-udp").traps_sent, 50);
}

#[test]
fn traps_that_cannot_be_sent_are_discarded_and_logged_once() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut site = Site::new();
    site.address("trap-closed", "traps", true, closed);
    let notifier = site.run();
    for number in 1..=20 {
        notifier.submit(number).unwrap();
    }
    notifier.await_target("trap-closed", "discarded traps", |target| target.traps_discarded == 20);
    assert_eq!(notifier.target("trap-closed").address, format!("tcp:{closed}"));
    assert_eq!(log::count("notifications are discarded", "trap-closed"), 1);
    assert_eq!(log::count("notifications cannot be delivered", "trap-closed"), 1);
}

#[test]
fn traps_that_wait_when_the_notifier_stops_are_sent_over_an_open_connection() {
    let receiver = Receiver::tcp();
    let mut site = Site::new();
    site.address("stopping", "traps", true, receiver.address);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    receiver.await_count(1);
    for number in 2..=50 {
        notifier.handle.notify(notification(number));
    }
    drop(notifier.notifier);
    receiver.await_count(50);
}

/// The kernel accepts the connection, and the receiver reads nothing.
#[test]
fn traps_for_a_receiver_that_does_not_read_are_bounded() {
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let reading = Receiver::tcp();
    let mut site = Site::new();
    site.address("deaf", "traps", true, deaf.local_addr().unwrap());
    site.address("reading", "traps", true, reading.address);
    let notifier = site.run();
    let mut big = notification(0);
    for number in 0..2_500 {
        big = big.with(&portreeve_mib::modules::if_mib::IF_SPEED, number, portreeve_smi::Value::Gauge32(1));
    }
    let mut sent = 0;
    wait_until("discarded traps", || {
        notifier.handle.notify(big.clone());
        sent += 1;
        reading.await_count(sent);
        notifier.target("deaf").traps_discarded > 0
    });
    assert_eq!(log::count("notifications are discarded", "target=deaf"), 1);
    assert_eq!(notifier.target("reading").traps_discarded, 0);
}
