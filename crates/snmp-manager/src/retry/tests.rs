use portreeve_smi::Timestamp;

use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

/// A request that nothing else was on its way with has been answered.
fn answered(round_trips: &mut RoundTrips, round_trip: Duration) {
    let number = round_trips.leaves();
    round_trips.sample(number, round_trip);
}

#[test]
fn the_first_wait_is_a_quarter_of_a_second_and_the_first_sample_replaces_it() {
    let mut round_trips = RoundTrips::default();
    assert_eq!(round_trips.timeout(), 250 * MILLISECOND);
    answered(&mut round_trips, 100 * MILLISECOND);
    assert_eq!(round_trips.timeout(), 300 * MILLISECOND);
}

#[test]
fn steady_round_trips_bring_the_wait_down_to_a_millisecond_above_them() {
    for (round_trip, expected) in [(40, 1_040), (900, 1_900), (5_000, 6_000)] {
        let mut round_trips = RoundTrips::default();
        for _ in 0..100 {
            answered(&mut round_trips, Duration::from_micros(round_trip));
        }
        let wait = round_trips.timeout().as_micros();
        assert!(wait.abs_diff(expected) < 10, "{round_trip} µs: {wait} µs");
    }
}

#[test]
fn the_first_waits_are_multiples_of_the_longest_round_trip_and_no_longer_than_without_any() {
    let mut round_trips = RoundTrips::default();
    let waits: Vec<u128> = (0..10)
        .map(|_| {
            answered(&mut round_trips, MILLISECOND);
            round_trips.timeout().as_millis()
        })
        .collect();
    assert_eq!(waits, [49, 13, 6, 4, 3, 2, 2, 2, 2, 2]);
    let mut round_trips = RoundTrips::default();
    answered(&mut round_trips, 20 * MILLISECOND);
    assert_eq!(round_trips.timeout(), 250 * MILLISECOND);
}

#[test]
fn the_quickest_answers_of_a_burst_shorten_no_wait() {
    let mut round_trips = RoundTrips::default();
    let mut on_their_way: Vec<u32> = (0..16).map(|_| round_trips.leaves()).collect();
    for milliseconds in 1..16 {
        // The latest is answered first, and another one takes its place.
        let quickest = on_their_way.pop().unwrap();
        round_trips.sample(quickest, milliseconds * MILLISECOND);
        assert_eq!(round_trips.timeout(), 250 * MILLISECOND, "{milliseconds} of 16");
        on_their_way.insert(0, round_trips.leaves());
    }
}

#[test]
fn waits_double_and_those_too_short_are_not_tried_again_until_a_round_trip_is_measured() {
    let mut round_trips = RoundTrips::default();
    answered(&mut round_trips, Duration::ZERO);
    let mut timer = RetryTimer::new(RetryPolicy::adaptive(Duration::from_secs(1)));
    let mut now = Timestamp::from_secs(1);
    for expected in [1, 2, 4, 8] {
        timer.sent(now, &mut round_trips);
        assert_eq!(timer.expires(), Some(now + expected * MILLISECOND));
        now = now + expected * MILLISECOND;
    }
    timer.answered(now, &mut round_trips);
    assert_eq!(round_trips.timeout(), 4 * MILLISECOND, "Karn's rule: no sample");
    answered(&mut round_trips, Duration::ZERO);
    assert_eq!(round_trips.timeout(), MILLISECOND);
}

#[test]
fn the_deadline_counts_from_the_first_sending() {
    let mut round_trips = RoundTrips::default();
    let mut timer = RetryTimer::new(RetryPolicy::adaptive(Duration::from_secs(1)));
    let start = Timestamp::from_secs(5);
    let mut now = start;
    let mut sendings = 0;
    loop {
        timer.sent(now, &mut round_trips);
        sendings += 1;
        now = timer.expires().unwrap();
        match timer.verdict(now) {
            Verdict::SendAgain => {}
            verdict => break assert_eq!(verdict, Verdict::GiveUp),
        }
    }
    assert_eq!((now, sendings), (start + Duration::from_secs(1), 3));
}

#[test]
fn a_needless_sending_keeps_waits_above_the_answer_it_did_not_wait_for() {
    let mut round_trips = RoundTrips::default();
    for _ in 0..50 {
        answered(&mut round_trips, Duration::from_micros(40));
    }
    round_trips.was_needless(40 * MILLISECOND);
    for _ in 0..50 {
        answered(&mut round_trips, Duration::from_micros(40));
    }
    assert!(round_trips.timeout() > 40 * MILLISECOND, "{:?}", round_trips.timeout());
    for _ in 0..3000 {
        answered(&mut round_trips, Duration::from_micros(40));
    }
    assert!(round_trips.timeout() < 2 * MILLISECOND, "it fades");
}

#[test]
fn fixed_waits_do_not_change() {
    let mut round_trips = RoundTrips::default();
    answered(&mut round_trips, 40 * MILLISECOND);
    let mut timer = RetryTimer::new(RetryPolicy::fixed(10 * MILLISECOND, 1));
    let now = Timestamp::from_secs(1);
    timer.sent(now, &mut round_trips);
    let now = now + 10 * MILLISECOND;
    assert_eq!(timer.verdict(now), Verdict::SendAgain);
    timer.sent(now, &mut round_trips);
    assert_eq!(timer.verdict(now + 9 * MILLISECOND), Verdict::Wait);
    assert_eq!(timer.verdict(now + 10 * MILLISECOND), Verdict::GiveUp);
}
