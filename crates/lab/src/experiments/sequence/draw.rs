//! The table and the time sequence diagrams.

use portreeve_lab_report::document::{Cell, Figure, Outcome, Section, Sequence, Source, Table};
use portreeve_lab_report::papers::paper_000::OneShot;
use portreeve_lab_report::papers::paper_001;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::conversation::{AGENT, MANAGER};
use super::{NAME, STACKS};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::unavailable_notes;
use crate::harness::Peer;
use crate::peers::OURS;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "An observer between manager and agent records every frame of one GET of sysDescr.0 in a session of its own: \
         our client with our agent, and snmpget with snmpd. Sizes are those of the Ethernet frames without their \
         checksum. The types of encrypted messages are not visible: over TLS 1.3, the request can be in the same \
         frame as the end of the handshake. Round trips are those until the manager has the response. They are \
         measured in a session over a link with a delay, because in a capture, messages that both sides send at the \
         same time look like a round trip. A session is closed by the first FIN or RST of TCP, or by the \
         first datagram after the response. Our client has the localized keys of the user; snmpget derives them from \
         pass phrases. With TSM, a first exchange discovers the engine ID of the agent.",
    );
    section.table(counts(&all));
    unavailable_notes::add(section, "Portreeve's agent", &all.with("agent", OURS));
    unavailable_notes::add(section, "Net-SNMP's agent", &all.with("agent", Peer::NetSnmp.name()));
    for stack in STACKS {
        let mut figure = Figure::of(format!("Time sequence of one GET, {}", stack.label()));
        for (agent, title) in AGENTS {
            if let Some(trace) = of(&all, agent, stack).traces().next() {
                let participants = vec![MANAGER.to_owned(), AGENT.to_owned()];
                figure = figure.panel(title, Sequence { participants, messages: trace.messages.clone() });
            }
        }
        if !figure.panels.is_empty() {
            section.figure(figure);
        }
    }
    verdict_on_discovery(&all, section);
    verdict_on_frames(&all, section);
    verdict_on_close(&all, section);
}

fn counts(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Frames of one GET, beside the packets and the data of paper 001")
        .column("Stack")
        .column_with("Frames", "paper")
        .column("Frames")
        .column_with("Data", "paper")
        .column("Data")
        .column("Round trips")
        .column("Closes first");
    for (agent, title) in AGENTS {
        if all.with("agent", agent).is_empty() {
            continue;
        }
        table.heading(title);
        // Stacks without values are listed below the table.
        for stack in STACKS.into_iter().filter(|stack| !of(all, agent, *stack).is_empty()) {
            let sessions = of(all, agent, stack);
            let printed = printed(stack);
            table.row([
                Cell::text(stack.label()),
                Cell::paper(printed.map(|row| row.packets)),
                Cell::of(&sessions, "frames", Unit::Count),
                Cell::paper(printed.map(|row| row.data)),
                Cell::of(&sessions, "octets", Unit::Octets),
                Cell::of(&sessions, "round_trips", Unit::Count),
                Cell::text(closer(&sessions).unwrap_or("not closed")),
            ]);
        }
    }
    table
}

/// The row of paper 001 that is most similar to a stack.
fn printed(stack: ProtocolStack) -> Option<OneShot> {
    let protocol = match (stack.message, stack.carrier) {
        (Message::V2c, Carrier::Udp) => "SNMPv2c/UDP",
        (Message::V2c, Carrier::Tcp) => "SNMPv2c/TCP",
        (Message::Usm(..), Carrier::Udp) => "SNMPv3/USM/UDP",
        (Message::Usm(..), Carrier::Tcp) => "SNMPv3/USM/TCP",
        (Message::V2c, Carrier::Ssh) => "SNMPv2c/SSH",
        (Message::V2c, Carrier::Tls12) => "SNMPv2c/TLS",
        _ => return None,
    };
    paper_001::ONE_SHOT.into_iter().find(|row| row.protocol == protocol)
}

/// Returns the participant that closes the session first, or `None` if it is not closed.
fn closer(sessions: &Selection<'_>) -> Option<&'static str> {
    let values = sessions.values("manager_closes");
    let by_manager = values.iter().filter(|value| **value > 0.5).count();
    Some(match by_manager {
        _ if values.is_empty() => return None,
        0 => AGENT,
        count if count == values.len() => MANAGER,
        _ => "manager or agent",
    })
}

fn verdict_on_discovery(all: &Selection<'_>, section: &mut Section) {
    let (mut holds, mut texts) = (Vec::new(), Vec::new());
    for (agent, name) in [(OURS, "Portreeve"), (Peer::NetSnmp.name(), "Net-SNMP")] {
        let round_trips = |stack| usual(all, agent, stack, "round_trips");
        let (Some(usm), Some(v2c)) = (round_trips(USM), round_trips(V2C)) else { continue };
        holds.push(usm - v2c == paper_001::DISCOVERY_ROUND_TRIPS.value());
        texts.push(format!("{usm} round trips instead of {v2c} with {name}"));
    }
    if !texts.is_empty() {
        section.verdict(
            Source::Paper("001, time sequence diagrams"),
            outcome(holds),
            "USM requires one round trip for the discovery of the engine and its clock.",
            format!("Here USM over UDP takes {}.", texts.join(", and ")),
        );
    }
}

fn verdict_on_frames(all: &Selection<'_>, section: &mut Section) {
    let frames = |stack| Summary::of(&of(all, OURS, stack).values("frames"));
    let (Some(ssh), Some(tls)) = (frames(SSH), frames(TLS)) else { return };
    let is_less = tls.maximum < ssh.minimum;
    let is_more = ssh.maximum <= tls.minimum;
    section.verdict(
        Source::Paper("001, time sequence diagrams"),
        Outcome::of_parts([(is_less || is_more).then_some(is_less)]),
        "SSH requires more messages than TLS: 32 and 16 packets.",
        format!("Here v2c over SSH takes {} frames, and over TLS 1.2 {}.", range(&ssh), range(&tls)),
    );
}

fn verdict_on_close(all: &Selection<'_>, section: &mut Section) {
    let Some(closer) = closer(&of(all, OURS, TLS)) else { return };
    section.verdict(
        Source::Paper("001, time sequence diagrams"),
        outcome([closer == paper_001::FIRST_TO_CLOSE_TLS]),
        format!("Over TLS, the {} closes the TCP connection first.", paper_001::FIRST_TO_CLOSE_TLS),
        format!("Here the {closer} closes it first."),
    );
}

fn outcome(holds: impl IntoIterator<Item = bool> + Clone) -> Outcome {
    match (holds.clone().into_iter().all(|one| one), holds.into_iter().any(|one| one)) {
        (true, _) => Outcome::Holds,
        (false, true) => Outcome::HoldsInPart,
        (false, false) => Outcome::DoesNotHold,
    }
}

/// Returns the value of more than half of the rounds: a delayed frame may change that of another.
fn usual(all: &Selection<'_>, agent: &str, stack: ProtocolStack, name: &str) -> Option<f64> {
    let values = of(all, agent, stack).values(name);
    let count = |value: f64| values.iter().filter(|other| **other == value).count();
    values.iter().copied().find(|value| 2 * count(*value) > values.len())
}

/// Formats a number that may differ between rounds.
fn range(counts: &Summary) -> String {
    let text = |count| Unit::Count.text(count);
    if counts.is_constant() {
        text(counts.minimum)
    } else {
        format!("{} to {}", text(counts.minimum), text(counts.maximum))
    }
}

fn of<'s>(all: &Selection<'s>, agent: &str, stack: ProtocolStack) -> Selection<'s> {
    all.with("agent", agent).with("stack", &stack.id())
}

/// The agents in variants, with the titles of their diagrams.
const AGENTS: [(&str, &str); 2] = [(OURS, "Portreeve"), (Peer::NetSnmp.name(), "snmpget and snmpd")];

const V2C: ProtocolStack = ProtocolStack::v2c(Carrier::Udp);
const USM: ProtocolStack = ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp);
const SSH: ProtocolStack = ProtocolStack::v2c(Carrier::Ssh);
const TLS: ProtocolStack = ProtocolStack::v2c(Carrier::Tls12);

#[cfg(test)]
mod tests;
