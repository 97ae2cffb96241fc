use std::net::IpAddr;

use portreeve_smi::Timestamp;

use super::SessionLimits;

#[test]
fn oldest_inactive_session_is_evicted_at_source_limit() {
    let limits = SessionLimits::new(100, 3);
    let first = limits.admit(ip("10.0.0.1")).unwrap();
    first.record_accepted_message(Timestamp::from_secs(1));
    let second = limits.admit(ip("10.0.0.1")).unwrap();
    let third = limits.admit(ip("10.0.0.1")).unwrap();
    let other = limits.admit(ip("10.0.0.2")).unwrap();
    let fourth = limits.admit(ip("10.0.0.1")).unwrap();
    let evicted: Vec<_> =
        [&first, &second, &third, &other, &fourth].iter().map(|slot| slot.handle().is_evicted()).collect();
    assert_eq!(evicted, [false, true, false, false, false]);
}

#[test]
fn least_recently_used_session_is_evicted_if_all_active() {
    let limits = SessionLimits::new(100, 2);
    let first = limits.admit(ip("2001:db8::1")).unwrap();
    let second = limits.admit(ip("2001:db8::2")).unwrap();
    second.record_accepted_message(Timestamp::from_secs(1));
    first.record_accepted_message(Timestamp::from_secs(2));
    assert!(limits.admit(ip("2001:db8::3")).is_some());
    assert!(second.handle().is_evicted());
    assert!(!first.handle().is_evicted());
}

#[test]
fn total_limit_evicts_inactive_but_not_active_sessions() {
    let limits = SessionLimits::new(2, 2);
    let first = limits.admit(ip("10.0.0.1")).unwrap();
    let second = limits.admit(ip("10.0.0.2")).unwrap();
    second.record_accepted_message(Timestamp::ZERO);
    let third = limits.admit(ip("10.0.0.3")).unwrap();
    assert!(first.handle().is_evicted());
    third.record_accepted_message(Timestamp::ZERO);
    assert!(limits.admit(ip("10.0.0.4")).is_none());
    drop(second);
    assert!(limits.admit(ip("10.0.0.4")).is_some());
}

#[test]
fn slots_are_freed_when_sessions_end() {
    let limits = SessionLimits::new(10, 10);
    let slots: Vec<_> = (0..10).map(|_| limits.admit(ip("::1")).unwrap()).collect();
    slots[3].record_accepted_message(Timestamp::ZERO);
    slots[3].record_accepted_message(Timestamp::ZERO);
    limits.evict_one();
    assert!(slots[0].handle().is_evicted());
    // A message of a session that has lost its slot has no effect.
    slots[0].record_accepted_message(Timestamp::ZERO);
    drop(slots);
    let slots = limits.slots();
    assert_eq!(slots.len(), 0);
    assert!(slots.sources.is_empty());
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}
