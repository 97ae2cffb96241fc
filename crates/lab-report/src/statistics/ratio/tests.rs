use super::*;

fn summary(values: impl IntoIterator<Item = f64>) -> Summary {
    Summary::of(&values.into_iter().collect::<Vec<_>>()).unwrap()
}

#[test]
fn ratio_of_constants_is_exact() {
    let (ratio, interval) = median_ratio(&summary([6.0; 9]), &summary([4.0; 9]), Level::P95).unwrap();
    assert_eq!((ratio, interval), (1.5, Some(Interval { low: 1.5, high: 1.5 })));
    assert_eq!(mean_ratio(&summary([6.0; 9]), &summary([4.0; 9]), Level::P99).unwrap().0, 1.5);
}

#[test]
fn interval_is_that_of_the_numerator_if_the_denominator_is_constant() {
    let top = summary((1..=20).map(f64::from));
    let (ratio, interval) = median_ratio(&top, &summary([2.0; 9]), Level::P95).unwrap();
    let interval = interval.unwrap();
    assert_eq!(ratio, 5.25);
    assert!((interval.low - 3.0).abs() < 1e-12 && (interval.high - 7.5).abs() < 1e-12, "{interval:?}");
}

#[test]
fn interval_of_the_inverse_ratio_is_the_inverse_interval() {
    let (one, other) = (summary((10..=29).map(f64::from)), summary((40..=71).map(f64::from)));
    let (ratio, interval) = median_ratio(&one, &other, Level::P95).unwrap();
    let (inverse, inverted) = median_ratio(&other, &one, Level::P95).unwrap();
    let (interval, inverted) = (interval.unwrap(), inverted.unwrap());
    assert!((ratio * inverse - 1.0).abs() < 1e-12);
    assert!((interval.low * inverted.high - 1.0).abs() < 1e-12);
    assert!((interval.high * inverted.low - 1.0).abs() < 1e-12);
    // Wider than with one of the two errors, narrower than with their sum.
    assert!(interval.low < ratio * 15.0 / one.median && interval.low > 15.0 / 62.0, "{interval:?}");
}

#[test]
fn ratio_without_a_positive_value_is_unknown() {
    assert_eq!(median_ratio(&summary([0.0; 9]), &summary([1.0; 9]), Level::P95), None);
    assert_eq!(median_ratio(&summary([1.0; 9]), &summary([0.0; 9]), Level::P95), None);
}

#[test]
fn ratio_without_intervals_has_none() {
    assert_eq!(median_ratio(&summary([3.0]), &summary([2.0; 9]), Level::P95), Some((1.5, None)));
    // The interval of values of which one is 0 has no logarithm.
    assert_eq!(median_ratio(&summary([0.0, 2.0, 9.0]), &summary([2.0; 9]), Level::P95), Some((1.0, None)));
}

#[test]
fn interval_of_few_scattered_values_is_wide_but_positive() {
    let (_, interval) = median_ratio(&summary([1.0, 2.0, 9.0]), &summary([2.0; 9]), Level::P95).unwrap();
    let interval = interval.unwrap();
    assert!(interval.low > 0.0 && interval.low < 0.1 && interval.high > 10.0, "{interval:?}");
}
