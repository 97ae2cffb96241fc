//! Describes a chart in words, for readers who cannot see it.

use super::labels::paper_label;
use crate::document::{Axis, Bar, Bars, Chart, Data, Part, Plot, Sequence, Series, Stack};
use crate::unit::Unit;

/// Returns a description with the ends of each series, or the values of the bars.
pub(super) fn describe(plot: &Plot) -> String {
    match plot {
        Plot::Chart(chart) => describe_chart(chart),
        Plot::Bars(bars) => describe_bars(bars),
        Plot::Stack(stack) => describe_stack(stack),
        Plot::Sequence(sequence) => describe_sequence(sequence),
    }
}

fn describe_chart(chart: &Chart) -> String {
    let mut text = format!("{} over {}.", chart.y.label, chart.x.label);
    for series in chart.series.iter().take(MAX_ITEMS) {
        let (label, points) = points(series);
        let ends = points.first().zip(points.last());
        if let Some(((x1, y1), (x2, y2))) = ends {
            let at = |axis: &Axis, value: f64| axis.unit.text(value);
            text += &format!(
                " {label}: {} at {}, {} at {}.",
                at(&chart.y, *y1),
                at(&chart.x, *x1),
                at(&chart.y, *y2),
                at(&chart.x, *x2)
            );
        }
    }
    for (name, reason) in chart.unavailable.iter().take(MAX_ITEMS) {
        text += &format!(" {name} not available: {reason}.");
    }
    text
}

fn points(series: &Series) -> (String, Vec<(f64, f64)>) {
    match &series.data {
        Data::Measured(by, points) => {
            (by.label(&series.name), points.iter().map(|(x, one)| (*x, one.value())).collect())
        }
        Data::Paper(points) => {
            (paper_label(&series.name), points.iter().map(|one| (one.x, one.y.value())).collect())
        }
        Data::Computed(by, points) => (format!("{}, computed", by.label(&series.name)), points.clone()),
    }
}

fn describe_bars(bars: &Bars) -> String {
    let mut text = format!("Bars of {}.", bars.axis.label);
    for row in bars.rows.iter().take(MAX_ITEMS) {
        let values = row.bars.iter().map(|bar| match bar {
            Bar::Measured(by, name, value) => {
                format!("{} {}", by.label(name), value.unit.text(value.value()))
            }
            Bar::Paper(name, value) => format!("{} {}", paper_label(name), value.text()),
            Bar::Unavailable(name, reason) => format!("{name} not available: {reason}"),
        });
        text += &format!(" {}: {}.", row.label, values.collect::<Vec<_>>().join(", "));
    }
    text
}

fn describe_stack(stack: &Stack) -> String {
    let mut text = format!("Bars of {}, divided into parts.", stack.axis.label);
    for row in stack.rows.iter().take(MAX_ITEMS) {
        let parts = row.parts.iter().zip(&stack.parts).filter_map(|(part, name)| match part {
            Part::Absent => None,
            Part::Measured(_, value) => Some(format!("{name} {}", value.unit.text(value.value()))),
            Part::Paper(value) => Some(format!("{name} {} (paper)", value.text())),
            Part::Unavailable(reason) => Some(format!("{name} not available: {reason}")),
        });
        text += &format!(" {}: {}.", row.label, parts.collect::<Vec<_>>().join(", "));
    }
    text
}

fn describe_sequence(sequence: &Sequence) -> String {
    let octets: u64 = sequence.messages.iter().map(|message| message.octets).fold(0, u64::saturating_add);
    let time = sequence.messages.last().map_or(0.0, |message| message.at);
    format!(
        "{} messages between {}: {} octets in {}.",
        sequence.messages.len(),
        sequence.participants.join(", "),
        Unit::Octets.text(octets as f64),
        Unit::Seconds.text(time)
    )
}

const MAX_ITEMS: usize = 24;
