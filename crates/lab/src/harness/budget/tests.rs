use std::time::Duration;

use portreeve_lab_report::sample::Variant;

use super::{Budget, Share, Shares, parse_time, short_variants};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn rounds_fill_the_share_without_the_time_of_the_preparation() {
    let share = Share::Time(seconds(100));
    assert_eq!(share.rounds(seconds(0), seconds(2)), 50);
    assert_eq!(share.rounds(seconds(40), seconds(2)), 30);
}

#[test]
fn rounds_are_at_least_three_and_at_most_a_hundred() {
    let share = Share::Time(seconds(10));
    assert_eq!(share.rounds(seconds(0), seconds(60)), 3);
    assert_eq!(share.rounds(seconds(60), seconds(1)), 3);
    assert_eq!(share.rounds(seconds(0), Duration::from_micros(1)), 100);
    assert_eq!(share.rounds(seconds(0), Duration::ZERO), 100);
}

#[test]
fn given_number_of_rounds_replaces_the_calculated_one() {
    assert_eq!(Shares::new(Budget::Rounds(7), 3, 3).next(), Share::Rounds(7));
    assert_eq!(Share::Rounds(1).rounds(seconds(0), seconds(1000)), 1);
}

#[test]
fn unused_time_is_left_for_later_experiments() {
    let mut shares = Shares::new(Budget::Time(seconds(400)), 4, 4);
    assert_eq!(shares.next(), Share::Time(seconds(100)));
    shares.subtract(seconds(10));
    assert_eq!(shares.next(), Share::Time(seconds(130)));
    shares.subtract(seconds(490));
    shares.subtract(seconds(1));
    assert_eq!(shares.next(), Share::Time(seconds(0)));
}

#[test]
fn resumed_run_has_the_time_of_the_experiments_that_have_not_begun() {
    assert_eq!(Shares::new(Budget::Time(seconds(400)), 1, 4).next(), Share::Time(seconds(100)));
    assert_eq!(Shares::new(Budget::Time(seconds(400)), 2, 4).next(), Share::Time(seconds(100)));
    assert_eq!(Shares::new(Budget::Time(seconds(400)), 0, 4).next(), Share::Time(seconds(0)));
}

#[test]
fn short_variants_take_less_than_a_quarter_of_the_mean() {
    let variant = |rows: &str| Variant::of([("rows", rows)]);
    let durations = [(variant("1"), 0.9), (variant("2"), 1.1), (variant("3"), 10.0)].into();
    assert_eq!(short_variants(&durations), [&variant("1")].into());
    assert!(short_variants(&[(variant("1"), 1.0), (variant("2"), 1.0)].into()).is_empty());
    assert!(short_variants(&[].into()).is_empty());
}

#[test]
fn times_are_parsed_with_units() {
    for (text, expected) in [("90s", 90), ("15m", 900), ("1h30m", 5400), ("600", 600), ("2h", 7200)] {
        assert_eq!(
            parse_time(text).map_err(|error| error.message().to_owned()),
            Ok(seconds(expected)),
            "{text}"
        );
    }
}

#[test]
fn invalid_times_are_rejected() {
    for text in
        ["", "0", "0s", "m", "1h30", "5d", "-1s", "1.5h", "99999999999999999999s", "9999999999999999999h"]
    {
        assert!(parse_time(text).is_err(), "{text}");
    }
}
