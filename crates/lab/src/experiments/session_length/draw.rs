//! The tables and figures of sessions of different lengths.

mod security_share;

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::{self, SessionTimes};
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Interval, Level, Line, Summary, break_even};
use portreeve_lab_report::unit::Unit;

use super::{LIBRARY, NAME, NET_SNMP, OURS, STACKS};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::judgement::{explained_break_even, is_less, ratio_text};
use crate::experiments::within_range::{interval, is_within};
use crate::experiments::{client_setup, unavailable_notes};
use crate::harness::Peer;
use crate::peers::LESS_PROTECTED;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "GETs of sysName.0 one after the other in one session. The time is that of the whole session, from before \
         it is opened until it is closed. The set-up of TLS is the time until the handshake is done.",
    );
    for half in &HALVES {
        // A device has only the protection that it negotiates.
        if !all.with("agent", half.agent).is_empty() {
            section.table(paper_table(&all, half));
        }
    }
    verdicts(&all, section);
    security_share::add(&all, section);
    section.figure(ratios(&all));
    section.table(all_stacks(&all));
    client_setup::note(section, &all);
    unavailable_notes::add(section, "Net-SNMP's agent", &all.with("agent", Peer::NetSnmp.name()));
    section.table(equation(&all));
    section.table(break_evens(&all));
}

/// One half of Table 2 of paper 002: sessions over TLS with one protection, in relation to UDP.
struct Half {
    title: &'static str,
    /// The agent whose TLS has this protection.
    agent: &'static str,
    /// The paper's session time, set-up, time for each message, and ratio to UDP.
    printed: fn(&SessionTimes) -> [PaperValue; 4],
}

const HALVES: [Half; 2] = [
    Half {
        title: "Sessions over TLS with integrity and privacy, and over UDP, as in Table 2 of paper 002",
        agent: OURS,
        printed: |column| [column.secure, column.secure_setup, column.secure_message, column.secure_ratio],
    },
    Half {
        title: "Sessions over TLS that authenticates both ends but does not protect messages, and over UDP, as in Table 2 of paper 002",
        agent: LESS_PROTECTED[0].0,
        printed: |column| [column.tls, column.tls_setup, column.tls_message, column.tls_ratio],
    },
];

/// Table 2 of paper 002, with v1 as in the paper.
fn paper_table(all: &Selection<'_>, half: &Half) -> Table {
    let mut table = Table::new(half.title)
        .column("Messages")
        .column_with("TLS", "paper")
        .column_with("TLS", "Portreeve")
        .column_with("TLS set-up", "paper")
        .column_with("TLS set-up", "Portreeve")
        .column_with("TLS for each message", "paper")
        .column_with("TLS for each message", "Portreeve")
        .column_with("UDP", "paper")
        .column_with("UDP", "Portreeve")
        .column_with("UDP", "Net-SNMP")
        .column_with("UDP for each message", "paper")
        .column_with("UDP for each message", "Portreeve")
        .column_with("UDP for each message", "Net-SNMP")
        .column_with("TLS to UDP", "paper")
        .column_with("TLS to UDP", "Portreeve");
    for messages in all.axis("messages") {
        let (tls, udp) = (at_agent(all, half.agent, TLS, messages), of(all, UDP, messages));
        let peer = net_snmp(all, UDP).with("messages", messages);
        let or_empty = |cell: Cell| if peer.is_empty() { Cell::Empty } else { cell };
        let number: usize = messages.parse().unwrap_or_default();
        let column = paper_002::TABLE_2.iter().find(|column| column.messages == number);
        let printed = column.map(half.printed);
        let paper = |index: usize| Cell::paper(printed.and_then(|values| values.get(index).copied()));
        table.row([
            Cell::text(messages),
            paper(0),
            Cell::of(&tls, "time", Unit::Seconds),
            paper(1),
            Cell::of(&tls, "open", Unit::Seconds),
            paper(2),
            each_message(&tls, number),
            Cell::paper(column.map(|column| column.udp)),
            Cell::of(&udp, "time", Unit::Seconds),
            or_empty(Cell::of(&peer, "time", Unit::Seconds)),
            Cell::paper(column.map(|column| column.udp_message)),
            each_message(&udp, number),
            or_empty(each_message(&peer, number)),
            paper(3),
            Cell::ratio_of(&tls, &udp, "time"),
        ]);
    }
    table
}

fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let claims = [
        "The ratio of TLS to UDP declines with the length of the session, from 1.7 with 5 messages to 1.4 with 2000.",
        "Without protection of messages, the ratio of TLS to UDP declines to about 1.2 for sessions of at least 500 messages.",
    ];
    let ends = [None, Some(UNPROTECTED_END)];
    for ((half, claim), end) in HALVES.iter().zip(claims).zip(ends) {
        decline(all, half, claim, end, section);
    }
    constant_setup(all, section);
}

/// Adds the verdict on the set-up of TLS: sessions of all lengths need almost the same time.
fn constant_setup(all: &Selection<'_>, section: &mut Section) {
    let sessions = all.with("agent", OURS).with("client", LIBRARY).with("stack", &TLS.id());
    let lengths = sessions.axis("messages").into_iter();
    let setups: Vec<Summary> =
        lengths.filter_map(|messages| sessions.with("messages", messages).summary("open")).collect();
    let Some(all_setups) = sessions.summary("open") else { return };
    let range = Interval {
        low: all_setups.median * (1.0 - ALMOST_CONSTANT),
        high: all_setups.median * (1.0 + ALMOST_CONSTANT),
    };
    let parts = setups.iter().map(|setup| is_within(interval(setup)?, range));
    let medians = || setups.iter().map(|setup| setup.median);
    let (low, high) = (medians().fold(f64::INFINITY, f64::min), medians().fold(0.0, f64::max));
    section.verdict(
        Source::Paper("002 Table 2"),
        Outcome::of_parts(parts),
        "The set-up of TLS is almost constant (about 300 ms).",
        format!(
            "Here its median is {}; the medians for each length of the session are {} to {}.",
            Unit::Seconds.text(all_setups.median),
            Unit::Seconds.text(low),
            Unit::Seconds.text(high)
        ),
    );
}

/// Adds the verdict on a ratio of TLS to UDP that declines from that with 5 messages, as in the
/// paper, to an end that the claim may name.
fn decline(all: &Selection<'_>, half: &Half, claim: &str, end: Option<Interval>, section: &mut Section) {
    let ratio = |messages: &str| {
        let tls = at_agent(all, half.agent, TLS, messages);
        Some((messages.to_owned(), tls.ratios(&of(all, UDP, messages), "time")?))
    };
    let found: Vec<(String, Summary)> = all.axis("messages").into_iter().filter_map(ratio).collect();
    let first = found.iter().find(|(messages, _)| messages == FEW_MESSAGES).or(found.first());
    if let (Some((short, first)), Some((long, last))) = (first, found.last())
        && short != long
    {
        let is_at_end = end.map(|end| interval(last).and_then(|found| is_within(found, end)));
        let outcome = Outcome::of_parts([is_less(last, first)].into_iter().chain(is_at_end));
        let (first, last) = (ratio_text(first), ratio_text(last));
        let noun = if short == "1" { "message" } else { "messages" };
        let measured = format!("Here it is {first} for {short} {noun} and {last} for {long} messages.");
        section.verdict(Source::Paper("002 Table 2"), outcome, claim, measured);
    }
}

/// The ratio of every stack to UDP, by the number of messages.
fn ratios(all: &Selection<'_>) -> Figure {
    let axes = (
        Axis::log("Messages in the session", Unit::Count),
        Axis::log("Time in relation to UDP", Unit::Ratio),
    );
    let mut chart = Chart::new(axes.0, axes.1);
    for stack in STACKS.into_iter().filter(|stack| *stack != UDP) {
        let points = all.axis("messages").into_iter().filter_map(|messages| {
            let ratios = of(all, stack, messages).ratios(&of(all, UDP, messages), "time")?;
            Some((messages.parse().ok()?, ratios))
        });
        chart.measured(By::Ours, stack.label(), points);
    }
    let unprotected = all.axis("messages").into_iter().filter_map(|messages| {
        let tls = at_agent(all, LESS_PROTECTED[0].0, TLS, messages);
        Some((messages.parse().ok()?, tls.ratios(&of(all, UDP, messages), "time")?))
    });
    chart.measured(By::Ours, format!("{}, clear", TLS.label()), unprotected);
    let printed = |ratio: fn(&SessionTimes) -> PaperValue| {
        paper_002::TABLE_2.iter().map(move |column| (column.messages as f64, ratio(column)))
    };
    chart.paper("v1 over TLS", printed(|column| column.secure_ratio));
    chart.paper("v1 over TLS, clear", printed(|column| column.tls_ratio));
    chart.mark_y(1.0, "UDP");
    Figure::new(
        "Session times in relation to v1 over UDP; clear: TLS authenticates both ends but does not protect messages",
        chart,
    )
}

fn all_stacks(all: &Selection<'_>) -> Table {
    let messages = all.axis("messages");
    let mut table = Table::new("Session times of every stack by the number of messages").column("Stack");
    for number in &messages {
        let noun = if *number == "1" { "message" } else { "messages" };
        table = table.column(format!("{number} {noun}"));
    }
    for (agent, client, title) in [
        (OURS, LIBRARY, "Portreeve's library and agent"),
        (Peer::NetSnmp.name(), LIBRARY, "Portreeve's library, Net-SNMP's agent"),
        (Peer::NetSnmp.name(), NET_SNMP, "Net-SNMP's library and agent"),
    ] {
        let of_agent = all.with("agent", agent).with("client", client);
        if of_agent.is_empty() {
            continue;
        }
        table.heading(title);
        for stack in STACKS {
            let sessions = of_agent.with("stack", &stack.id());
            // Stacks without values are listed below the table.
            if sessions.is_empty() {
                continue;
            }
            let cells = messages
                .iter()
                .map(|number| Cell::of(&sessions.with("messages", number), "time", Unit::Seconds));
            table.row([Cell::text(stack.label())].into_iter().chain(cells));
        }
    }
    table
}

/// Equation 1 of paper 002: the set-up S, and the cost of each message.
fn equation(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Set-up S and cost P of each message, fitted to all sessions: time = S + P · messages, as in equation 1 of paper 002")
        .column("Stack")
        .column_with("Set-up S", "Portreeve")
        .column_with("Each message P", "Portreeve")
        .column_with("Set-up S", "Net-SNMP")
        .column_with("Each message P", "Net-SNMP");
    for stack in STACKS {
        let mut cells = vec![Cell::text(stack.label())];
        for (agent, client) in [(OURS, LIBRARY), (Peer::NetSnmp.name(), NET_SNMP)] {
            let sessions = all.with("agent", agent).with("client", client).with("stack", &stack.id());
            match Line::fit_relative(&sessions.pairs("messages", "time")) {
                Some(line) => cells.extend([line.intercept, line.slope].map(|estimate| {
                    Cell::computed(estimate.value, Some(estimate.interval(Level::P95)), Unit::Seconds)
                })),
                None => cells.extend([Cell::missing(&sessions), Cell::missing(&sessions)]),
            }
        }
        table.row(cells);
    }
    table
}

/// The messages above which a session takes less time than one with USM over UDP.
fn break_evens(all: &Selection<'_>) -> Table {
    let mut table = Table::new(
        "Messages above which a session takes less time than USM over UDP with the same messages. A break-even is decided \
         only if both the set-ups and the costs of a message differ significantly (95 %)",
    )
    .column("Session");
    for (_, _, program) in PROGRAMS {
        for usm in USM {
            table = table.column_with(format!("Compared with {}", usm.label()), program);
        }
    }
    for session in STACKS.into_iter().filter(|stack| stack.carrier.is_secure() && *stack != TLS) {
        let cells = PROGRAMS.into_iter().flat_map(|(agent, client, _)| {
            USM.map(|usm| {
                let of = |stack: ProtocolStack| {
                    let sessions = all.with("agent", agent).with("client", client).with("stack", &stack.id());
                    Line::fit_relative(&sessions.pairs("messages", "time"))
                        .ok_or_else(|| Cell::missing(&sessions))
                };
                match of(usm).and_then(|usm| Ok([usm, of(session)?])) {
                    Ok(lines) => {
                        let [usm, session] = &lines;
                        explained_break_even(break_even(usm, session, Level::P95), &lines)
                    }
                    Err(missing) => missing,
                }
            })
        });
        table.row([Cell::text(session.label())].into_iter().chain(cells));
    }
    table
}

/// Selects the sessions of our client and agent with a stack.
pub(in crate::experiments) fn library<'s>(all: &Selection<'s>, stack: ProtocolStack) -> Selection<'s> {
    all.with("agent", OURS).with("client", LIBRARY).with("stack", &stack.id())
}

/// Selects the sessions of Net-SNMP's library and agent with a stack.
fn net_snmp<'s>(all: &Selection<'s>, stack: ProtocolStack) -> Selection<'s> {
    all.with("agent", Peer::NetSnmp.name()).with("client", NET_SNMP).with("stack", &stack.id())
}

fn of<'s>(all: &Selection<'s>, stack: ProtocolStack, messages: &str) -> Selection<'s> {
    at_agent(all, OURS, stack, messages)
}

fn at_agent<'s>(all: &Selection<'s>, agent: &str, stack: ProtocolStack, messages: &str) -> Selection<'s> {
    let selection = all.with("agent", agent).with("client", LIBRARY).with("stack", &stack.id());
    selection.with("messages", messages)
}

fn each_message(sessions: &Selection<'_>, messages: usize) -> Cell {
    let time = |sample: &Sample| Some(sample.values.get("time")? / messages.max(1) as f64);
    match sessions.derived(time) {
        Some(time) => Cell::measured(time, Unit::Seconds),
        None => Cell::missing(sessions),
    }
}

const UDP: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Udp);
const TLS: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Tls);

/// The number of messages of the shortest session in Table 2 of paper 002.
const FEW_MESSAGES: &str = "5";
/// "About 1.2".
const UNPROTECTED_END: Interval = Interval { low: 1.0, high: 1.4 };
/// The share by which the set-up of sessions of one length may differ from the median of all.
const ALMOST_CONSTANT: f64 = 0.1;

/// The users of USM that sessions are compared with.
const USM: [ProtocolStack; 2] = [
    ProtocolStack::new(Message::USM_MD5_DES, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
];

/// The agents with the client of the same project.
const PROGRAMS: [(&str, &str, &str); 2] =
    [(OURS, LIBRARY, "Portreeve"), (Peer::NetSnmp.name(), NET_SNMP, "Net-SNMP")];

#[cfg(test)]
mod tests;
