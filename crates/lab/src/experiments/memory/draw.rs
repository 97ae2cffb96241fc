//! The table and the figure of the agent's memory.

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, Outcome, Section, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Summary, exponent};
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
         allocator reserves address space in large parts, so that a few sessions may not increase VmSize. The number of \
         sessions is checked: by the agent's own count, or by the connections that snmpd has accepted; and \
         each session must answer a request at the end.",
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
    if let Some(size) = ssh.summary("pss") {
        let printed = paper_000::SESSION_MEMORY.value();
        let outcome = if size.median <= printed { Outcome::Holds } else { Outcome::DoesNotHold };
        section.verdict(
            outcome,
            "An open session over SSH needs approximately 7 kB of the agent's memory.",
            format!("Here it needs {} (PSS).", Unit::Bytes.text(size.median)),
        );
    }
    let grown: Vec<(f64, f64)> = {
        let points = points(&all.with("agent", OURS).with("stack", &SSH.id()).with("use", USED_ONCE), "pss");
        let base = points.first().map_or(0.0, |(_, summary)| summary.median);
        points.into_iter().skip(1).map(|(sessions, summary)| (sessions, summary.median - base)).collect()
    };
    if let Some(exponent) = exponent(&grown) {
        let is_linear = (exponent.value - paper_000::MEMORY_EXPONENT).abs() < 0.1;
        section.verdict(
            if is_linear { Outcome::Holds } else { Outcome::HoldsInPart },
            "The memory grows linearly with the number of sessions.",
            format!("Here it grows with the power {:.2} of their number.", exponent.value),
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
