//! Tables and figures of a report as CSV files: one row for each value, with all its statistics.
//!
//! Values have SI units and all their digits.

mod figure;
mod table;

use portreeve_json::csv_field;

use crate::document::{Block, Cell, Computed, Document, Measured};
use crate::numbering::{numbered, slug};
use crate::papers::PaperValue;
use crate::statistics::{Basis, Level};

/// Returns the CSV files of a report, as (name, contents). Names are unique.
pub fn files(document: &Document) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (section, blocks) in numbered(document) {
        let section = slug(&section.id);
        for numbered in blocks {
            let number = numbered.number;
            match numbered.block {
                Block::Table(one) => {
                    files.push((format!("table-{number:02}-{section}.csv"), table::csv(one)));
                }
                Block::Figure(one) => {
                    if let Some(values) = figure::values(one) {
                        files.push((format!("figure-{number:02}-{section}.csv"), values));
                    }
                    if let Some(messages) = figure::messages(one) {
                        files.push((format!("figure-{number:02}-{section}-messages.csv"), messages));
                    }
                }
                Block::Paragraph(_) | Block::Notice(_) | Block::Verdict(_) => {}
            }
        }
    }
    files
}

/// The columns with the statistics of a value.
const STATISTICS: [&str; 13] = [
    "source",
    "statistic",
    "value",
    "unit",
    "n",
    "minimum",
    "median",
    "mean",
    "deviation",
    "low",
    "high",
    "level",
    "reason",
];

/// A value as the fields of [`STATISTICS`].
fn statistics(cell: &Cell, program: &str) -> [String; 13] {
    match cell {
        Cell::Measured(measured) => measured_fields(measured, program),
        Cell::Computed(computed) => computed_fields(computed),
        Cell::Paper(value) => paper_fields(value),
        Cell::Text(text) => fields("text", [("value", text.to_string())]),
        Cell::Unavailable(reason) => fields("unavailable", [("reason", reason.clone())]),
        Cell::Empty => fields("", []),
    }
}

fn measured_fields(measured: &Measured, program: &str) -> [String; 13] {
    let summary = &measured.summary;
    let (interval, basis) = measured.interval().unzip();
    fields(
        program,
        [
            ("statistic", if measured.basis == Basis::Median { "median" } else { "mean" }.to_owned()),
            ("value", number(measured.value())),
            ("unit", measured.unit.name().to_owned()),
            ("n", summary.n.to_string()),
            ("minimum", number(summary.minimum)),
            ("median", number(summary.median)),
            ("mean", number(summary.mean)),
            ("deviation", number(summary.deviation)),
            ("low", interval.map_or(String::new(), |interval| number(interval.low))),
            ("high", interval.map_or(String::new(), |interval| number(interval.high))),
            ("level", basis.map_or(String::new(), |basis| level(measured.level, basis))),
        ],
    )
}

fn computed_fields(computed: &Computed) -> [String; 13] {
    let bound = |bound: Option<f64>| bound.map_or(String::new(), number);
    fields(
        "computed",
        [
            ("value", number(computed.value)),
            ("unit", computed.unit.name().to_owned()),
            ("low", bound(computed.interval.map(|interval| interval.low))),
            ("high", bound(computed.interval.map(|interval| interval.high))),
            ("level", computed.interval.map_or(String::new(), |_| computed.level.probability().to_string())),
        ],
    )
}

fn paper_fields(value: &PaperValue) -> [String; 13] {
    fields(value.source(), [("value", number(value.value())), ("unit", value.unit().name().to_owned())])
}

/// The level of an interval, and the statistic that it belongs to.
fn level(level: Level, basis: Basis) -> String {
    let basis = if basis == Basis::Median { "of the median" } else { "by Student's t" };
    format!("{} {basis}", level.probability())
}

/// Fills the columns with these names.
fn fields<const N: usize>(source: &str, values: [(&str, String); N]) -> [String; 13] {
    let mut fields: [String; 13] = Default::default();
    for (column, field) in STATISTICS.iter().zip(&mut fields) {
        if *column == "source" {
            source.clone_into(field);
        }
        if let Some((_, value)) = values.iter().find(|(name, _)| name == column) {
            value.clone_into(field);
        }
    }
    fields
}

/// A number with the digits that identify it. Empty if it is not finite.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// Appends a row.
fn push_row<T: AsRef<str>>(text: &mut String, fields: impl IntoIterator<Item = T>) {
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        // A line feed inside a field is allowed, but line tools would not understand it.
        let field = field.as_ref().replace(['\n', '\r'], " ").replace(['\u{a0}', '\u{202f}'], " ");
        text.push_str(&csv_field(&field));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests;
