//! The least-squares fit of a cost: a fixed part, a part for each exchange, and one for each
//! variable.

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
/// `Line::fit_relative`: a point weighs the reciprocal of its squared cost.
///
/// Returns `None` if the points do not determine the parts, for example if all sessions have the
/// same number of variables in an exchange.
pub(super) fn fit(points: &[Point]) -> Option<Cost> {
    let mut matrix = [[0.0; 4]; 3];
    for Point { exchanges, variables, cost } in points {
        if !(*cost > 0.0 && cost.is_finite()) {
            return None;
        }
        let (weight, row) = (1.0 / (cost * cost), [1.0, *exchanges, *variables, *cost]);
        for (line, factor) in matrix.iter_mut().zip(row) {
            line.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * factor * value);
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

    #[test]
    fn points_that_do_not_determine_the_parts_are_rejected() {
        let cost = Cost { setup: 1.0, exchange: 1.0, variable: 1.0 };
        let same_batch = [10.0, 20.0, 30.0].map(|number| point(&cost, number, number));
        assert_eq!(fit(&same_batch), None);
        assert_eq!(fit(&same_batch[..1]), None);
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&[Point { cost: 0.0, ..same_batch[0] }]), None);
    }
}
