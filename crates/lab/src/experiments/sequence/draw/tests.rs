use portreeve_lab_report::document::{Block, Document, Outcome, Plot, Section};
use portreeve_lab_report::markdown;
use portreeve_lab_report::sample::{Message as Frame, Record, Sample, Trace, Variant};
use portreeve_lab_report::samples::Samples;

use super::{AGENT, MANAGER, NAME, OURS, SSH, TLS, USM, V2C, draw};
use crate::client::ProtocolStack;
use crate::harness::Peer;

const NET_SNMP: &str = Peer::NetSnmp.name();

fn variant(agent: &str, stack: ProtocolStack) -> Variant {
    Variant::of([("agent", agent)]).and("stack", stack.id())
}

/// A session with its frames, round trips, and 1 if the manager closes first.
fn session(agent: &str, stack: ProtocolStack, values: [f64; 2], closer: Option<f64>) -> Record {
    let sample = Sample::new(NAME, variant(agent, stack), 0);
    let sample = sample.value("frames", values[0]).value("round_trips", values[1]);
    Record::Sample(match closer {
        Some(closer) => sample.value("manager_closes", closer),
        None => sample,
    })
}

fn section(records: Vec<Record>) -> Section {
    let mut section = Section::new(NAME, "a title");
    draw(&Samples::new(records), &mut section);
    section
}

fn outcomes(section: &Section) -> Vec<Outcome> {
    let outcome = |block: &Block| match block {
        Block::Verdict(verdict) => Some(verdict.outcome),
        _ => None,
    };
    section.blocks.iter().filter_map(outcome).collect()
}

fn text(section: Section) -> String {
    let mut document = Document::new("a report");
    document.push(section);
    markdown::render(&document)
}

#[test]
fn verdicts_hold_for_the_figures_of_the_paper() {
    let section = section(vec![
        session(OURS, V2C, [2.0, 1.0], None),
        session(OURS, USM, [4.0, 2.0], None),
        session(OURS, SSH, [32.0, 9.0], Some(1.0)),
        session(OURS, TLS, [16.0, 4.0], Some(0.0)),
    ]);
    assert_eq!(outcomes(&section), [Outcome::Holds; 3]);
    let text = text(section);
    assert!(text.contains("takes 2 round trips instead of 1 with Portreeve."), "{text}");
    assert!(text.contains("the agent closes it first"), "{text}");
    assert!(text.contains("not closed"), "{text}");
}

#[test]
fn verdicts_follow_from_the_samples_if_the_paper_does_not_hold() {
    let section = section(vec![
        session(OURS, V2C, [2.0, 1.0], None),
        session(OURS, USM, [6.0, 3.0], None),
        session(NET_SNMP, V2C, [2.0, 1.0], None),
        session(NET_SNMP, USM, [4.0, 2.0], None),
        session(OURS, SSH, [14.0, 9.0], Some(1.0)),
        session(OURS, TLS, [14.0, 4.0], Some(1.0)),
    ]);
    let expected = [Outcome::HoldsInPart, Outcome::DoesNotHold, Outcome::DoesNotHold];
    assert_eq!(outcomes(&section), expected);
    let text = text(section);
    assert!(
        text.contains(
            "3 round trips instead of 1 with Portreeve, and 2 round trips instead of 1 with Net-SNMP"
        ),
        "{text}"
    );
    assert!(text.contains("takes 14 frames, and over TLS 1.2 14"), "{text}");
}

#[test]
fn each_trace_becomes_a_diagram_beside_that_of_the_other_agent() {
    let trace = |agent: &str, label: &str| {
        let (from, to) = (MANAGER.to_owned(), AGENT.to_owned());
        let messages = vec![Frame { at: 0.0, from, to, octets: 74, label: label.to_owned() }];
        Record::Trace(Trace { experiment: NAME.to_owned(), variant: variant(agent, V2C), messages })
    };
    let section = section(vec![trace(OURS, "ours"), trace(NET_SNMP, "theirs")]);
    let figures = section.blocks.iter().filter_map(|block| match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    });
    let labels = figures.map(|figure| {
        let plots = figure.panels.iter().map(|panel| match &panel.plot {
            Plot::Sequence(sequence) => sequence.messages[0].label.as_str(),
            _ => "another plot",
        });
        plots.collect::<Vec<_>>()
    });
    assert_eq!(labels.collect::<Vec<_>>(), [["ours", "theirs"]]);
}
