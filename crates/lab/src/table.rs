//! Figures, formatted as table cells or as JSON.

use std::fs;

use portreeve_json::quoted;
use portreeve_lab_report::statistics::Summary;
pub(crate) use portreeve_table::{Table, grouped};

use crate::error::{Context, Result};
use crate::skips::Skip;

/// The measurement of one subject with one workload in one setting.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// The name of the experiment.
    pub(crate) experiment: &'static str,
    /// The name of the workload.
    pub(crate) work: String,
    /// The setting: `pinned`, `unpinned`, or empty.
    pub(crate) setting: &'static str,
    /// The name of the measured program.
    pub(crate) subject: String,
    /// Unit of `best` and `median`.
    pub(crate) unit: &'static str,
    /// The best value of all rounds: in that round, other load disturbed the measurement least.
    pub(crate) best: f64,
    /// The median of all rounds.
    pub(crate) median: f64,
    /// Number of rounds.
    pub(crate) n: usize,
    /// Ratios to other subjects, with the names of these subjects. A ratio compares the best
    /// values, or is the median of the ratios of paired rounds.
    pub(crate) ratios: Vec<(&'static str, f64)>,
    /// The required and the target value of the first ratio, or of `best` if there is no ratio.
    /// They are minimums, or maximums if less is better. A value that does not exist is NaN.
    pub(crate) goal: Option<(f64, f64)>,
}

impl Figure {
    /// Formats the ratio to the subject `peer`; empty if the figure contains no ratio to it.
    pub(crate) fn ratio_cell(&self, peer: &str) -> String {
        let found = self.ratios.iter().find(|(name, _)| *name == peer);
        found.map_or(String::new(), |(_, ratio)| format!("{ratio:.2}"))
    }
}

/// Formats the required and the target value.
pub(crate) fn goal_cells(goal: Option<(f64, f64)>, decimals: usize) -> [String; 2] {
    goal.map_or_else(Default::default, |(required, target)| {
        [required, target]
            .map(|limit| if limit.is_nan() { String::new() } else { format!("{limit:.decimals$}") })
    })
}

/// Returns the maximum and the median of `samples`.
pub(crate) fn best_and_median(samples: &[f64]) -> (f64, f64) {
    Summary::of(samples).map_or((0.0, 0.0), |summary| (summary.maximum, summary.median))
}

/// Writes the figures, and after them the parts of experiments that were not measured, as one JSON
/// array.
pub(crate) fn write_json(path: &str, figures: &[Figure], skips: &[(&str, Skip)]) -> Result<()> {
    let skips = skips.iter().map(|(experiment, skip)| json_skip(experiment, skip));
    let objects: Vec<String> = figures.iter().map(json_object).chain(skips).collect();
    fs::write(path, format!("[\n  {}\n]\n", objects.join(",\n  "))).context(path)
}

fn json_object(figure: &Figure) -> String {
    let ratios: Vec<String> =
        figure.ratios.iter().map(|(other, ratio)| format!("{}: {ratio:.4}", quoted(other))).collect();
    let number = |limit: f64| if limit.is_nan() { "null".to_owned() } else { limit.to_string() };
    let goal = figure.goal.map_or("null".to_owned(), |(required, target)| {
        format!("[{}, {}]", number(required), number(target))
    });
    format!(
        "{{\"experiment\": {}, \"work\": {}, \"setting\": {}, \"subject\": {}, \"unit\": {}, \"best\": {:.3}, \
         \"median\": {:.3}, \"n\": {}, \"ratios\": {{{}}}, \"goal\": {goal}}}",
        quoted(figure.experiment),
        quoted(&figure.work),
        quoted(figure.setting),
        quoted(&figure.subject),
        quoted(figure.unit),
        figure.best,
        figure.median,
        figure.n,
        ratios.join(", "),
    )
}

fn json_skip(experiment: &str, skip: &Skip) -> String {
    format!(
        "{{\"experiment\": {}, \"subject\": {}, \"skipped\": {}}}",
        quoted(experiment),
        quoted(&skip.subject),
        quoted(&skip.reason)
    )
}

#[cfg(test)]
mod tests;
