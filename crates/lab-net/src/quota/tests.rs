use super::*;

#[test]
fn quota_is_the_stated_part_of_its_period_and_not_below_the_minimum() {
    for (cores, quota, period) in [
        (1.0, 10_000, 10_000),
        (0.5, 5_000, 10_000),
        (0.1, 1_000, 10_000),
        (0.05, 1_000, 20_000),
        (0.001, 1_000, 1_000_000),
        (4.0, 40_000, 10_000),
    ] {
        assert_eq!(quota_and_period(cores), (quota, period), "{cores}");
    }
}

#[test]
fn throttling_of_both_versions_is_parsed() {
    let expected = Throttling { periods: 21, throttled: 20, waited: Duration::from_micros(1_500_000) };
    let one = "nr_periods 21\nnr_throttled 20\nthrottled_time 1500000000\nnr_bursts 0\n";
    assert_eq!(parse_throttling(one), expected);
    let two = "usage_usec 17\nuser_usec 1\nnr_periods 21\nnr_throttled 20\nthrottled_usec 1500000\n";
    assert_eq!(parse_throttling(two), expected);
    assert_eq!(parse_throttling("text"), Throttling::default());
}
