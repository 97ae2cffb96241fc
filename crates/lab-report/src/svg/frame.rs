//! The frame of a chart: axes with their labels, ticks and grid lines.

use super::scale::Scale;
use super::text::{fit, width};
use super::writer::{Anchor, Writer};

/// The area in which the data are drawn, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// Returns the width of the tick labels of a vertical axis.
pub(super) fn tick_width(scale: &Scale) -> f64 {
    scale.ticks.iter().map(|tick| width(&tick.label, TICK_SIZE)).fold(0.0, f64::max)
}

/// Returns the width of the part of the last label that is to the right of its tick.
pub(super) fn overhang(scale: &Scale) -> f64 {
    scale.ticks.last().map_or(0.0, |tick| width(&tick.label, TICK_SIZE) / 2.0)
}

/// Returns the width of the part of the first label that is to the left of its tick.
pub(super) fn overhang_left(scale: &Scale) -> f64 {
    scale.ticks.first().map_or(0.0, |tick| width(&tick.label, TICK_SIZE) / 2.0)
}

/// Draws the grid, the ticks and the labels of both axes. The label of the vertical one stands
/// above it, where it can be read without turning the head.
pub(super) fn draw(writer: &mut Writer, area: Area, x: &Scale, y: &Scale) {
    let label = fit(&y.label, 12.0, area.right);
    writer.text_with_hint("a", (0.0, area.top - 12.0), Anchor::Start, &label, &y.label);
    for tick in &y.ticks {
        let Some(at) = y.at(tick.at) else { continue };
        writer.line("g", (area.left, at), (area.right, at));
        if !tick.label.is_empty() {
            writer.text("t", (area.left - 9.0, at + 4.0), Anchor::End, &tick.label);
        }
    }
    draw_horizontal(writer, area, x);
}

/// Draws the grid, the ticks and the label of a horizontal axis at the bottom.
pub(super) fn draw_horizontal(writer: &mut Writer, area: Area, x: &Scale) {
    let mut free_from = f64::NEG_INFINITY;
    for tick in &x.ticks {
        let Some(at) = x.at(tick.at) else { continue };
        writer.line("g", (at, area.top), (at, area.bottom));
        let half = width(&tick.label, TICK_SIZE) / 2.0;
        // Labels that would overlap are omitted.
        if !tick.label.is_empty() && at - half > free_from {
            writer.text("t", (at, area.bottom + 16.0), Anchor::Middle, &tick.label);
            free_from = at + half + 8.0;
        }
    }
    writer.line("x", (area.left, area.bottom), (area.right, area.bottom));
    let middle = (area.left + area.right) / 2.0;
    let label = fit(&x.label, 12.0, area.right - area.left);
    writer.text_with_hint("a", (middle, area.bottom + 34.0), Anchor::Middle, &label, &x.label);
}

/// Height below the area: ticks and label of the horizontal axis.
pub(super) const FOOT: f64 = 42.0;

const TICK_SIZE: f64 = 11.0;
