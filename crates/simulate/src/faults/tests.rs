use super::*;

fn share(percent: f64) -> Share {
    Share::percent(percent).unwrap()
}

fn departures(faults: &mut Faults, carrier: Carrier, now: Timestamp) -> Vec<Timestamp> {
    faults.schedule(carrier, now).into_iter().collect()
}

/// How many of ten thousand datagrams something happens to.
fn out_of_ten_thousand(conditions: Conditions, happens: impl Fn(&mut Faults) -> bool) -> usize {
    let mut faults = Faults::new(conditions, 7);
    (0..10_000).filter(|_| happens(&mut faults)).count()
}

const NOW: Timestamp = Timestamp::from_secs(9);

#[test]
fn without_faults_every_answer_leaves_at_once_and_once() {
    let mut faults = Faults::new(Conditions::default(), 1);
    for carrier in [Carrier::Datagram, Carrier::Record, Carrier::Stream] {
        assert!(faults.let_in(carrier));
        assert_eq!(departures(&mut faults, carrier, NOW), [NOW]);
    }
}

#[test]
fn as_many_datagrams_are_lost_as_was_asked_for_each_way() {
    let conditions = Conditions { loss: share(5.0), ..Conditions::default() };
    let requests = out_of_ten_thousand(conditions, |faults| !faults.let_in(Carrier::Datagram));
    let answers =
        out_of_ten_thousand(conditions, |faults| departures(faults, Carrier::Datagram, NOW).is_empty());
    for lost in [requests, answers] {
        assert!((400..600).contains(&lost), "{lost}");
    }
    let all = Conditions { loss: share(100.0), ..Conditions::default() };
    assert_eq!(out_of_ten_thousand(all, |faults| faults.let_in(Carrier::Datagram)), 0);
}

#[test]
fn doubled_and_overtaken_answers_are_as_many_as_was_asked_for() {
    let twice = Conditions { duplicate: share(2.0), ..Conditions::default() };
    let doubled =
        out_of_ten_thousand(twice, |faults| departures(faults, Carrier::Datagram, NOW) == [NOW, NOW]);
    assert!((140..260).contains(&doubled), "{doubled}");
    let late = Conditions { disorder: share(2.0), ..Conditions::default() };
    let overtaken =
        out_of_ten_thousand(late, |faults| departures(faults, Carrier::Datagram, NOW) == [NOW + HELD_BACK]);
    assert!((140..260).contains(&overtaken), "{overtaken}");
}

#[test]
fn delay_and_jitter_keep_within_their_bounds() {
    let (delay, jitter) = (Duration::from_millis(100), Duration::from_millis(50));
    let mut faults = Faults::new(Conditions { delay, jitter, ..Conditions::default() }, 3);
    let times: Vec<_> =
        (0..1000).map(|_| departures(&mut faults, Carrier::Datagram, NOW)[0].since(NOW)).collect();
    let (least, most) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
    assert!((delay..delay + Duration::from_millis(2)).contains(&least), "{least:?}");
    assert!((delay + Duration::from_millis(48)..=delay + jitter).contains(&most), "{most:?}");
}

#[test]
fn a_stream_keeps_its_order_and_loses_nothing() {
    let conditions = Conditions {
        loss: share(50.0),
        duplicate: share(50.0),
        disorder: share(50.0),
        jitter: Duration::from_millis(50),
        ..Conditions::default()
    };
    let mut faults = Faults::new(conditions, 3);
    let mut last = Timestamp::ZERO;
    for milliseconds in 0..1000 {
        let now = NOW + Duration::from_millis(milliseconds);
        assert!(faults.let_in(Carrier::Stream));
        let departures = departures(&mut faults, Carrier::Stream, now);
        assert_eq!(departures.len(), 1);
        assert!(departures[0] >= last.max(now));
        last = departures[0];
    }
}

#[test]
fn the_same_seed_brings_the_same_day() {
    let conditions = Conditions {
        loss: share(10.0),
        duplicate: share(10.0),
        disorder: share(10.0),
        jitter: Duration::from_millis(50),
        ..Conditions::default()
    };
    let day = |seed| {
        let mut faults = Faults::new(conditions, seed);
        (0..200).map(|_| faults.schedule(Carrier::Datagram, NOW)).collect::<Vec<_>>()
    };
    assert_eq!(day(5), day(5));
    assert_ne!(day(5), day(6));
}

#[test]
fn a_share_is_a_percentage() {
    for percent in [-0.1, 100.1, f64::NAN, f64::INFINITY] {
        assert_eq!(Share::percent(percent), None, "{percent}");
    }
    assert_eq!(share(0.5), Share(5_000));
    assert_eq!(share(100.0), Share(MILLION));
}

#[test]
fn what_cannot_happen_over_a_transport_does_not_and_is_told() {
    let all = share(100.0);
    let twice = Conditions { duplicate: all, ..Conditions::default() };
    let lost = Conditions { loss: all, ..Conditions::default() };
    assert_eq!(departures(&mut Faults::new(twice, 1), Carrier::Record, NOW), [NOW]);
    assert_eq!(departures(&mut Faults::new(lost, 1), Carrier::Record, NOW), []);
    use TransportDomain::{Dtls, Ssh, Tcp, Tls, Udp};
    for domain in [Udp, Tcp, Ssh, Tls, Dtls] {
        let told = |conditions: Conditions| conditions.impossible_over(domain).is_some();
        assert_eq!(told(lost), matches!(domain, Tcp | Ssh | Tls), "{domain}");
        assert_eq!(told(twice), domain != Udp, "{domain}");
        assert!(!told(Conditions { delay: Duration::from_millis(1), ..Conditions::default() }));
    }
}
