//! The tables and the figure of the phases of a session.

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::paper_002;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::{CLEAR_STACKS, MESSAGES, NAME, OURS, STACKS, TLS, UDP};
use crate::client::ProtocolStack;
use crate::experiments::judgement::{is_above, is_less, ratio_text};
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(format!(
        "A third party on the network between manager and agent records the frames of one session with {MESSAGES} \
         GETs of sysName.0, as the third computer of the paper did (which walked the system group). Another session \
         precedes it immediately, so that its first message finds warm caches: after a pause, that takes longer even \
         over UDP. The time of a \
         message is that from its request to the next request, and of the last one to its response. The set-up of \
         SNMP is the time from the last frame of the transport's set-up to the first request; what the manager \
         does before its first frame is invisible here, but is part of the paper's set-up of SNMP. The close of \
         SNMP sends no frame. Where the first request is in the same frame as the end of the set-up, as over \
         TLS 1.3 and SSH, there is no time between them, and the first message \
         includes what the agent still does for the set-up.",
    ));
    section.table(observed(&all));
    section.table(both_clocks(&all));
    section.figure(each_message(&all));
    section.table(message_table(&all));
    verdict(&all, section);
}

/// Table 4 of paper 002, for every stack.
fn observed(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Phases of a session, as the observer sees them, as in Table 4 of paper 002")
        .column("Stack")
        .column("Set-up of the transport")
        .column("Set-up of SNMP")
        .column(format!("{MESSAGES} messages"))
        .column("Close of the transport")
        .column("Close of SNMP");
    table.heading("Paper 002");
    for phases in &paper_002::TABLE_4 {
        table.row([
            Cell::text(phases.transport),
            Cell::paper(phases.transport_setup),
            Cell::paper(phases.snmp_setup),
            Cell::paper(phases.walk),
            Cell::paper(phases.transport_close),
            Cell::paper(phases.snmp_close),
        ]);
    }
    for (agent, title, stacks) in agents(all) {
        table.heading(title);
        for stack in stacks {
            let sessions = of(all, agent, *stack);
            let cells = ["transport_setup", "snmp_setup", "messages", "close"].map(|name| {
                let has_none = !sessions.is_empty() && sessions.values(name).is_empty();
                if has_none { Cell::text("not visible") } else { Cell::of(&sessions, name, Unit::Seconds) }
            });
            table
                .row([Cell::text(stack.label())].into_iter().chain(cells).chain([Cell::text("not visible")]));
        }
    }
    table
}

/// The same sessions by the client's clock.
fn both_clocks(all: &Selection<'_>) -> Table {
    let mut table = Table::new(
        "The same sessions by the observer's clock and by the client's own clock. The client's close ends when the \
         client has done its part; the observer's session ends with the last frame",
    )
    .column("Stack")
    .column_with("Messages", "observer")
    .column_with("Messages", "client")
    .column_with("Whole session", "observer")
    .column_with("Whole session", "client")
    .column_with("Open", "client")
    .column_with("Close", "client");
    let names = ["messages", "client_messages", "time", "client_time", "client_open", "client_close"];
    for (agent, title, stacks) in agents(all) {
        table.heading(title);
        for stack in stacks {
            let sessions = of(all, agent, *stack);
            let cells = names.map(|name| Cell::of(&sessions, name, Unit::Seconds));
            table.row([Cell::text(stack.label())].into_iter().chain(cells));
        }
    }
    table
}

fn each_message(all: &Selection<'_>) -> Figure {
    let axes = (Axis::linear("Message", Unit::Count), Axis::log("Time", Unit::Seconds));
    let mut chart = Chart::new(axes.0, axes.1);
    for (by, agent, stacks) in
        [(By::Ours, OURS, &STACKS[..]), (By::Peer("snmpd"), Peer::NetSnmp.name(), &CLEAR_STACKS[..])]
    {
        for stack in stacks {
            let sessions = of(all, agent, *stack);
            let points = (0..MESSAGES)
                .filter_map(|index| Some(((index + 1) as f64, sessions.element("messages", index)?)));
            chart.measured(by, stack.label(), points);
        }
    }
    for times in &paper_002::TABLE_5 {
        let points = times.times().enumerate().map(|(index, time)| ((index + 1) as f64, time));
        chart.paper(times.transport, points);
    }
    Figure::new(format!("The time of each of the {MESSAGES} messages, by the observer's clock"), chart)
}

/// Table 5 of paper 002.
fn message_table(all: &Selection<'_>) -> Table {
    let mut table =
        Table::new("The time of each message, by the observer's clock, as in Table 5 of paper 002")
            .column("Message")
            .column_with("TLS", "paper")
            .column_with(TLS.label(), "Portreeve")
            .column_with(TLS.label(), "Portreeve, client's clock")
            .column_with("UDP", "paper")
            .column_with(UDP.label(), "Portreeve")
            .column_with(UDP.label(), "Portreeve, client's clock")
            .column_with(UDP.label(), "Net-SNMP's agent");
    let [printed_tls, printed_udp] =
        paper_002::TABLE_5.each_ref().map(|times| times.times().collect::<Vec<_>>());
    for index in 0..MESSAGES {
        let mut cells = vec![Cell::text((index + 1).to_string())];
        for (printed, stack) in [(&printed_tls, TLS), (&printed_udp, UDP)] {
            let sessions = of(all, OURS, stack);
            cells.push(Cell::paper(printed.get(index).copied()));
            for series in ["messages", "client_messages"] {
                cells.push(match sessions.element(series, index) {
                    Some(time) => Cell::measured(time, Unit::Seconds),
                    None => Cell::missing(&sessions),
                });
            }
        }
        let peer = of(all, Peer::NetSnmp.name(), UDP).element("messages", index);
        cells.push(peer.map_or(Cell::Empty, |time| Cell::measured(time, Unit::Seconds)));
        table.row(cells);
    }
    table
}

fn verdict(all: &Selection<'_>, section: &mut Section) {
    let ratio = |stack: ProtocolStack| {
        let lists = of(all, OURS, stack);
        let ratios = lists.lists("messages").into_iter().filter_map(first_to_later);
        Summary::of(&ratios.collect::<Vec<_>>())
    };
    let (Some(tls), Some(udp)) = (ratio(TLS), ratio(UDP)) else { return };
    section.verdict(
        Source::Paper("002 Table 5"),
        Outcome::of_parts([is_above(&tls, MUCH_LONGER), is_less(&udp, &tls)]),
        "The first message takes much longer than a later one: over TLS 43.8 ms and 3.5 ms, over UDP 5.4 ms and 3.1 ms.",
        format!(
            "Here the first message takes {} times the median of the later ones over TLS, and {} times over UDP.",
            ratio_text(&tls),
            ratio_text(&udp)
        ),
    );
}

/// The ratio above which a message takes much longer than another.
const MUCH_LONGER: f64 = 1.5;

/// Returns the time of the first message in relation to the median of the others.
fn first_to_later(times: &[f64]) -> Option<f64> {
    let (first, later) = times.split_first()?;
    Some(first / Summary::of(later)?.median)
}

type Agent = (&'static str, &'static str, &'static [ProtocolStack]);

/// Returns the agents that were measured, with their titles and stacks.
fn agents(all: &Selection<'_>) -> Vec<Agent> {
    let agents: [Agent; 2] =
        [(OURS, "Portreeve", &STACKS), (Peer::NetSnmp.name(), "Our client, Net-SNMP's agent", &CLEAR_STACKS)];
    agents.into_iter().filter(|(agent, ..)| !all.with("agent", agent).is_empty()).collect()
}

fn of<'s>(all: &Selection<'s>, agent: &str, stack: ProtocolStack) -> Selection<'s> {
    all.with("agent", agent).with("stack", &stack.id())
}
