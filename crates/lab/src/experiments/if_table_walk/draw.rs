//! The tables and figures of walks.

mod break_even;
mod verdicts;

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::{paper_000, paper_002};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::commands::ROWS as COMMAND_ROWS;
use super::frame_sizes::WIDTH;
use super::variants::{IF_TABLE_OBJECT, LIBRARY, METHODS, NET_SNMP, SYSTEM_OBJECT, method_name, stacks};
use super::{NAME, OURS, PAPER_ROWS};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::judgement::{is_below, ratio_text};
use crate::experiments::{security_levels, unavailable_notes};
use crate::harness::Peer;
use crate::peers::SLOW_CORES;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(format!(
        "Walks of ifTable, which has 22 columns, with one request after the other: each walk has a session of its \
         own. The number of rows varies by idle interfaces; it cannot be 1, because an agent on the network has the \
         loopback interface and one to the network. The slow agent gets {} of a core. Its walks take several times as \
         long, so that only GETNEXT with three numbers of rows is measured there.",
        Unit::Share.text(SLOW_CORES)
    ));
    let repeated = all.with("client", LIBRARY).with("setting", "pinned");
    if let Some(walks) = repeated.lists("times").first() {
        section.paragraph(format!(
            "Other programs of the machine can stop a short walk for as long as it takes. So walks of up to {PAPER_ROWS} \
             rows are repeated {} times in each round, and the one with the median time counts.",
            walks.len()
        ));
    }
    section.figure(latency(&all));
    break_even::add(&all, section);
    verdicts::slow_machine(&all, section);
    section.figure(bandwidth(&all));
    section.table(frame_sizes(&all));
    bandwidth_verdict(&all, section);
    verdicts::octets(&all, section);
    section.table(methods(&all));
    unavailable_notes::add(section, "Net-SNMP's agent", &all.with("agent", Peer::NetSnmp.name()));
    let walks = all.with("object", SYSTEM_OBJECT);
    security_levels::add(
        section,
        "Walk of the system group by version, carrier and security level, as in Table 6 b of paper 002",
        &paper_002::SNMPWALK,
        |agent, stack| {
            let client = if agent == Peer::NetSnmp.name() { NET_SNMP } else { LIBRARY };
            walks.with("client", client).with("agent", agent).with("stack", &stack.id())
        },
    );
    section.table(commands(&all));
}

/// Figure 3 of paper 000: the time of a walk by its exchanges.
fn latency(all: &Selection<'_>) -> Figure {
    let panel = |setting: &str| {
        let axes = (Axis::linear("Exchanges", Unit::Count), Axis::linear("Time of the walk", Unit::Seconds));
        let mut chart = Chart::new(axes.0, axes.1);
        for (by, agent) in AGENTS {
            for stack in CHART_STACKS {
                let walks = getnext(all, agent, setting, stack);
                chart.measured(by, stack.label(), by_exchanges(&walks, "time"));
            }
        }
        chart
    };
    Figure::of("The time of GETNEXT walks of ifTable, as in Figure 3 of paper 000")
        .panel("Fast agent", panel("pinned"))
        .panel("Slow agent", panel("slow"))
}

/// Figure 5 of paper 000: the octets of a walk by its exchanges.
fn bandwidth(all: &Selection<'_>) -> Figure {
    let axes = (Axis::linear("Exchanges", Unit::Count), Axis::linear("Octets of all frames", Unit::Octets));
    let mut chart = Chart::new(axes.0, axes.1);
    for (by, agent) in AGENTS {
        for stack in CHART_STACKS {
            let walks = getnext(all, agent, "pinned", stack);
            chart.measured(by, stack.label(), by_exchanges(&walks, "octets"));
        }
    }
    Figure::new("The octets of GETNEXT walks of ifTable, as in Figure 5 of paper 000", chart)
}

/// Table 3 of paper 000: the sizes of packets.
fn frame_sizes(all: &Selection<'_>) -> Table {
    let rows = largest_common(all);
    let mut table = Table::new(format!(
        "Frames of a GETNEXT walk with {rows} rows, as in Table 3 of paper 000: the range of {WIDTH} octets that contains \
         most frames"
    ))
    .column("Protocol")
    .column_with("Range", "paper")
    .column_with("Range", "Portreeve")
    .column_with("Range", "Net-SNMP")
    .column_with("Frames in range", "paper")
    .column_with("Frames in range", "Portreeve")
    .column_with("All frames", "paper")
    .column_with("All frames", "Portreeve")
    .column_with("All frames", "Net-SNMP")
    .column_with("All octets", "Portreeve")
    .column_with("All octets", "Net-SNMP");
    let paper_row = |stack| PAPER_STACKS.iter().position(|known| *known == stack);
    for stack in stacks() {
        let of = |agent| getnext(all, agent, "pinned", stack).with("rows", &rows);
        let (ours, peer) = (of(OURS), of(Peer::NetSnmp.name()));
        let printed = paper_row(stack).and_then(|row| paper_000::TABLE_3.get(row));
        let range = |low: f64| Cell::text(format!("{low:.0}–{:.0}", low + WIDTH as f64));
        let measured_range = |selection: &Selection<'_>| match selection.summary("size_low") {
            Some(low) => range(low.median),
            None => Cell::missing(selection),
        };
        let printed_range =
            printed.map_or(Cell::Empty, |row| Cell::text(format!("{}–{}", row.range.0, row.range.1)));
        table.row([
            Cell::text(stack.label()),
            printed_range,
            measured_range(&ours),
            measured_range(&peer),
            Cell::paper(printed.map(|row| row.packets)),
            Cell::of(&ours, "size_frames", Unit::Count),
            Cell::paper(printed.map(|row| row.total)),
            Cell::of(&ours, "frames", Unit::Count),
            Cell::of(&peer, "frames", Unit::Count),
            Cell::of(&ours, "octets", Unit::Octets),
            Cell::of(&peer, "octets", Unit::Octets),
        ]);
    }
    table
}

fn bandwidth_verdict(all: &Selection<'_>, section: &mut Section) {
    let rows = largest_common(all);
    let [_, _, usm, usm_tcp, ssh] =
        PAPER_STACKS.map(|stack| getnext(all, OURS, "pinned", stack).with("rows", &rows));
    let ratio = |usm: &Selection<'_>| ssh.ratios(usm, "octets");
    let (Some(udp), Some(tcp)) = (ratio(&usm), ratio(&usm_tcp)) else { return };
    section.verdict(
        Source::Paper("000 §5.5"),
        Outcome::of_parts([is_below(&udp, 1.0), is_below(&tcp, 1.0)]),
        "A walk over SSH needs fewer octets than one with USM over UDP or TCP.",
        format!(
            "Here, with {rows} rows, v2c over SSH needs {} of the octets of USM over UDP, and {} of those over TCP.",
            ratio_text(&udp),
            ratio_text(&tcp)
        ),
    );
}

/// The methods of walking, over every stack.
fn methods(all: &Selection<'_>) -> Table {
    let rows = largest_common(all);
    let mut table = Table::new(format!("The time of walks with {rows} rows, by method"))
        .column("Stack")
        .column("GETNEXT")
        .column("GETBULK, 10 repetitions")
        .column("GETBULK, 50 repetitions")
        .column("Our walk")
        .column_with("Our walk", "cores not pinned")
        .column_with("CPU of our walk", "client")
        .column_with("CPU of our walk", "agent");
    for (agent, client, title) in [
        (OURS, LIBRARY, "Portreeve's library and agent"),
        (Peer::NetSnmp.name(), LIBRARY, "Portreeve's library, Net-SNMP's agent"),
        (Peer::NetSnmp.name(), NET_SNMP, "Net-SNMP's library and agent"),
    ] {
        let of_client = all
            .with("client", client)
            .with("object", IF_TABLE_OBJECT)
            .with("agent", agent)
            .with("rows", &rows);
        if of_client.is_empty() {
            continue;
        }
        table.heading(title);
        for stack in stacks() {
            let of_stack = of_client.with("stack", &stack.id());
            if of_stack.is_empty() {
                continue;
            }
            let pinned = of_stack.with("setting", "pinned");
            let mut cells = vec![Cell::text(stack.label())];
            let or_empty = |selection: &Selection<'_>, value: &str| {
                selection.summary(value).map_or(Cell::Empty, |summary| Cell::measured(summary, Unit::Seconds))
            };
            cells
                .extend(METHODS.map(|method| or_empty(&pinned.with("method", &method_name(method)), "time")));
            cells.push(or_empty(&of_stack.with("setting", "unpinned").with("method", "ours"), "time"));
            let ours = pinned.with("method", "ours");
            cells.extend(["client_cpu", "agent_cpu"].map(|value| or_empty(&ours, value)));
            table.row(cells);
        }
    }
    table
}

fn commands(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Whole commands that walk ifTable over UDP with a community, from the start of the process to its end")
        .column("Command")
        .column("Agent")
        .column("Cores")
        .column("Rows")
        .column("Time");
    for (agent, setting, client) in COMMAND_ROWS {
        let selection = all.with("agent", agent).with("setting", setting).with("client", client);
        let rows = selection.axis("rows").last().map_or(String::new(), |rows| (*rows).to_owned());
        table.row([
            Cell::text(client),
            Cell::text(agent),
            Cell::text(setting),
            Cell::text(rows),
            Cell::of(&selection, "time", Unit::Seconds),
        ]);
    }
    table
}

/// Selects the GETNEXT walks of ifTable, each agent by the client of the same project.
fn getnext<'s>(all: &Selection<'s>, agent: &str, setting: &str, stack: ProtocolStack) -> Selection<'s> {
    all.with("client", if agent == OURS { LIBRARY } else { NET_SNMP })
        .with("object", IF_TABLE_OBJECT)
        .with("method", "getnext")
        .with("agent", agent)
        .with("setting", setting)
        .with("stack", &stack.id())
}

/// Returns a value for each number of exchanges.
fn by_exchanges(walks: &Selection<'_>, value: &str) -> Vec<(f64, Summary)> {
    let points = walks.axis("rows").into_iter().filter_map(|rows| {
        let walks = walks.with("rows", rows);
        Some((walks.summary("exchanges")?.median, walks.summary(value)?))
    });
    points.collect()
}

/// Returns the number of rows of the papers, or the largest one if they were not measured.
fn largest_common(all: &Selection<'_>) -> String {
    let rows = all.with("setting", "pinned").axis("rows");
    let paper = super::PAPER_ROWS.to_string();
    let found = rows.iter().find(|rows| ***rows == *paper).or(rows.last());
    found.map_or(paper.clone(), |rows| (*rows).to_owned())
}

/// The stacks of Table 3, in its order.
const PAPER_STACKS: [ProtocolStack; 5] = [
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Tcp),
    ProtocolStack::v2c(Carrier::Ssh),
];

/// The stacks of the charts: those of the paper, and TLS and DTLS.
const CHART_STACKS: [ProtocolStack; 7] = {
    let [udp, tcp, usm_udp, usm_tcp, ssh] = PAPER_STACKS;
    [udp, tcp, usm_udp, usm_tcp, ssh, ProtocolStack::tsm(Carrier::Tls), ProtocolStack::tsm(Carrier::Dtls13)]
};

/// The agents: the program, and its name in variants.
const AGENTS: [(By, &str); 2] = [(By::Ours, OURS), (By::Peer("Net-SNMP"), "net-snmp")];
