//! The limits of queues, and their order.

use std::{net::TcpListener, time::Duration};

use portreeve_lcd::{CommunityKey, CommunityRow};
use portreeve_mib::modules::{if_mib::IF_SPEED, snmpv2_mib::AUTHENTICATION_FAILURE};
use portreeve_notifier::{OutgoingNotification, SubmitError, TargetSettings};
use portreeve_smi::Value;

use crate::{
    log,
    receiver::{Receiver, wait_until},
    site::{Site, name, notification},
};

#[test]
fn informs_wait_for_their_receiver_and_arrive_in_their_order() {
    for (target, is_tcp) in [("order-udp", false), ("order-tcp", true)] {
        let receiver = if is_tcp { Receiver::tcp() } else { Receiver::udp() }.be_silent();
        let mut site = Site::new();
        site.address(target, "informs", is_tcp, receiver.address);
        let notifier = site.run();
        for number in 1..=100 {
            assert_eq!(notifier.submit(number).unwrap().informs, 1);
        }
        assert_eq!(notifier.target(target).queue.entries, 100);
        // The first attempt fails, then the receiver returns.
        notifier.await_target(target, "a failure", |target| target.queue.failures > 0);
        receiver.acknowledge();
        notifier.await_empty(target);
        assert!(receiver.numbers().is_sorted() && receiver.numbers().len() == 100, "{target}");
        let queue = notifier.target(target).queue;
        assert_eq!((queue.acknowledged, queue.octets, queue.failures), (100, 0, 0));
        assert_eq!(log::count("notifications cannot be delivered", target), 1);
        assert_eq!(log::count("notifications are delivered again", target), 1);
    }
}

/// A receiver that conforms to RFC 3416 refuses no inform. One that does so is sent one at a time
/// from then on, because it may accept those that were sent after the refused one.
#[test]
fn informs_after_a_refusal_are_sent_one_at_a_time_and_in_their_order() {
    let receiver = Receiver::tcp();
    receiver.refuse(3);
    let mut site = Site::new();
    site.address("refusing", "informs", true, receiver.address);
    let notifier = site.run();
    for number in 1..=20 {
        notifier.submit(number).unwrap();
    }
    wait_until("a second attempt", || receiver.arrivals_of(3) >= 2);
    receiver.refuse(23);
    notifier.await_empty("refusing");
    // Many informs must wait, so that several could be sent at once.
    receiver.ignore();
    for number in 21..=40 {
        notifier.submit(number).unwrap();
    }
    receiver.acknowledge();
    wait_until("a second attempt", || receiver.arrivals_of(23) >= 2);
    assert_eq!(receiver.messages().iter().map(|message| message.number).max(), Some(23));
    receiver.refuse(0);
    notifier.await_empty("refusing");
    let numbers = receiver.numbers();
    assert_eq!(numbers[20..], Vec::from_iter(21..=40));
    assert_eq!(numbers.len(), 40);
    assert_eq!(notifier.target("refusing").queue.acknowledged, 40);
}

/// Informs of two contexts need two communities, and so two connections.
#[test]
fn informs_with_two_communities_for_one_stream_are_delivered_in_their_order() {
    let receiver = Receiver::tcp().be_silent();
    let mut site = Site::new();
    site.insert(CommunityKey { index: name("other") }, |row: &mut CommunityRow| {
        row.columns.name = name("other");
        row.columns.security_name = name("ops");
        row.columns.context_name = name("one");
    });
    site.access_to_context("one");
    site.address("contexts", "informs", true, receiver.address);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    receiver.await_count(1);
    assert_eq!(notifier.submit_in("one", 2).unwrap().informs, 1);
    assert_eq!(notifier.submit(3).unwrap().informs, 1);
    notifier.await_target("contexts", "a failure", |target| target.queue.failures > 0);
    receiver.acknowledge();
    notifier.await_empty("contexts");
    assert_eq!(receiver.numbers(), [1, 2, 3]);
    assert!(receiver.messages().len() < 10, "{} messages for 3 informs", receiver.messages().len());
}

#[test]
fn new_limits_take_effect_at_a_reload_while_the_target_cannot_be_reached() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut site = Site::new();
    site.address("limits", "informs", true, closed);
    site.set("limits", TargetSettings { queue_octets: 1000, ..TargetSettings::default() });
    let notifier = site.run();
    wait_until("a full queue", || notifier.submit(1).unwrap().discarded == 1);
    notifier.await_target("limits", "a failure", |target| target.queue.failures > 0);
    site.set("limits", TargetSettings { queue_octets: 100_000, ..TargetSettings::default() });
    notifier.handle.replace_settings(site.settings());
    assert_eq!(notifier.submit(2).unwrap().informs, 1);
    site.set("limits", TargetSettings { queue_age: Duration::ZERO, ..TargetSettings::default() });
    notifier.handle.replace_settings(site.settings());
    notifier.await_empty("limits");
    assert!(notifier.target("limits").queue.expired > 1);
}

#[test]
fn full_queue_discards_new_informs_which_are_counted_and_logged_once() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("full", &receiver);
    site.set("full", TargetSettings { queue_octets: 2000, ..TargetSettings::default() });
    let notifier = site.run();
    let results: Vec<_> = (1..=20).map(|number| notifier.submit(number).unwrap()).collect();
    let stored = results.iter().filter(|result| result.informs == 1).count();
    assert!((2..10).contains(&stored), "{stored} informs were stored");
    assert!(results[stored..].iter().all(|result| (result.informs, result.discarded) == (0, 1)));
    let queue = notifier.target("full").queue;
    assert_eq!((queue.entries, queue.refused), (stored, 20 - stored as u64));
    assert!(queue.octets <= 2000);
    // Also after the target has failed.
    notifier.await_target("full", "a failure", |target| target.queue.failures > 0);
    assert_eq!(notifier.submit(21).unwrap().discarded, 1);
    assert_eq!(log::count("notifications are discarded", "full"), 1);
    receiver.acknowledge();
    notifier.await_empty("full");
    assert_eq!(receiver.numbers(), Vec::from_iter(1..=stored as u32));
    assert_eq!(log::count("notifications are no longer discarded", "full"), 1);
    assert_eq!(log::count(&format!("discarded={}", 21 - stored), "target=full"), 1);
}

#[test]
fn authentication_failures_do_not_displace_other_notifications() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("flooded", &receiver);
    // The queue has room for 80 to 100 of these notifications.
    site.set("flooded", TargetSettings { queue_octets: 22_000, ..TargetSettings::default() });
    let notifier = site.run();
    let flood = || {
        for number in 1..=200 {
            notifier.handle.notify(authentication_failure(number));
        }
    };
    flood();
    notifier.await_target("flooded", "discards", |target| target.authentication_failures_discarded == 136);
    let queue = notifier.target("flooded").queue;
    assert_eq!((queue.entries, queue.refused), (64, 0));
    notifier.handle.notify(notification(1000));
    flood();
    notifier
        .await_target("flooded", "more discards", |target| target.authentication_failures_discarded == 336);
    assert_eq!(notifier.target("flooded").queue.entries, 65);
    drop(notifier);
    // The limit includes those of the last run.
    let notifier = site.run();
    notifier.handle.notify(authentication_failure(201));
    notifier.await_target("flooded", "a discard", |target| target.authentication_failures_discarded == 1);
    assert_eq!(log::count("authenticationFailure notifications are discarded", "target=flooded"), 2);
    receiver.acknowledge();
    notifier.await_empty("flooded");
    assert_eq!(receiver.numbers(), (1..=64).chain([1000]).collect::<Vec<_>>());
    // The queue accepts them again.
    notifier.handle.notify(authentication_failure(202));
    wait_until("one more", || receiver.arrivals_of(202) == 1);
}

fn authentication_failure(number: u32) -> OutgoingNotification {
    let notification = OutgoingNotification::new(AUTHENTICATION_FAILURE.arcs(), number);
    notification.with(&IF_SPEED, 1, Value::Gauge32(number))
}

#[test]
fn informs_expire_at_their_age_limit_and_are_counted() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("aged", &receiver);
    site.set("aged", TargetSettings { queue_age: Duration::from_secs(1), ..TargetSettings::default() });
    let notifier = site.run();
    for number in 1..=3 {
        notifier.submit(number).unwrap();
    }
    notifier.await_empty("aged");
    let queue = notifier.target("aged").queue;
    assert_eq!((queue.expired, queue.acknowledged, queue.octets), (3, 0, 0));
    assert_eq!(log::count("notifications are discarded", "aged"), 1);
}

#[test]
fn notifications_beyond_the_memory_of_the_thread_are_refused() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("busy", &receiver);
    let notifier = site.run();
    let (sender, results) = std::sync::mpsc::channel();
    let mut big = notification(0);
    for number in 0..3_000 {
        big = big.with(&portreeve_mib::modules::if_mib::IF_SPEED, number, portreeve_smi::Value::Gauge32(1));
    }
    for _ in 0..300 {
        let sender = sender.clone();
        notifier.handle.submit(big.clone(), move |result| sender.send(result).unwrap());
    }
    let results: Vec<_> = results.iter().take(300).collect();
    let busy = results.iter().filter(|result| **result == Err(SubmitError::Busy)).count();
    assert!(busy > 0, "all of them were accepted at once");
    assert!(results.iter().any(Result::is_ok));
    // The memory is free again.
    assert!(notifier.submit(1).is_ok());
}
