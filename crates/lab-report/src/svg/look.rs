//! The look of a series: its colour and marker by name, its line by source.
//!
//! Series with the same name share colour and marker, so that a program, another one and the paper
//! can be compared. Sources differ by line and filling: solid, dotted, dashed.

use super::writer::{Number, Writer};
use crate::document::By;
use crate::escape::push;

/// The source of a series.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Ours,
    Peer,
    Paper,
    Computed,
}

impl Source {
    pub(super) fn of(by: By) -> Self {
        match by {
            By::Ours => Self::Ours,
            By::Peer(_) => Self::Peer,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Peer => "peer",
            Self::Paper => "ref",
            Self::Computed => "fit",
        }
    }
}

/// The colour and the marker of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Look {
    hue: usize,
    marker: usize,
}

impl Look {
    /// Returns the classes of a group with this look.
    pub(super) fn classes(self, source: Source) -> String {
        format!("{} c{}", source.class(), self.hue)
    }

    /// Draws the marker around a point.
    pub(super) fn draw_marker(self, writer: &mut Writer, (x, y): (f64, f64)) {
        let shape = SHAPES.get(self.marker).copied().unwrap_or_default();
        let mut data = String::new();
        for (index, (dx, dy)) in shape.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            push!(data, "{command}{} {}", Number(x + dx * RADIUS), Number(y + dy * RADIUS));
        }
        if shape.is_empty() {
            let (left, top, size) = (Number(x - RADIUS), Number(y), Number(2.0 * RADIUS));
            let radius = Number(RADIUS);
            push!(data, "M{left} {top}a{radius} {radius} 0 1 0 {size} 0a{radius} {radius} 0 1 0 -{size} 0");
        }
        data.push('z');
        writer.path("m", &data);
    }
}

/// The looks of all names of a chart, in the order in which they occur.
#[derive(Default)]
pub(super) struct Looks<'a> {
    names: Vec<&'a str>,
}

impl<'a> Looks<'a> {
    pub(super) fn of(names: impl Iterator<Item = &'a str>) -> Self {
        let mut looks = Self::default();
        for name in names {
            if !looks.names.contains(&name) {
                looks.names.push(name);
            }
        }
        looks
    }

    pub(super) fn get(&self, name: &str) -> Look {
        Self::at(self.names.iter().position(|other| *other == name).unwrap_or_default())
    }

    /// Returns the look of the name at a position. After the last colour, markers shift by one.
    pub(super) fn at(position: usize) -> Look {
        Look { hue: position % HUES, marker: (position + position / HUES) % SHAPES.len() }
    }
}

/// Number of colours in the style sheet.
pub(super) const HUES: usize = 8;

const RADIUS: f64 = 4.3;

/// Corners of the markers, in radiuses. The first one is a circle.
const SHAPES: [&[(f64, f64)]; 8] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
    &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    &[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
    &[
        (-0.4, -1.1),
        (0.4, -1.1),
        (0.4, -0.4),
        (1.1, -0.4),
        (1.1, 0.4),
        (0.4, 0.4),
        (0.4, 1.1),
        (-0.4, 1.1),
        (-0.4, 0.4),
        (-1.1, 0.4),
        (-1.1, -0.4),
        (-0.4, -0.4),
    ],
    &[(0.0, -1.15), (1.1, -0.35), (0.7, 0.95), (-0.7, 0.95), (-1.1, -0.35)],
    &[(-1.1, -1.0), (1.1, -1.0), (0.25, 0.0), (1.1, 1.0), (-1.1, 1.0), (-0.25, 0.0)],
];
