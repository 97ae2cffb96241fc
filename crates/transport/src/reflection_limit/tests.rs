use std::net::{IpAddr, Ipv4Addr};

use portreeve_smi::Timestamp;

use super::ReflectionLimit;

#[test]
fn network_gets_configured_replies_per_second() {
    let limit = ReflectionLimit::new(200);
    assert_eq!(allowed(&limit, Timestamp::from_secs(9), "192.0.2.1", 100_000), 200);
    assert_eq!(allowed(&limit, Timestamp::from_secs(9), "192.0.2.77", 100), 0, "the same network");
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_004_999), "192.0.2.1", 9), 0);
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_005_000), "192.0.2.1", 9), 1);
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_500_000), "192.0.2.1", 999), 99);
    assert_eq!(allowed(&limit, Timestamp::from_secs(30), "192.0.2.1", 100_000), 200);
}

#[test]
fn flood_from_one_network_does_not_limit_others() {
    let limit = ReflectionLimit::new(10);
    let now = Timestamp::from_secs(9);
    for peer in ["198.51.100.1", "2001:db8::1"] {
        assert_eq!(allowed(&limit, now, peer, 1000), 10);
    }
    // Some of these thousand networks may share a bucket with the flooded ones.
    let others = (0..1000_u32).map(|number| IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0001 + (number << 8))));
    let answered = others.filter(|other| limit.allow(now, *other)).count();
    assert!(answered > 980, "{answered} of 1000");
}

#[test]
fn limit_applies_per_ipv4_24_and_ipv6_56() {
    for (peer, neighbour, other) in [
        ("192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.0.2.0", "::ffff:192.0.2.9", "::ffff:192.0.3.9"),
        ("2001:db8:0:ff00::1", "2001:db8:0:ffff:1::", "2001:db8:1::1"),
    ] {
        // If two networks happen to share a bucket, they do not with another hash seed.
        let apart = (0..20).any(|_| {
            let limit = ReflectionLimit::new(1);
            let now = Timestamp::from_secs(9);
            assert_eq!(allowed(&limit, now, peer, 5), 1);
            assert_eq!(allowed(&limit, now, neighbour, 5), 0, "{neighbour}");
            allowed(&limit, now, other, 5) == 1
        });
        assert!(apart, "{other}");
    }
}

#[test]
fn loopback_and_zero_limit_are_unlimited() {
    let now = Timestamp::from_secs(9);
    for peer in ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"] {
        assert_eq!(allowed(&ReflectionLimit::new(1), now, peer, 1000), 1000, "{peer}");
    }
    assert_eq!(allowed(&ReflectionLimit::new(0), now, "192.0.2.1", 1000), 1000);
}

#[test]
fn memory_is_constant_for_any_number_of_networks() {
    let limit = ReflectionLimit::new(5);
    let buckets = limit.buckets.lock().unwrap().len();
    for number in 0..200_000_u32 {
        limit.allow(Timestamp::from_secs(9), IpAddr::V4(Ipv4Addr::from_bits(number << 8)));
    }
    assert_eq!(limit.buckets.lock().unwrap().len(), buckets);
}

fn allowed(limit: &ReflectionLimit, now: Timestamp, peer: &str, times: usize) -> usize {
    let peer: IpAddr = peer.parse().unwrap();
    (0..times).filter(|_| limit.allow(now, peer)).count()
}
