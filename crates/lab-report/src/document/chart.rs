//! Charts of a report, as data.

use super::Measured;
use crate::papers::PaperValue;
use crate::sample::Message;
use crate::samples::Selection;
use crate::statistics::{Interval, Summary};
use crate::unit::Unit;

/// Points and lines over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
    /// Straight marks across the chart, such as a break-even.
    pub marks: Vec<Mark>,
    /// Series that could not be measured: the name of each, and the reason.
    pub unavailable: Vec<(String, String)>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The label, without the unit.
    pub label: String,
    /// The unit.
    pub unit: Unit,
    /// Linear or logarithmic.
    pub scaling: Scaling,
}

/// The scaling of an axis.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scaling {
    /// Linear. The axis contains 0.
    Linear,
    /// Logarithmic. Values that are not positive are not shown.
    Log,
}

/// A series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name. Series with the same name have the same colour and marker.
    pub name: String,
    /// The points, and where they come from.
    pub data: Data,
}

/// The points of a series, by their source.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Points that this run measured, with their x.
    Measured(By, Vec<(f64, Measured)>),
    /// Points that a paper printed.
    Paper(Vec<PaperPoint>),
    /// A line that was computed from measured points, such as a regression or a prediction.
    Computed(By, Vec<(f64, f64)>),
}

/// The program that was measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum By {
    /// Portreeve. Drawn solid.
    Ours,
    /// Another program, with its name. Drawn dotted.
    Peer(&'static str),
}

/// A point that a paper printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperPoint {
    /// The position on the horizontal axis.
    pub x: f64,
    /// The printed value.
    pub y: PaperValue,
    /// The printed interval.
    pub interval: Option<Interval>,
}

/// A straight mark across a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The direction of the mark.
    pub direction: MarkDirection,
    /// The position on the other axis.
    pub at: f64,
    /// A short label.
    pub label: String,
}

/// The direction of a mark.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MarkDirection {
    /// A horizontal line at a y.
    Horizontal,
    /// A vertical line at an x.
    Vertical,
}

/// Horizontal bars in groups, such as ratios.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The axis of the values.
    pub axis: Axis,
    /// The groups, from top to bottom.
    pub rows: Vec<BarRow>,
    /// A value to compare with, such as a ratio of 1, with its label.
    pub reference: Option<(f64, String)>,
}

/// A group of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct BarRow {
    /// The label of the group.
    pub label: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// A bar, by its source.
#[derive(Clone, Debug, PartialEq)]
pub enum Bar {
    /// A value that this run measured, with the name of its series.
    Measured(By, String, Measured),
    /// A value that a paper printed, with the name of its series.
    Paper(String, PaperValue),
    /// A value that could not be measured: the name of its series, and the reason.
    Unavailable(String, String),
}

/// Horizontal bars that are divided into parts, such as the phases of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// The axis of the values.
    pub axis: Axis,
    /// The names of the parts, in their order.
    pub parts: Vec<String>,
    /// The bars, from top to bottom.
    pub rows: Vec<StackRow>,
}

/// A divided bar.
#[derive(Clone, Debug, PartialEq)]
pub struct StackRow {
    /// The label of the bar.
    pub label: String,
    /// A value for each part, in the order of the parts' names.
    pub parts: Vec<Part>,
}

/// A part of a divided bar, by its source.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// The bar has no such part.
    Absent,
    /// A value that this run measured.
    Measured(By, Measured),
    /// A value that a paper printed.
    Paper(PaperValue),
    /// A value that could not be measured, with the reason.
    Unavailable(String),
}

/// The messages between two or three participants, along a vertical time axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The participants, from left to right.
    pub participants: Vec<String>,
    /// The messages, in the order of their times.
    pub messages: Vec<Message>,
}

impl By {
    /// Returns the name of a series, with that of the program if it is another one.
    pub fn label(self, series: &str) -> String {
        match self {
            Self::Peer(program) if !series.contains(program) => format!("{series} ({program})"),
            _ => series.to_owned(),
        }
    }
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, scaling: Scaling::Linear }
    }

    /// Creates a logarithmic axis.
    pub fn log(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, scaling: Scaling::Log }
    }
}

impl Chart {
    /// Creates a chart without series.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, series: Vec::new(), marks: Vec::new(), unavailable: Vec::new() }
    }

    /// Adds the medians of measured points, with their 95 % intervals. Nothing is added without
    /// points.
    pub fn measured(
        &mut self,
        by: By,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, Summary)>,
    ) -> &mut Self {
        let unit = self.y.unit;
        let points = points.into_iter().map(|(x, summary)| (x, Measured::new(summary, unit)));
        self.series(name, Data::Measured(by, points.collect()))
    }

    /// Adds one value of a selection over the numbers of an axis, or the reason why there is none.
    pub fn selection(
        &mut self,
        by: By,
        name: impl Into<String>,
        selection: &Selection<'_>,
        (axis, value): (&str, &str),
    ) -> &mut Self {
        let points = selection.points(axis, value);
        if points.is_empty() {
            self.unavailable.push((by.label(&name.into()), selection.reason().to_owned()));
            return self;
        }
        self.measured(by, name, points)
    }

    /// Adds points that a paper printed. Nothing is added without points.
    pub fn paper(
        &mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, PaperValue)>,
    ) -> &mut Self {
        let points = points.into_iter().map(|(x, y)| PaperPoint { x, y, interval: None });
        self.series(name, Data::Paper(points.collect()))
    }

    /// Adds a series. Nothing is added without points.
    pub fn series(&mut self, name: impl Into<String>, data: Data) -> &mut Self {
        if !data.is_empty() {
            self.series.push(Series { name: name.into(), data });
        }
        self
    }

    /// Adds a vertical mark.
    pub fn mark_x(&mut self, at: f64, label: impl Into<String>) -> &mut Self {
        self.marks.push(Mark { direction: MarkDirection::Vertical, at, label: label.into() });
        self
    }

    /// Adds a horizontal mark.
    pub fn mark_y(&mut self, at: f64, label: impl Into<String>) -> &mut Self {
        self.marks.push(Mark { direction: MarkDirection::Horizontal, at, label: label.into() });
        self
    }
}

impl Data {
    /// Reports whether there are no points.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Measured(_, points) => points.is_empty(),
            Self::Paper(points) => points.is_empty(),
            Self::Computed(_, points) => points.is_empty(),
        }
    }
}
