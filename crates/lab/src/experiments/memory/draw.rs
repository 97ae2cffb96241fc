//! The table and the figure of the agent's memory.

use portreeve_lab_report::document::{
    Axis, By, Cell, Chart, Figure, Measured, Outcome, Section, Source, Table,
};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Interval, Level, Summary, exponent};
use portreeve_lab_report::unit::Unit;

use super::{NAME, OURS, STACKS, UNUSED, USED_ONCE};
use crate::client::{Carrier, ProtocolStack};
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "Sessions are opened and kept open. A session that is used once has sent one GET. The memory of a session is \
         the growth of the agent's memory divided by the number of sessions: of its address space (VmSize, as in \
         the paper), of its resident memory (RSS), of its proportional share (PSS), and of the part that no other \
         process shares. The kernel's memory for sockets is not counted. Portreeve's agent limits the memory of \
         sessions that have sent no message to 32 MiB in total, so that their number depends on the stack. Its \
         allocator reserves address space in large parts, so that VmSize is 0 while sessions fit into parts that it already has. The number of \
         sessions is checked: by the agent's own count, or by the connections that snmpd has accepted; and \
         each session must answer a request at the end. snmpd accepts so few connections per second that only 100 \
         sessions are opened.",
    );
    section.table(each_session(&all));
    unavailable_notes::add(section, "Portreeve's agent", &all.with("agent", OURS));
    unavailable_notes::add(section, "Net-SNMP's agent", &all.with("agent", Peer::NetSnmp.name()));
    section.figure(growth(&all));
    verdicts(&all, section);
}

fn each_session(all: &Selection<'_>) -> Table {
    let mut table = Table::new("The agent's memory for each open session, as in Figure 6 of paper 000")
        .column("Stack")
        .column("Use")
        .column("Sessions")
        .column_with("VmSize", "paper")
        .column_with("VmSize", "")
        .column_with("RSS", "")
        .column_with("PSS", "")
        .column_with("Private", "");
    for (agent, title) in [(OURS, "Portreeve's agent"), (Peer::NetSnmp.name(), "Net-SNMP's agent")] {
        let of_agent = all.with("agent", agent);
        if of_agent.is_empty() {
            continue;
        }
        table.heading(title);
        for stack in STACKS {
            for use_name in [UNUSED, USED_ONCE] {
                let sessions = of_agent.with("stack", &stack.id()).with("use", use_name);
                // Stacks without values are listed below the table.
                if sessions.is_empty() {
                    continue;
                }
                let printed = (stack == SSH && use_name == UNUSED && agent == OURS)
                    .then_some(paper_000::SESSION_MEMORY);
                let mut cells = vec![Cell::text(stack.label()), Cell::text(use_name)];
                cells.push(Cell::of(&sessions, "sessions", Unit::Count));
                cells.push(Cell::paper(printed));
                cells.extend(
                    ["size", "rss", "pss", "private"].map(|value| Cell::of(&sessions, value, Unit::Bytes)),
                );
                table.row(cells);
            }
        }
    }
    table
}

/// Figure 6 of paper 000: memory by the number of open sessions.
fn growth(all: &Selection<'_>) -> Figure {
    let panel = |value: &str, label: &str, use_name: &str| {
        let mut chart =
            Chart::new(Axis::linear("Open sessions", Unit::Count), Axis::linear(label, Unit::Bytes));
        for stack in STACKS {
            let sessions = all.with("agent", OURS).with("stack", &stack.id()).with("use", use_name);
            chart.measured(By::Ours, stack.label(), points(&sessions, value));
        }
        chart
    };
    Figure::of("The memory of Portreeve's agent by the number of open sessions, as in Figure 6 of paper 000")
        .panel("Unused: proportional share (PSS)", panel("pss", "Proportional share", UNUSED))
        .panel("Used once: proportional share (PSS)", panel("pss", "Proportional share", USED_ONCE))
        .panel("Used once: address space (VmSize)", panel("size", "Address space", USED_ONCE))
}

fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let ssh = all.with("agent", OURS).with("stack", &SSH.id()).with("use", UNUSED);
    if let Some(size) = ssh.summary("size") {
        let printed = paper_000::SESSION_MEMORY.value();
        let text = |value: &Summary| Measured::new(value.clone(), Unit::Bytes).text();
        // The memory in use is part of the address space, but may be in a part that was reserved
        // before: then the address space grows by less than a session needs.
        let resident = ssh.summary("pss").filter(|pss| pss.median > size.median);
        let finding = match &resident {
            Some(pss) => format!(
                "Here it needs {} of memory (PSS). The address space (VmSize) grows by only {}, because the allocator has \
                 reserved parts of it before.",
                text(pss),
                text(&size)
            ),
            None => format!("Here it needs {} of address space (VmSize).", text(&size)),
        };
        let is_above = resident.as_ref().unwrap_or(&size).is_above(printed, Level::P95);
        section.verdict(
            Source::Paper("000 §5.6"),
            Outcome::of_parts([is_above.map(|above| !above)]),
            "An open session over SSH that is not used needs approximately 7 kB of the agent's virtual memory.",
            finding,
        );
    }
    let grown: Vec<(f64, f64)> = {
        let points = points(&all.with("agent", OURS).with("stack", &SSH.id()).with("use", USED_ONCE), "pss");
        let base = points.first().map_or(0.0, |(_, summary)| summary.median);
        points.into_iter().skip(1).map(|(sessions, summary)| (sessions, summary.median - base)).collect()
    };
    if let Some(exponent) = exponent(&grown) {
        let interval = exponent.interval(Level::P95);
        let linear = Interval {
            low: paper_000::MEMORY_EXPONENT - NEARLY_LINEAR,
            high: paper_000::MEMORY_EXPONENT + NEARLY_LINEAR,
        };
        let is_linear = if linear.contains(interval.low) && linear.contains(interval.high) {
            Some(true)
        } else {
            (!linear.overlaps(&interval)).then_some(false)
        };
        section.verdict(
            Source::Paper("000 §5.6"),
            Outcome::of_parts([is_linear]),
            "The memory grows linearly with the number of sessions.",
            format!(
                "Here the proportional share (PSS) of sessions that are used once grows with the power {} of their number.",
                Unit::Ratio.estimate_text(exponent.value, Some(interval), Level::P95)
            ),
        );
    }
}

/// Returns the memory (PSS) of one session of our agent that has answered one GET.
pub(crate) fn of_used_session(all: &Selection<'_>, stack: ProtocolStack) -> Option<Summary> {
    all.with("agent", OURS).with("use", USED_ONCE).with("stack", &stack.id()).summary("pss")
}

/// Returns the memory for each number of sessions.
fn points(sessions: &Selection<'_>, value: &str) -> Vec<(f64, Summary)> {
    let steps = sessions.lists("sessions").first().map_or(0, |steps| steps.len());
    let points = (0..steps).filter_map(|step| {
        Some((sessions.element("sessions", step)?.median, sessions.element(value, step)?))
    });
    points.collect()
}

const SSH: ProtocolStack = ProtocolStack::tsm(Carrier::Ssh);

/// A power that differs from 1 by less is linear growth.
const NEARLY_LINEAR: f64 = 0.1;

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::Block;
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;

    fn verdict_of(size: f64, pss: f64) -> (Outcome, String) {
        let sample = |round| {
            let variant = Variant::of([("agent", OURS), ("use", UNUSED)]).and("stack", SSH.id());
            Record::Sample(Sample::new(NAME, variant, round).value("size", size).value("pss", pss))
        };
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(vec![sample(0), sample(1)]), &mut section);
        let found = section.blocks.into_iter().find_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, verdict.finding.to_string())),
            _ => None,
        });
        found.unwrap()
    }

    #[test]
    fn virtual_memory_of_the_paper_is_compared_with_virtual_memory() {
        let (outcome, finding) = verdict_of(6_500.0, 5_000.0);
        assert_eq!(outcome, Outcome::Holds);
        assert!(finding.replace('\u{a0}', " ").contains("6.50 kB of address space"), "{finding}");
        assert_eq!(verdict_of(12_700.0, 5_000.0).0, Outcome::DoesNotHold);
    }

    #[test]
    fn session_needs_at_least_its_memory_in_use() {
        let (outcome, finding) = verdict_of(6_500.0, 34_700.0);
        assert_eq!(outcome, Outcome::DoesNotHold);
        assert!(finding.replace('\u{a0}', " ").contains("34.7 kB of memory (PSS)"), "{finding}");
        assert_eq!(verdict_of(0.0, 5_000.0).0, Outcome::Holds, "the address space has not grown");
    }
}
