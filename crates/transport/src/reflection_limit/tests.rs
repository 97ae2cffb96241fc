use std::net::{IpAddr, Ipv4Addr};

use portreeve_smi::Timestamp;

use super::ReflectionLimit;

#[test]
fn network_receives_at_most_the_configured_replies_per_second() {
    let limit = ReflectionLimit::new(200);
    assert_eq!(allowed(&limit, Timestamp::from_secs(9), "192.0.2.1", 100_000), 200);
    assert_eq!(allowed(&limit, Timestamp::from_secs(9), "192.0.2.77", 100), 0, "the same network");
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_004_999), "192.0.2.1", 9), 0);
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_005_000), "192.0.2.1", 9), 1);
    assert_eq!(allowed(&limit, Timestamp::from_micros(9_500_000), "192.0.2.1", 999), 99);
    assert_eq!(allowed(&limit, Timestamp::from_secs(30), "192.0.2.1", 100_000), 200);
}

#[test]
fn networks_at_their_limit_do_not_affect_most_other_networks() {
    let limit = ReflectionLimit::new(10);
    let now = Timestamp::from_secs(9);
    for peer in ["198.51.100.1", "2001:db8::1"] {
        assert_eq!(allowed(&limit, now, peer, 1000), 10);
    }
    // Some of these thousand networks may share a bucket with the flooded ones.
    let others = (0..1000_u32).map(|number| IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0001 + (number << 8))));
    let answered = others.filter(|other| limit.allow(now, *other, 1)).count();
    assert!(answered > 980, "{answered} of 1000");
}

#[test]
fn reply_limit_applies_to_each_ipv4_24_and_ipv6_56_network() {
    for (peer, neighbor, other) in [
        ("192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.0.2.0", "::ffff:192.0.2.9", "::ffff:192.0.3.9"),
        ("2001:db8:0:ff00::1", "2001:db8:0:ffff:1::", "2001:db8:1::1"),
    ] {
        // Two networks may share a bucket by chance, but not with every hash seed.
        let apart = (0..20).any(|_| {
            let limit = ReflectionLimit::new(1);
            let now = Timestamp::from_secs(9);
            assert_eq!(allowed(&limit, now, peer, 5), 1);
            assert_eq!(allowed(&limit, now, neighbor, 5), 0, "{neighbor}");
            allowed(&limit, now, other, 5) == 1
        });
        assert!(apart, "{other}");
    }
}

#[test]
fn replies_are_unlimited_to_loopback_or_with_a_limit_of_zero() {
    let now = Timestamp::from_secs(9);
    for peer in ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"] {
        assert_eq!(allowed(&ReflectionLimit::new(1), now, peer, 1000), 1000, "{peer}");
    }
    assert_eq!(allowed(&ReflectionLimit::new(0), now, "192.0.2.1", 1000), 1000);
}

#[test]
fn memory_is_constant_for_any_number_of_networks() {
    let limit = ReflectionLimit::new(5);
    let buckets = limit.buckets.len();
    for number in 0..200_000_u32 {
        limit.allow(Timestamp::from_secs(9), IpAddr::V4(Ipv4Addr::from_bits(number << 8)), 1);
    }
    assert_eq!(limit.buckets.len(), buckets);
}

#[test]
fn review_m5_number_of_allowed_replies_depends_on_their_length() {
    let (limit, peer) = (ReflectionLimit::new(4_000_000), "192.0.2.1".parse().unwrap());
    let now = Timestamp::from_secs(9);
    let count = |now, length| (0..100_000).filter(|_| limit.allow(now, peer, length)).count();
    assert_eq!(count(now, 1472), 4_000_000 / 1472);
    assert_eq!(count(now, 1472), 0);
    assert_eq!(count(Timestamp::from_secs(20), 100), 40_000);
}

#[test]
fn review_m5_reply_longer_than_limit_is_allowed_after_pause() {
    let (limit, peer) = (ReflectionLimit::new(500), "192.0.2.1".parse().unwrap());
    let at = |secs| limit.allow(Timestamp::from_secs(secs), peer, 1500);
    assert_eq!([9, 9, 10, 11, 12, 12].map(at), [true, false, false, false, true, false]);
}

#[test]
fn review_m5_concurrent_workers_share_the_limit() {
    let (limit, peer) = (ReflectionLimit::new(1000), "192.0.2.1".parse().unwrap());
    let count = || (0..2000).filter(|_| limit.allow(Timestamp::from_secs(9), peer, 1)).count();
    let total = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert_eq!(total, 1000);
}

fn allowed(limit: &ReflectionLimit, now: Timestamp, peer: &str, times: usize) -> usize {
    let peer: IpAddr = peer.parse().unwrap();
    (0..times).filter(|_| limit.allow(now, peer, 1)).count()
}
