//! Idle interfaces.

use std::time::{Duration, Instant};

use portreeve_lab_net::{InterfaceKind, Topology};

use crate::support::{available, isolated};

fn number(topology: &Topology) -> usize {
    // The first two lines are a heading.
    let list =
        topology.agent().run(|| std::fs::read_to_string("/proc/thread-self/net/dev").unwrap()).unwrap();
    list.lines().skip(2).count()
}

#[test]
fn number_of_interfaces_is_as_wanted() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    assert_eq!(number(&topology), 2);
    for kind in [InterfaceKind::Veth, InterfaceKind::Tap, InterfaceKind::Vlan, InterfaceKind::Dummy] {
        for total in [10, 31, 2, 5] {
            if available(topology.set_interfaces(kind, total)).is_none() {
                assert!(matches!(kind, InterfaceKind::Vlan | InterfaceKind::Dummy), "{kind}");
                topology.set_interfaces(InterfaceKind::Veth, 2).unwrap();
                break;
            }
            assert_eq!(number(&topology), total, "{kind}");
        }
    }
    for total in [0, 1, 10_000] {
        let error = topology.set_interfaces(InterfaceKind::Veth, total).unwrap_err();
        assert!(!error.is_unavailable(), "{error}");
    }
}

#[test]
fn thousand_interfaces_are_created_within_seconds() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    for kind in [InterfaceKind::Veth, InterfaceKind::Tap] {
        let started = Instant::now();
        topology.set_interfaces(kind, 1000).unwrap();
        println!("{kind}: {:?}", started.elapsed());
        assert_eq!(number(&topology), 1000);
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}
