//! Informs of the last run.

use portreeve_notifier::TargetSettings;

use crate::{receiver::Receiver, site::Site};

#[test]
fn informs_of_the_last_run_are_sent_first_and_once() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("restarted", &receiver);
    let notifier = site.run();
    for number in 1..=3 {
        notifier.submit(number).unwrap();
    }
    drop(notifier);
    let notifier = site.run();
    assert!(notifier.notifier.is_configuration_unchanged());
    assert_eq!(notifier.target("restarted").queue.entries, 3);
    notifier.submit(4).unwrap();
    receiver.acknowledge();
    notifier.await_empty("restarted");
    assert_eq!(receiver.numbers(), [1, 2, 3, 4]);
    drop(notifier);
    let notifier = site.run();
    assert_eq!(notifier.target("restarted").queue.entries, 0, "acknowledged informs are not stored");
}

#[test]
fn informs_of_the_last_run_are_kept_although_the_limit_was_lowered() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("lowered", &receiver);
    let notifier = site.run();
    for number in 1..=10 {
        notifier.submit(number).unwrap();
    }
    drop(notifier);
    site.set("lowered", TargetSettings { queue_octets: 1, ..TargetSettings::default() });
    let notifier = site.run();
    assert_eq!(notifier.submit(11).unwrap().discarded, 1);
    receiver.acknowledge();
    notifier.await_empty("lowered");
    assert_eq!(receiver.numbers(), Vec::from_iter(1..=10));
}
