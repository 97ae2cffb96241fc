//! The contents of a cell as texts, which HTML and Markdown share.

use crate::document::{Cell, Computed, Measured, Prose};
use crate::statistics::Basis;

/// The contents of a cell.
pub(crate) enum CellText<'a> {
    Empty,
    Text(&'a Prose),
    /// A value, and the lines that are needed to judge it.
    Value {
        value: String,
        details: Vec<String>,
    },
    /// A value, and its source.
    Paper(String, &'static str),
    Unavailable(&'a str),
}

impl<'a> CellText<'a> {
    pub(crate) fn of(cell: &'a Cell) -> Self {
        match cell {
            Cell::Empty => Self::Empty,
            Cell::Text(text) => Self::Text(text),
            Cell::Measured(measured) => measured_text(measured),
            Cell::Computed(computed) => computed_text(computed),
            Cell::Paper(value) => Self::Paper(value.text(), value.source()),
            Cell::Unavailable(reason) => Self::Unavailable(reason),
        }
    }
}

fn measured_text(measured: &Measured) -> CellText<'static> {
    let summary = &measured.summary;
    // All values of the cell have the unit of the first one, so that it is written once.
    let scale = measured.unit.scale(measured.value());
    let mut details = Vec::new();
    if summary.is_constant() && summary.n > 1 {
        details.push(format!("all equal · n\u{a0}{}", summary.n));
    } else {
        if let Some((interval, basis)) = measured.interval() {
            let (low, high) = (scale.number(interval.low), scale.number(interval.high));
            let sign = if basis == measured.basis { "" } else { " t" };
            details.push(format!("{} {low}–{high}{sign}", measured.level.percent()));
        }
        if measured.basis == Basis::Mean {
            details.push(format!("mean; median\u{a0}{}", scale.number(summary.median)));
        }
        details.push(format!("min\u{a0}{} · n\u{a0}{}", scale.number(summary.minimum), summary.n));
    }
    CellText::Value { value: scale.with_unit(&scale.number(measured.value())), details }
}

fn computed_text(computed: &Computed) -> CellText<'static> {
    let interval = computed
        .interval
        .map(|interval| format!("{} {}", computed.level.percent(), computed.unit.interval_text(interval)));
    let details = interval.into_iter().chain(["computed".to_owned()]).collect();
    CellText::Value { value: computed.unit.text(computed.value), details }
}

#[cfg(test)]
mod tests;
