use std::net::{IpAddr, Ipv4Addr};

use portreeve_smi::Timestamp;

use super::Unproven;

#[test]
fn a_network_has_its_share_of_each_second_at_once_or_one_by_one() {
    let unproven = Unproven::new(200);
    assert_eq!(admitted(&unproven, Timestamp::from_secs(9), "192.0.2.1", 100_000), 200);
    assert_eq!(admitted(&unproven, Timestamp::from_secs(9), "192.0.2.77", 100), 0, "the same network");
    assert_eq!(admitted(&unproven, Timestamp::from_micros(9_004_999), "192.0.2.1", 9), 0);
    assert_eq!(admitted(&unproven, Timestamp::from_micros(9_005_000), "192.0.2.1", 9), 1);
    assert_eq!(admitted(&unproven, Timestamp::from_micros(9_500_000), "192.0.2.1", 999), 99);
    assert_eq!(admitted(&unproven, Timestamp::from_secs(30), "192.0.2.1", 100_000), 200);
}

#[test]
fn a_flood_of_one_network_costs_another_nothing() {
    let unproven = Unproven::new(10);
    let now = Timestamp::from_secs(9);
    for peer in ["198.51.100.1", "2001:db8::1"] {
        assert_eq!(admitted(&unproven, now, peer, 1000), 10);
    }
    // Two networks in a thousand may share a place with these.
    let others = (0..1000_u32).map(|number| IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0001 + (number << 8))));
    let answered = others.filter(|other| unproven.admit(now, *other)).count();
    assert!(answered > 980, "{answered} of 1000");
}

#[test]
fn networks_are_a_24_and_a_56_and_what_is_mapped_is_what_it_stands_for() {
    for (peer, neighbour, other) in [
        ("192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.0.2.0", "::ffff:192.0.2.9", "::ffff:192.0.3.9"),
        ("2001:db8:0:ff00::1", "2001:db8:0:ffff:1::", "2001:db8:1::1"),
    ] {
        // Where two networks happen to share a place, another process has them apart.
        let apart = (0..20).any(|_| {
            let unproven = Unproven::new(1);
            let now = Timestamp::from_secs(9);
            assert_eq!(admitted(&unproven, now, peer, 5), 1);
            assert_eq!(admitted(&unproven, now, neighbour, 5), 0, "{neighbour}");
            admitted(&unproven, now, other, 5) == 1
        });
        assert!(apart, "{other}");
    }
}

#[test]
fn this_machine_has_no_bound_and_neither_has_anybody_where_none_is_set() {
    let now = Timestamp::from_secs(9);
    for peer in ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"] {
        assert_eq!(admitted(&Unproven::new(1), now, peer, 1000), 1000, "{peer}");
    }
    assert_eq!(admitted(&Unproven::new(0), now, "192.0.2.1", 1000), 1000);
}

#[test]
fn floods_of_every_network_there_is_take_no_memory() {
    let unproven = Unproven::new(5);
    let held = unproven.places.lock().unwrap().len();
    for number in 0..200_000_u32 {
        unproven.admit(Timestamp::from_secs(9), IpAddr::V4(Ipv4Addr::from_bits(number << 8)));
    }
    assert_eq!(unproven.places.lock().unwrap().len(), held);
}

fn admitted(unproven: &Unproven, now: Timestamp, peer: &str, times: usize) -> usize {
    let peer: IpAddr = peer.parse().unwrap();
    (0..times).filter(|_| unproven.admit(now, peer)).count()
}
