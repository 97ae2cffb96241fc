//! Charts as SVG.
//!
//! ```text
//! Plot ─ scale (range, ticks) ─ frame (axes, grid) ─ chart, bars, stack, sequence ─▶ <svg>
//!          labels (legend) ── look (colour, marker, line) ──┘
//! ```
//! Colours come from the style sheet of the page, so that one drawing serves light and dark. Each
//! chart is drawn for a wide and for a narrow page. Its size has a bound, whatever the data.

mod bars;
mod chart;
mod describe;
mod frame;
mod labels;
mod look;
mod scale;
mod sequence;
mod stack;
mod standalone;
mod text;
mod writer;

pub use standalone::standalone;

use crate::document::Plot;
use crate::escape::{escaped, push};
use crate::numbering::QUICK_MARK;

/// The width that a chart is drawn for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Layout {
    /// A chart as wide as the text.
    Wide,
    /// A chart for a phone, or beside another one.
    Narrow,
}

impl Layout {
    /// Width in pixels.
    pub(crate) fn width(self) -> f64 {
        match self {
            Self::Wide => 760.0,
            Self::Narrow => 372.0,
        }
    }
}

/// Draws a chart. `id` must be unique on the page; `title` is read to users who cannot see it.
pub(crate) fn draw(plot: &Plot, layout: Layout, id: &str, title: &str) -> String {
    draw_with(plot, layout, id, title, Margin::default())
}

/// Draws a chart with a margin.
fn draw_with(plot: &Plot, layout: Layout, id: &str, title: &str, margin: Margin) -> String {
    let drawing = match plot {
        Plot::Chart(chart) => chart::draw(chart, layout),
        Plot::Bars(bars) => bars::draw(bars, layout),
        Plot::Stack(stack) => stack::draw(stack, layout),
        Plot::Sequence(sequence) => sequence::draw(sequence, layout),
    };
    let foot = if margin.quick { 16.0 } else { 0.0 };
    let (width, height) =
        (drawing.width + 2.0 * margin.size, drawing.height.ceil() + 2.0 * margin.size + foot);
    let mut svg = String::with_capacity(drawing.body.len() + 512);
    push!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"plot\" viewBox=\"{0} {0} {width} {height}\" \
         width=\"{width}\" height=\"{height}\" aria-labelledby=\"{id}-title {id}-desc\">",
        0.0 - margin.size
    );
    push!(svg, "<title id=\"{id}-title\">{}</title>", escaped(title));
    push!(svg, "<desc id=\"{id}-desc\">{}</desc>", escaped(&describe::describe(plot)));
    svg.push_str(&drawing.body);
    if margin.quick {
        push!(svg, "<text class=\"t n\" x=\"0\" y=\"{}\">{QUICK_MARK}</text>", drawing.height.ceil() + foot);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The margin of a drawing, and the mark of a quick run below it.
#[derive(Clone, Copy, Default)]
struct Margin {
    size: f64,
    quick: bool,
}

/// A finished drawing.
struct Drawing {
    body: String,
    width: f64,
    height: f64,
}

/// The style sheet of the drawings, without the colours.
pub(crate) const STYLE: &str = include_str!("svg/style.css");

/// The colours of light pages, and of dark ones.
pub(crate) const LIGHT: &str = include_str!("svg/light.css");
pub(crate) const DARK: &str = include_str!("svg/dark.css");

#[cfg(test)]
mod tests;
