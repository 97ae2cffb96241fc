//! Horizontal bars that are divided into parts, such as the phases of a session.
//!
//! Each part has a number, which stands in the legend and in the bar, so that the parts can be
//! distinguished without colours.

use super::frame::{self, Area};
use super::labels::paper_label;
use super::look::{Looks, Source};
use super::scale::Scale;
use super::text::{fit, width};
use super::writer::{Anchor, Writer};
use super::{Drawing, Layout};
use crate::document::{Part, Stack, StackRow};

/// Draws the bars. Their labels stand beside them if the layout is wide, otherwise above.
pub(super) fn draw(stack: &Stack, layout: Layout) -> Drawing {
    let rows: Vec<&StackRow> = stack.rows.iter().take(MAX_ROWS).collect();
    let (is_wide, full) = (layout == Layout::Wide, layout.width());
    let totals: Vec<f64> = rows.iter().map(|row| row.parts.iter().take(MAX_PARTS).map(value).sum()).collect();
    let mut scale = Scale::new(&stack.axis, totals.iter().copied(), if is_wide { 6 } else { 4 });

    let mut writer = Writer::default();
    let top = draw_legend(&mut writer, &stack.parts, full) + 8.0;
    let labels: Vec<String> = rows.iter().map(|row| label(row)).collect();
    let widest = labels.iter().map(|label| width(label, 12.0)).fold(0.0, f64::max);
    let left = if is_wide { widest.min(MAX_LABEL) + 14.0 } else { frame::overhang_left(&scale).max(2.0) };
    let total_texts: Vec<String> = totals.iter().map(|total| stack.axis.unit.text(*total)).collect();
    let total_width = total_texts.iter().map(|text| width(text, 11.0)).fold(0.0, f64::max);
    let row_height = if is_wide { BAR + 14.0 } else { BAR + 26.0 };
    let bottom = top + rows.len() as f64 * row_height;
    let area = Area { left, right: full - total_width - 12.0, top, bottom };
    scale.place(area.left, area.right);
    frame::draw_horizontal(&mut writer, area, &scale);
    for (index, (row, label)) in rows.iter().zip(&labels).enumerate() {
        let y = top + index as f64 * row_height + if is_wide { 7.0 } else { 20.0 };
        let (at, anchor) = if is_wide {
            ((left - 10.0, y + BAR / 2.0 + 4.0), Anchor::End)
        } else {
            ((0.0, y - 6.0), Anchor::Start)
        };
        let available = if is_wide { MAX_LABEL } else { full - 4.0 };
        writer.text_with_hint("o", at, anchor, &fit(label, 12.0, available), label);
        let end = draw_row(&mut writer, row, &scale, y);
        if let Some(total) = total_texts.get(index) {
            draw_end(&mut writer, row, total, (end + 6.0, y + BAR / 2.0 + 4.0), full);
        }
    }
    Drawing { body: writer.finish(), width: full, height: area.bottom + frame::FOOT }
}

/// Draws the parts of a bar. Returns its right end.
fn draw_row(writer: &mut Writer, row: &StackRow, scale: &Scale, y: f64) -> f64 {
    let mut sum = 0.0;
    let mut end = scale.at(0.0).unwrap_or_default();
    for (index, part) in row.parts.iter().take(MAX_PARTS).enumerate() {
        let start = end;
        sum += value(part);
        end = scale.at(sum).unwrap_or(start);
        if end > start {
            writer.open(&Looks::at(index).classes(source(part)));
            writer.rectangle("r", (start, y), (end - start, BAR));
            let number = (index + 1).to_string();
            if end - start > width(&number, 11.0) + 6.0 {
                writer.text("i", ((start + end) / 2.0, y + BAR / 2.0 + 4.0), Anchor::Middle, &number);
            }
            writer.line("s", (end, y), (end, y + BAR));
            writer.close();
        }
    }
    end
}

/// Writes the sum of the parts after the bar, or the reason why one could not be measured.
fn draw_end(writer: &mut Writer, row: &StackRow, total: &str, at: (f64, f64), full: f64) {
    let reason = row.parts.iter().find_map(|part| match part {
        Part::Unavailable(reason) => Some(format!("not available: {reason}")),
        _ => None,
    });
    match reason {
        Some(reason) => {
            let short = fit(&reason, 11.0, full - at.0);
            writer.text_with_hint("t n", at, Anchor::Start, &short, &reason);
        }
        None => writer.text("t", at, Anchor::Start, total),
    }
}

/// Draws the names of the parts with their numbers. Returns the height that they need.
fn draw_legend(writer: &mut Writer, parts: &[String], available: f64) -> f64 {
    let (mut x, mut y) = (0.0, 12.0);
    for (index, part) in parts.iter().take(MAX_PARTS).enumerate() {
        let label = fit(part, 12.0, available - 30.0);
        let needed = 24.0 + width(&label, 12.0);
        if x > 0.0 && x + needed > available {
            (x, y) = (0.0, y + 20.0);
        }
        writer.open(&Looks::at(index).classes(Source::Ours));
        writer.rectangle("r", (x, y - 8.0), (18.0, 16.0));
        writer.text("i", (x + 9.0, y + 4.0), Anchor::Middle, &(index + 1).to_string());
        writer.close();
        writer.text_with_hint("", (x + 24.0, y + 4.0), Anchor::Start, &label, part);
        x += needed + 14.0;
    }
    if parts.is_empty() { 0.0 } else { y + 12.0 }
}

fn value(part: &Part) -> f64 {
    let value = match part {
        Part::Absent | Part::Unavailable(_) => 0.0,
        Part::Measured(_, measured) => measured.value(),
        Part::Paper(value) => value.value(),
    };
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

fn source(part: &Part) -> Source {
    match part {
        Part::Absent | Part::Unavailable(_) => Source::Ours,
        Part::Measured(by, _) => Source::of(*by),
        Part::Paper(_) => Source::Paper,
    }
}

/// The label of a bar, with the peer's name, or marked as that of the paper.
fn label(row: &StackRow) -> String {
    let mut parts = row.parts.iter();
    match parts.find(|part| **part != Part::Absent) {
        Some(Part::Paper(_)) => paper_label(&row.label),
        Some(Part::Measured(by, _)) => by.label(&row.label),
        _ => row.label.clone(),
    }
}

const BAR: f64 = 24.0;
const MAX_LABEL: f64 = 200.0;
const MAX_ROWS: usize = 30;
const MAX_PARTS: usize = 12;
