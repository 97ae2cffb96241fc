//! The tables and the figure of concurrent sessions.

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Table};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::{NAME, OURS, STACKS};
use crate::client::MAX_IN_FLIGHT;
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(format!(
        "GETs of sysUpTime.0 in open sessions, in turn: each request is sent in the session that has been idle for the \
         longest time. In each session at most one request is in flight, and in all sessions at most {MAX_IN_FLIGHT}. \
         Over UDP, a session is a socket of the client. The rate is that of one client on a core of its own, which \
         often limits it; the CPU time is the agent's.",
    ));
    section.table(table(&all, "The rate of GETs in all sessions together", "rate", Unit::PerSecond));
    section.table(table(&all, "The agent's CPU time for each GET", "agent_cpu", Unit::Seconds));
    for (agent, title) in AGENTS {
        unavailable_notes::add(section, title, &all.with("agent", agent));
    }
    section.figure(figure(&all));
    verdict(&all, section);
}

/// Returns a table with a row for each stack, and a column for each number of sessions.
fn table(all: &Selection<'_>, caption: &str, value: &str, unit: Unit) -> Table {
    let numbers = all.axis("sessions");
    let mut table = Table::new(caption).column("Stack");
    for number in &numbers {
        let noun = if *number == "1" { "session" } else { "sessions" };
        table = table.column(format!("{number} {noun}"));
    }
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
            let cells =
                numbers.iter().map(|number| Cell::of(&sessions.with("sessions", number), value, unit));
            table.row([Cell::text(stack.label())].into_iter().chain(cells));
        }
    }
    table
}

fn figure(all: &Selection<'_>) -> Figure {
    let panel = |value: &str, label: &str, unit| {
        let mut chart = Chart::new(Axis::log("Open sessions", Unit::Count), Axis::linear(label, unit));
        for stack in STACKS {
            let sessions = all.with("agent", OURS).with("stack", &stack.id());
            chart.measured(By::Ours, stack.label(), sessions.points("sessions", value));
        }
        chart
    };
    Figure::of("Portreeve's agent by the number of open sessions")
        .panel("Rate of GETs in all sessions", panel("rate", "GETs in a second", Unit::PerSecond))
        .panel("CPU time of the agent", panel("agent_cpu", "CPU time for each GET", Unit::Seconds))
}

/// Compares the two largest numbers of sessions.
fn verdict(all: &Selection<'_>, section: &mut Section) {
    let numbers = all.axis("sessions");
    let [.., fewer, most] = numbers[..] else { return };
    let growth = STACKS.into_iter().filter(|stack| stack.carrier.is_secure()).filter_map(|stack| {
        let sessions = all.with("agent", OURS).with("stack", &stack.id());
        let ratio = sessions.with("sessions", most).ratios(&sessions.with("sessions", fewer), "agent_cpu")?;
        Some((stack, ratio.median))
    });
    let Some((stack, ratio)) = growth.max_by(|(_, one), (_, other)| one.total_cmp(other)) else { return };
    section.verdict(
        if ratio <= 1.0 { Outcome::Holds } else { Outcome::DoesNotHold },
        format!("With {most} open sessions, a GET costs the agent no more than with {fewer}."),
        format!(
            "Here the ratio of the CPU times is highest over {}: {}.",
            stack.carrier.label(),
            Unit::Ratio.text(ratio)
        ),
    );
}

const AGENTS: [(&str, &str); 2] = [(OURS, "Portreeve's agent"), (Peer::NetSnmp.name(), "Net-SNMP's agent")];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;
    use crate::client::{Carrier, ProtocolStack};

    fn record(carrier: Carrier, sessions: usize, cpu: f64) -> Record {
        let variant = Variant::of([("agent", OURS)])
            .and("stack", ProtocolStack::tsm(carrier).id())
            .and("sessions", sessions.to_string());
        Record::Sample(Sample::new(NAME, variant, 0).value("agent_cpu", cpu).value("rate", 1.0 / cpu))
    }

    fn section(records: Vec<Record>) -> Section {
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(records), &mut section);
        section
    }

    fn verdict_of(records: Vec<Record>) -> Option<(Outcome, String)> {
        section(records).blocks.iter().find_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, format!("{:?}", verdict.finding))),
            _ => None,
        })
    }

    #[test]
    fn verdict_names_the_stack_whose_cost_grows_most() {
        let (outcome, finding) = verdict_of(vec![
            record(Carrier::Ssh, 1, 1e-5),
            record(Carrier::Ssh, 100, 1.5e-5),
            record(Carrier::Tls, 1, 1e-5),
            record(Carrier::Tls, 100, 2e-5),
        ])
        .unwrap();
        assert_eq!(outcome, Outcome::DoesNotHold);
        assert!(finding.contains("TLS 1.3: 2"), "{finding}");
        let (outcome, _) =
            verdict_of(vec![record(Carrier::Ssh, 1, 2e-5), record(Carrier::Ssh, 10, 1e-5)]).unwrap();
        assert_eq!(outcome, Outcome::Holds);
    }

    #[test]
    fn one_number_of_sessions_has_no_verdict() {
        assert_eq!(verdict_of(vec![record(Carrier::Ssh, 1, 1e-5)]), None);
    }

    #[test]
    fn tables_have_a_column_for_each_number_in_ascending_order() {
        let section = section(vec![record(Carrier::Tls, 100, 1e-5), record(Carrier::Tls, 9, 1e-5)]);
        let Some(Block::Table(table)) = section.blocks.iter().find(|block| matches!(block, Block::Table(_)))
        else {
            panic!("the section has no table");
        };
        let headings: Vec<String> =
            table.columns.iter().map(|column| format!("{:?}", column.heading)).collect();
        assert!(headings[1].contains("9 sessions") && headings[2].contains("100 sessions"), "{headings:?}");
        assert!(matches!(&table.rows[1], Row::Cells(cells) if cells.len() == 3));
    }
}
