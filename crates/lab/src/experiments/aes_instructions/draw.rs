//! The table, the figure and the sentences about AES instructions.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, Outcome, Section, Source, Table,
};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::{NAME, OFF, ON, OPENSSL, OURS, STACKS, VARIABLES};
use crate::client::ProtocolStack;
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(format!(
        "GETs with {VARIABLES} variables and responses of about 7 kB in one session. Agent and client use the \
         processor's instructions for AES and GCM, or the environment variable OPENSSL_ia32cap hides these instructions \
         from their libraries: aws-lc for SSH, TLS 1.3 and DTLS 1.3, and OpenSSL for DTLS 1.2 and for Net-SNMP's agent. \
         As a check of the variable, openssl speed encrypts blocks of 8192 octets with AES-128-GCM. The client is Portreeve's, also with Net-SNMP's agent.",
    ));
    section.table(table(&all));
    for (agent, title) in AGENTS {
        unavailable_notes::add(section, title, &all.with("agent", agent));
    }
    section.figure(figure(&all));
    check(&all, section);
    verdicts(&all, section);
}

/// Adds a sentence about the effect of the variable on `openssl speed`.
fn check(all: &Selection<'_>, section: &mut Section) {
    let speed = all.with("agent", OPENSSL);
    let (on, off) = (speed.with("aes", ON), speed.with("aes", OFF));
    let Some(ratio) = on.ratios(&off, "octet_rate") else { return };
    let (Some(on), Some(off)) = (on.summary("octet_rate"), off.summary("octet_rate")) else { return };
    section.verdict(
        Source::Lab,
        if ratio.minimum > MIN_SPEED_UP { Outcome::Holds } else { Outcome::DoesNotHold },
        "The variable OPENSSL_ia32cap hides the AES instructions.",
        format!(
            "Here openssl speed encrypts {} in a second with them and {} without them.",
            Unit::Bytes.text(on.median),
            Unit::Bytes.text(off.median)
        ),
    );
}

fn table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Cost of a GET with AES instructions and without them")
        .column("Stack")
        .column_with("CPU time of the agent", "with")
        .column_with("CPU time of the agent", "without")
        .column_with("CPU time of the agent", "ratio")
        .column_with("Time of the exchange", "with")
        .column_with("Time of the exchange", "without")
        .column_with("Time of the exchange", "ratio");
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
            let (on, off) = (sessions.with("aes", ON), sessions.with("aes", OFF));
            let mut cells = vec![Cell::text(stack.label())];
            for value in ["agent_cpu", "exchange"] {
                cells.push(Cell::of(&on, value, Unit::Seconds));
                cells.push(Cell::of(&off, value, Unit::Seconds));
                cells.push(Cell::ratio_of(&off, &on, value));
            }
            table.row(cells);
        }
    }
    table
}

fn figure(all: &Selection<'_>) -> Figure {
    let rows = STACKS.into_iter().filter_map(|stack| {
        let bars: Vec<Bar> = AGENTS
            .into_iter()
            .zip([By::Ours, By::Peer("Net-SNMP's agent")])
            .filter_map(|((agent, title), by)| {
                let ratio = growth(all, agent, stack)?;
                Some(Bar::Measured(by, title.to_owned(), ratio))
            })
            .collect();
        (!bars.is_empty()).then(|| BarRow { label: stack.label(), bars })
    });
    let bars = Bars {
        axis: Axis::linear("CPU time without AES instructions in relation to that with them", Unit::Ratio),
        rows: rows.collect(),
        reference: Some((1.0, "with AES instructions".to_owned())),
    };
    Figure::new("The agent's CPU time without AES instructions", bars)
}

/// Returns the ratio of the agent's CPU time without AES instructions to that with them.
fn growth(all: &Selection<'_>, agent: &str, stack: ProtocolStack) -> Option<Measured> {
    let sessions = all.with("agent", agent).with("stack", &stack.id());
    let ratio = sessions.with("aes", OFF).ratios(&sessions.with("aes", ON), "agent_cpu")?;
    Some(Measured::new(ratio, Unit::Ratio))
}

/// Adds a sentence for each agent with the stacks that AES instructions speed up least and most.
fn verdicts(all: &Selection<'_>, section: &mut Section) {
    for (agent, title) in AGENTS {
        let mut ratios: Vec<(ProtocolStack, Measured)> =
            STACKS.into_iter().filter_map(|stack| Some((stack, growth(all, agent, stack)?))).collect();
        ratios.sort_by(|(_, one), (_, other)| one.value().total_cmp(&other.value()));
        let (Some((least, low)), Some((most, high))) = (ratios.first(), ratios.last()) else { continue };
        let savings = ratios.iter().filter(|(_, ratio)| saves(ratio) == Some(true)).count();
        let outcome = match savings {
            count if count == ratios.len() => Outcome::Holds,
            0 if ratios.iter().all(|(_, ratio)| saves(ratio) == Some(false)) => Outcome::DoesNotHold,
            0 => Outcome::NotDecided,
            _ => Outcome::HoldsInPart,
        };
        let finding = format!(
            "Without them, {title} needs between {} (over {}) and {} times (over {}) the CPU time; the 95 % interval of \
             the ratio is above 1 for {savings} of {} stacks.",
            Unit::Ratio.text(low.value()),
            least.label(),
            Unit::Ratio.text(high.value()),
            most.label(),
            ratios.len()
        );
        section.verdict(Source::Lab, outcome, "AES instructions save CPU time of the agent.", finding);
    }
}

/// Returns true if the whole interval of the ratio is above 1, and `None` if it contains 1.
fn saves(ratio: &Measured) -> Option<bool> {
    let (interval, _) = ratio.interval()?;
    if interval.low > 1.0 { Some(true) } else { (interval.high < 1.0).then_some(false) }
}

/// The ratio that no noise reaches.
const MIN_SPEED_UP: f64 = 1.5;
const AGENTS: [(&str, &str); 2] = [(OURS, "Portreeve's agent"), (Peer::NetSnmp.name(), "Net-SNMP's agent")];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::Block;
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;
    use crate::client::Carrier;

    /// Returns records of five rounds whose CPU times differ by at most 2 %.
    fn records(aes: &str, carrier: Carrier, cpu: f64) -> Vec<Record> {
        let variant =
            Variant::of([("agent", OURS), ("aes", aes)]).and("stack", ProtocolStack::tsm(carrier).id());
        let record = |round: usize| {
            let cpu =
                cpu * (1.0 + [0.0, 0.01, -0.01, 0.02, -0.02][round] * if aes == ON { 1.0 } else { 0.5 });
            let sample = Sample::new(NAME, variant.clone(), round);
            Record::Sample(sample.value("agent_cpu", cpu).value("exchange", cpu))
        };
        (0..5).map(record).collect()
    }

    fn verdicts_of(records: Vec<Vec<Record>>) -> Vec<(Outcome, String)> {
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(records.concat()), &mut section);
        let verdicts = section.blocks.iter().filter_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, format!("{:?}", verdict.finding))),
            _ => None,
        });
        verdicts.collect()
    }

    fn outcome_of(tls_without: f64, ssh_without: f64) -> (Outcome, String) {
        let mut found = verdicts_of(vec![
            records(ON, Carrier::Tls, 1e-4),
            records(OFF, Carrier::Tls, tls_without),
            records(ON, Carrier::Ssh, 1e-4),
            records(OFF, Carrier::Ssh, ssh_without),
        ]);
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[test]
    fn variable_without_effect_is_reported() {
        let speed = |aes: &str, rate: f64| {
            let variant = Variant::of([("agent", OPENSSL), ("aes", aes)]);
            vec![Record::Sample(Sample::new(NAME, variant, 0).value("octet_rate", rate))]
        };
        let found = verdicts_of(vec![speed(ON, 5e9), speed(OFF, 4.9e9)]);
        assert_eq!(found[0].0, Outcome::DoesNotHold);
        assert_eq!(verdicts_of(vec![speed(ON, 5e9), speed(OFF, 4e8)])[0].0, Outcome::Holds);
    }

    #[test]
    fn verdict_names_the_least_and_the_largest_ratio() {
        let (outcome, finding) = outcome_of(2.5e-4, 3.5e-4);
        assert_eq!(outcome, Outcome::Holds);
        let least = finding.find("2.50 (over v3/TSM over TLS 1.3)").unwrap();
        assert!(least < finding.find("3.50 times (over v3/TSM over SSH").unwrap(), "{finding}");
        assert!(finding.contains("for 2 of 2 stacks"), "{finding}");
    }

    #[test]
    fn verdict_follows_the_intervals() {
        assert_eq!(outcome_of(1e-4, 3e-4).0, Outcome::HoldsInPart);
        assert_eq!(outcome_of(1e-4, 1e-4).0, Outcome::NotDecided);
        assert_eq!(outcome_of(5e-5, 5e-5).0, Outcome::DoesNotHold);
    }

    #[test]
    fn stack_that_is_measured_only_with_instructions_has_no_verdict() {
        assert!(verdicts_of(vec![records(ON, Carrier::Tls, 1e-4)]).is_empty());
    }
}
