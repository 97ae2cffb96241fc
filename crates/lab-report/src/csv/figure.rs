//! Figures: one row for each point, bar or part, and one for each message of a diagram.

use super::{STATISTICS, number, push_row, statistics};
use crate::document::{
    Bar, Bars, By, Cell, Chart, Computed, Data, Figure, Mark, MarkDirection, Part, Plot, Stack,
};
use crate::statistics::Level;
use crate::unit::Unit;

/// Formats the values of a figure. `None` if it has only diagrams of messages.
pub(super) fn values(figure: &Figure) -> Option<String> {
    let mut rows = Vec::new();
    for panel in &figure.panels {
        let mut add = |place: [String; 3], cell: &Cell, program: &str| {
            rows.push(([panel.title.clone()], place, statistics(cell, program)));
        };
        match &panel.plot {
            Plot::Chart(chart) => add_chart(chart, &mut add),
            Plot::Bars(bars) => add_bars(bars, &mut add),
            Plot::Stack(stack) => add_stack(stack, &mut add),
            Plot::Sequence(_) => {}
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut text = String::new();
    push_row(&mut text, ["panel", "series", "x", "x unit"].into_iter().chain(STATISTICS));
    for (panel, place, fields) in rows {
        push_row(&mut text, panel.into_iter().chain(place).chain(fields));
    }
    Some(text)
}

/// Formats the messages of a figure's diagrams. `None` if it has none.
pub(super) fn messages(figure: &Figure) -> Option<String> {
    let mut text = String::new();
    push_row(&mut text, ["panel", "seconds", "from", "to", "octets", "message"]);
    let header = text.len();
    for panel in &figure.panels {
        let Plot::Sequence(sequence) = &panel.plot else { continue };
        for message in &sequence.messages {
            let (at, octets) = (number(message.at), message.octets.to_string());
            push_row(&mut text, [&panel.title, &at, &message.from, &message.to, &octets, &message.label]);
        }
    }
    (text.len() > header).then_some(text)
}

/// Receives the place of a value, the value, and the program that was measured.
type Add<'a> = dyn FnMut([String; 3], &Cell, &str) + 'a;

fn add_chart(chart: &Chart, add: &mut Add<'_>) {
    for series in &chart.series {
        let place = |x: f64| [series.name.clone(), number(x), chart.x.unit.name().to_owned()];
        match &series.data {
            Data::Measured(by, points) => {
                points.iter().for_each(|(x, y)| add(place(*x), &Cell::Measured(y.clone()), program(by)));
            }
            Data::Paper(points) => {
                points.iter().for_each(|point| add(place(point.x), &Cell::Paper(point.y), ""));
            }
            Data::Computed(_, points) => {
                points.iter().for_each(|(x, y)| add(place(*x), &computed(*y, chart.y.unit), ""));
            }
        }
    }
    for (name, reason) in &chart.unavailable {
        add([name.clone(), String::new(), String::new()], &Cell::Unavailable(reason.clone()), "");
    }
    for Mark { direction, at, label } in &chart.marks {
        let axis = if *direction == MarkDirection::Vertical { &chart.x } else { &chart.y };
        add([label.clone(), String::new(), String::new()], &computed(*at, axis.unit), "");
    }
}

fn add_bars(bars: &Bars, add: &mut Add<'_>) {
    for row in &bars.rows {
        for bar in &row.bars {
            let place = |name: &String| [name.clone(), row.label.clone(), String::new()];
            match bar {
                Bar::Measured(by, name, value) => {
                    add(place(name), &Cell::Measured(value.clone()), program(by));
                }
                Bar::Paper(name, value) => add(place(name), &Cell::Paper(*value), ""),
                Bar::Unavailable(name, reason) => add(place(name), &Cell::Unavailable(reason.clone()), ""),
            }
        }
    }
}

fn add_stack(stack: &Stack, add: &mut Add<'_>) {
    for row in &stack.rows {
        for (name, part) in stack.parts.iter().zip(&row.parts) {
            let place = [name.clone(), row.label.clone(), String::new()];
            match part {
                Part::Absent => {}
                Part::Measured(by, value) => add(place, &Cell::Measured(value.clone()), program(by)),
                Part::Paper(value) => add(place, &Cell::Paper(*value), ""),
                Part::Unavailable(reason) => add(place, &Cell::Unavailable(reason.clone()), ""),
            }
        }
    }
}

fn program(by: &By) -> &str {
    match by {
        By::Ours => "portreeve",
        By::Peer(program) => program,
    }
}

fn computed(value: f64, unit: Unit) -> Cell {
    Cell::Computed(Computed { value, interval: None, level: Level::P95, unit })
}
