//! The table and the figure of light and heavy traffic.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, Outcome, Section, Source, Table,
};
use portreeve_lab_report::papers::paper_002;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::{CLEAR_STACKS, HEAVY, LIGHT, NAME, OURS, STACKS, TLS, UDP};
use crate::client::ProtocolStack;
use crate::experiments::judgement::{is_above, ratio_text};
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    let buffer = all.with("traffic", LIGHT).summary("evicted").map(|octets| Unit::Bytes.text(octets.median));
    section.paragraph(format!(
        "One GET of sysName.0 in a session of its own. In the paper, light traffic is a message every 5 minutes, and \
         heavy traffic a message every second. Both are compressed in time: nothing waits. Instead, light traffic finds \
         cold caches: before each session, the lab writes and reads {} of memory on the cores of client and agent. Heavy \
         traffic finds warm caches: a session follows the one before at once. Effects of time itself, such as \
         entries of neighbours that expire or a processor that sleeps, are not measured.",
        buffer.as_deref().unwrap_or("a large block")
    ));
    section.table(paper_table(&all));
    section.figure(figure(&all));
    section.table(all_stacks(&all));
    verdict(&all, section);
}

/// Table 3 of paper 002.
fn paper_table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Light and heavy traffic, as in Table 3 of paper 002")
        .column("Traffic")
        .column_with("TLS session", "paper")
        .column_with("TLS session", "Portreeve")
        .column_with("TLS set-up", "paper")
        .column_with("TLS set-up", "Portreeve")
        .column_with("UDP session", "paper")
        .column_with("UDP session", "Portreeve")
        .column_with("UDP session", "Net-SNMP's agent");
    for (printed, kind) in paper_002::TABLE_3.iter().zip([LIGHT, HEAVY]) {
        let (tls, udp) = (of(all, OURS, TLS, kind), of(all, OURS, UDP, kind));
        table.row([
            Cell::text(title(kind)),
            Cell::paper(printed.tls),
            Cell::of(&tls, "time", Unit::Seconds),
            Cell::paper(printed.setup),
            Cell::of(&tls, "open", Unit::Seconds),
            Cell::paper(printed.udp),
            Cell::of(&udp, "time", Unit::Seconds),
            of_peer(all, UDP, kind),
        ]);
    }
    table
}

/// The time of sessions of our client with Net-SNMP's agent, or nothing if it was not measured.
fn of_peer(all: &Selection<'_>, stack: ProtocolStack, kind: &str) -> Cell {
    let time = of(all, Peer::NetSnmp.name(), stack, kind).summary("time");
    time.map_or(Cell::Empty, |time| Cell::measured(time, Unit::Seconds))
}

fn figure(all: &Selection<'_>) -> Figure {
    let mut rows = Vec::new();
    for stack in STACKS {
        let mut bars = Vec::new();
        for kind in [LIGHT, HEAVY] {
            for (by, agent) in [(By::Ours, OURS), (By::Peer("snmpd"), Peer::NetSnmp.name())] {
                if let Some(time) = of(all, agent, stack, kind).summary("time") {
                    bars.push(Bar::Measured(by, title(kind).to_owned(), Measured::new(time, Unit::Seconds)));
                }
            }
        }
        for (printed, kind) in paper_002::TABLE_3.iter().zip([LIGHT, HEAVY]) {
            if let Some((_, time)) =
                [(TLS, printed.tls), (UDP, printed.udp)].iter().find(|(of, _)| *of == stack)
            {
                bars.push(Bar::Paper(title(kind).to_owned(), *time));
            }
        }
        rows.push(BarRow { label: stack.label(), bars });
    }
    let axis = Axis::log("Time of the session", Unit::Seconds);
    Figure::new(
        "A session for each message under light and heavy traffic",
        Bars { axis, rows, reference: None },
    )
}

fn all_stacks(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Session times of every stack under light and heavy traffic")
        .column("Stack")
        .column("Light traffic")
        .column("Heavy traffic")
        .column("Light to heavy");
    let agents = [
        (OURS, "Portreeve", &STACKS[..]),
        (Peer::NetSnmp.name(), "Our client, Net-SNMP's agent", &CLEAR_STACKS[..]),
    ];
    for (agent, title, stacks) in agents {
        if all.with("agent", agent).is_empty() {
            continue;
        }
        table.heading(title);
        for stack in stacks {
            let [light, heavy] = [LIGHT, HEAVY].map(|kind| of(all, agent, *stack, kind));
            table.row([
                Cell::text(stack.label()),
                Cell::of(&light, "time", Unit::Seconds),
                Cell::of(&heavy, "time", Unit::Seconds),
                Cell::ratio_of(&light, &heavy, "time"),
            ]);
        }
    }
    table
}

fn verdict(all: &Selection<'_>, section: &mut Section) {
    let light_to_heavy = |stack| {
        let [light, heavy] = [LIGHT, HEAVY].map(|kind| of(all, OURS, stack, kind));
        light.ratios(&heavy, "time")
    };
    let (Some(tls), Some(udp)) = (light_to_heavy(TLS), light_to_heavy(UDP)) else { return };
    section.verdict(
        Source::Paper("002 Table 3"),
        Outcome::of_parts([is_above(&tls, 1.0), is_above(&udp, 1.0)]),
        "Messages take less time under heavy traffic (TLS 424 ms, UDP 91 ms) than under light traffic (648 ms, 123 ms).",
        format!(
            "Here light traffic with evicted caches takes {} times the time of heavy traffic over TLS, and {} times over UDP.",
            ratio_text(&tls),
            ratio_text(&udp)
        ),
    );
}

fn title(kind: &str) -> &'static str {
    if kind == LIGHT { "light traffic" } else { "heavy traffic" }
}

fn of<'s>(all: &Selection<'s>, agent: &str, stack: ProtocolStack, kind: &str) -> Selection<'s> {
    all.with("agent", agent).with("stack", &stack.id()).with("traffic", kind)
}
