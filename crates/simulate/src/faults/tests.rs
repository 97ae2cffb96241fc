use super::*;

fn percentage(percent: f64) -> Percentage {
    Percentage::from_percent(percent).unwrap()
}

fn send_times(faults: &mut FaultInjector, carrier: Carrier, now: Timestamp) -> Vec<Timestamp> {
    faults.schedule_response(carrier, now).into_iter().collect()
}

/// Returns the number of datagrams out of ten thousand for which `happens` returns true.
fn out_of_ten_thousand(conditions: NetworkConditions, happens: impl Fn(&mut FaultInjector) -> bool) -> usize {
    let mut faults = FaultInjector::new(conditions, 7);
    (0..10_000).filter(|_| happens(&mut faults)).count()
}

const NOW: Timestamp = Timestamp::from_secs(9);

#[test]
fn response_is_sent_once_without_delay_by_default() {
    let mut faults = FaultInjector::new(NetworkConditions::default(), 1);
    for carrier in [Carrier::Datagram, Carrier::Record, Carrier::Stream] {
        assert!(faults.accepts_request(carrier));
        assert_eq!(send_times(&mut faults, carrier, NOW), [NOW]);
    }
}

#[test]
fn loss_rate_applies_to_requests_and_to_responses() {
    let conditions = NetworkConditions { loss: percentage(5.0), ..NetworkConditions::default() };
    let requests = out_of_ten_thousand(conditions, |faults| !faults.accepts_request(Carrier::Datagram));
    let responses =
        out_of_ten_thousand(conditions, |faults| send_times(faults, Carrier::Datagram, NOW).is_empty());
    for lost in [requests, responses] {
        assert!((400..600).contains(&lost), "{lost}");
    }
    let all = NetworkConditions { loss: percentage(100.0), ..NetworkConditions::default() };
    assert_eq!(out_of_ten_thousand(all, |faults| faults.accepts_request(Carrier::Datagram)), 0);
}

#[test]
fn configured_share_of_responses_is_duplicated_or_reordered() {
    let twice = NetworkConditions { duplicate: percentage(2.0), ..NetworkConditions::default() };
    let doubled =
        out_of_ten_thousand(twice, |faults| send_times(faults, Carrier::Datagram, NOW) == [NOW, NOW]);
    assert!((140..260).contains(&doubled), "{doubled}");
    let delayed = NetworkConditions { reorder: percentage(2.0), ..NetworkConditions::default() };
    let overtaken = out_of_ten_thousand(delayed, |faults| {
        send_times(faults, Carrier::Datagram, NOW) == [NOW + REORDER_DELAY]
    });
    assert!((140..260).contains(&overtaken), "{overtaken}");
}

#[test]
fn response_delay_is_between_delay_and_delay_plus_jitter() {
    let (delay, jitter) = (Duration::from_millis(100), Duration::from_millis(50));
    let mut faults =
        FaultInjector::new(NetworkConditions { delay, jitter, ..NetworkConditions::default() }, 3);
    let times: Vec<_> =
        (0..1000).map(|_| send_times(&mut faults, Carrier::Datagram, NOW)[0].since(NOW)).collect();
    let (shortest, longest) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
    assert!((delay..delay + Duration::from_millis(2)).contains(&shortest), "{shortest:?}");
    assert!((delay + Duration::from_millis(48)..=delay + jitter).contains(&longest), "{longest:?}");
}

#[test]
fn responses_over_streams_are_not_lost_duplicated_or_reordered() {
    let conditions = NetworkConditions {
        loss: percentage(50.0),
        duplicate: percentage(50.0),
        reorder: percentage(50.0),
        jitter: Duration::from_millis(50),
        ..NetworkConditions::default()
    };
    let mut faults = FaultInjector::new(conditions, 3);
    let mut last = Timestamp::ZERO;
    for milliseconds in 0..1000 {
        let now = NOW + Duration::from_millis(milliseconds);
        assert!(faults.accepts_request(Carrier::Stream));
        let send_times = send_times(&mut faults, Carrier::Stream, now);
        assert_eq!(send_times.len(), 1);
        assert!(send_times[0] >= last.max(now));
        last = send_times[0];
    }
}

#[test]
fn same_seed_causes_the_same_faults() {
    let conditions = NetworkConditions {
        loss: percentage(10.0),
        duplicate: percentage(10.0),
        reorder: percentage(10.0),
        jitter: Duration::from_millis(50),
        ..NetworkConditions::default()
    };
    let day = |seed| {
        let mut faults = FaultInjector::new(conditions, seed);
        (0..200).map(|_| faults.schedule_response(Carrier::Datagram, NOW)).collect::<Vec<_>>()
    };
    assert_eq!(day(5), day(5));
    assert_ne!(day(5), day(6));
}

#[test]
fn percentage_outside_0_to_100_is_rejected() {
    for percent in [-0.1, 100.1, f64::NAN, f64::INFINITY] {
        assert_eq!(Percentage::from_percent(percent), None, "{percent}");
    }
    assert_eq!(percentage(0.5), Percentage(5_000));
    assert_eq!(percentage(100.0), Percentage(MILLION));
}

#[test]
fn faults_not_possible_over_a_transport_are_skipped_and_reported() {
    let all = percentage(100.0);
    let twice = NetworkConditions { duplicate: all, ..NetworkConditions::default() };
    let lost = NetworkConditions { loss: all, ..NetworkConditions::default() };
    assert_eq!(send_times(&mut FaultInjector::new(twice, 1), Carrier::Record, NOW), [NOW]);
    assert_eq!(send_times(&mut FaultInjector::new(lost, 1), Carrier::Record, NOW), []);
    use TransportDomain::{Dtls, Ssh, Tcp, Tls, Udp};
    for domain in [Udp, Tcp, Ssh, Tls, Dtls] {
        let messages = |conditions: NetworkConditions| conditions.unsupported_over(domain).is_some();
        assert_eq!(messages(lost), matches!(domain, Tcp | Ssh | Tls), "{domain}");
        assert_eq!(messages(twice), domain != Udp, "{domain}");
        assert!(!messages(NetworkConditions {
            delay: Duration::from_millis(1),
            ..NetworkConditions::default()
        }));
    }
}
