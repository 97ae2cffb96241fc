use portreeve_lab_report::document::Block;
use portreeve_lab_report::sample::{Record, Sample, Variant};
use portreeve_lab_report::samples::Samples;

use super::super::super::variants::{EDIT, UDP, set_name};
use super::super::super::{NAME, OURS};
use super::*;

/// Three rounds of SET and edit-config whose values differ by a share of them.
fn samples(name: &str, rows: &[(usize, f64, f64)], share: f64) -> Samples {
    let mut records = Vec::new();
    for (objects, set, edit) in rows {
        for (method, value) in [(set_name(OBJECTS_PER_SET), set), (EDIT.to_owned(), edit)] {
            for (round, factor) in [1.0 - share, 1.0, 1.0 + share].into_iter().enumerate() {
                let mut variant = Variant::of([("agent", OURS)]).and("method", method.clone());
                if method != EDIT {
                    variant = variant.and("stack", UDP.id());
                }
                let sample = Sample::new(NAME, variant.and("objects", objects.to_string()), round);
                records.push(Record::Sample(sample.value(name, value * factor)));
            }
        }
    }
    Samples::new(records)
}

fn verdict(samples: &Samples, add: fn(&Selection<'_>, &mut Section)) -> (Outcome, String) {
    let mut section = Section::new(NAME, "");
    add(&samples.experiment(NAME), &mut section);
    match section.blocks.into_iter().next() {
        Some(Block::Verdict(verdict)) => {
            (verdict.outcome, verdict.finding.to_string().replace('\u{a0}', " "))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn order_of_times_is_judged_for_every_number_of_objects() {
    let rows = [(1, 0.001, 0.002), (100, 0.002, 0.003), (1000, 0.02, 0.004)];
    let (outcome, finding) = verdict(&samples("time", &rows, 0.001), times);
    assert_eq!(outcome, Outcome::Holds);
    assert!(finding.contains("SET is faster for 1 and 100 objects, edit-config for 1000."), "{finding}");
    // One number of objects in the middle contradicts the statement.
    let rows = [(1, 0.001, 0.002), (100, 0.004, 0.003), (1000, 0.02, 0.004)];
    assert_eq!(verdict(&samples("time", &rows, 0.001), times).0, Outcome::HoldsInPart);
}

#[test]
fn overlapping_intervals_are_not_decided() {
    // 99 % of three values: the intervals are about 6 times as wide as the difference of rounds.
    let rows = [(1, 0.00098, 0.00071), (1000, 0.02, 0.0001)];
    let (outcome, finding) = verdict(&samples("time", &rows, 0.1), times);
    assert_eq!(outcome, Outcome::HoldsInPart);
    assert!(finding.contains("99 % intervals do not decide it for 1"), "{finding}");
    let (outcome, _) = verdict(&samples("time", &rows[..1], 0.1), times);
    assert_eq!(outcome, Outcome::NotDecided);
}

#[test]
fn transactions_are_counted_for_every_number_of_objects() {
    let rows = [(1, 1.0, 1.0), (100, 3.0, 1.0)];
    assert_eq!(verdict(&samples("transactions", &rows, 0.0), transactions).0, Outcome::Holds);
    let rows = [(1, 1.0, 1.0), (100, 3.0, 2.0), (1000, 28.0, 1.0)];
    assert_eq!(verdict(&samples("transactions", &rows, 0.0), transactions).0, Outcome::HoldsInPart);
}
