use std::fs;
use std::time::Duration;

use portreeve_lab_report::sample::Variant;

use super::{RUN, SAMPLES};
use crate::harness::{Outcome, Skipped, fake};

/// The duration of a measurement, if it does not matter.
const SECOND: Duration = Duration::from_secs(1);

fn variant(number: &str) -> Variant {
    Variant::of([("number", number)])
}

#[test]
fn reopened_directory_knows_its_measurements() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    run.record("walk", &variant("1"), 0, SECOND, Outcome::default().value("time", 0.5)).ok().unwrap();
    run.record_unavailable("walk", &variant("2"), &Skipped("no".into())).ok().unwrap();
    run.record_noise("walk", 0, 0.01).ok().unwrap();
    run.set_rounds("walk", 7).ok().unwrap();
    run.add_duration(2.0).ok().unwrap();
    drop(run);

    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    assert!(run.contains("walk", &variant("1"), 0));
    assert!(!run.contains("walk", &variant("1"), 1) && !run.contains("memory", &variant("1"), 0));
    assert!(run.has_noise("walk", 0) && !run.has_noise("walk", 1));
    assert_eq!((run.rounds("walk"), run.rounds("memory"), run.count("walk")), (Some(7), None, 1));
    run.add_duration(3.0).ok().unwrap();
    assert_eq!(run.info().duration, Some(5.0));
}

#[test]
fn reopened_directory_forgets_why_variants_were_not_measured() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    run.record_unavailable("walk", &variant("1"), &Skipped("no compiler".into())).ok().unwrap();
    run.record("walk", &variant("2"), 0, SECOND, Outcome::default().value("time", 0.5)).ok().unwrap();
    drop(run);
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    let text = || fs::read_to_string(directory.path().join(SAMPLES)).unwrap();
    assert_eq!((text().lines().count(), text().contains("no compiler")), (1, false));
    assert_eq!(run.count("walk"), 1);
    run.record_unavailable("walk", &variant("1"), &Skipped("no compiler".into())).ok().unwrap();
    assert_eq!((text().lines().count(), text().contains("no compiler")), (2, true));
}

#[test]
fn missing_part_is_recorded_once_and_its_variant_stays_available() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    for round in 0..2 {
        let outcome = Outcome::default().value("time", 0.5).without("snmpd", Skipped("no".into()));
        run.record("walk", &variant("1"), round, SECOND, outcome).ok().unwrap();
    }
    assert!(!run.is_unavailable("walk", &variant("1")));
    assert!(run.is_unavailable("walk", &variant("1").and("subject", "snmpd")));
    let samples = fs::read_to_string(directory.path().join(SAMPLES)).unwrap();
    assert_eq!(samples.matches("\"unavailable\"").count(), 1, "{samples}");
}

#[test]
fn directory_of_another_plan_is_refused_and_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    drop(fake::open(directory.path(), 1).ok().unwrap());
    let before = fs::read_to_string(directory.path().join(RUN)).unwrap();
    let error = fake::open(directory.path(), 2).err().unwrap();
    assert!(error.message().contains("contains another run: it was started as"), "{}", error.message());
    assert_eq!(fs::read_to_string(directory.path().join(RUN)).unwrap(), before);
}

#[test]
fn directory_is_refused_while_another_run_uses_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    run.record("walk", &variant("1"), 0, SECOND, Outcome::default().value("time", 0.5)).ok().unwrap();
    let error = fake::open(directory.path(), 1).err().unwrap();
    assert!(error.message().starts_with("another run uses "), "{}", error.message());
    run.record("walk", &variant("2"), 0, SECOND, Outcome::default().value("time", 0.5)).ok().unwrap();
    drop(run);
    assert_eq!(fake::open(directory.path(), 1).ok().unwrap().count("walk"), 2);
}

#[test]
fn malformed_samples_are_refused_and_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    drop(fake::open(directory.path(), 1).ok().unwrap());
    let file = directory.path().join(SAMPLES);
    fs::write(&file, "{}\n{\"not\": \"ours\"").unwrap();
    let error = fake::open(directory.path(), 1).err().unwrap();
    assert!(error.message().contains("samples.jsonl: line 1"), "{}", error.message());
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}\n{\"not\": \"ours\"");
}

#[test]
fn directory_with_other_files_is_refused_and_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    let (path, file) = (directory.path(), directory.path().join("csv/prices.csv"));
    fs::create_dir(path.join("csv")).unwrap();
    fs::write(&file, "1,2\n").unwrap();
    let error = fake::open(path, 1).err().unwrap();
    assert!(error.message().contains("is not empty and contains no run"), "{}", error.message());
    assert_eq!(fs::read_to_string(&file).unwrap(), "1,2\n");
    assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    // A run that was killed before it had a plan does not prevent the next one.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join(".run.json.new"), "{").unwrap();
    assert!(fake::open(other.path(), 1).is_ok());
}

#[test]
fn same_reason_is_recorded_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    for _ in 0..3 {
        run.record_unavailable("walk", &Variant::default(), &Skipped("no root".into())).ok().unwrap();
    }
    let text = fs::read_to_string(directory.path().join(SAMPLES)).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn durations_are_means_over_the_first_rounds_also_after_it_was_reopened() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = fake::open(directory.path(), 1).ok().unwrap();
    for (round, seconds) in [(0, 2), (1, 4), (2, 600)] {
        let duration = Duration::from_secs(seconds);
        run.record("walk", &variant("1"), round, duration, Outcome::default()).ok().unwrap();
        run.record("memory", &variant("2"), round, duration, Outcome::default()).ok().unwrap();
    }
    assert_eq!(run.durations("walk", 2), [(variant("1"), 3.0)].into());
    drop(run);
    let run = fake::open(directory.path(), 1).ok().unwrap();
    assert_eq!(run.durations("walk", 2), [(variant("1"), 3.0)].into());
}
