//! The two distributions that the intervals need: Student's t, and the ranks around a median.

use std::f64::consts::PI;

use super::Level;

/// Returns the quantile of Student's t that bounds `level` of the distribution on both sides.
///
/// `freedom` is the number of degrees of freedom. 0 counts as 1.
pub fn student_t(level: Level, freedom: usize) -> f64 {
    let probability = level.probability();
    match freedom {
        0 | 1 => (probability * PI / 2.0).tan(),
        2 => probability * (2.0 / (1.0 - probability * probability)).sqrt(),
        3..=MAX_EXACT => solve(level, freedom),
        _ => expansion(level.normal_quantile(), freedom as f64),
    }
}

/// Returns the ranks, from 0, of the order statistics that bound the median of `n` values.
///
/// The interval contains the median with at least the probability of `level`, whatever the
/// distribution of the values. Returns `None` if `n` values are too few: fewer than 6 for 95 %, and
/// fewer than 8 for 99 %.
pub fn median_ranks(level: Level, n: usize) -> Option<(usize, usize)> {
    // Each value is below the median with probability 1/2, independently. `r` of them can be
    // skipped at each end while the probability of at most `r` values on one side stays below half
    // of what the level excludes. Weights are relative to the middle, so that none overflows.
    let middle = n / 2;
    let mut lower = vec![1.0];
    let mut weight = 1.0;
    for k in (1..=middle).rev() {
        weight *= k as f64 / (n - k + 1) as f64;
        lower.push(weight);
    }
    lower.reverse();
    let below: f64 = lower.iter().sum();
    // For an odd `n` each weight occurs twice; for an even `n` the middle occurs once.
    let total = if n.is_multiple_of(2) { 2.0 * below - 1.0 } else { 2.0 * below };
    let excluded = (1.0 - level.probability()) / 2.0 * total;
    let mut sum = 0.0;
    let mut skipped = 0_usize;
    for weight in lower {
        sum += weight;
        if sum > excluded {
            break;
        }
        skipped += 1;
    }
    let low = skipped.checked_sub(1)?;
    Some((low, n.checked_sub(skipped)?))
}

/// Solves the equation for the quantile with Newton's method.
///
/// The quantile of the normal distribution is smaller, and the function is concave: so the steps
/// approach the solution from below.
fn solve(level: Level, freedom: usize) -> f64 {
    let mut t = level.normal_quantile();
    for _ in 0..MAX_STEPS {
        let step = (level.probability() - two_sided(t, freedom)) / (2.0 * density(t, freedom));
        t += step;
        if step.abs() < t * 1e-15 {
            break;
        }
    }
    t
}

/// The probability of `-t..t`: the finite sum that exists for whole degrees of freedom.
fn two_sided(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = !freedom.is_multiple_of(2);
    let (mut term, first) = if is_odd { (cosine, 2) } else { (1.0, 1) };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    for k in (first..freedom.saturating_sub(2)).step_by(2) {
        term *= cosine * cosine * k as f64 / (k + 1) as f64;
        sum += term;
    }
    if is_odd { (angle + sine * sum) * 2.0 / PI } else { sine * sum }
}

/// The density of Student's t.
fn density(t: f64, freedom: usize) -> f64 {
    // gamma((n + 1) / 2) / gamma(n / 2), from the values for 1 and 2.
    let is_odd = !freedom.is_multiple_of(2);
    let (mut gammas, first) = if is_odd { (1.0 / PI.sqrt(), 1) } else { (PI.sqrt() / 2.0, 2) };
    for k in (first..freedom).step_by(2) {
        gammas *= (k + 1) as f64 / k as f64;
    }
    let n = freedom as f64;
    gammas / (n * PI).sqrt() * (1.0 + t * t / n).powf(-(n + 1.0) / 2.0)
}

/// The expansion around the quantile `z` of the normal distribution, for many degrees of freedom.
fn expansion(z: f64, n: f64) -> f64 {
    let square = z * z;
    let first = z * (square + 1.0) / 4.0;
    let second = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    let fourth =
        z * ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92_160.0;
    z + (first + (second + (third + fourth / n) / n) / n) / n
}

/// Above this number of degrees of freedom, the error of the expansion is below 10⁻¹⁰.
const MAX_EXACT: usize = 200;

/// Newton's method needs fewer than ten steps.
const MAX_STEPS: usize = 50;

#[cfg(test)]
mod tests;
