//! Horizontal bars in groups, with the value of each at its end.

use super::frame::{self, Area};
use super::labels::{self, Entry, paper_label};
use super::look::{Look, Looks, Source};
use super::scale::Scale;
use super::text::{fit, width};
use super::writer::{Anchor, Writer};
use super::{Drawing, Layout};
use crate::document::{Bar, BarRow, Bars, Scaling};
use crate::statistics::Interval;

/// Draws the groups. Their labels stand beside them if the layout is wide, otherwise above.
pub(super) fn draw(bars: &Bars, layout: Layout) -> Drawing {
    let rows: Vec<&BarRow> = bars.rows.iter().take(MAX_ROWS).collect();
    let all = || rows.iter().flat_map(|row| row.bars.iter().take(MAX_BARS));
    let looks = Looks::of(all().map(name));
    let shapes: Vec<Vec<Shape>> = rows
        .iter()
        .map(|row| row.bars.iter().take(MAX_BARS).map(|bar| Shape::of(bar, &looks)).collect())
        .collect();
    let reference = bars.reference.as_ref();
    let values = shapes.iter().flatten().flat_map(Shape::extent).chain(reference.map(|(value, _)| *value));
    let (is_wide, full) = (layout == Layout::Wide, layout.width());
    let mut scale = Scale::new(&bars.axis, values, if is_wide { 6 } else { 4 });

    let mut writer = Writer::default();
    let top = labels::draw_rows(&mut writer, &entries(&shapes), full)
        + if reference.is_some() { 20.0 } else { 8.0 };
    let widest = rows.iter().map(|row| width(&row.label, 12.0)).fold(0.0, f64::max);
    let left = if is_wide { widest.min(MAX_LABEL) + 14.0 } else { frame::overhang_left(&scale).max(2.0) };
    let value_width = shapes.iter().flatten().map(|shape| width(&shape.text, 11.0)).fold(0.0, f64::max);
    let right = full - value_width.min(full * 0.4) - 10.0;
    let heights = shapes.iter().map(|group| group_height(group.len(), is_wide));
    let area = Area { left, right, top, bottom: top + heights.sum::<f64>() };
    scale.place(area.left, area.right);
    frame::draw_horizontal(&mut writer, area, &scale);
    if let Some((value, label)) = reference
        && let Some(at) = scale.at(*value)
    {
        writer.line("v", (at, area.top - 6.0), (at, area.bottom));
        let short = fit(label, 11.0, full);
        let half = width(&short, 11.0) / 2.0;
        let middle = at.max(half).min(full - half);
        writer.text_with_hint("t", (middle, area.top - 10.0), Anchor::Middle, &short, label);
    }
    let base =
        reference.filter(|_| bars.axis.scaling == Scaling::Log).map_or(scale.low().max(0.0), |(at, _)| *at);
    let mut y = area.top;
    for (row, group) in rows.iter().zip(&shapes) {
        draw_group(&mut writer, row, group, &scale, (base, y, is_wide), (area.left, full));
        y += group_height(group.len(), is_wide);
    }
    Drawing { body: writer.finish(), width: full, height: area.bottom + frame::FOOT }
}

/// A bar, ready to be drawn.
struct Shape {
    label: String,
    look: Look,
    source: Source,
    value: Option<f64>,
    interval: Option<Interval>,
    minimum: Option<f64>,
    text: String,
    hint: String,
}

impl Shape {
    fn of(bar: &Bar, looks: &Looks<'_>) -> Self {
        let look = looks.get(name(bar));
        match bar {
            Bar::Measured(by, name, measured) => {
                let interval = measured.interval().map(|(interval, _)| interval);
                let (value, unit) = (measured.value(), measured.unit);
                let range =
                    interval.map_or(String::new(), |interval| format!(" ({})", unit.interval_text(interval)));
                Self {
                    label: by.label(name),
                    look,
                    source: Source::of(*by),
                    value: Some(value),
                    interval,
                    minimum: Some(measured.summary.minimum),
                    text: format!("{}{range}", unit.text(value)),
                    hint: String::new(),
                }
            }
            Bar::Paper(name, value) => Self {
                label: paper_label(name),
                look,
                source: Source::Paper,
                value: Some(value.value()),
                interval: None,
                minimum: None,
                text: format!("{}, paper", value.text()),
                hint: String::new(),
            },
            Bar::Unavailable(name, reason) => Self {
                label: name.clone(),
                look,
                source: Source::Ours,
                value: None,
                interval: None,
                minimum: None,
                text: String::new(),
                hint: format!("{name}: {reason}"),
            },
        }
    }

    /// The values that the axis must contain. An interval around a positive value ends at zero.
    fn extent(&self) -> impl Iterator<Item = f64> + use<> {
        let lowest = self.value.unwrap_or_default().min(0.0);
        let bounds = self.interval.map(|interval| [interval.low.max(lowest), interval.high]);
        self.value.into_iter().chain(self.minimum).chain(bounds.into_iter().flatten())
    }
}

fn name(bar: &Bar) -> &str {
    match bar {
        Bar::Measured(_, name, _) | Bar::Paper(name, _) | Bar::Unavailable(name, _) => name,
    }
}

/// One entry of the legend for each name and source.
fn entries(shapes: &[Vec<Shape>]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for shape in shapes.iter().flatten().filter(|shape| shape.value.is_some()) {
        if !entries.iter().any(|entry| entry.label == shape.label) {
            let label = shape.label.clone();
            entries.push(Entry { label, look: shape.look, source: shape.source, end: None, is_bar: true });
        }
    }
    entries
}

fn draw_group(
    writer: &mut Writer,
    row: &BarRow,
    group: &[Shape],
    scale: &Scale,
    (base, top, is_wide): (f64, f64, bool),
    (left, full): (f64, f64),
) {
    let middle = top + group_height(group.len(), is_wide) / 2.0;
    let (at, anchor, available) = if is_wide {
        ((left - 10.0, middle + 4.0), Anchor::End, MAX_LABEL)
    } else {
        ((0.0, top + 14.0), Anchor::Start, full - 4.0)
    };
    writer.text_with_hint("o", at, anchor, &fit(&row.label, 12.0, available), &row.label);
    let mut y = top + if is_wide { PADDING } else { PADDING + 12.0 };
    let start = scale.at(base).unwrap_or(left);
    for shape in group {
        if let Some(end) = shape.value.and_then(|value| scale.at(value)) {
            writer.open(&shape.look.classes(shape.source));
            writer.rectangle("r", (start.min(end), y), ((end - start).abs().max(1.0), BAR));
            writer.close();
            let bounds =
                shape.interval.and_then(|interval| Some((scale.at(interval.low)?, scale.at(interval.high)?)));
            if let Some((low, high)) = bounds {
                let middle = y + BAR / 2.0;
                writer.line("v", (low, middle), (high, middle));
                writer.line("v", (low, middle - 3.0), (low, middle + 3.0));
                writer.line("v", (high, middle - 3.0), (high, middle + 3.0));
            }
            if let Some(minimum) = shape.minimum.and_then(|minimum| scale.at(minimum)) {
                writer.line("v", (minimum, y), (minimum, y + 4.0));
            }
            let after = bounds.map_or(end, |(_, high)| end.max(high)).max(start) + 6.0;
            writer.text("t", (after, y + BAR - 3.0), Anchor::Start, &fit(&shape.text, 11.0, full - after));
        } else {
            let text = fit(&shape.hint, 11.0, full - start - 6.0);
            writer.text_with_hint("t n", (start + 6.0, y + BAR - 3.0), Anchor::Start, &text, &shape.hint);
        }
        y += BAR + SPACE;
    }
}

fn group_height(bars: usize, is_wide: bool) -> f64 {
    bars as f64 * (BAR + SPACE) + 2.0 * PADDING + if is_wide { 0.0 } else { 12.0 }
}

const BAR: f64 = 14.0;
const SPACE: f64 = 3.0;
const PADDING: f64 = 6.0;
const MAX_LABEL: f64 = 200.0;
const MAX_ROWS: usize = 40;
const MAX_BARS: usize = 8;
