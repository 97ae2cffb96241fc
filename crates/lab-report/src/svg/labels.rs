//! The names of series: beside the ends of their lines, or in rows above the chart.

use super::look::{Look, Source};
use super::text::{fit, width};
use super::writer::{Anchor, Writer};

/// A name with the look of its series.
pub(super) struct Entry {
    pub(super) label: String,
    pub(super) look: Look,
    pub(super) source: Source,
    /// The last point of the series. `None` if it has none.
    pub(super) end: Option<(f64, f64)>,
    /// The series is drawn as bars, not as a line.
    pub(super) is_bar: bool,
}

/// Returns the label of a series that a paper printed.
pub(super) fn paper_label(name: &str) -> String {
    format!("{name} (paper)")
}

/// Draws the entries in rows from the top of the drawing. Returns the height that they need.
pub(super) fn draw_rows(writer: &mut Writer, entries: &[Entry], available: f64) -> f64 {
    let (mut x, mut y) = (0.0, 12.0);
    for entry in entries {
        let label = fit(&entry.label, SIZE, available - SWATCH - GAP);
        let needed = SWATCH + GAP + width(&label, SIZE);
        if x > 0.0 && x + needed > available {
            (x, y) = (0.0, y + ROW);
        }
        draw_entry(writer, entry, (x, y), &label);
        x += needed + 2.5 * GAP;
    }
    if entries.is_empty() { 0.0 } else { y + 10.0 }
}

/// Returns the width of a column of entries.
pub(super) fn column_width(entries: &[Entry]) -> f64 {
    let widest = entries.iter().map(|entry| width(&entry.label, SIZE)).fold(0.0, f64::max);
    SWATCH + GAP + widest.min(MAX_LABEL)
}

/// Draws the entries in a column from `x` on, each as close to the end of its line as the others
/// allow, between `top` and `bottom`.
pub(super) fn draw_column(writer: &mut Writer, entries: &[Entry], x: f64, (top, bottom): (f64, f64)) {
    let wanted: Vec<f64> = entries.iter().map(|entry| entry.end.map_or(bottom, |(_, y)| y)).collect();
    let placed = spread(&wanted, (top, bottom), ROW);
    for (entry, y) in entries.iter().zip(placed) {
        if let Some((end_x, end_y)) = entry.end.filter(|(end_x, _)| *end_x < x - 6.0) {
            writer.lines("h", &[(end_x + 6.0, end_y), (x - 10.0, y), (x - 3.0, y)]);
        }
        draw_entry(writer, entry, (x, y), &fit(&entry.label, SIZE, MAX_LABEL));
    }
}

/// Moves positions apart until neighbours have a distance, in the order of the positions.
fn spread(wanted: &[f64], (top, bottom): (f64, f64), distance: f64) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = wanted.iter().copied().enumerate().collect();
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    // Downwards, each below the one before; then upwards, so that the last one is inside.
    let mut limit = top;
    for (_, y) in &mut order {
        *y = y.max(limit);
        limit = *y + distance;
    }
    let mut limit = bottom;
    for (_, y) in order.iter_mut().rev() {
        *y = y.min(limit);
        limit = *y - distance;
    }
    order.sort_by_key(|(index, _)| *index);
    order.into_iter().map(|(_, y)| y).collect()
}

/// Draws a piece of the line, or a box, and the label. `y` is the middle of the row.
fn draw_entry(writer: &mut Writer, entry: &Entry, (x, y): (f64, f64), label: &str) {
    writer.open(&entry.look.classes(entry.source));
    if entry.is_bar {
        writer.rectangle("r", (x + 4.0, y - 6.0), (18.0, 12.0));
    } else {
        writer.line("l", (x, y), (x + SWATCH, y));
        if entry.source != Source::Computed {
            entry.look.draw_marker(writer, (x + SWATCH / 2.0, y));
        }
    }
    writer.close();
    writer.text_with_hint("", (x + SWATCH + GAP, y + 4.0), Anchor::Start, label, &entry.label);
}

const SIZE: f64 = 12.0;
const SWATCH: f64 = 26.0;
const GAP: f64 = 6.0;
pub(super) const ROW: f64 = 18.0;
const MAX_LABEL: f64 = 190.0;

#[cfg(test)]
mod tests;
