//! The tables and the figure of handshakes.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, Outcome, Section, Table,
};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::{NAME, OPENSSL, OURS, STACKS};
use crate::client::{Carrier, ProtocolStack};
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "Sessions that are opened, used for one GET and closed. With Portreeve's agent, eight are in progress at a time; \
         the agent and the client have a core each. The handshakes of one core follow from the agent's CPU time, which \
         contains the GET. Over TCP, a session has no handshake. OpenSSL's s_server has the same keys and certificates \
         and requires a certificate of its client; it serves one client at a time, which reads a small file instead of \
         a GET. snmpd, too, serves one session over DTLS at a time.",
    );
    section.table(table(&all));
    for (agent, title) in AGENTS {
        unavailable_notes::add(section, title, &all.with("agent", agent));
    }
    section.figure(figure(&all));
    verdicts(&all, section);
}

fn table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Handshakes, with one GET in each session")
        .column("Stack")
        .column("Handshakes of one core")
        .column("CPU time of the agent")
        .column("Sessions completed");
    for (agent, title) in AGENTS {
        let of_agent = all.with("agent", agent);
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
            let rate = match sessions.summary("rate") {
                Some(rate) => Cell::measured(rate, Unit::PerSecond),
                None => Cell::Empty,
            };
            table.row([
                Cell::text(label(agent, stack)),
                Cell::of(&sessions, "core_rate", Unit::PerSecond),
                Cell::of(&sessions, "agent_cpu", Unit::Seconds),
                rate,
            ]);
        }
    }
    table
}

/// Returns the name of a stack. OpenSSL's sessions carry no SNMP.
fn label(agent: &str, stack: ProtocolStack) -> String {
    if agent == OPENSSL { stack.carrier.label().to_owned() } else { stack.label() }
}

fn figure(all: &Selection<'_>) -> Figure {
    let rows = STACKS.into_iter().filter(|stack| stack.carrier.is_secure()).filter_map(|stack| {
        let bars: Vec<Bar> = AGENTS
            .into_iter()
            .zip([By::Ours, By::Peer("OpenSSL's s_server"), By::Peer("Net-SNMP's agent")])
            .filter_map(|((agent, title), by)| {
                let rate = all.with("agent", agent).with("stack", &stack.id()).summary("core_rate")?;
                Some(Bar::Measured(by, title.to_owned(), Measured::new(rate, Unit::PerSecond)))
            })
            .collect();
        (!bars.is_empty()).then(|| BarRow { label: stack.carrier.label().to_owned(), bars })
    });
    let bars = Bars {
        axis: Axis::linear("Handshakes of one core in a second", Unit::PerSecond),
        rows: rows.collect(),
        reference: None,
    };
    Figure::new("Handshakes that one core of the agent can sustain", bars)
}

/// Adds sentences that compare the agent's CPU time for two kinds of handshakes.
fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let ours = all.with("agent", OURS);
    for (one, other, claim) in COMPARISONS {
        let of = |carrier| ours.with("stack", &ProtocolStack::tsm(carrier).id());
        let Some(ratio) = of(one).ratios(&of(other), "agent_cpu") else { continue };
        let outcome = if ratio.median < 1.0 { Outcome::Holds } else { Outcome::DoesNotHold };
        let (one, other) = (one.label(), other.label());
        let times = Unit::Ratio.text(ratio.median);
        section.verdict(
            outcome,
            claim,
            format!("Here the agent's CPU time with {one} is {times} times that with {other}."),
        );
    }
}

const COMPARISONS: [(Carrier, Carrier, &str); 4] = [
    (
        Carrier::TlsResumed,
        Carrier::Tls,
        "Resuming a session of TLS 1.3 costs the agent less than a full handshake.",
    ),
    (Carrier::Tls, Carrier::Ssh, "A handshake of TLS 1.3 costs the agent less than one of SSH."),
    (
        Carrier::Ssh,
        Carrier::SshMlKem,
        "The post-quantum key exchange makes a handshake of SSH more expensive for the agent.",
    ),
    (Carrier::Tls, Carrier::Dtls13, "A handshake of TLS 1.3 costs the agent less than one of DTLS 1.3."),
];

const AGENTS: [(&str, &str); 3] = [
    (OURS, "Portreeve's agent"),
    (OPENSSL, "OpenSSL's s_server"),
    (Peer::NetSnmp.name(), "Net-SNMP's agent"),
];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;

    fn record(agent: &str, carrier: Carrier, cpu: f64) -> Record {
        let variant = Variant::of([("agent", agent)]).and("stack", ProtocolStack::tsm(carrier).id());
        Record::Sample(Sample::new(NAME, variant, 0).value("agent_cpu", cpu).value("core_rate", 1.0 / cpu))
    }

    fn section(records: Vec<Record>) -> Section {
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(records), &mut section);
        section
    }

    fn findings(section: &Section) -> Vec<(Outcome, String)> {
        let verdicts = section.blocks.iter().filter_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, format!("{:?}", verdict.finding))),
            _ => None,
        });
        verdicts.collect()
    }

    #[test]
    fn verdict_follows_the_ratio_of_the_samples() {
        let holds = findings(&section(vec![
            record(OURS, Carrier::Tls, 0.002),
            record(OURS, Carrier::TlsResumed, 0.001),
        ]));
        assert_eq!(holds.len(), 1);
        assert_eq!(holds[0].0, Outcome::Holds);
        assert!(holds[0].1.contains("0.500 times"), "{holds:?}");
        let reversed = findings(&section(vec![
            record(OURS, Carrier::Tls, 0.001),
            record(OURS, Carrier::TlsResumed, 0.002),
        ]));
        assert_eq!(reversed[0].0, Outcome::DoesNotHold);
    }

    #[test]
    fn other_programs_are_not_compared_with_ours_in_verdicts() {
        let section =
            section(vec![record(OPENSSL, Carrier::Tls, 0.002), record(OURS, Carrier::TlsResumed, 0.001)]);
        assert!(findings(&section).is_empty());
    }

    #[test]
    fn table_has_a_row_for_each_measured_stack_below_its_agent() {
        let section = section(vec![record(OPENSSL, Carrier::Tls, 0.002), record(OURS, Carrier::Ssh, 0.001)]);
        let table = section.blocks.iter().find_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        });
        let rows = &table.unwrap().rows;
        assert_eq!(rows.len(), 4);
        assert!(matches!(&rows[1], Row::Cells(cells) if cells[0] == Cell::text("v3/TSM over SSH, X25519")));
        assert!(matches!(&rows[3], Row::Cells(cells) if cells[0] == Cell::text("TLS 1.3")));
    }
}
