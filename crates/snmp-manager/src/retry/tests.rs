use portreeve_smi::Timestamp;

use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Records a response to a request that was alone in flight.
fn add_sample(rtt: &mut RttEstimator, round_trip: Duration) {
    let number = rtt.on_first_send();
    rtt.sample(number, round_trip);
}

#[test]
fn timeout_is_250_ms_before_first_rtt_sample_and_three_rtts_after_it() {
    let mut rtt = RttEstimator::default();
    assert_eq!(rtt.timeout(), 250 * MILLISECOND);
    add_sample(&mut rtt, 100 * MILLISECOND);
    assert_eq!(rtt.timeout(), 300 * MILLISECOND);
}

#[test]
fn timeout_converges_to_steady_rtt_plus_1_ms() {
    for (round_trip, expected) in [(40, 1_040), (900, 1_900), (5_000, 6_000)] {
        let mut rtt = RttEstimator::default();
        for _ in 0..100 {
            add_sample(&mut rtt, Duration::from_micros(round_trip));
        }
        let wait = rtt.timeout().as_micros();
        assert!(wait.abs_diff(expected) < 10, "{round_trip} µs: {wait} µs");
    }
}

#[test]
fn first_timeouts_are_multiples_of_longest_rtt_and_at_most_250_ms() {
    let mut rtt = RttEstimator::default();
    let waits: Vec<u128> = (0..10)
        .map(|_| {
            add_sample(&mut rtt, MILLISECOND);
            rtt.timeout().as_millis()
        })
        .collect();
    assert_eq!(waits, [49, 13, 6, 4, 3, 2, 2, 2, 2, 2]);
    let mut rtt = RttEstimator::default();
    add_sample(&mut rtt, 20 * MILLISECOND);
    assert_eq!(rtt.timeout(), 250 * MILLISECOND);
}

#[test]
fn first_responses_of_a_burst_do_not_shorten_timeout() {
    let mut rtt = RttEstimator::default();
    let mut in_flight: Vec<u32> = (0..16).map(|_| rtt.on_first_send()).collect();
    for milliseconds in 1..16 {
        // The newest request is answered first, and then another request is sent.
        let quickest = in_flight.pop().unwrap();
        rtt.sample(quickest, milliseconds * MILLISECOND);
        assert_eq!(rtt.timeout(), 250 * MILLISECOND, "{milliseconds} of 16");
        in_flight.insert(0, rtt.on_first_send());
    }
}

#[test]
fn each_retransmission_doubles_timeout_until_next_rtt_sample() {
    let mut rtt = RttEstimator::default();
    add_sample(&mut rtt, Duration::ZERO);
    let mut timer = RetryTimer::new(RetryPolicy::adaptive(Duration::from_secs(1)));
    let mut now = Timestamp::from_secs(1);
    for expected in [1, 2, 4, 8] {
        timer.on_sent(now, &mut rtt);
        assert_eq!(timer.expires(), Some(now + expected * MILLISECOND));
        now = now + expected * MILLISECOND;
    }
    timer.on_response(now, &mut rtt);
    assert_eq!(rtt.timeout(), 4 * MILLISECOND, "Karn's rule: no sample");
    add_sample(&mut rtt, Duration::ZERO);
    assert_eq!(rtt.timeout(), MILLISECOND);
}

#[test]
fn adaptive_policy_gives_up_at_deadline_counted_from_first_transmission() {
    let mut rtt = RttEstimator::default();
    let mut timer = RetryTimer::new(RetryPolicy::adaptive(Duration::from_secs(1)));
    let start = Timestamp::from_secs(5);
    let mut now = start;
    let mut sendings = 0;
    loop {
        timer.on_sent(now, &mut rtt);
        sendings += 1;
        now = timer.expires().unwrap();
        match timer.action(now) {
            RetryAction::Resend => {}
            action => break assert_eq!(action, RetryAction::GiveUp),
        }
    }
    assert_eq!((now, sendings), (start + Duration::from_secs(1), 3));
}

#[test]
fn needless_retransmission_raises_timeout_temporarily() {
    let mut rtt = RttEstimator::default();
    for _ in 0..50 {
        add_sample(&mut rtt, Duration::from_micros(40));
    }
    rtt.on_needless_retransmission(40 * MILLISECOND);
    for _ in 0..50 {
        add_sample(&mut rtt, Duration::from_micros(40));
    }
    assert!(rtt.timeout() > 40 * MILLISECOND, "{:?}", rtt.timeout());
    for _ in 0..3000 {
        add_sample(&mut rtt, Duration::from_micros(40));
    }
    assert!(rtt.timeout() < 2 * MILLISECOND, "it fades");
}

#[test]
fn fixed_policy_ignores_rtt_and_gives_up_after_configured_retries() {
    let mut rtt = RttEstimator::default();
    add_sample(&mut rtt, 40 * MILLISECOND);
    let mut timer = RetryTimer::new(RetryPolicy::fixed(10 * MILLISECOND, 1));
    let now = Timestamp::from_secs(1);
    timer.on_sent(now, &mut rtt);
    let now = now + 10 * MILLISECOND;
    assert_eq!(timer.action(now), RetryAction::Resend);
    timer.on_sent(now, &mut rtt);
    assert_eq!(timer.action(now + 9 * MILLISECOND), RetryAction::Wait);
    assert_eq!(timer.action(now + 10 * MILLISECOND), RetryAction::GiveUp);
}
