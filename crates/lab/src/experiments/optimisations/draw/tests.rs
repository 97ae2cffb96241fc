use portreeve_lab_report::document::{Block, Document, Outcome, Plot, Section};
use portreeve_lab_report::markdown;
use portreeve_lab_report::sample::{Record, Sample, Unavailable, Variant};
use portreeve_lab_report::samples::Samples;

use super::super::policy::{EVERY_MESSAGE, LATE, NEVER, OPTIMISED, Policy};
use super::super::{NAME, USM};
use super::draw;

/// Returns the samples of two rounds of a variant: the time of a one-shot, and the time and octets
/// of an exchange.
fn samples(variant: &Variant, [time, exchange, octets]: [f64; 3]) -> Vec<Record> {
    let sample = |round| {
        let sample = Sample::new(NAME, variant.clone(), round).value("time", time);
        Record::Sample(sample.value("exchange_time", exchange).value("exchange_octets", octets))
    };
    vec![sample(0), sample(1)]
}

/// Draws the section of these policies, and of USM with 100 µs and 350 octets for an exchange.
fn section(policies: &[(Policy, [f64; 3])]) -> Section {
    let mut records: Vec<Record> =
        policies.iter().flat_map(|(policy, values)| samples(&policy.variant(), *values)).collect();
    records.extend(samples(&Variant::of([("stack", USM[0].id())]), [200e-6, 100e-6, 350.0]));
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
fn verdicts_hold_if_both_optimisations_help_as_in_the_paper() {
    let section = section(&[
        (NEVER, [0.08, 90e-6, 300.0]),
        (LATE, [0.04, 90e-6, 300.0]),
        (EVERY_MESSAGE, [0.011, 120e-6, 500.0]),
        (OPTIMISED, [0.01, 80e-6, 300.0]),
    ]);
    assert_eq!(outcomes(&section), [Outcome::Holds; 4]);
    let text = text(section);
    for expected in [
        "takes 8 times as long as with TCP\\_NODELAY",
        "takes 4 times as long if the client",
        "takes 1.50 times as long, and has 1.67 times as many octets",
        "needs 120",
    ] {
        assert!(text.replace('\u{a0}', " ").contains(expected), "{expected}: {text}");
    }
}

#[test]
fn verdicts_do_not_hold_if_settings_make_no_difference() {
    let same = [0.01, 150e-6, 400.0];
    let section = section(&[NEVER, LATE, EVERY_MESSAGE, OPTIMISED].map(|policy| (policy, same)));
    use Outcome::{DoesNotHold, HoldsInPart};
    // SSH with window adjustments is slower than USM in any case.
    assert_eq!(outcomes(&section), [DoesNotHold, DoesNotHold, DoesNotHold, HoldsInPart]);
}

#[test]
fn missing_policies_have_no_verdicts() {
    assert_eq!(outcomes(&section(&[(OPTIMISED, [0.01, 80e-6, 300.0])])), []);
    assert_eq!(outcomes(&section(&[])), []);
}

#[test]
fn figures_of_the_paper_stand_beside_their_policies() {
    let late = Variant::of([("agent_nodelay", "login")]);
    let reason = "the agent cannot".to_owned();
    let record = Record::Unavailable(Unavailable { experiment: NAME.into(), variant: late, reason });
    let mut section = Section::new(NAME, "a title");
    draw(&Samples::new(vec![record]), &mut section);
    let text = text(section).replace('\u{a0}', " ");
    let line = |words: &str| text.lines().find(|line| line.starts_with(words)).unwrap_or(&text).to_owned();
    assert!(line("| never | never |").contains("≈ 800 ms"), "{text}");
    let late = line("| login | login |");
    assert!(late.contains("56.5 ms") && late.contains("the agent cannot"), "{text}");
    assert!(line("| start | start |").contains("16.17 ms"), "{text}");
    assert!(!line("| login | start |").contains("56.5 ms"), "{text}");
}

#[test]
fn rows_without_samples_and_figures_of_the_paper_have_no_bars() {
    let section = section(&[(OPTIMISED, [0.01, 80e-6, 300.0])]);
    let figure = section.blocks.iter().find_map(|block| match block {
        Block::Figure(figure) => Some(figure),
        _ => None,
    });
    let labels = figure.unwrap().panels.iter().map(|panel| match &panel.plot {
        Plot::Bars(bars) => bars.rows.iter().map(|row| row.label.as_str()).collect::<Vec<_>>(),
        _ => panic!("no bars"),
    });
    let expected = [
        vec!["never / never", "login / login", "start / start"],
        vec!["if needed / if needed", "USM over UDP"],
    ];
    assert_eq!(labels.collect::<Vec<_>>(), expected);
}
