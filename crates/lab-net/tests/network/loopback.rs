//! The topology that needs no rights.

use std::time::Duration;

use portreeve_lab_net::{Capture, Detail, InterfaceKind, Link, LinkMethods, Loss, Topology};

use crate::support::{Echo, cleaner, client, round_trip};

#[test]
fn loopback_carries_requests_and_states_what_it_cannot_do() {
    let cleaner = cleaner();
    let mut topology = Topology::loopback(&cleaner).unwrap();
    for address in topology.agent().addresses() {
        let echo = Echo::start(topology.agent(), *address);
        round_trip(&client(topology.manager(), echo.address), b"request");
    }
    assert!(!topology.is_isolated());
    assert_eq!(topology.limits().len(), 3);
    assert_eq!(topology.set_link(&Link::default()).unwrap(), LinkMethods::default());
    for error in [
        Capture::start(&topology, Detail::Headers).err().unwrap(),
        topology.set_link(&Link { loss: Loss::both(0.1), ..Link::default() }).unwrap_err(),
        topology.set_link(&Link { delay: Some(Duration::ZERO), ..Link::default() }).unwrap_err(),
        topology.set_interfaces(InterfaceKind::Veth, 10).unwrap_err(),
    ] {
        assert!(error.is_unavailable() && error.reason().starts_with("on loopback, "), "{error}");
    }
}
