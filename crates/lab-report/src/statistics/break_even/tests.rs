use super::*;

/// A line with independent errors of intercept and slope, except for the covariance.
fn line(intercept: (f64, f64), slope: (f64, f64), covariance: f64, freedom: usize) -> Line {
    use crate::statistics::Estimate;
    Line {
        n: freedom + 2,
        intercept: Estimate { value: intercept.0, error: intercept.1, freedom },
        slope: Estimate { value: slope.0, error: slope.1, freedom },
        covariance,
        determination: 1.0,
    }
}

fn exact(intercept: f64, slope: f64) -> Line {
    line((intercept, 0.0), (slope, 0.0), 0.0, 10)
}

#[test]
fn exact_lines_cross_at_a_point() {
    // A session costs 15 ms, each message saves 0.03 ms.
    let found = break_even(&exact(0.001, 0.000_09), &exact(0.016, 0.000_06), Level::P95);
    let BreakEven::At { value, interval } = found else { panic!("{found:?}") };
    assert!((value - 500.0).abs() < 1e-9);
    assert!((interval.low - 500.0).abs() < 1e-6 && (interval.high - 500.0).abs() < 1e-6);
}

#[test]
fn lines_that_do_not_cross_say_which_one_is_cheaper() {
    let at = |first, second| break_even(&first, &second, Level::P95);
    assert_eq!(at(exact(1.0, 1.0), exact(2.0, 3.0)), BreakEven::FirstIsCheaper);
    assert_eq!(at(exact(2.0, 2.0), exact(1.0, 1.0)), BreakEven::SecondIsCheaper);
    let reversed = at(exact(3.0, 1.0), exact(1.0, 2.0));
    let BreakEven::Reversed { value, interval } = reversed else { panic!("{reversed:?}") };
    assert_eq!((value, interval), (2.0, Interval { low: 2.0, high: 2.0 }));
}

#[test]
fn equal_slopes_or_intercepts_decide_nothing() {
    let at = |first, second| break_even(&first, &second, Level::P95);
    for (first, second) in [
        (exact(1.0, 1.0), exact(1.0, 1.0)),
        (exact(1.0, 1.0), exact(1.0, 2.0)),
        (exact(2.0, 1.0), exact(1.0, 1.0)),
        (exact(1.0, 1.0), exact(2.0, 1.0)),
    ] {
        assert_eq!(at(first, second), BreakEven::NotDecided { above: None });
    }
}

/// The slopes differ by 0.1, which is far from significant: neither sign of it decides.
#[test]
fn slopes_that_differ_too_little_have_only_a_lower_bound() {
    for (slope, expected) in [(0.9, 0.902_77), (1.1, 1.129_11), (1.0, 1.003_95)] {
        let first = line((1.0, 0.1), (1.0, 0.3), 0.0, 10);
        let second = line((2.0, 0.1), (slope, 0.3), 0.0, 10);
        let found = break_even(&first, &second, Level::P95);
        let BreakEven::NotDecided { above: Some(above) } = found else { panic!("{found:?}") };
        assert!((above - expected).abs() < 1e-4, "{slope}: {above}");
        // Just significant at the bound: 1 - 0.1·x or 1 + 0.1·x against t·√(0.02 + 0.18·x²).
        let difference = second.at(above) - first.at(above);
        let error = (0.02 + 0.18 * above * above).sqrt();
        assert!((difference / error - student_t(Level::P95, 10)).abs() < 1e-9);
    }
}

/// The difference of the intercepts is 0.2 with an error of 0.14, that of the slopes is clear.
#[test]
fn intercepts_that_differ_too_little_decide_nothing() {
    for intercept in [1.2, 0.8] {
        let found = break_even(
            &line((1.0, 0.1), (1.0, 0.01), 0.0, 10),
            &line((intercept, 0.1), (0.5, 0.01), 0.0, 10),
            Level::P95,
        );
        assert_eq!(found, BreakEven::NotDecided { above: None });
    }
}

#[test]
fn interval_agrees_with_a_worked_example() {
    // rise 10, gain 2, variances 1.0 and 0.04, no covariance, t = 2.2281389 with 10 degrees.
    // a = 4 - t²·0.04, b = 20, c = 100 - t²: x = (20 ± √(400 - a·c)) / a.
    let found = break_even(
        &line((0.0, 0.6), (3.0, 0.12), 0.0, 10),
        &line((10.0, 0.8), (1.0, 0.16), 0.0, 10),
        Level::P95,
    );
    let BreakEven::At { value, interval } = found else { panic!("{found:?}") };
    assert_eq!(value, 5.0);
    let square = 2.228_138_852_f64.powi(2);
    let (a, c) = (4.0 - square * 0.04, 100.0 - square);
    let root = (400.0 - a * c).sqrt();
    assert!((interval.low - (20.0 - root) / a).abs() < 1e-8, "{interval:?}");
    assert!((interval.high - (20.0 + root) / a).abs() < 1e-8, "{interval:?}");
    // The delta method gives about the same: 5 ± t·√(1 + 25·0.04)/2.
    assert!((interval.low - 3.42).abs() < 0.4 && (interval.high - 6.58).abs() < 0.4, "{interval:?}");
}

#[test]
fn difference_is_exactly_significant_at_the_bounds() {
    let first = line((0.5, 0.2), (1.0, 0.01), -0.001, 12);
    let second = line((8.0, 0.3), (0.8, 0.012), -0.002, 15);
    for level in [Level::P95, Level::P99] {
        let BreakEven::At { interval, .. } = break_even(&first, &second, level) else { panic!() };
        for x in [interval.low, interval.high] {
            let variance = |line: &Line| {
                line.intercept.error.powi(2) + 2.0 * x * line.covariance + (x * line.slope.error).powi(2)
            };
            let error = (variance(&first) + variance(&second)).sqrt();
            let difference = (first.at(x) - second.at(x)).abs();
            assert!((difference / error - student_t(level, 12)).abs() < 1e-9, "{level:?} {x}");
        }
    }
}

/// Fits lines to points with noise, many times: the interval must contain the true break-even as
/// often as its level says.
#[test]
fn interval_contains_the_true_break_even_as_often_as_stated() {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut points = |intercept: f64, slope: f64| -> Vec<(f64, f64)> {
        let xs = (0..12).map(|step| 50.0 * f64::from(step));
        // The sum of twelve uniform values is nearly normal, with variance 1.
        xs.map(|x| (x, intercept + slope * x + (0..12).map(|_| uniform()).sum::<f64>() - 6.0)).collect()
    };
    let mut contained = 0;
    for _ in 0..2000 {
        let (first, second) = (points(1.0, 0.09), points(16.0, 0.06));
        let (first, second) = (Line::fit(&first).unwrap(), Line::fit(&second).unwrap());
        let BreakEven::At { interval, .. } = break_even(&first, &second, Level::P95) else { panic!() };
        contained += i32::from(interval.contains(500.0));
    }
    // Cautious degrees of freedom: a little more than 95 %. The generator is fixed.
    assert!((1890..1960).contains(&contained), "{contained} of 2000");
}
