//! Figures of a report: one or more charts with a caption.

use super::{Bars, Chart, Prose, Sequence, Stack};

/// A figure with a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The caption.
    pub caption: Prose,
    /// The charts. Several stand side by side if the page is wide enough.
    pub panels: Vec<Panel>,
}

/// A chart of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title. Empty if the figure has only one chart.
    pub title: String,
    /// The chart.
    pub plot: Plot,
}

/// A chart of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Points and lines over two axes.
    Chart(Chart),
    /// Horizontal bars in groups.
    Bars(Bars),
    /// Horizontal bars that are divided into parts.
    Stack(Stack),
    /// The messages between participants.
    Sequence(Sequence),
}

impl Figure {
    /// Creates a figure with one chart.
    pub fn new(caption: impl Into<Prose>, plot: impl Into<Plot>) -> Self {
        Self::of(caption).panel("", plot)
    }

    /// Creates a figure without charts.
    pub fn of(caption: impl Into<Prose>) -> Self {
        Self { caption: caption.into(), panels: Vec::new() }
    }

    /// Adds a chart.
    #[must_use]
    pub fn panel(mut self, title: impl Into<String>, plot: impl Into<Plot>) -> Self {
        self.panels.push(Panel { title: title.into(), plot: plot.into() });
        self
    }
}

impl From<Chart> for Plot {
    fn from(chart: Chart) -> Self {
        Self::Chart(chart)
    }
}

impl From<Bars> for Plot {
    fn from(bars: Bars) -> Self {
        Self::Bars(bars)
    }
}

impl From<Stack> for Plot {
    fn from(stack: Stack) -> Self {
        Self::Stack(stack)
    }
}

impl From<Sequence> for Plot {
    fn from(sequence: Sequence) -> Self {
        Self::Sequence(sequence)
    }
}
