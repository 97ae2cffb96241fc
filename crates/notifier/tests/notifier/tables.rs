//! Changes of the tables while informs wait.

use portreeve_lcd::{FamilyType, TargetAddressKey};

use crate::{
    receiver::Receiver,
    site::{Site, name},
};

#[test]
fn informs_of_a_removed_target_wait_until_its_rows_return() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("removed", &receiver);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    receiver.await_count(1);
    let complete = site.tables.clone();
    site.tables.target_addresses.remove(&TargetAddressKey { name: name("removed") });
    notifier.publish(&site.tables);
    notifier.await_target("removed", "an error", |target| {
        target.last_error.as_ref().is_some_and(|(_, error)| error == "the target does not exist")
    });
    assert_eq!(notifier.submit(2).unwrap().informs, 0);
    assert_eq!(notifier.target("removed").queue.entries, 1);
    receiver.acknowledge();
    notifier.publish(&complete);
    // A reload makes the target try again at once.
    notifier.handle.replace_settings(site.settings());
    notifier.await_empty("removed");
    assert_eq!(receiver.numbers(), [1]);
}

#[test]
fn removed_target_without_informs_is_forgotten() {
    let receiver = Receiver::udp();
    let mut site = Site::new();
    site.informs("kept", &receiver);
    let notifier = site.run();
    for number in 0..20 {
        let target = format!("short-lived-{number}");
        site.informs(&target, &receiver);
        notifier.publish(&site.tables);
        notifier.submit(number).unwrap();
        notifier.await_empty(&target);
        site.tables.target_addresses.remove(&TargetAddressKey { name: name(&target) });
        notifier.publish(&site.tables);
    }
    let targets = notifier.status().targets;
    assert!(targets.len() <= 3, "{} targets are left", targets.len());
}

/// The view may have been narrowed because the receiver is not trusted any more.
#[test]
fn waiting_inform_that_leaves_the_notify_view_is_not_sent() {
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("narrowed", &receiver);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    receiver.await_count(1);
    site.view("1.3.6.1.2.1.2", FamilyType::Excluded);
    notifier.publish(&site.tables);
    let sent = receiver.messages().len();
    notifier.await_target("narrowed", "a rejected inform", |target| target.queue.rejected == 1);
    let error = notifier.target("narrowed").last_error.unwrap().1;
    assert!(error.starts_with("withheld: ") && error.ends_with("is not in the notify view"), "{error}");
    // The attempt that was running may have sent it again, but no new one did.
    assert!(receiver.messages().len() <= sent + 2);
    let ids: std::collections::BTreeSet<_> =
        receiver.messages().iter().map(|message| message.request_id).collect();
    assert_eq!(ids.len(), 1);
}
