//! The figure, the tables and the verdicts of both optimisations.

mod verdicts;

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, Plot, Section, Table,
};
use portreeve_lab_report::papers::{PaperValue, paper_000};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::policy::{
    EVERY_MESSAGE, LATE_AT_BOTH_ENDS, NEVER, NODELAY, OPTIMISED, Policy, UNOPTIMISED, WINDOW, window_name,
};
use super::{NAME, USM};

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "GETs of sysDescr.0 with v2c over SSH. A one-shot is a session with one GET, from before it is opened until \
         it is closed; an exchange is a GET in an open session. Frames and octets are those of the network. Each end \
         sets TCP_NODELAY never, after the login, or at the start of the connection, and adjusts the window after \
         each message, or if needed. Without \
         TCP_NODELAY, an end writes each packet of SSH on its own, and Nagle's algorithm delays a small packet until \
         the one before it is acknowledged. The paper does not say with which window adjustments its times of \
         section 4.1 were measured.",
    );
    section.figure(times(&all));
    section.table(nodelay_table(&all));
    verdicts::nodelay(&all, section);
    section.table(window_table(&all));
    verdicts::windows(&all, section);
}

/// The time of a one-shot by TCP_NODELAY, and that of an exchange by window adjustments.
fn times(all: &Selection<'_>) -> Figure {
    let nodelay = NODELAY.into_iter().chain([UNOPTIMISED]).filter_map(|policy| {
        let label = match policy {
            UNOPTIMISED => "neither optimisation".to_owned(),
            _ => nodelay_names(policy).join(" / "),
        };
        bar_row(label, of(all, policy).summary("time"), paper(policy))
    });
    let windows = WINDOW.into_iter().filter_map(|policy| {
        bar_row(window_names(policy).join(" / "), of(all, policy).summary("exchange_time"), None)
    });
    let usm = USM.into_iter().filter_map(|stack| {
        let label = format!("USM over {}", stack.carrier.label());
        bar_row(label, all.with("stack", &stack.id()).summary("exchange_time"), None)
    });
    let bars = |axis, rows: Vec<BarRow>| Plot::Bars(Bars { axis, rows, reference: None });
    let one_shots = bars(Axis::log("Time of a one-shot", Unit::Seconds), nodelay.collect());
    let exchanges = bars(Axis::linear("Time of an exchange", Unit::Seconds), windows.chain(usm).collect());
    Figure::of("Times over SSH with each setting of the client and of the agent, and of USM")
        .panel("One-shot: TCP_NODELAY of client / agent", one_shots)
        .panel("Exchange: window adjustments of client / agent", exchanges)
}

/// Returns the bars of a row, unless it has none.
fn bar_row(label: String, time: Option<Summary>, printed: Option<PaperValue>) -> Option<BarRow> {
    let measured = |time| Bar::Measured(By::Ours, "Portreeve".to_owned(), Measured::new(time, Unit::Seconds));
    let bars: Vec<Bar> = time
        .map(measured)
        .into_iter()
        .chain(printed.map(|time| Bar::Paper("one-shot".to_owned(), time)))
        .collect();
    (!bars.is_empty()).then_some(BarRow { label, bars })
}

/// Section 4.1 of the paper.
fn nodelay_table(all: &Selection<'_>) -> Table {
    let caption =
        "TCP_NODELAY at either end, as in section 4.1 of paper 000, with window adjustments when needed";
    let table = Table::new(caption).column_with("TCP_NODELAY", "client").column_with("TCP_NODELAY", "agent");
    let mut table = costs(table.column_with("One-shot", "paper"));
    for policy in NODELAY {
        row(&mut table, nodelay_names(policy), [Cell::paper(paper(policy))], &of(all, policy));
    }
    table.heading("With a window adjustment after every message at both ends");
    row(&mut table, nodelay_names(UNOPTIMISED), [Cell::Empty], &of(all, UNOPTIMISED));
    table
}

/// Section 4.2 of the paper, and USM, with which it compares SSH.
fn window_table(all: &Selection<'_>) -> Table {
    let caption = "Window adjustments at either end, as in section 4.2 of paper 000, with TCP_NODELAY from the start, \
                   and USM, with which the paper compares SSH. The paper counts messages of SSH, not frames";
    let table = Table::new(caption).column_with("Adjustment", "client").column_with("Adjustment", "agent");
    let table = table.column_with("Added for each message", "paper");
    let mut table = costs(table.column_with("Added frames for each message", "Portreeve"));
    let frames = |policy| of(all, policy).summary("exchange_frames").map(|frames| frames.median);
    let needed = frames(OPTIMISED);
    for policy in WINDOW {
        let added = frames(policy).zip(needed).filter(|_| policy != OPTIMISED);
        // An exchange has two messages.
        let added = added.map(|(frames, needed)| Cell::computed((frames - needed) / 2.0, None, Unit::Ratio));
        let printed = (policy == EVERY_MESSAGE).then_some(paper_000::WINDOW_ADJUSTMENTS);
        let cells = [Cell::paper(printed), added.unwrap_or_default()];
        row(&mut table, window_names(policy), cells, &of(all, policy));
    }
    for stack in USM {
        let cells = [Cell::Empty, Cell::Empty];
        row(&mut table, [&stack.label(), ""], cells, &all.with("stack", &stack.id()));
    }
    table
}

fn nodelay_names(policy: Policy) -> [&'static str; 2] {
    [policy.client.nodelay.name(), policy.agent.nodelay.name()]
}

fn window_names(policy: Policy) -> [&'static str; 2] {
    [policy.client.window, policy.agent.window].map(window_name)
}

/// Adds the columns of [`COSTS`].
fn costs(table: Table) -> Table {
    table
        .column("One-shot")
        .column_with("Frames", "one-shot")
        .column_with("Octets", "one-shot")
        .column("Exchange")
        .column_with("Frames", "exchange")
        .column_with("Octets", "exchange")
}

/// Adds a row with names, other cells, and the measured costs or the reason why there are none.
fn row(
    table: &mut Table,
    names: [&str; 2],
    others: impl IntoIterator<Item = Cell>,
    sessions: &Selection<'_>,
) {
    let mut costs = COSTS.map(|(name, unit)| Cell::of(sessions, name, unit));
    if sessions.is_empty() {
        // The reason is the same in every column.
        costs.iter_mut().skip(1).for_each(|cell| *cell = Cell::Empty);
    }
    table.row(names.map(Cell::text).into_iter().chain(others).chain(costs));
}

/// Returns the time that the paper printed for a policy.
fn paper(policy: Policy) -> Option<PaperValue> {
    match policy {
        NEVER => Some(paper_000::NAGLE),
        LATE_AT_BOTH_ENDS => Some(paper_000::NODELAY),
        OPTIMISED => Some(paper_000::NODELAY_BEFORE_SSH),
        _ => None,
    }
}

fn of<'s>(all: &Selection<'s>, policy: Policy) -> Selection<'s> {
    all.with_all(&policy.variant())
}

/// The measured costs.
const COSTS: [(&str, Unit); 6] = [
    ("time", Unit::Seconds),
    ("frames", Unit::Count),
    ("octets", Unit::Octets),
    ("exchange_time", Unit::Seconds),
    ("exchange_frames", Unit::Ratio),
    ("exchange_octets", Unit::Ratio),
];

#[cfg(test)]
mod tests;
