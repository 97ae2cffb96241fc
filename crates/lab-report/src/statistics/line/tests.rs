use proptest::prelude::*;

use super::*;
use crate::statistics::Level;

/// The data set Norris of the statistical reference data sets of NIST, as (x, y).
const NORRIS: [(f64, f64); 36] = [
    (0.2, 0.1),
    (337.4, 338.8),
    (118.2, 118.1),
    (884.6, 888.0),
    (10.1, 9.2),
    (226.5, 228.1),
    (666.3, 668.5),
    (996.3, 998.5),
    (448.6, 449.1),
    (777.0, 778.9),
    (558.2, 559.2),
    (0.4, 0.3),
    (0.6, 0.1),
    (775.5, 778.1),
    (666.9, 668.8),
    (338.0, 339.3),
    (447.5, 448.9),
    (11.6, 10.8),
    (556.0, 557.7),
    (228.1, 228.3),
    (995.8, 998.0),
    (887.6, 888.8),
    (120.2, 119.6),
    (0.3, 0.3),
    (0.3, 0.6),
    (556.8, 557.6),
    (339.1, 339.3),
    (887.2, 888.0),
    (999.0, 998.5),
    (779.0, 778.9),
    (11.1, 10.2),
    (118.3, 117.6),
    (229.2, 228.9),
    (669.1, 668.4),
    (448.9, 449.2),
    (0.5, 0.2),
];

#[test]
fn line_through_the_reference_data_has_the_certified_figures() {
    let line = Line::fit(&NORRIS).unwrap();
    let certified = [
        (line.intercept.value, -0.262_323_073_774_029),
        (line.intercept.error, 0.232_818_234_301_152),
        (line.slope.value, 1.002_116_818_020_45),
        (line.slope.error, 0.429_796_848_199_937e-3),
        (line.determination, 0.999_993_745_883_712),
    ];
    for (found, expected) in certified {
        assert!((found - expected).abs() < expected.abs() * 1e-10, "{found}, expected {expected}");
    }
    assert_eq!((line.n, line.slope.freedom), (36, 34));
    // The variance of the line at the mean of x is that of the mean of y: it fixes the covariance.
    let mean_x = NORRIS.iter().map(|point| point.0).sum::<f64>() / 36.0;
    let at_mean =
        line.intercept.error.powi(2) + 2.0 * mean_x * line.covariance + (mean_x * line.slope.error).powi(2);
    assert!((at_mean.sqrt() - 0.884_796_396_144_373 / 6.0).abs() < 1e-10, "{}", at_mean.sqrt());
}

#[test]
fn exact_line_has_no_error() {
    let line = Line::fit(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]).unwrap();
    assert!((line.intercept.value - 3.0).abs() < 1e-12 && (line.slope.value - 2.0).abs() < 1e-12);
    assert!(line.slope.error < 1e-12 && line.intercept.error < 1e-12);
    assert!((line.at(10.0) - 23.0).abs() < 1e-12);
    assert!((line.determination - 1.0).abs() < 1e-12);
}

#[test]
fn too_few_points_and_a_single_x_have_no_line() {
    assert_eq!(Line::fit(&[]), None);
    assert_eq!(Line::fit(&[(1.0, 1.0), (2.0, 2.0)]), None);
    assert_eq!(Line::fit(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    assert_eq!(Line::fit(&[(1.0, 1.0), (2.0, f64::NAN), (3.0, 3.0)]), None);
    assert_eq!(Line::fit_relative(&[(1.0, 0.0), (2.0, 1.0), (3.0, 2.0)]), None);
}

#[test]
fn relative_fit_finds_the_intercept_that_noise_of_large_values_hides() {
    // 1 + 0.01 x with errors of 10 %, up and down: those of x = 2000 are twice the intercept.
    let exact = |x: f64| 1.0 + 0.01 * x;
    let mut points = Vec::new();
    for (index, x) in [1.0, 5.0, 20.0, 100.0, 500.0, 1000.0, 2000.0].into_iter().enumerate() {
        let sign = if index % 3 == 0 { 1.0 } else { -1.0 };
        points.extend([0.1, -0.06, -0.04].map(|error| (x, exact(x) * (1.0 + sign * error))));
    }
    let relative = Line::fit_relative(&points).unwrap();
    assert!((relative.intercept.value - 1.0).abs() < 0.1, "{:?}", relative.intercept);
    assert!(relative.intercept.interval(Level::P95).contains(1.0));
    assert!(relative.slope.interval(Level::P95).contains(0.01), "{:?}", relative.slope);
    let absolute = Line::fit(&points).unwrap();
    assert!(absolute.intercept.error > 4.0 * relative.intercept.error);
}

#[test]
fn exponent_of_a_power_law_is_found() {
    let points: Vec<_> = [1.0, 10.0, 100.0, 1000.0_f64].map(|x| (x, 3.0 * x.powf(1.5))).to_vec();
    let found = exponent(&points).unwrap();
    assert!((found.value - 1.5).abs() < 1e-12 && found.error < 1e-7);
    assert_eq!(exponent(&[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]), None);
    assert_eq!(exponent(&[(1.0, 1.0), (2.0, -2.0), (3.0, 3.0)]), None);
}

proptest! {
    #[test]
    fn residuals_do_not_correlate_with_x(points in prop::collection::vec((0.0..100.0_f64, 0.0..100.0_f64), 3..30)) {
        let Some(line) = Line::fit(&points) else { return Ok(()) };
        let residuals = points.iter().map(|(x, y)| (x, y - line.at(*x)));
        let (sum, product) = residuals.fold((0.0, 0.0), |(sum, product), (x, rest)| (sum + rest, product + x * rest));
        let scale = 1e-6 * (1.0 + line.slope.value.abs()) * points.len() as f64;
        prop_assert!(sum.abs() < scale && product.abs() < 100.0 * scale, "{} {}", sum, product);
    }

    #[test]
    fn relative_fit_of_an_exact_line_is_the_line(
        intercept in 0.1..10.0_f64, slope in 0.01..10.0_f64, xs in prop::collection::btree_set(1..1000_u32, 3..20),
    ) {
        let points: Vec<_> = xs.into_iter().map(|x| (f64::from(x), intercept + slope * f64::from(x))).collect();
        let line = Line::fit_relative(&points).unwrap();
        prop_assert!((line.intercept.value - intercept).abs() < 1e-6 * (1.0 + slope * 1000.0));
        prop_assert!((line.slope.value - slope).abs() < 1e-6 * (1.0 + slope));
    }
}
