//! The data of a figure as a table: n, median, minimum and interval of each point.

use std::collections::BTreeSet;

use crate::document::{
    Bar, Bars, By, Cell, Chart, Computed, Data, Figure, Panel, Part, Plot, Prose, Sequence, Stack, Table,
};
use crate::statistics::Level;
use crate::unit::Unit;

/// Returns a table for each chart of a figure.
pub(crate) fn tables(figure: &Figure) -> Vec<Table> {
    figure.panels.iter().map(table).collect()
}

/// Describes the numbers of measurements of a figure's points: `n = 30`, `n = 3–30`.
pub(crate) fn counts(figure: &Figure) -> Option<String> {
    let mut counts = BTreeSet::new();
    for panel in &figure.panels {
        let table = table(panel);
        let cells = table.rows.iter().flat_map(|row| match row {
            crate::document::Row::Cells(cells) => cells.as_slice(),
            crate::document::Row::Heading(_) => &[],
        });
        counts.extend(cells.filter_map(|cell| match cell {
            Cell::Measured(measured) => Some(measured.summary.n),
            _ => None,
        }));
    }
    let (first, last) = (counts.first()?, counts.last()?);
    Some(if first == last { format!("n = {first}") } else { format!("n = {first}–{last}") })
}

fn table(panel: &Panel) -> Table {
    let caption = Prose::from(panel.title.as_str());
    match &panel.plot {
        Plot::Chart(chart) => chart_table(chart, caption),
        Plot::Bars(bars) => bars_table(bars, caption),
        Plot::Stack(stack) => stack_table(stack, caption),
        Plot::Sequence(sequence) => sequence_table(sequence, caption),
    }
}

fn chart_table(chart: &Chart, caption: Prose) -> Table {
    let mut table = Table::new(caption)
        .column("series")
        .column("source")
        .column(chart.x.label.as_str())
        .column(chart.y.label.as_str());
    for series in &chart.series {
        let mut row = |source: &str, x: f64, y: Cell| {
            table.row([Cell::text(series.name.as_str()), Cell::text(source), plain(x, chart.x.unit), y]);
        };
        match &series.data {
            Data::Measured(by, points) => {
                points.iter().for_each(|(x, y)| row(source(by), *x, Cell::Measured(y.clone())));
            }
            Data::Paper(points) => {
                points.iter().for_each(|point| row("paper", point.x, Cell::Paper(point.y)))
            }
            Data::Computed(by, points) => {
                let label = format!("{}, computed", source(by));
                points.iter().for_each(|(x, y)| row(&label, *x, computed(*y, chart.y.unit)));
            }
        }
    }
    for (name, reason) in &chart.unavailable {
        table.row([Cell::text(name.as_str()), Cell::Empty, Cell::Empty, Cell::Unavailable(reason.clone())]);
    }
    for mark in &chart.marks {
        let axis = match mark.direction {
            crate::document::MarkDirection::Vertical => &chart.x,
            crate::document::MarkDirection::Horizontal => &chart.y,
        };
        let value = format!("{} = {}", axis.label, axis.unit.text(mark.at));
        table.row([Cell::text(mark.label.as_str()), Cell::text("mark"), Cell::text(value), Cell::Empty]);
    }
    table
}

fn bars_table(bars: &Bars, caption: Prose) -> Table {
    let mut table = Table::new(caption)
        .column("group")
        .column("series")
        .column("source")
        .column(bars.axis.label.as_str());
    for group in &bars.rows {
        for bar in &group.bars {
            let (name, source, value) = match bar {
                Bar::Measured(by, name, measured) => (name, source(by), Cell::Measured(measured.clone())),
                Bar::Paper(name, value) => (name, "paper", Cell::Paper(*value)),
                Bar::Unavailable(name, reason) => (name, "", Cell::Unavailable(reason.clone())),
            };
            table.row([
                Cell::text(group.label.as_str()),
                Cell::text(name.as_str()),
                Cell::text(source),
                value,
            ]);
        }
    }
    table
}

fn stack_table(stack: &Stack, caption: Prose) -> Table {
    let mut table =
        stack.parts.iter().fold(Table::new(caption).column(""), |table, part| table.column(part.as_str()));
    for row in &stack.rows {
        let label = Cell::text(row.label.as_str());
        let cells = row.parts.iter().map(|part| match part {
            Part::Absent => Cell::Empty,
            Part::Measured(_, measured) => Cell::Measured(measured.clone()),
            Part::Paper(value) => Cell::Paper(*value),
            Part::Unavailable(reason) => Cell::Unavailable(reason.clone()),
        });
        table.row([label].into_iter().chain(cells));
    }
    table
}

fn sequence_table(sequence: &Sequence, caption: Prose) -> Table {
    let mut table =
        Table::new(caption).column("time").column("from").column("to").column("message").column("octets");
    for message in &sequence.messages {
        table.row([
            plain(message.at, Unit::Seconds),
            Cell::text(message.from.as_str()),
            Cell::text(message.to.as_str()),
            Cell::text(message.label.as_str()),
            plain(message.octets as f64, Unit::Octets),
        ]);
    }
    table
}

fn source(by: &By) -> &str {
    match by {
        By::Ours => "Portreeve",
        By::Peer(program) => program,
    }
}

fn plain(value: f64, unit: Unit) -> Cell {
    Cell::text(unit.text(value))
}

fn computed(value: f64, unit: Unit) -> Cell {
    Cell::Computed(Computed { value, interval: None, level: Level::P95, unit })
}
