//! The rows of the experiment, as a table and as figures.

use portreeve_lab_report::statistics::median;

use crate::table::{Figure, Table, goal_cells};

/// All rows, in the order in which they were measured.
#[derive(Default)]
pub(super) struct Report(Vec<Row>);

struct Row {
    work: String,
    subject: &'static str,
    unit: &'static str,
    decimals: usize,
    /// One value of each round, in ascending order. Less is better.
    samples: Vec<f64>,
    goal: Option<(f64, f64)>,
}

impl Report {
    /// Adds a row with a value of each round.
    pub(super) fn add(
        &mut self,
        work: impl Into<String>,
        subject: &'static str,
        unit: &'static str,
        mut samples: Vec<f64>,
        goal: Option<(f64, f64)>,
    ) {
        samples.sort_by(f64::total_cmp);
        let decimals = if samples.first().is_some_and(|best| best.abs() >= 100.0) { 0 } else { 3 };
        self.0.push(Row { work: work.into(), subject, unit, decimals, samples, goal });
    }

    /// Prints a line for each row.
    pub(super) fn print(&self) {
        let head = ["work", "subject", "unit", "best", "median", "n", "required", "target"];
        let mut table = Table::new(3, &head);
        for row in &self.0 {
            let [required, target] = goal_cells(row.goal, 2);
            let decimals = row.decimals;
            table.add_row(vec![
                row.work.clone(),
                row.subject.into(),
                row.unit.into(),
                format!("{:.decimals$}", row.best()),
                format!("{:.decimals$}", row.median()),
                row.samples.len().to_string(),
                required,
                target,
            ]);
        }
        println!("{}", table.unwrapped());
    }

    /// Returns a figure for each row.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let figure = |row: &Row| Figure {
            experiment: "netconf",
            work: row.work.clone(),
            setting: "",
            subject: row.subject.into(),
            unit: row.unit,
            best: row.best(),
            median: row.median(),
            n: row.samples.len(),
            ratios: Vec::new(),
            goal: row.goal,
        };
        self.0.iter().map(figure).collect()
    }
}

impl Row {
    fn best(&self) -> f64 {
        self.samples.first().copied().unwrap_or(f64::NAN)
    }

    fn median(&self) -> f64 {
        median(&self.samples)
    }
}

/// Returns the smallest value that at least this fraction of all values does not exceed.
pub(super) fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (fraction * values.len() as f64).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{Report, quantile};

    #[test]
    fn best_value_is_the_smallest_and_median_the_middle() {
        let mut report = Report::default();
        report.add("work", "subject", "s", vec![3.0, 1.0, 2.0, 9.0, 8.0], Some((1.0, 0.5)));
        let figure = report.figures().remove(0);
        assert_eq!((figure.best, figure.median, figure.n, figure.goal), (1.0, 3.0, 5, Some((1.0, 0.5))));
    }

    #[test]
    fn quantile_is_a_value_that_occurred() {
        let mut values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_eq!([0.5, 0.99, 1.0].map(|fraction| quantile(&mut values, fraction)), [100.0, 198.0, 200.0]);
        assert!(quantile(&mut [], 0.5).is_nan());
    }
}
