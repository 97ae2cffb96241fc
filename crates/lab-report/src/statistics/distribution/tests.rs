use super::*;

/// Quantiles of Student's t from published tables.
const QUANTILES: [(Level, usize, f64); 18] = [
    (Level::P95, 1, 12.706_204_736),
    (Level::P95, 2, 4.302_652_730),
    (Level::P95, 3, 3.182_446_305),
    (Level::P95, 4, 2.776_445_105),
    (Level::P95, 5, 2.570_581_836),
    (Level::P95, 9, 2.262_157_163),
    (Level::P95, 10, 2.228_138_852),
    (Level::P95, 19, 2.093_024_054),
    (Level::P95, 30, 2.042_272_456),
    (Level::P95, 100, 1.983_971_519),
    (Level::P95, 1000, 1.962_339_081),
    (Level::P99, 1, 63.656_741_163),
    (Level::P99, 2, 9.924_843_201),
    (Level::P99, 5, 4.032_142_984),
    (Level::P99, 10, 3.169_272_673),
    (Level::P99, 19, 2.860_934_606),
    (Level::P99, 30, 2.749_995_654),
    (Level::P99, 100, 2.625_890_521),
];

#[test]
fn student_t_agrees_with_published_tables() {
    for (level, freedom, expected) in QUANTILES {
        let found = student_t(level, freedom);
        assert!((found - expected).abs() < 2e-9, "{level:?} {freedom}: {found}, expected {expected}");
    }
}

#[test]
fn student_t_is_continuous_between_its_two_methods() {
    for level in [Level::P95, Level::P99] {
        let exact = solve(level, MAX_EXACT);
        let expanded = expansion(level.normal_quantile(), MAX_EXACT as f64);
        assert!((exact - expanded).abs() < 1e-10, "{level:?}: {exact} {expanded}");
        assert!(student_t(level, MAX_EXACT + 1) < exact);
        assert!((student_t(level, usize::MAX) - level.normal_quantile()).abs() < 1e-12);
    }
}

#[test]
fn student_t_falls_with_the_degrees_of_freedom() {
    for level in [Level::P95, Level::P99] {
        assert!((1..500).all(|freedom| student_t(level, freedom) > student_t(level, freedom + 1)));
    }
    assert_eq!(student_t(Level::P95, 0), student_t(Level::P95, 1));
}

/// Ranks from 1, as tables of the sign test print them.
type Ranks = Option<(usize, usize)>;

const RANKS: [(Level, usize, Ranks); 14] = [
    (Level::P95, 0, None),
    (Level::P95, 5, None),
    (Level::P95, 6, Some((1, 6))),
    (Level::P95, 8, Some((1, 8))),
    (Level::P95, 9, Some((2, 8))),
    (Level::P95, 10, Some((2, 9))),
    (Level::P95, 20, Some((6, 15))),
    (Level::P95, 30, Some((10, 21))),
    (Level::P95, 50, Some((18, 33))),
    (Level::P95, 100, Some((40, 61))),
    (Level::P99, 7, None),
    (Level::P99, 8, Some((1, 8))),
    (Level::P99, 10, Some((1, 10))),
    (Level::P99, 20, Some((4, 17))),
];

#[test]
fn median_ranks_agree_with_published_tables() {
    for (level, n, expected) in RANKS {
        let found = median_ranks(level, n).map(|(low, high)| (low + 1, high + 1));
        assert_eq!(found, expected, "{level:?} {n}");
    }
}

#[test]
fn median_ranks_are_symmetric_and_cover_enough_and_no_more() {
    for level in [Level::P95, Level::P99] {
        for n in 8..60_usize {
            let (low, high) = median_ranks(level, n).unwrap();
            assert_eq!(low + high, n - 1, "{n}");
            assert!(coverage(n, low) >= level.probability(), "{n}");
            assert!(coverage(n, low + 1) < level.probability(), "{n}");
        }
    }
}

#[test]
fn median_ranks_of_many_values_follow_the_normal_distribution() {
    let n = 1_000_000;
    let (low, _) = median_ranks(Level::P95, n).unwrap();
    let expected = (n as f64 - 1.959_964 * (n as f64).sqrt()) / 2.0;
    assert!((low as f64 - expected).abs() < 2.0, "{low} {expected}");
}

/// The probability that the median lies between the ranks `low` and `n - 1 - low`, in integers.
fn coverage(n: usize, low: usize) -> f64 {
    let mut binomial = 1_u128;
    let mut outside = 0_u128;
    for k in 0..=low {
        outside += binomial;
        binomial = binomial * (n - k) as u128 / (k + 1) as u128;
    }
    1.0 - 2.0 * outside as f64 / 2_f64.powi(n as i32)
}
