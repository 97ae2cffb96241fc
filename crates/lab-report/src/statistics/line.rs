//! Straight lines through measured points, by least squares.

use super::Estimate;

/// The line `y = intercept + slope · x`, fitted to points.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Number of points, at least 3.
    pub n: usize,
    /// The value for x = 0, such as the time of a session without messages.
    pub intercept: Estimate,
    /// The increase for each unit of x, such as the time of one message.
    pub slope: Estimate,
    /// Covariance of the errors of intercept and slope.
    pub covariance: f64,
    /// The share of the variation of y that the line explains, from 0 to 1.
    pub determination: f64,
}

impl Line {
    /// Fits a line to points `(x, y)`. All points have the same absolute error.
    ///
    /// Returns `None` for fewer than three points, for a single x, or if a value is not finite.
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let points: Vec<_> = points.iter().map(|(x, y)| Point { x: *x, y: *y, weight: 1.0 }).collect();
        Self::fit_points(&points)
    }

    /// Fits a line to points with the same relative error: times of long sessions vary more.
    ///
    /// A point weighs as much as its x deserves: the reciprocal of the squared median of all y with
    /// the same x, so that the noise of one y does not change its weight. Returns `None` as
    /// [`Self::fit`] does, and if a median is not positive.
    pub fn fit_relative(points: &[(f64, f64)]) -> Option<Self> {
        let mut sorted = points.to_vec();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let mut weighted = Vec::with_capacity(sorted.len());
        for group in sorted.chunk_by(|one, other| one.0 == other.0) {
            let median = group.get(group.len() / 2)?.1;
            if median <= 0.0 {
                return None;
            }
            let weight = 1.0 / (median * median);
            weighted.extend(group.iter().map(|(x, y)| Point { x: *x, y: *y, weight }));
        }
        Self::fit_points(&weighted)
    }

    /// Returns the line's value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept.value + self.slope.value * x
    }

    fn fit_points(points: &[Point]) -> Option<Self> {
        let freedom = points.len().checked_sub(2).filter(|freedom| *freedom > 0)?;
        let total: f64 = points.iter().map(|point| point.weight).sum();
        let mean = |value: fn(&Point) -> f64| {
            points.iter().map(|point| point.weight * value(point)).sum::<f64>() / total
        };
        let (mean_x, mean_y) = (mean(|point| point.x), mean(|point| point.y));
        let sum = |term: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|p| p.weight * term(p.x - mean_x, p.y - mean_y)).sum::<f64>()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        if !(xx > 0.0 && xx.is_finite() && yy.is_finite()) {
            return None;
        }
        let slope = xy / xx;
        let residuals = sum(&|x, y| (y - slope * x) * (y - slope * x));
        let variance = residuals / freedom as f64;
        let slope_variance = variance / xx;
        let intercept_variance = variance / total + mean_x * mean_x * slope_variance;
        let estimate = |value: f64, variance: f64| Estimate { value, error: variance.sqrt(), freedom };
        Some(Self {
            n: points.len(),
            intercept: estimate(mean_y - slope * mean_x, intercept_variance),
            slope: estimate(slope, slope_variance),
            covariance: -mean_x * slope_variance,
            determination: if yy > 0.0 { (1.0 - residuals / yy).clamp(0.0, 1.0) } else { 1.0 },
        })
    }
}

/// Returns the exponent of a power law `y = c · xᵉ`: the slope of the line through the logarithms.
///
/// Returns `None` as [`Line::fit`] does, and if a coordinate is not positive.
pub fn exponent(points: &[(f64, f64)]) -> Option<Estimate> {
    if !points.iter().all(|(x, y)| *x > 0.0 && *y > 0.0) {
        return None;
    }
    let logarithms: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    Some(Line::fit(&logarithms)?.slope)
}

/// A point with its weight.
struct Point {
    x: f64,
    y: f64,
    weight: f64,
}

#[cfg(test)]
mod tests;
