//! The least-squares fit of a cost: a fixed part, a part for each exchange, and one for each
//! variable.

use portreeve_lab_report::statistics::Summary;
use serde::{Deserialize, Serialize};

/// A cost of a session: `setup + exchange · exchanges + variable · variables`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Cost {
    pub(super) setup: f64,
    pub(super) exchange: f64,
    pub(super) variable: f64,
}

impl Cost {
    /// Returns the cost of a session.
    pub(super) fn of(&self, exchanges: f64, variables: f64) -> f64 {
        self.setup + self.exchange * exchanges + self.variable * variables
    }

    /// Returns the cost of one exchange with this number of variables.
    pub(super) fn of_exchange(&self, variables: f64) -> f64 {
        self.exchange + self.variable * variables
    }
}

/// A measured session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) exchanges: f64,
    pub(super) variables: f64,
    pub(super) cost: f64,
}

/// Fits the three parts to measured sessions. All points have the same relative error, as in
/// `Line::fit_relative`: a point weighs the reciprocal of the squared median of all sessions of its
/// kind, so that the noise of one cost does not change its weight.
///
/// Returns `None` if the points do not determine the parts, for example if all sessions have the
/// same number of variables in an exchange, or if a median is not positive.
pub(super) fn fit(points: &[Point]) -> Option<Cost> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|one, other| {
        let by_kind =
            one.exchanges.total_cmp(&other.exchanges).then(one.variables.total_cmp(&other.variables));
        by_kind.then(one.cost.total_cmp(&other.cost))
    });
    let is_same_kind =
        |one: &Point, other: &Point| (one.exchanges, one.variables) == (other.exchanges, other.variables);
    let mut matrix = [[0.0; 4]; 3];
    for kind in sorted.chunk_by(is_same_kind) {
        let median = Summary::of(&kind.iter().map(|point| point.cost).collect::<Vec<_>>())?.median;
        if median <= 0.0 {
            return None;
        }
        let weight = 1.0 / (median * median);
        for Point { exchanges, variables, cost } in kind {
            let row = [1.0, *exchanges, *variables, *cost];
            for (line, factor) in matrix.iter_mut().zip(row) {
                line.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * factor * value);
            }
        }
    }
    let [setup, exchange, variable] = solve(matrix)?;
    Some(Cost { setup, exchange, variable })
}

/// Solves three equations by elimination with pivots.
fn solve(mut matrix: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    // Sums differ by many orders of magnitude: each equation is divided by its largest factor.
    for line in &mut matrix {
        let largest = line.iter().take(3).fold(0.0, |largest: f64, value| largest.max(value.abs()));
        if largest == 0.0 {
            return None;
        }
        line.iter_mut().for_each(|value| *value /= largest);
    }
    for column in 0..3 {
        let size = |row: &usize| matrix.get(*row).map_or(0.0, |line| at(line, column).abs());
        let pivot = (column..3).max_by(|one, other| size(one).total_cmp(&size(other)))?;
        matrix.swap(column, pivot);
        let head = *matrix.get(column)?;
        if at(&head, column).abs() < SINGULAR {
            return None;
        }
        for line in matrix.iter_mut().skip(column + 1) {
            let factor = at(line, column) / at(&head, column);
            line.iter_mut().zip(head).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solution = [0.0; 3];
    for row in (0..3).rev() {
        let line = matrix.get(row)?;
        let known: f64 = (row + 1..3).map(|column| at(line, column) * at(&solution, column)).sum();
        *solution.get_mut(row)? = (at(line, 3) - known) / at(line, row);
    }
    Some(solution)
}

fn at(line: &[f64], index: usize) -> f64 {
    line.get(index).copied().unwrap_or_default()
}

/// A pivot below this does not determine its part.
const SINGULAR: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn point(cost: &Cost, exchanges: f64, variables: f64) -> Point {
        Point { exchanges, variables, cost: cost.of(exchanges, variables) }
    }

    #[test]
    fn fit_of_exact_costs_finds_their_parts() {
        let cost = Cost { setup: 1.2e-3, exchange: 4e-5, variable: 3e-6 };
        let points = [(20.0, 20.0), (200.0, 200.0), (4.0, 40.0), (40.0, 400.0), (9.0, 440.0)]
            .map(|(exchanges, variables)| point(&cost, exchanges, variables));
        let found = fit(&points).unwrap();
        for (found, expected) in
            [(found.setup, cost.setup), (found.exchange, cost.exchange), (found.variable, cost.variable)]
        {
            assert!((found / expected - 1.0).abs() < 1e-6, "{found} instead of {expected}");
        }
        assert!((found.of(10.0, 100.0) - 1.9e-3).abs() < 1e-9);
        assert!((found.of_exchange(10.0) - 7e-5).abs() < 1e-9);
    }

    /// Weights of the noisy values themselves would make the low ones count more: 0.9 and 1.1 times
    /// the cost would give less than the cost.
    #[test]
    fn noise_of_a_cost_does_not_change_its_weight() {
        let cost = Cost { setup: 1e-3, exchange: 4e-5, variable: 3e-6 };
        let kinds = [(20.0, 20.0), (200.0, 200.0), (4.0, 40.0), (40.0, 400.0), (9.0, 440.0)];
        let points = kinds.iter().flat_map(|(exchanges, variables)| {
            let exact = point(&cost, *exchanges, *variables);
            [0.8, 1.0, 1.2].map(|factor| Point { cost: exact.cost * factor, ..exact })
        });
        let found = fit(&points.collect::<Vec<_>>()).unwrap();
        assert!((found.of(40.0, 400.0) / cost.of(40.0, 400.0) - 1.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn one_cost_of_zero_does_not_prevent_the_fit() {
        let cost = Cost { setup: 1e-3, exchange: 4e-5, variable: 3e-6 };
        let kinds = [(20.0, 20.0), (200.0, 200.0), (4.0, 40.0), (40.0, 400.0)];
        let mut points: Vec<Point> = kinds
            .iter()
            .flat_map(|(exchanges, variables)| [point(&cost, *exchanges, *variables); 5])
            .collect();
        points[0].cost = 0.0;
        assert!(fit(&points).is_some());
    }

    #[test]
    fn points_that_do_not_determine_the_parts_are_rejected() {
        let cost = Cost { setup: 1.0, exchange: 1.0, variable: 1.0 };
        let same_batch = [10.0, 20.0, 30.0].map(|number| point(&cost, number, number));
        assert_eq!(fit(&same_batch), None);
        assert_eq!(fit(&same_batch[..1]), None);
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&[Point { cost: 0.0, ..same_batch[0] }]), None);
        assert_eq!(fit(&[Point { cost: f64::NAN, ..same_batch[0] }]), None);
    }
}
