use portreeve_lab_report::document::{Block, Outcome};
use portreeve_lab_report::sample::{Record, Sample, Variant};

use super::*;

/// Sessions of 4 rounds with a number of messages: the time over UDP and over TLS, and the set-up.
fn sessions(agent: &str, messages: &str, udp: f64, tls: f64, setup: f64) -> Vec<Record> {
    let record = |agent: &str, stack: ProtocolStack, time: f64, round: usize| {
        let variant = Variant::of([("agent", agent), ("client", LIBRARY)]);
        let variant = variant.and("messages", messages).and("stack", stack.id());
        // The rounds differ by 1 %.
        let factor = 1.0 + 0.01 * (round % 2) as f64;
        let sample = Sample::new(NAME, variant, round).value("time", time * factor);
        Record::Sample(sample.value("open", setup * factor))
    };
    (0..4).flat_map(|round| [record(OURS, UDP, udp, round), record(agent, TLS, tls, round)]).collect()
}

fn outcome_of(records: Vec<Record>, claim: &str) -> (Outcome, String) {
    let mut section = Section::new(NAME, "");
    draw(&Samples::new(records), &mut section);
    let found = section.blocks.into_iter().find_map(|block| match block {
        Block::Verdict(verdict) if verdict.claim.to_string().starts_with(claim) => {
            Some((verdict.outcome, verdict.finding.to_string().replace('\u{a0}', " ")))
        }
        _ => None,
    });
    found.unwrap()
}

#[test]
fn decline_begins_with_the_shortest_session_of_the_paper() {
    let ratios = |one: f64, five: f64, last: f64| {
        let of = |messages: &str, ratio: f64| sessions(OURS, messages, 1.0, ratio, 0.1);
        [of("1", one), of("5", five), of("2000", last)].concat()
    };
    let claim = "The ratio of TLS to UDP declines with the length";
    let (outcome, finding) = outcome_of(ratios(9.0, 1.7, 1.4), claim);
    assert_eq!(outcome, Outcome::Holds);
    assert!(finding.contains("for 5 messages"), "{finding}");
    assert_eq!(outcome_of(ratios(9.0, 1.7, 2.0), claim).0, Outcome::DoesNotHold);
}

#[test]
fn decline_without_protection_ends_at_the_ratio_of_the_paper() {
    let ratios = |last: f64| {
        let of = |messages: &str, ratio: f64| sessions(LESS_PROTECTED[0].0, messages, 1.0, ratio, 0.1);
        [of("5", 5.0), of("2000", last)].concat()
    };
    let claim = "Without protection of messages";
    assert_eq!(outcome_of(ratios(1.2), claim).0, Outcome::Holds);
    assert_eq!(outcome_of(ratios(2.5), claim).0, Outcome::HoldsInPart);
}

#[test]
fn setup_is_compared_by_the_length_of_the_session() {
    let setups = |last: f64| {
        let of = |messages: &str, setup: f64| sessions(OURS, messages, 1.0, 2.0, setup);
        [of("1", 0.1), of("5", 0.1), of("2000", last)].concat()
    };
    let claim = "The set-up of TLS";
    assert_eq!(outcome_of(setups(0.1), claim).0, Outcome::Holds);
    assert_eq!(outcome_of(setups(0.2), claim).0, Outcome::HoldsInPart);
}
