//! A full disk under the queues.

use portreeve_notifier::{SubmitError, TargetSettings};

use crate::{
    disk::SmallDisk,
    log,
    receiver::{Receiver, wait_until},
    site::{Site, notification},
};

#[test]
fn informs_of_other_programs_are_refused_and_those_of_the_agent_are_sent() {
    let Some(disk) = SmallDisk::new("full") else { return };
    let receiver = Receiver::udp().be_silent();
    let mut site = Site::new();
    site.informs("full-disk", &receiver);
    site.set("full-disk", TargetSettings { queue_octets: 60_000, ..TargetSettings::default() });
    site.directory = disk.path().join("notifications");
    std::fs::create_dir(&site.directory).unwrap();
    let notifier = site.run();
    notifier.submit(1).unwrap();
    disk.fill();
    // The last block of the log still has room for some records.
    let mut stored = 1;
    let refused = loop {
        match notifier.submit(stored + 1) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, SubmitError::NotStored(_)), "{refused}");
    assert_eq!(notifier.target("full-disk").queue.entries, stored as usize, "a refused inform is not queued");
    // Refused informs need no room in the queue.
    for number in 0..300 {
        assert!(matches!(notifier.submit(number), Err(SubmitError::NotStored(_))), "{number}");
    }
    for number in 1000..1003 {
        notifier.handle.notify(notification(number));
    }
    notifier.await_target("full-disk", "the informs of the agent", |target| {
        target.queue.entries == stored as usize + 3
    });
    receiver.acknowledge();
    notifier.await_empty("full-disk");
    let expected: Vec<_> = (1..=stored).chain(1000..1003).collect();
    assert_eq!(receiver.numbers(), expected);
    wait_until("the end of the writes", || notifier.status().waiting_writes == 0);
    assert!(notifier.status().write_failures > 1);
    assert_eq!(log::count("cannot store informs", "No space left"), 1);
    receiver.ignore();
    notifier.handle.notify(notification(1003));
    notifier.await_target("full-disk", "an inform of the agent", |target| target.queue.entries == 1);
    wait_until("the end of the writes", || notifier.status().waiting_writes == 0);
    disk.make_room();
    notifier.submit(2000).unwrap();
    assert_eq!(log::count("informs are stored again", ""), 1);
    wait_until("the end of the writes", || notifier.status().waiting_writes == 0);
    drop(notifier);
    // An inform that could not be stored was stored later.
    let notifier = site.run();
    receiver.acknowledge();
    notifier.await_empty("full-disk");
    assert_eq!(receiver.numbers(), expected.into_iter().chain([1003, 2000]).collect::<Vec<_>>());
    wait_until("the end of the writes", || notifier.status().waiting_writes == 0);
    drop(notifier);
    // What was acknowledged while the disk was full is not sent again.
    let notifier = site.run();
    assert_eq!(notifier.status().targets, []);
}
