//! The median of some values, without the other parts of a summary.

use super::Summary;

/// Returns the median as in reports: the middle value, or the mean of the two middle values. NaN if
/// there are no values, or if one is not finite.
pub fn median(values: &[f64]) -> f64 {
    Summary::of(values).map_or(f64::NAN, |summary| summary.median)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn median_of_an_even_number_of_values_is_the_mean_of_the_two_in_the_middle() {
        assert_eq!(median(&[9.0, 1.0]), 5.0);
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert!(median(&[]).is_nan() && median(&[f64::NAN]).is_nan());
    }
}
