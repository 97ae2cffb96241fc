use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use portreeve_lab_report::sample::{Record, parse_lines};

use super::{SeriesEnd, run};
use crate::harness::budget::Share;
use crate::harness::{Experiment, fake, stop};

fn measure(directory: &Path, experiment: &Experiment, share: Share) -> Vec<(String, usize)> {
    let mut run_directory = fake::open(directory, 42).ok().unwrap();
    let context = fake::context(&directory.join("scratch"));
    fake::take_measured();
    assert_eq!(run(experiment, &context, &mut run_directory, share).ok(), Some(SeriesEnd::Complete));
    fake::take_measured()
}

fn records(directory: &Path) -> Vec<Record> {
    parse_lines(&fs::read_to_string(directory.join("samples.jsonl")).unwrap()).unwrap()
}

#[test]
fn every_variant_is_measured_once_in_each_round() {
    let directory = tempfile::tempdir().unwrap();
    let measured = measure(directory.path(), &fake::FIRST, Share::Rounds(3));
    assert_eq!(measured.len(), 30);
    for (round, chunk) in measured.chunks(10).enumerate() {
        assert!(chunk.iter().all(|(_, found)| *found == round), "{chunk:?}");
        assert_eq!(chunk.iter().collect::<BTreeSet<_>>().len(), 10);
    }
    assert_ne!(
        measured[..10].iter().map(|(number, _)| number).collect::<Vec<_>>(),
        measured[10..20].iter().map(|(number, _)| number).collect::<Vec<_>>()
    );
    let samples = records(directory.path());
    assert_eq!(samples.iter().filter(|record| matches!(record, Record::Sample(_))).count(), 30);
    assert_eq!(samples.iter().filter(|record| matches!(record, Record::Noise(_))).count(), 3);
}

#[test]
fn same_seed_gives_the_same_order_of_measurements() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = measure(one.path(), &fake::FIRST, Share::Rounds(2));
    assert_eq!(first, measure(other.path(), &fake::FIRST, Share::Rounds(2)));
}

#[test]
fn resumed_run_measures_only_what_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let all = measure(directory.path(), &fake::FIRST, Share::Rounds(3));
    let file = directory.path().join("samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    // The crash has left 12 complete measurements and half a line.
    let lines: Vec<&str> = text.lines().collect();
    let kept: Vec<&str> = lines[..15].to_vec();
    let done = kept.iter().filter(|line| line.contains("\"sample\"")).count();
    fs::write(&file, format!("{}\n{}", kept.join("\n"), &lines[15][..20])).unwrap();

    let again = measure(directory.path(), &fake::FIRST, Share::Rounds(3));
    assert_eq!(again, all[done..]);
    let samples = |text: &str| -> BTreeSet<String> {
        let records = parse_lines(text).unwrap().into_iter();
        let samples = records.filter_map(|record| match record {
            Record::Sample(sample) => {
                Some(format!("{} {} {:?}", sample.variant, sample.round, sample.values))
            }
            _ => None,
        });
        samples.collect()
    };
    let resumed = fs::read_to_string(&file).unwrap();
    assert_eq!(resumed.matches("\"sample\"").count(), 30);
    assert_eq!(samples(&resumed), samples(&text));
    assert!(measure(directory.path(), &fake::FIRST, Share::Rounds(3)).is_empty());
}

#[test]
fn number_of_rounds_follows_from_the_first_round_and_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    // The fake needs microseconds, so that even a second is enough for the maximum.
    assert_eq!(measure(directory.path(), &fake::FIRST, Share::Time(Duration::from_secs(3600))).len(), 1000);
    let info = fs::read_to_string(directory.path().join("run.json")).unwrap();
    assert!(info.contains("\"first\": 100"), "{info}");
    let other = tempfile::tempdir().unwrap();
    let measured = measure(other.path(), &fake::FIRST, Share::Time(Duration::ZERO));
    assert_eq!(measured.iter().filter(|(_, round)| *round < 3).count(), 30);
    let info = fs::read_to_string(other.path().join("run.json")).unwrap();
    assert!(info.contains("\"first\": 3\n"), "{info}");
}

#[test]
fn short_variants_are_measured_in_more_rounds_than_a_long_one() {
    let directory = tempfile::tempdir().unwrap();
    let measured = measure(directory.path(), &fake::UNEVEN, Share::Time(Duration::ZERO));
    let count = |wanted: &str| measured.iter().filter(|(number, _)| number == wanted).count();
    assert_eq!((count("7"), count("0"), count("9")), (3, 10, 10));
    // A run that resumes has the same variants in its last rounds.
    let file = directory.path().join("samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let is_kept = |line: &&str| !line.contains("\"round\":8") && !line.contains("\"round\":9");
    let kept: Vec<&str> = text.lines().filter(is_kept).collect();
    fs::write(&file, format!("{}\n", kept.join("\n"))).unwrap();
    let again = measure(directory.path(), &fake::UNEVEN, Share::Time(Duration::ZERO));
    assert_eq!((again.len(), again.iter().any(|(number, _)| number == "7")), (18, false));
    // A number of rounds that the user has chosen is that of all variants.
    let other = tempfile::tempdir().unwrap();
    assert_eq!(measure(other.path(), &fake::UNEVEN, Share::Rounds(1)).len(), 10);
}

#[test]
fn experiment_without_its_needs_is_recorded_as_unavailable() {
    let directory = tempfile::tempdir().unwrap();
    assert!(measure(directory.path(), &fake::NEEDY, Share::Rounds(2)).is_empty());
    let [Record::Unavailable(record)] = &records(directory.path())[..] else { panic!("not one record") };
    assert_eq!(record.experiment, "needy");
    assert!(record.variant.is_empty());
    assert!(record.reason.ends_with("no-such-program is neither built nor installed"), "{}", record.reason);
}

#[test]
fn variant_that_fails_twice_is_not_measured_again_until_the_run_resumes() {
    let directory = tempfile::tempdir().unwrap();
    let measured = measure(directory.path(), &fake::BROKEN, Share::Rounds(4));
    let count = |number: &str| measured.iter().filter(|(found, _)| found == number).count();
    assert_eq!((count("2"), count("3")), (4, 2));
    let reasons: Vec<String> = records(directory.path())
        .into_iter()
        .filter_map(|record| match record {
            Record::Unavailable(one) => Some(format!("{}: {}", one.variant, one.reason)),
            _ => None,
        })
        .collect();
    assert_eq!(reasons.len(), 6, "{reasons:?}");
    assert_eq!(reasons[0], "number=ten: ten is too large");
    assert!(reasons.contains(&"number=3: odd numbers are not measured".to_owned()), "{reasons:?}");
    // The reason may no longer apply. It still does, and is recorded once.
    let again = measure(directory.path(), &fake::BROKEN, Share::Rounds(4));
    let count = |number: &str| again.iter().filter(|(found, _)| found == number).count();
    assert_eq!((again.len(), count("2"), count("3")), (10, 0, 2));
    let is_reason = |record: &Record| matches!(record, Record::Unavailable(_));
    assert_eq!(records(directory.path()).iter().filter(|record| is_reason(record)).count(), 6);
}

#[test]
fn reasons_that_the_users_stop_has_caused_are_not_recorded() {
    for experiment in [&fake::STOPPED, &fake::STOPPED_EARLY] {
        let directory = tempfile::tempdir().unwrap();
        let mut run_directory = fake::open(directory.path(), 42).ok().unwrap();
        let context = fake::context(&directory.path().join("scratch"));
        let end = run(experiment, &context, &mut run_directory, Share::Rounds(1));
        stop::REQUESTED_BY_TEST.set(false);
        assert_eq!(end.ok(), Some(SeriesEnd::Stopped), "{}", experiment.name);
        assert!(records(directory.path()).is_empty(), "{}", experiment.name);
    }
}
