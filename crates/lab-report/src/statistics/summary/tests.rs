use proptest::prelude::*;

use super::*;

/// Student's own example: hours of additional sleep of ten patients.
const SLEEP: [f64; 10] = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];

#[test]
fn summary_of_students_example_has_the_published_figures() {
    let summary = Summary::of(&SLEEP).unwrap();
    assert_eq!((summary.n, summary.minimum, summary.maximum, summary.median), (10, 0.0, 4.6, 1.3));
    assert!((summary.mean - 1.58).abs() < 1e-14);
    assert!((summary.deviation - 1.229_995_483).abs() < 1e-9);
    let interval = summary.mean_interval(Level::P95).unwrap();
    assert!((interval.low - 0.700_114_2).abs() < 1e-7, "{interval:?}");
    assert!((interval.high - 2.459_885_8).abs() < 1e-7, "{interval:?}");
}

#[test]
fn median_interval_consists_of_order_statistics() {
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    let summary = Summary::of(&values).unwrap();
    assert_eq!(summary.median, 10.5);
    assert_eq!(summary.median_interval(Level::P95), Some(Interval { low: 6.0, high: 15.0 }));
    assert_eq!(summary.median_interval(Level::P99), Some(Interval { low: 4.0, high: 17.0 }));
    assert_eq!(summary.interval(Level::P95), Some((Interval { low: 6.0, high: 15.0 }, Basis::Median)));
}

#[test]
fn few_values_have_an_interval_of_the_mean_only() {
    let summary = Summary::of(&[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(summary.median_interval(Level::P95), None);
    let differences = Summary::of_differences(&[1.0, 2.0, 3.0]).unwrap();
    let (interval, basis) = differences.interval(Level::P95).unwrap();
    assert_eq!(basis, Basis::Mean);
    assert!((interval.high - (2.0 + 4.302_652_730 / 3_f64.sqrt())).abs() < 1e-8);
    assert!(interval.low < 0.0, "a difference can be negative, even if these are not");
    let single = Summary::of(&[7.0]).unwrap();
    assert_eq!((single.deviation, single.interval(Level::P95)), (0.0, None));
}

/// Logarithms to base 2 of 1, 2, 4: mean 1, deviation 1. So the bounds are 2 to the power of
/// 1 ± t/√3, where t with two degrees of freedom is 4.302652730.
#[test]
fn interval_of_few_positive_values_is_students_t_of_their_logarithms() {
    let (interval, basis) = Summary::of(&[4.0, 1.0, 2.0]).unwrap().interval(Level::P95).unwrap();
    assert_eq!(basis, Basis::Mean);
    assert!((interval.low - 0.357_462_1).abs() < 1e-6, "{interval:?}");
    assert!((interval.high - 11.189_996_7).abs() < 1e-6, "{interval:?}");
    // 99 %: t = 9.924843201.
    let (interval, _) = Summary::of(&[4.0, 1.0, 2.0]).unwrap().interval(Level::P99).unwrap();
    assert!((interval.low - 0.037_678_6).abs() < 1e-6, "{interval:?}");
}

/// Mean 2, standard error 1/√3: the bounds are 2 · exp(± t/(2·√3)).
#[test]
fn interval_of_the_mean_of_positive_values_is_one_of_its_logarithm() {
    let interval = Summary::of(&[1.0, 2.0, 3.0]).unwrap().mean_interval(Level::P95).unwrap();
    assert!((interval.low - 0.577_572_3).abs() < 1e-6, "{interval:?}");
    assert!((interval.high - 6.925_540_1).abs() < 1e-6, "{interval:?}");
    // Small errors have nearly the bounds of Student's t itself: 101 ± 4.302652730/√3.
    let interval = Summary::of(&[100.0, 101.0, 102.0]).unwrap().mean_interval(Level::P95).unwrap();
    assert!((interval.low - (101.0 - 2.484_138)).abs() < 0.04, "{interval:?}");
    assert!((interval.high - (101.0 + 2.484_138)).abs() < 0.04, "{interval:?}");
}

#[test]
fn interval_of_values_that_are_not_negative_has_no_negative_bound() {
    let summary = Summary::of(&[0.0, 1.0, 9.0]).unwrap();
    assert_eq!(summary.interval(Level::P95).unwrap().0.low, 0.0);
    assert_eq!(summary.mean_interval(Level::P99).unwrap().low, 0.0);
    assert!(Summary::of(&[-1.0, 1.0, 9.0]).unwrap().interval(Level::P95).unwrap().0.low < 0.0);
}

#[test]
fn values_are_compared_with_a_bound_by_their_interval() {
    let summary = Summary::of(&[1.1, 1.2, 1.3]).unwrap();
    assert_eq!(summary.is_above(0.9, Level::P95), Some(true));
    assert_eq!(summary.is_above(1.6, Level::P95), Some(false));
    assert_eq!(summary.is_above(1.0, Level::P99), None, "the interval contains 1");
    assert_eq!(Summary::of(&[2.0]).unwrap().is_above(1.0, Level::P95), None, "no interval");
    assert_eq!(Summary::of(&[2.0, 2.0]).unwrap().is_above(1.0, Level::P99), Some(true));
}

#[test]
fn no_values_and_values_that_are_not_finite_have_no_summary() {
    assert_eq!(Summary::of(&[]), None);
    assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
    assert_eq!(Summary::of(&[1.0, f64::INFINITY]), None);
}

#[test]
fn equal_values_have_exactly_no_deviation() {
    let summary = Summary::of(&[0.1; 7]).unwrap();
    assert_eq!((summary.mean, summary.deviation), (0.1, 0.0));
    assert!(summary.is_constant());
    assert_eq!(summary.mean_interval(Level::P99), Some(Interval { low: 0.1, high: 0.1 }));
    assert!(!Summary::of(&SLEEP).unwrap().is_constant());
}

#[test]
fn deviation_of_large_nearly_equal_values_keeps_its_digits() {
    let summary = Summary::of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
    assert!((summary.deviation - 30_f64.sqrt()).abs() < 1e-12, "{}", summary.deviation);
}

#[test]
fn quantiles_interpolate_between_the_two_closest_values() {
    let summary = Summary::of(&[40.0, 10.0, 20.0, 30.0]).unwrap();
    for (share, expected) in [(0.0, 10.0), (0.25, 17.5), (0.5, 25.0), (0.9, 37.0), (1.0, 40.0), (2.0, 40.0)] {
        assert!((summary.quantile(share) - expected).abs() < 1e-12, "{share}");
    }
}

proptest! {
    #[test]
    fn summary_does_not_depend_on_the_order(values in prop::collection::vec(-1e6..1e6_f64, 1..40)) {
        let mut reversed = values.clone();
        reversed.reverse();
        prop_assert_eq!(Summary::of(&values), Summary::of(&reversed));
    }

    #[test]
    fn statistics_lie_between_minimum_and_maximum(values in prop::collection::vec(-1e6..1e6_f64, 1..40)) {
        let summary = Summary::of(&values).unwrap();
        let slack = 1e-9;
        for value in [summary.median, summary.mean, summary.quantile(0.3)] {
            prop_assert!(summary.minimum - slack <= value && value <= summary.maximum + slack);
        }
        for level in [Level::P95, Level::P99] {
            if let Some(interval) = summary.median_interval(level) {
                prop_assert!(interval.contains(summary.median));
            }
            if let Some(interval) = summary.mean_interval(level) {
                prop_assert!(interval.low <= summary.mean && summary.mean <= interval.high);
            }
            // Small intervals of equal values are rounded.
            if let Some((interval, _)) = summary.interval(level) {
                let slack = slack * summary.median.abs().max(1.0);
                prop_assert!(interval.low - slack <= summary.median && summary.median <= interval.high + slack);
                prop_assert!(interval.low >= 0.0 || summary.minimum < 0.0);
            }
        }
    }

    #[test]
    fn summary_moves_and_scales_with_the_values(
        values in prop::collection::vec(0.0..1e3_f64, 8..40), factor in 0.5..4.0_f64, offset in -100.0..100.0_f64,
    ) {
        let one = Summary::of(&values).unwrap();
        let other = Summary::of(&values.iter().map(|value| value * factor + offset).collect::<Vec<_>>()).unwrap();
        let moved = |value: f64| value * factor + offset;
        prop_assert!((other.median - moved(one.median)).abs() < 1e-8);
        prop_assert!((other.deviation - one.deviation * factor).abs() < 1e-8);
        let differences = |summary: &Summary| Summary::of_differences(summary.sorted()).unwrap();
        let (one, other) = (differences(&one), differences(&other));
        let (one, other) = (one.mean_interval(Level::P95).unwrap(), other.mean_interval(Level::P95).unwrap());
        prop_assert!((other.low - moved(one.low)).abs() < 1e-8 && (other.high - moved(one.high)).abs() < 1e-8);
    }
}

/// Draws few times whose logarithms are about normal: the intervals must contain their median as
/// often as the level says.
#[test]
fn interval_of_few_values_contains_the_true_median_as_often_as_stated() {
    let mut state = 3_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut contained = 0;
    for _ in 0..4000 {
        let values: Vec<f64> =
            (0..3).map(|_| ((0..12).map(|_| uniform()).sum::<f64>() - 6.0).exp() * 1e-3).collect();
        let (interval, _) = Summary::of(&values).unwrap().interval(Level::P95).unwrap();
        assert!(interval.low > 0.0);
        contained += i32::from(interval.contains(1e-3));
    }
    assert!((3760..3840).contains(&contained), "{contained} of 4000");
}

/// Draws many samples of a skewed distribution: the intervals must contain its median as often as
/// their level says.
#[test]
fn median_interval_contains_the_true_median_as_often_as_stated() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut contained = 0;
    for _ in 0..4000 {
        let values: Vec<f64> = (0..20).map(|_| -uniform().ln()).collect();
        let interval = Summary::of(&values).unwrap().median_interval(Level::P95).unwrap();
        contained += i32::from(interval.contains(2_f64.ln()));
    }
    // The exact probability for 20 values is 95.86 %; the generator is fixed.
    assert!((3780..3890).contains(&contained), "{contained} of 4000");
}
