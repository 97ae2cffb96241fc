//! The tables and the figure of concurrent sessions.

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Source, Table};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::{NAME, OURS, STACKS};
use crate::client::{MAX_IN_FLIGHT, ProtocolStack};
use crate::experiments::judgement::{count_text, is_below, ratio_text};
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
    let growth: Vec<(ProtocolStack, Summary)> = STACKS
        .into_iter()
        .filter(|stack| stack.carrier.is_secure())
        .filter_map(|stack| {
            let sessions = all.with("agent", OURS).with("stack", &stack.id());
            let ratio =
                sessions.with("sessions", most).ratios(&sessions.with("sessions", fewer), "agent_cpu")?;
            Some((stack, ratio))
        })
        .collect();
    let by_ratio = |one: &&(ProtocolStack, Summary), other: &&(ProtocolStack, Summary)| {
        one.1.median.total_cmp(&other.1.median)
    };
    let Some((stack, ratio)) = growth.iter().max_by(by_ratio) else { return };
    let ratios: Vec<Summary> = growth.iter().map(|(_, ratio)| ratio.clone()).collect();
    section.verdict(
        Source::Lab,
        Outcome::of_parts(ratios.iter().map(|ratio| is_below(ratio, NO_MORE))),
        format!("With {most} open sessions, a GET costs the agent no more than with {fewer}, or up to 5 %."),
        format!(
            "Here the ratio of the CPU times is highest over {}: {}; {} transports.",
            stack.carrier.label(),
            ratio_text(ratio),
            count_text(&ratios, NO_MORE)
        ),
    );
}

/// A cost up to this ratio counts as no more: no measurement could show that two costs are equal.
const NO_MORE: f64 = 1.05;

const AGENTS: [(&str, &str); 2] = [(OURS, "Portreeve's agent"), (Peer::NetSnmp.name(), "Net-SNMP's agent")];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;
    use crate::client::Carrier;

    fn record(carrier: Carrier, sessions: usize, cpu: f64) -> Record {
        let variant = Variant::of([("agent", OURS)])
            .and("stack", ProtocolStack::tsm(carrier).id())
            .and("sessions", sessions.to_string());
        Record::Sample(Sample::new(NAME, variant, 0).value("agent_cpu", cpu).value("rate", 1.0 / cpu))
    }

    /// Draws the section of two equal rounds.
    fn section(records: Vec<Record>) -> Section {
        let mut section = Section::new(NAME, "");
        let again = records.clone().into_iter().map(|record| match record {
            Record::Sample(sample) => Record::Sample(Sample { round: 1, ..sample }),
            other => other,
        });
        let records: Vec<Record> = again.chain(records).collect();
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
    fn rounds_that_disagree_decide_nothing() {
        let cpu = |round, sessions, cpu| match record(Carrier::Tls, sessions, cpu) {
            Record::Sample(sample) => Record::Sample(Sample { round, ..sample }),
            other => other,
        };
        let mut drawn = Section::new(NAME, "");
        let records = vec![
            cpu(0, 1, 1e-5),
            cpu(0, 100, 1.5e-5),
            cpu(1, 1, 1e-5),
            cpu(1, 100, 0.9e-5),
            cpu(2, 1, 1e-5),
            cpu(2, 100, 1.1e-5),
        ];
        draw(&Samples::new(records), &mut drawn);
        let outcome = drawn.blocks.iter().find_map(|block| match block {
            Block::Verdict(verdict) => Some(verdict.outcome),
            _ => None,
        });
        assert_eq!(outcome, Some(Outcome::NotDecided));
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
