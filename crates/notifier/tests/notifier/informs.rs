//! The exchange of one inform with its receiver.

use std::{net::UdpSocket, sync::atomic::Ordering, time::Duration};

use portreeve_smi::ErrorStatus;

use crate::{
    log,
    receiver::{Receiver, read, respond, wait_until},
    site::{Site, notification},
};

//= rfc3413#3.3-6b
//= rfc3413#3.3-6c
//= rfc3413#3.3-6d
//= type=test
#[test]
fn inform_is_sent_again_until_its_receiver_responds() {
    // The test itself is the receiver.
    let (own, other) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    own.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut site = Site::new();
    site.address("noc", "informs", false, own.local_addr().unwrap());
    let notifier = site.run();
    notifier.submit(7).unwrap();
    let (mut buffer, mut seen) = ([0; 65_535], Vec::new());
    for _ in 0..3 {
        let (length, sender) = own.recv_from(&mut buffer).unwrap();
        seen.push(read(&buffer[..length]));
        respond(&mut buffer[..length], 0);
        // A response from another address has no effect.
        other.send_to(&buffer[..length], sender).unwrap();
    }
    assert!(seen.iter().all(|message| *message == seen[0] && message.number == 7), "{seen:?}");
    assert_eq!(notifier.target("noc").queue.acknowledged, 0);
    // The retries of the first attempt are used up: the inform is sent with a new request-id.
    let (length, sender) = own.recv_from(&mut buffer).unwrap();
    assert_ne!(read(&buffer[..length]).request_id, seen[0].request_id);
    respond(&mut buffer[..length], 0);
    own.send_to(&buffer[..length], sender).unwrap();
    notifier.await_empty("noc");
    let target = notifier.target("noc");
    assert_eq!((target.queue.acknowledged, target.queue.failures), (1, 0));
    assert!(target.last_error.unwrap().1.contains("no response arrived in time"));
}

#[test]
fn inform_that_is_too_big_for_its_receiver_does_not_delay_the_next_one() {
    let receiver = Receiver::udp();
    receiver.answer(ErrorStatus::TooBig);
    let mut site = Site::new();
    site.informs("big", &receiver);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    notifier.await_target("big", "a rejected inform", |target| target.queue.rejected == 1);
    assert_eq!(notifier.target("big").last_error.unwrap().1, "the receiver answered tooBig");
    receiver.acknowledge();
    notifier.submit(2).unwrap();
    notifier.await_empty("big");
    assert_eq!(receiver.numbers(), [1, 2]);
    assert_eq!(notifier.target("big").queue.acknowledged, 1);
}

#[test]
fn inform_that_is_too_long_for_a_message_does_not_delay_the_next_one() {
    let receiver = Receiver::udp();
    let mut site = Site::new();
    site.informs("long", &receiver);
    let notifier = site.run();
    let mut long = notification(1);
    for number in 0..7_000 {
        long = long.with(&portreeve_mib::modules::if_mib::IF_SPEED, number, portreeve_smi::Value::Gauge32(1));
    }
    notifier.handle.notify(long);
    notifier.submit(2).unwrap();
    notifier.await_empty("long");
    assert_eq!(receiver.numbers(), [2]);
    let queue = notifier.target("long").queue;
    assert_eq!((queue.rejected, queue.acknowledged), (1, 1));
}

#[test]
fn informs_of_a_replaced_connection_are_sent_again_in_their_order() {
    let (silent, answering) = (Receiver::tcp().be_silent(), Receiver::tcp());
    let mut site = Site::new();
    site.address("moved", "informs", true, silent.address);
    let notifier = site.run();
    for number in 1..=5 {
        notifier.submit(number).unwrap();
    }
    // A stream keeps the order, so that several informs are on their way.
    silent.await_count(5);
    site.address("moved", "informs", true, answering.address);
    notifier.publish(&site.tables);
    notifier.submit(6).unwrap();
    notifier.await_empty("moved");
    assert_eq!(answering.numbers(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(notifier.target("moved").queue.acknowledged, 6);
}

#[test]
fn target_whose_task_panics_gets_its_informs_from_a_new_task() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("panicking", &receiver);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    receiver.await_count(1);
    // The task reads the clock when it sends the inform again.
    site.panics.store(true, Ordering::Relaxed);
    wait_until("a panic", || log::count("the task of a target has panicked", "panicking") == 1);
    receiver.acknowledge();
    notifier.await_empty("panicking");
    assert_eq!(receiver.numbers(), [1]);
}

#[test]
fn notification_whose_handling_panics_is_lost_and_the_next_one_is_sent() {
    let receiver = Receiver::udp();
    let mut site = Site::new();
    site.informs("after-panic", &receiver);
    let notifier = site.run();
    // The thread has started when it responds; it reads the clock before.
    notifier.status();
    site.panics.store(true, Ordering::Relaxed);
    notifier.handle.notify(notification(1));
    notifier.submit(2).unwrap();
    notifier.await_empty("after-panic");
    assert_eq!(receiver.numbers(), [2]);
}
