use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{DURABLE, write};
use crate::experiments::ALL;
use crate::harness::budget::Share;
use crate::harness::series;
use crate::harness::{Experiment, fake};

fn measure(directory: &Path, experiments: &[&Experiment]) {
    let mut run = fake::open(directory, 42).ok().unwrap();
    let context = fake::context(&directory.join("scratch"));
    for experiment in experiments {
        series::run(experiment, &context, &mut run, Share::Rounds(3)).ok().unwrap();
    }
}

/// Puts the experiments into the plan, which the fake run does not contain.
fn plan(directory: &Path, names: &str) {
    let file = directory.join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"experiments\": []", &format!("\"experiments\": [{names}]"))).unwrap();
}

fn report(directory: &Path) -> [String; 2] {
    write(directory, fake::ALL).ok().unwrap();
    ["report.html", "report.md"].map(|name| fs::read_to_string(directory.join(name)).unwrap())
}

#[test]
fn report_is_the_same_each_time_and_changes_with_one_sample() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    plan(directory.path(), "\"first\"");
    let first = report(directory.path());
    assert!(first[0].contains("The sum is 13530."), "{}", first[0]);
    assert_eq!(report(directory.path()), first);
    let file = directory.path().join("samples.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"value\":902.0", "\"value\":903.0", 1)).unwrap();
    let changed = report(directory.path());
    assert_ne!(changed, first);
    assert!(changed[1].contains("The sum is 13531."), "{}", changed[1]);
}

#[test]
fn report_of_compressed_samples_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    plan(directory.path(), "\"first\"");
    let first = report(directory.path());
    let status =
        std::process::Command::new("gzip").arg(directory.path().join("samples.jsonl")).status().unwrap();
    assert!(status.success());
    assert!(!directory.path().join("samples.jsonl").exists());
    assert_eq!(report(directory.path()), first);
}

#[test]
fn unavailable_experiment_is_reported_in_its_place() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::NEEDY]);
    plan(directory.path(), "\"needy\", \"first\"");
    let [html, markdown] = report(directory.path());
    for text in [html, markdown] {
        assert!(text.contains("no-such-program is neither built nor installed"), "{text}");
        assert!(text.contains("the run was stopped before it"), "{text}");
    }
}

#[test]
fn state_in_memory_is_stated_in_the_report() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    plan(directory.path(), "\"first\"");
    let file = directory.path().join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    let changed = text.replace("\"file_system\": \"\"", "\"file_system\": \"tmpfs\"");
    assert_ne!(changed, text);
    fs::write(&file, changed).unwrap();
    let [html, markdown] = report(directory.path());
    assert!(html.contains("tmpfs") && markdown.contains("tmpfs"), "{markdown}");
}

#[test]
fn experiments_that_need_a_disk_exist() {
    let exists = |name: &&str| ALL.iter().any(|experiment| experiment.name == *name);
    assert!(DURABLE.iter().all(exists));
}

#[test]
fn run_of_all_papers_names_the_experiments_that_it_lacks() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    let report = |names: &str, known: &[&Experiment]| {
        plan(directory.path(), names);
        write(directory.path(), known).ok().unwrap();
        fs::read_to_string(directory.path().join("report.md")).unwrap()
    };
    let complete = report("\"first\"", &[&fake::FIRST, &fake::BENCH]);
    assert!(complete.contains("`bench`: A fake. `docs/benchmarks.md` has its figures"), "{complete}");
    // The run has not measured all papers that this list has.
    assert!(!report("\"first\"", fake::ALL).contains("Not part of this run"));
}

#[test]
fn directory_without_a_run_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let error = write(directory.path(), fake::ALL).err().unwrap();
    assert!(error.message().contains("contains no run"), "{}", error.message());
}

#[test]
fn report_removes_only_its_own_tables_of_an_earlier_report() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    plan(directory.path(), "\"first\"");
    let tables = directory.path().join("csv");
    fs::create_dir(&tables).unwrap();
    let own = ["table-01-gone.csv", "figure-07-gone-messages.csv"];
    let others = ["prices.csv", "table-of-prices.csv", "table-01-notes.txt", "figure-1.csv"];
    for name in own.iter().chain(&others) {
        fs::write(tables.join(name), "").unwrap();
    }
    report(directory.path());
    assert!(own.iter().all(|name| !tables.join(name).exists()));
    assert!(others.iter().all(|name| tables.join(name).exists()));
}

#[test]
fn files_of_a_run_are_readable_only_by_their_owner() {
    let directory = tempfile::tempdir().unwrap();
    measure(directory.path(), &[&fake::FIRST]);
    write(directory.path(), fake::ALL).ok().unwrap();
    for name in ["run.json", "samples.jsonl", "report.html", "report.md"] {
        let mode = fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
