//! Figures, and how they are shown: cells of a table for people, JSON for programs.

use std::fs;

use portreeve_json::quoted;
pub(crate) use portreeve_table::Table;

use crate::failure::{Context, Result};

/// What was measured of one subject doing one work in one setting.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// The experiment that made it.
    pub(crate) experiment: &'static str,
    /// What was done.
    pub(crate) work: String,
    /// Under which circumstances: `pinned`, `unpinned`, or empty.
    pub(crate) setting: &'static str,
    /// Who did it.
    pub(crate) subject: String,
    /// Of `best` and `median`.
    pub(crate) unit: &'static str,
    /// The quiet value: what the subject does when nothing disturbs it.
    pub(crate) best: f64,
    /// The middle one of all rounds.
    pub(crate) median: f64,
    /// How many rounds.
    pub(crate) n: usize,
    /// What it is as a multiple of another subject's, by that subject's name: `best` of `best`, or the middle of pairs.
    pub(crate) ratios: Vec<(&'static str, f64)>,
    /// What the first ratio, or `best` where there is none, must be at least, and what it aims at; at most, where less is
    /// better. NaN for an aim that nobody has.
    pub(crate) goal: Option<(f64, f64)>,
}

impl Figure {
    /// How many times the `peer` of this name it is, as a cell; empty where there was no such peer.
    pub(crate) fn ratio_cell(&self, peer: &str) -> String {
        let found = self.ratios.iter().find(|(name, _)| *name == peer);
        found.map_or(String::new(), |(_, ratio)| format!("{ratio:.2}"))
    }
}

/// What must be, and what is aimed at, as cells.
pub(crate) fn goal_cells(goal: Option<(f64, f64)>, decimals: usize) -> [String; 2] {
    goal.map_or_else(Default::default, |(must, aim)| {
        [must, aim].map(|limit| if limit.is_nan() { String::new() } else { format!("{limit:.decimals$}") })
    })
}

/// The largest and the middle one of `samples`.
pub(crate) fn best_and_median(samples: &[f64]) -> (f64, f64) {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted.last().copied().unwrap_or_default(), sorted.get(sorted.len() / 2).copied().unwrap_or_default())
}

/// A whole number with its thousands apart.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Writes the figures as one JSON array.
pub(crate) fn write_json(path: &str, figures: &[Figure]) -> Result<()> {
    let objects: Vec<String> = figures.iter().map(json_object).collect();
    fs::write(path, format!("[\n  {}\n]\n", objects.join(",\n  "))).context(path)
}

fn json_object(figure: &Figure) -> String {
    let ratios: Vec<String> =
        figure.ratios.iter().map(|(other, ratio)| format!("{}: {ratio:.4}", quoted(other))).collect();
    let number = |limit: f64| if limit.is_nan() { "null".to_owned() } else { limit.to_string() };
    let goal =
        figure.goal.map_or("null".to_owned(), |(must, aim)| format!("[{}, {}]", number(must), number(aim)));
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

#[cfg(test)]
mod tests;
