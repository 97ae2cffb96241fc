//! The tables and figures of one GET in a session of its own.

mod setup;

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, Outcome, Section, Source, Table,
};
use portreeve_lab_report::papers::paper_000::{self, OneShot};
use portreeve_lab_report::papers::{Machine, paper_001, paper_002};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Interval;
use portreeve_lab_report::unit::Unit;

use super::NAME;
use super::commands::{COMMAND, PERSISTENT, SNMPGET, STACKS, is_chosen_by_command};
use super::variants::{BROKER, LIBRARY, NET_SNMP, stacks};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::judgement::{is_above, ratio_text};
use crate::experiments::within_range::{interval, is_within};
use crate::experiments::{security_levels, unavailable_notes};
use crate::harness::Peer;
use crate::peers::{OURS, SLOW, SLOW_CORES};

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "One GET of sysDescr.0, which has 50 octets. The time is measured inside the client, from before the \
         session is opened until it is closed; keys of users are localized before. Frames are counted by an \
         observer between client and agent, with their Ethernet headers, in several sessions of a round. Our client does not believe the clock in an \
         unauthenticated Report, so that USM needs two round trips before the request, where Net-SNMP needs one.",
    );
    section.table(machines());
    section.table(paper_table(&all));
    section.paragraph(format!(
        "The paper's agent ran on meat, or on the slow machine turtle; its manager ran on veggie. The slow agent here gets \
         {} of a core: 1 ms in each period of 10 ms. A request that needs less CPU time than is left in the period is not \
         delayed.",
        Unit::Share.text(SLOW_CORES)
    ));
    verdicts(&all, section);
    section.figure(times(&all));
    section.table(all_stacks(&all));
    setup::add(&all, section);
    unavailable_notes::add(section, "Portreeve's agent", &all.with("agent", OURS));
    unavailable_notes::add(section, "Net-SNMP's agent", &all.with("agent", Peer::NetSnmp.name()));
    security_levels::add(
        section,
        "GET by version, carrier and security level, as in Table 6 a of paper 002",
        &paper_002::SNMPGET,
        |agent, stack| {
            if agent == Peer::NetSnmp.name() { net_snmp(&all, stack) } else { of(&all, agent, stack) }
        },
    );
    commands(&all, section);
}

/// Table 1 of paper 000, with the machines of the other papers.
fn machines() -> Table {
    let caption = "The machines of the papers, as in Table 1 of paper 000; the machine of this run is described at the \
                   beginning of the report";
    let mut table = Table::new(caption);
    for heading in ["Name", "Processors", "Memory", "Ethernet", "Kernel or system"] {
        table = table.column_with(heading, "paper");
    }
    let papers = [
        ("Paper 000", &paper_000::TABLE_1[..]),
        ("Paper 001", &paper_001::MACHINES),
        ("Paper 002", &paper_002::MACHINES),
    ];
    for (paper, machines) in papers {
        table.heading(paper);
        for machine in machines {
            let Machine { name, cpus, memory, network, system } = *machine;
            table.row([name, cpus, memory, network, system].map(Cell::text));
        }
    }
    table
}

/// Table 2 of paper 000, with the row that paper 001 adds.
fn paper_table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("One GET of sysDescr.0, as in Table 2 of paper 000 and in paper 001")
        .column("Protocol")
        .column_with("Time", "paper, meat")
        .column_with("Time", "Portreeve")
        .column_with("Time", "Net-SNMP")
        .column_with("Time", "paper, turtle")
        .column_with("Time", "Portreeve, slow agent")
        .column_with("Octets", "paper")
        .column_with("Octets", "Portreeve")
        .column_with("Octets", "Net-SNMP")
        .column_with("Frames", "paper")
        .column_with("Frames", "Portreeve")
        .column_with("Frames", "Net-SNMP");
    for (row, stack) in paper_001::ONE_SHOT.iter().zip(PAPER_STACKS) {
        let (ours, peer) = (library(all, stack), net_snmp(all, stack));
        let OneShot { fast, slow, data, packets, .. } = *row;
        let slow_agent = all.with("agent", SLOW).with("client", LIBRARY).with("stack", &stack.id());
        // The papers do not name the version of TLS.
        let protocol = match stack.carrier {
            Carrier::Tls => format!("{} (here {})", row.protocol, stack.carrier.label()),
            _ => row.protocol.to_owned(),
        };
        table.row([
            Cell::text(protocol),
            Cell::paper(fast),
            Cell::of(&ours, "time", Unit::Seconds),
            Cell::of(&peer, "time", Unit::Seconds),
            Cell::paper(slow),
            Cell::of(&slow_agent, "time", Unit::Seconds),
            Cell::paper(data),
            Cell::of(&ours, "octets", Unit::Octets),
            Cell::of(&peer, "octets", Unit::Octets),
            Cell::paper(packets),
            Cell::of(&ours, "frames", Unit::Count),
            Cell::of(&peer, "frames", Unit::Count),
        ]);
    }
    table
}

fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let [_, _, usm, _, ssh, tls] = PAPER_STACKS.map(|stack| library(all, stack));
    if let Some(ratio) = ssh.ratios(&usm, "time") {
        section.verdict(
            Source::Paper("000 Table 2"),
            Outcome::of_parts([is_above(&ratio, 2.0)]),
            "A session over SSH is significantly more expensive than USM for one request (8.2 times on the fast machine).",
            format!("Here it takes {} times as long as USM over UDP.", ratio_text(&ratio)),
        );
    }
    if let Some(ratio) = tls.ratios(&ssh, "time") {
        section.verdict(
            Source::Paper("001, session establishment"),
            Outcome::of_parts([interval(&ratio).and_then(|found| is_within(found, SLIGHTLY_LONGER))]),
            "A session over TLS takes about as long as one over SSH, and slightly longer (18.00 ms and 16.17 ms).",
            format!("Here TLS 1.3 takes {} times as long as SSH.", ratio_text(&ratio)),
        );
    }
}

fn times(all: &Selection<'_>) -> Figure {
    let rows = stacks().into_iter().filter_map(|stack| {
        let bars: Vec<Bar> = [
            (By::Ours, "Portreeve", library(all, stack)),
            (By::Peer("Net-SNMP"), "Net-SNMP", net_snmp(all, stack)),
        ]
        .into_iter()
        .filter_map(|(by, name, selection)| {
            let measured = Measured::new(selection.summary("time")?, Unit::Seconds);
            Some(Bar::Measured(by, name.to_owned(), measured))
        })
        .collect();
        (!bars.is_empty()).then(|| BarRow { label: stack.label(), bars })
    });
    let axis = Axis::log("Time of one GET with its session", Unit::Seconds);
    Figure::new(
        "The time of one GET in a session of its own, over every protocol stack",
        portreeve_lab_report::document::Plot::Bars(Bars { axis, rows: rows.collect(), reference: None }),
    )
}

fn all_stacks(all: &Selection<'_>) -> Table {
    let mut table =
        Table::new("One GET over every protocol stack, with its phases and its cost for both programs")
            .column("Stack")
            .column("Client")
            .column("Time")
            .column_with("Open", "part of the time")
            .column_with("Request", "part of the time")
            .column_with("Close", "part of the time")
            .column_with("CPU", "client")
            .column_with("CPU", "agent")
            .column("Frames")
            .column("Octets");
    for (agent, title) in [(OURS, "Portreeve's agent"), (Peer::NetSnmp.name(), "Net-SNMP's agent")] {
        let of_agent = all.with("agent", agent);
        if of_agent.is_empty() {
            continue;
        }
        table.heading(title);
        for stack in stacks() {
            for (client, keys, name) in CLIENTS {
                let mut selection = of_agent.with("client", client).with("stack", &stack.id());
                // Stacks without values are listed below the table.
                if selection.is_empty() {
                    continue;
                }
                if client == LIBRARY {
                    // A user with keys has two rows, and every other stack has one.
                    if keys.is_empty() == stack.message.has_keys() {
                        continue;
                    }
                    if !keys.is_empty() {
                        selection = selection.with("keys", keys);
                    }
                }
                let mut cells = vec![Cell::text(stack.label()), Cell::text(name)];
                let seconds = ["time", "open", "first", "close", "client_cpu", "agent_cpu"];
                cells.extend(seconds.map(|value| Cell::of(&selection, value, Unit::Seconds)));
                cells.push(Cell::of(&selection, "frames", Unit::Count));
                cells.push(Cell::of(&selection, "octets", Unit::Octets));
                table.row(cells);
            }
        }
    }
    table
}

fn commands(all: &Selection<'_>, section: &mut Section) {
    let peer = Peer::NetSnmp.name();
    let mut table = Table::new("Whole commands, from the start of the process to its end")
        .column("Stack")
        .column_with(COMMAND, "portreeved")
        .column_with(PERSISTENT, "portreeved")
        .column_with(COMMAND, "snmpd")
        .column_with(SNMPGET, "snmpd");
    let mut is_measured = false;
    for stack in STACKS {
        let cell = |agent: &str, client: &str| {
            Cell::of(
                &all.with("agent", agent).with("client", client).with("stack", &stack.id()),
                "time",
                Unit::Seconds,
            )
        };
        let (mut command, mut persistent) = (cell(OURS, COMMAND), cell(OURS, PERSISTENT));
        if !is_chosen_by_command(stack) {
            command = Cell::Empty;
        }
        if !is_chosen_by_command(stack) || !stack.carrier.is_secure() {
            persistent = Cell::Empty;
        }
        let cells = [command, persistent, cell(peer, COMMAND), cell(peer, SNMPGET)];
        is_measured |= cells.iter().any(|cell| matches!(cell, Cell::Measured(_)));
        table.row([Cell::text(stack.label())].into_iter().chain(cells));
    }
    if is_measured {
        section.paragraph(
            "Commands with a user's pass phrase find the localized keys in a cache after their first run; snmpget \
             derives them in each run. Over a secure transport, portreeve get opens a session in each run, by a session \
             broker that it starts for this; with --persist, the broker of an earlier run has kept the session open.",
        );
        section.table(table);
    }
}

/// Selects the sessions of our client and agent with a stack, and localized keys.
pub(crate) fn library<'s>(all: &Selection<'s>, stack: ProtocolStack) -> Selection<'s> {
    of(all, OURS, stack)
}

/// Selects the sessions of our client with a stack, and localized keys.
fn of<'s>(all: &Selection<'s>, agent: &str, stack: ProtocolStack) -> Selection<'s> {
    let selection = all.with("agent", agent).with("client", LIBRARY).with("stack", &stack.id());
    if stack.message.has_keys() { selection.with("keys", "localized") } else { selection }
}

/// Selects the sessions of Net-SNMP's library and agent with a stack.
fn net_snmp<'s>(all: &Selection<'s>, stack: ProtocolStack) -> Selection<'s> {
    all.with("agent", Peer::NetSnmp.name()).with("client", NET_SNMP).with("stack", &stack.id())
}

/// The stacks of the papers' rows.
pub(super) const PAPER_STACKS: [ProtocolStack; 6] = {
    [
        ProtocolStack::v2c(Carrier::Udp),
        ProtocolStack::v2c(Carrier::Tcp),
        ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp),
        ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Tcp),
        ProtocolStack::v2c(Carrier::Ssh),
        ProtocolStack::v2c(Carrier::Tls),
    ]
};

/// The ratio of the times of sessions of which one takes about as long as the other, but longer.
const SLIGHTLY_LONGER: Interval = Interval { low: 1.0, high: 1.5 };

/// The clients of the table: the value of the axis, the form of keys, and the text.
const CLIENTS: [(&str, &str, &str); 5] = [
    (LIBRARY, "", "our library"),
    (LIBRARY, "localized", "our library, localized keys"),
    (LIBRARY, "pass-phrase", "our library, pass phrases"),
    (BROKER, "", "our library, session kept by the broker"),
    (NET_SNMP, "", "Net-SNMP's library"),
];
