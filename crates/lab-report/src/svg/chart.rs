//! Points and lines over two axes.

use super::frame::{self, Area};
use super::labels::{self, Entry, paper_label};
use super::look::{Look, Looks, Source};
use super::scale::Scale;
use super::text::{fit, width};
use super::writer::{Anchor, Writer};
use super::{Drawing, Layout};
use crate::document::{Chart, Data, Mark, MarkDirection, Scaling, Series};
use crate::statistics::Interval;

/// Draws a chart. The names stand beside the lines if the layout is wide, otherwise above.
pub(super) fn draw(chart: &Chart, layout: Layout) -> Drawing {
    let looks = Looks::of(chart.series.iter().map(|series| series.name.as_str()));
    let curves: Vec<Curve> = chart.series.iter().take(MAX_SERIES).map(|one| Curve::of(one, &looks)).collect();
    let (is_wide, full) = (layout == Layout::Wide, layout.width());

    let points = || curves.iter().flat_map(|curve| &curve.points);
    let marks =
        |direction| chart.marks.iter().filter(move |mark| mark.direction == direction).map(|mark| mark.at);
    let xs = || points().map(|point| point.x).chain(marks(MarkDirection::Vertical));
    let ys = points().flat_map(Point::extent).chain(marks(MarkDirection::Horizontal));
    let mut x = Scale::new(&chart.x, xs(), if is_wide { 6 } else { 4 }).tighten(xs());
    let mut y = Scale::new(&chart.y, ys, if chart.y.scaling == Scaling::Log { 8 } else { 5 });

    let mut writer = Writer::default();
    let mut entries: Vec<Entry> = curves.iter().map(Curve::entry).collect();
    let top = if is_wide { 0.0 } else { labels::draw_rows(&mut writer, &entries, full) } + 28.0;
    let side = if is_wide && !entries.is_empty() {
        labels::column_width(&entries) + 16.0
    } else {
        frame::overhang(&x).max(8.0)
    };
    let height = if is_wide { (entries.len() as f64 * labels::ROW).max(310.0) } else { 230.0 };
    let left = frame::tick_width(&y).max(20.0) + 10.0;
    let area = Area { left, right: full - side, top, bottom: top + height };
    x.place(area.left, area.right);
    y.place(area.bottom, area.top);
    frame::draw(&mut writer, area, &x, &y);
    draw_marks(&mut writer, &chart.marks, area, &x, &y);
    for (curve, entry) in curves.iter().zip(&mut entries) {
        entry.end = curve.draw(&mut writer, &x, &y);
    }
    if is_wide {
        let column = area.right + 16.0;
        labels::draw_column(&mut writer, &entries, column, (area.top + 6.0, area.bottom - 6.0));
    }
    let mut bottom = area.bottom + frame::FOOT;
    for (name, reason) in chart.unavailable.iter().take(MAX_SERIES) {
        let note = format!("{name}: not available: {reason}");
        let label = fit(&note, 11.0, full);
        writer.text_with_hint("t n", (0.0, bottom + 10.0), Anchor::Start, &label, &note);
        bottom += 15.0;
    }
    Drawing { body: writer.finish(), width: full, height: bottom }
}

/// A series, ready to be drawn.
struct Curve {
    label: String,
    look: Look,
    source: Source,
    points: Vec<Point>,
}

struct Point {
    x: f64,
    y: f64,
    interval: Option<Interval>,
    minimum: Option<f64>,
}

impl Point {
    /// The values that the vertical axis must contain. An interval around a positive value ends at
    /// zero: the axis of a time has no place for negative times.
    fn extent(&self) -> impl Iterator<Item = f64> + use<> {
        let bounds = self.interval.map(|interval| [interval.low.max(self.y.min(0.0)), interval.high]);
        [self.y].into_iter().chain(self.minimum).chain(bounds.into_iter().flatten())
    }
}

impl Curve {
    fn of(series: &Series, looks: &Looks<'_>) -> Self {
        let name = &series.name;
        let plain = |x, y| Point { x, y, interval: None, minimum: None };
        let (label, source, mut points): (_, _, Vec<Point>) = match &series.data {
            Data::Measured(by, points) => {
                let points = points.iter().map(|(x, measured)| Point {
                    interval: measured.interval().map(|(interval, _)| interval),
                    minimum: Some(measured.summary.minimum),
                    ..plain(*x, measured.value())
                });
                (by.label(name), Source::of(*by), points.collect())
            }
            Data::Paper(points) => {
                let points =
                    points.iter().map(|one| Point { interval: one.interval, ..plain(one.x, one.y.value()) });
                (paper_label(name), Source::Paper, points.collect())
            }
            Data::Computed(by, points) => {
                let points = points.iter().map(|(x, y)| plain(*x, *y)).collect();
                (format!("{}, computed", by.label(name)), Source::Computed, points)
            }
        };
        points.retain(|point| point.x.is_finite() && point.y.is_finite());
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        Self { label, look: looks.get(name), source, points: thin(points) }
    }

    fn entry(&self) -> Entry {
        let label = self.label.clone();
        Entry { label, look: self.look, source: self.source, end: None, is_bar: false }
    }

    /// Draws the line, the intervals and the markers. Returns the position of the last point.
    fn draw(&self, writer: &mut Writer, x: &Scale, y: &Scale) -> Option<(f64, f64)> {
        let place = |point: &Point| Some((x.at(point.x)?, y.at(point.y)?));
        let placed: Vec<(f64, f64)> = self.points.iter().filter_map(place).collect();
        writer.open(&self.look.classes(self.source));
        if placed.len() > 1 {
            writer.lines("l", &placed);
        }
        if self.source != Source::Computed && placed.len() <= MAX_MARKERS {
            for point in &self.points {
                draw_interval(writer, point, x, y);
            }
            for point in &placed {
                self.look.draw_marker(writer, *point);
            }
        }
        writer.close();
        placed.last().copied()
    }
}

/// Draws the interval as a vertical bar with ends, and the minimum as a short tick.
fn draw_interval(writer: &mut Writer, point: &Point, x: &Scale, y: &Scale) {
    let Some(at) = x.at(point.x) else { return };
    if let Some(interval) = point.interval
        && let Some(high) = y.at(interval.high)
    {
        // A bound at or below zero is at the end of a logarithmic axis.
        let low = y.at(interval.low).or_else(|| y.at(y.low())).unwrap_or(high);
        writer.line("e", (at, low), (at, high));
        writer.line("e", (at - 3.5, high), (at + 3.5, high));
        writer.line("e", (at - 3.5, low), (at + 3.5, low));
    }
    if let Some(minimum) = point.minimum.and_then(|minimum| y.at(minimum)) {
        writer.line("e", (at - 6.0, minimum), (at + 6.0, minimum));
    }
}

fn draw_marks(writer: &mut Writer, marks: &[Mark], area: Area, x: &Scale, y: &Scale) {
    let mut row = area.top + 12.0;
    for mark in marks.iter().take(MAX_SERIES) {
        let label = fit(&mark.label, 11.0, (area.right - area.left) / 2.0);
        match mark.direction {
            MarkDirection::Vertical => {
                let Some(at) = x.at(mark.at) else { continue };
                writer.line("k", (at, area.top), (at, area.bottom));
                let is_left = at + 6.0 + width(&label, 11.0) > area.right;
                let (at, anchor) = if is_left { (at - 5.0, Anchor::End) } else { (at + 5.0, Anchor::Start) };
                writer.text("t o", (at, row), anchor, &label);
                row += 14.0;
            }
            MarkDirection::Horizontal => {
                let Some(at) = y.at(mark.at) else { continue };
                writer.line("k", (area.left, at), (area.right, at));
                writer.text("t o", (area.left + 5.0, at - 4.0), Anchor::Start, &label);
            }
        }
    }
}

/// Keeps at most [`MAX_POINTS`] points at equal distances, with the first and the last one.
fn thin(points: Vec<Point>) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else { return points };
    let step = points.len().div_ceil(MAX_POINTS);
    points
        .into_iter()
        .enumerate()
        .filter(|(at, _)| at % step == 0 || *at == last)
        .map(|(_, one)| one)
        .collect()
}

const MAX_SERIES: usize = 24;
const MAX_POINTS: usize = 400;

/// A line with more points has no markers.
const MAX_MARKERS: usize = 48;
