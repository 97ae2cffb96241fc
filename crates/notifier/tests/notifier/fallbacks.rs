//! Fallbacks: they get what a target does not accept.

use portreeve_lcd::NotifyType;
use portreeve_notifier::TargetSettings;

use crate::{
    receiver::Receiver,
    site::{Site, name},
};

fn with_fallback(fallback: &str) -> TargetSettings {
    TargetSettings { fallback: Some(name(fallback)), ..TargetSettings::default() }
}

#[test]
fn fallback_gets_each_inform_once_also_after_a_restart() {
    let (silent, standby) = (Receiver::udp().be_silent(), Receiver::udp());
    let mut site = Site::new();
    site.informs("first", &silent);
    site.address("standby", "", false, standby.address);
    site.set("first", with_fallback("standby"));
    let notifier = site.run();
    notifier.submit(1).unwrap();
    notifier.submit(2).unwrap();
    standby.await_count(2);
    notifier.await_empty("standby");
    drop(notifier);
    let notifier = site.run();
    notifier.submit(3).unwrap();
    standby.await_count(3);
    notifier.await_empty("standby");
    assert_eq!(standby.messages().iter().map(|message| message.number).collect::<Vec<_>>(), [1, 2, 3]);
    silent.acknowledge();
    notifier.await_empty("first");
    assert_eq!(silent.numbers(), [1, 2, 3]);
    assert_eq!(standby.messages().len(), 3);
}

#[test]
fn inform_from_another_target_is_not_passed_on_again_even_after_a_restart() {
    let (silent, last) = (Receiver::udp().be_silent(), Receiver::udp());
    let mut site = Site::new();
    site.informs("first", &silent);
    site.address("second", "", false, silent.address);
    site.address("last", "", false, last.address);
    site.set("first", with_fallback("second"));
    site.set("second", with_fallback("last"));
    for _ in 0..2 {
        let notifier = site.run();
        if notifier.target("first").queue.entries == 0 {
            notifier.submit(1).unwrap();
        }
        notifier.await_target("second", "failures", |target| target.queue.failures > 1);
        drop(notifier);
    }
    assert!(last.messages().is_empty());
}

#[test]
fn fallback_of_traps_gets_those_that_cannot_be_sent() {
    // Nothing listens at this port.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let standby = Receiver::udp();
    let mut site = Site::new();
    site.address("closed", "traps", true, closed);
    site.address("trap-standby", "", false, standby.address);
    site.set("closed", with_fallback("trap-standby"));
    site.set("trap-standby", TargetSettings { kind: NotifyType::Trap, ..TargetSettings::default() });
    let notifier = site.run();
    for number in 1..=3 {
        assert_eq!(notifier.submit(number).unwrap().traps, 1);
    }
    standby.await_count(3);
    assert_eq!(standby.numbers(), [1, 2, 3]);
    assert!(standby.messages().iter().all(|message| !message.is_inform));
    let target = notifier.target("closed");
    assert_eq!((target.traps_sent, target.traps_discarded), (0, 3));
    assert!(target.last_error.unwrap().1.starts_with("cannot connect: "));
}
