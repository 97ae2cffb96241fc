use std::net::IpAddr;
use std::sync::Arc;

use portreeve_smi::Timestamp;

use super::{SessionCount, SessionLimits, SessionSlot};
use crate::limits::Limits;

#[test]
fn oldest_inactive_session_of_a_source_is_evicted_at_its_limit() {
    let limits = limits(100, 3);
    let first = limits.admit(ip("10.0.0.1"), 1).unwrap();
    first.record_accepted_message(Timestamp::from_secs(1));
    let second = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let third = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let other = limits.admit(ip("10.0.0.2"), 1).unwrap();
    let fourth = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let evicted: Vec<_> =
        [&first, &second, &third, &other, &fourth].iter().map(|slot| slot.handle().is_evicted()).collect();
    assert_eq!(evicted, [false, true, false, false, false]);
}

#[test]
fn least_recently_used_session_of_a_source_is_evicted_if_all_are_active() {
    let limits = limits(100, 2);
    let first = limits.admit(ip("2001:db8::1"), 1).unwrap();
    let second = limits.admit(ip("2001:db8::2"), 1).unwrap();
    second.record_accepted_message(Timestamp::from_secs(1));
    first.record_accepted_message(Timestamp::from_secs(2));
    assert!(limits.admit(ip("2001:db8::3"), 1).is_some());
    assert!(second.handle().is_evicted());
    assert!(!first.handle().is_evicted());
}

#[test]
fn new_session_at_the_total_limit_evicts_only_inactive_sessions() {
    let limits = limits(2, 2);
    let first = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let second = limits.admit(ip("10.0.0.2"), 1).unwrap();
    second.record_accepted_message(Timestamp::ZERO);
    let third = limits.admit(ip("10.0.0.3"), 1).unwrap();
    assert!(first.handle().is_evicted());
    assert!(!second.handle().is_evicted());
    third.record_accepted_message(Timestamp::ZERO);
    drop(second);
    let fourth = limits.admit(ip("10.0.0.4"), 1).unwrap();
    fourth.record_accepted_message(Timestamp::ZERO);
    assert!(!third.handle().is_evicted());
}

#[test]
fn new_session_of_source_with_most_sessions_is_refused_if_all_are_active() {
    let limits = limits(2, 3);
    let slots: Vec<_> = (0..2).map(|_| admit_active(&limits, "10.0.0.1")).collect();
    assert!(limits.admit(ip("10.0.0.1"), 1).is_none());
    assert!(slots.iter().all(|slot| !slot.handle().is_evicted()));
}

#[test]
fn session_slots_are_freed_when_sessions_end() {
    let limits = limits(10, 10);
    let slots: Vec<_> = (0..10).map(|_| limits.admit(ip("::1"), 1).unwrap()).collect();
    slots[3].record_accepted_message(Timestamp::ZERO);
    slots[3].record_accepted_message(Timestamp::ZERO);
    limits.evict_one();
    assert!(slots[0].handle().is_evicted());
    // Messages of an evicted session have no effect.
    slots[0].record_accepted_message(Timestamp::ZERO);
    drop(slots);
    let slots = limits.slots();
    assert_eq!(slots.len(), 0);
    assert!(slots.sources.is_empty());
    assert!(slots.all.is_empty() && slots.inactive.is_empty() && slots.inactive_growth.is_empty());
}

#[test]
fn review_m1_new_source_is_admitted_when_all_slots_hold_active_sessions() {
    let limits = limits(512, 64);
    let mut slots = Vec::new();
    for source in 1..=8 {
        for _ in 0..64 {
            slots.push(admit_active(&limits, &format!("10.0.0.{source}")));
        }
    }
    let new_sessions: Vec<_> = (1..=64)
        .map(|n| limits.admit(ip(&format!("10.1.0.{n}")), 1).expect("a source without sessions"))
        .collect();
    assert!(new_sessions.iter().all(|slot| !slot.handle().is_evicted()));
    // Every source of the group has lost the same number of sessions.
    for sessions in slots.chunks(64) {
        assert_eq!(sessions.iter().filter(|slot| slot.handle().is_evicted()).count(), 8);
    }
}

#[test]
fn review_m1_source_with_most_sessions_cannot_evict_others_by_reconnecting() {
    let limits = limits(512, 256);
    let mut slots = Vec::new();
    for source in 1..=2 {
        for _ in 0..256 {
            slots.push(admit_active(&limits, &format!("10.0.0.{source}")));
        }
    }
    let new_session = limits.admit(ip("10.1.0.1"), 1).expect("a source without sessions");
    for _ in 0..1000 {
        slots.extend(limits.admit(ip("10.0.0.1"), 1));
        slots.extend(limits.admit(ip("10.0.0.2"), 1));
        slots.retain(|slot| !slot.handle().is_evicted());
    }
    assert!(!new_session.handle().is_evicted(), "evicted before its handshake could complete");
}

#[test]
fn review_m1_inactive_sessions_of_many_sources_do_not_evict_active_ones() {
    let limits = limits(400, 64);
    let station: Vec<_> = (0..64).map(|_| admit_active(&limits, "10.0.0.1")).collect();
    let mut flood = Vec::new();
    for n in 0..10_000 {
        flood.extend(limits.admit(ip(&format!("10.{}.{}.1", n / 250 + 1, n % 250)), 1));
        flood.retain(|slot| !slot.handle().is_evicted());
    }
    assert!(station.iter().all(|slot| !slot.handle().is_evicted()));
    assert_eq!(flood.len(), 400 - 64);
}

#[test]
fn review_m1_one_ipv6_prefix_cannot_evict_sessions_of_other_prefixes() {
    for third_group in
        [|n: u32| format!("2001:db8:0:{n:x}::1"), |n: u32| format!("2001:db8:0:{:x}::1", n << 8)]
    {
        let limits = limits(64, 4);
        let other: Vec<_> = (0..8)
            .flat_map(|n| [n; 4])
            .map(|n| admit_active(&limits, &format!("2001:db9:{n:x}::1")))
            .collect();
        // Open sessions from 200 networks of a single /56 or /48: more networks than all others
        // together.
        let mut network = Vec::new();
        for n in 0..200 {
            network.extend(limits.admit(ip(&third_group(n)), 1));
            network.retain(|slot| !slot.handle().is_evicted());
            network.iter().for_each(|slot| slot.record_accepted_message(Timestamp::ZERO));
        }
        assert!(other.iter().all(|slot| !slot.handle().is_evicted()));
        assert!(network.len() <= 32);
        // A network without sessions is admitted, and the large network loses a session.
        let new_session = limits.admit(ip("2001:db8:1::1"), 1).expect("a source without sessions");
        assert!(!new_session.handle().is_evicted());
        assert!(other.iter().all(|slot| !slot.handle().is_evicted()));
    }
}

#[test]
fn review_m1_source_with_most_sessions_loses_one_if_descriptors_run_out() {
    let limits = limits(100, 100);
    let large: Vec<_> = (0..3).map(|_| admit_active(&limits, "10.0.0.1")).collect();
    let small = admit_active(&limits, "10.0.0.2");
    limits.evict_one();
    assert_eq!(large.iter().filter(|slot| slot.handle().is_evicted()).count(), 1);
    assert!(!small.handle().is_evicted());
}

#[test]
fn review_l3_memory_of_inactive_sessions_is_limited() {
    let limits = SessionLimits::new(&Limits {
        max_sessions: 8192,
        max_sessions_per_source: 8192,
        unauthenticated_memory: 1 << 20,
        ..Limits::default()
    });
    let handshake = limits.admit(ip("10.0.0.1"), 4096).unwrap();
    let mut flood = Vec::new();
    for _ in 0..1000 {
        let slot = limits.admit(ip("10.0.0.2"), 1000).unwrap();
        slot.record_memory(65_536);
        flood.push(slot);
    }
    assert!(limits.slots().inactive_memory <= 1 << 20);
    // The oldest sessions of the flood were evicted.
    let kept = flood.iter().position(|slot| !slot.handle().is_evicted()).unwrap();
    assert!((1000 - 16..1000).contains(&kept), "{kept}");
    assert!(flood[kept..].iter().all(|slot| !slot.handle().is_evicted()));
    assert!(!handshake.handle().is_evicted());
    // Active sessions do not count towards the memory budget.
    flood.drain(..kept);
    flood.iter().for_each(|slot| slot.record_accepted_message(Timestamp::ZERO));
    assert_eq!(limits.slots().inactive_memory, 4096);
    drop((flood, handshake));
    assert_eq!(limits.slots().inactive_memory, 0);
}

#[test]
fn review_l3_session_that_exceeds_the_memory_limit_is_evicted() {
    let limits = SessionLimits::new(&Limits { unauthenticated_memory: 50_000, ..Limits::default() });
    let slot = limits.admit(ip("10.0.0.1"), 1000).unwrap();
    slot.record_memory(40_000);
    assert!(!slot.handle().is_evicted());
    slot.record_memory(60_000);
    assert!(slot.handle().is_evicted());
}

#[test]
fn sessions_are_counted_by_listener_until_they_end() {
    let limits = limits(100, 100);
    let unassigned = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let handshake = limits.admit(ip("10.0.0.1"), 1).unwrap();
    let (first, second) = (admit_active(&limits, "10.0.0.1"), admit_active(&limits, "10.0.0.2"));
    for (slot, listener) in [(&handshake, 1), (&first, 1), (&second, 2)] {
        slot.record_listener(listener);
    }
    let count = |open, active| SessionCount { open, active };
    assert_eq!(limits.count_by_listener(3), [count(0, 0), count(2, 1), count(1, 1)]);
    drop((unassigned, handshake, second));
    assert_eq!(limits.count_by_listener(3), [count(0, 0), count(1, 1), count(0, 0)]);
}

fn limits(max_sessions: usize, max_sessions_per_source: usize) -> Arc<SessionLimits> {
    SessionLimits::new(&Limits { max_sessions, max_sessions_per_source, ..Limits::default() })
}

/// Admits a session and records an accepted message.
fn admit_active(limits: &Arc<SessionLimits>, address: &str) -> SessionSlot {
    let slot = limits.admit(ip(address), 1).expect("a free slot");
    slot.record_accepted_message(Timestamp::ZERO);
    slot
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn review_m1_session_that_needs_much_memory_is_admitted_during_a_flood() {
    let limits = limits(64, 16);
    let mut slots = Vec::new();
    for source in 1..=9 {
        for _ in 0..8 {
            slots.extend(limits.admit(ip(&format!("10.0.0.{source}")), 2 << 10));
        }
    }
    slots.iter().for_each(|slot| slot.record_memory(4 << 10));
    let new_session = limits.admit(ip("10.1.0.1"), 96 << 10).expect("a source without sessions");
    slots.extend((1..=9).filter_map(|source| limits.admit(ip(&format!("10.0.0.{source}")), 2 << 10)));
    assert!(!new_session.handle().is_evicted());
}

#[test]
fn review_l3_new_session_that_needs_much_memory_is_not_evicted_first() {
    let limits = SessionLimits::new(&Limits { unauthenticated_memory: 200 << 10, ..Limits::default() });
    let grown: Vec<_> = (1..=25).filter_map(|n| limits.admit(ip(&format!("10.0.0.{n}")), 2 << 10)).collect();
    grown.iter().for_each(|slot| slot.record_memory(8 << 10));
    let new_session = limits.admit(ip("10.1.0.1"), 96 << 10).unwrap();
    let _next = limits.admit(ip("10.2.0.1"), 2 << 10).unwrap();
    assert!(!new_session.handle().is_evicted());
    assert!(grown.iter().any(|slot| slot.handle().is_evicted()));
}
