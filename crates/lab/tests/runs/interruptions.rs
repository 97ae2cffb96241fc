//! Ctrl-C, `kill -9`, and runs that resume.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use super::fixture::{can_measure, lab, measurements, signal, start, text, wait_until};

#[test]
fn killed_run_leaves_nothing_and_resumes() {
    if !can_measure("killed_run_leaves_nothing_and_resumes") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let arguments = run_arguments(&out);
    let mut run = start(&arguments);
    wait_until("the run measures nothing", || measurements(&out).len() > 3);
    kill_and_check_that_nothing_is_left(&mut run);

    let kept = measurements(&out);
    let resumed = lab(&arguments);
    assert!(resumed.status.success(), "{}", text(&resumed));
    assert!(text(&resumed).contains("Resuming: "), "{}", text(&resumed));
    let all = measurements(&out);
    assert_eq!(all[..kept.len()], kept);
    check_complete(&all);
}

#[test]
fn interrupted_run_reports_what_was_measured_and_resumes() {
    if !can_measure("interrupted_run_reports_what_was_measured_and_resumes") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let arguments = run_arguments(&out);
    let run = start(&arguments);
    wait_until("the run measures nothing", || measurements(&out).len() > 3);
    let marker = marker(&run);
    signal(run.id(), "INT");
    let output = run.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert!(
        text(&output).contains("hint: to resume, run: portreeve lab run session-length"),
        "{}",
        text(&output)
    );
    assert!(processes(&marker).is_empty());
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("session-length"));

    // Another plan must not be mixed with these samples.
    let samples = fs::read(out.join("samples.jsonl")).unwrap();
    let other = lab(&["run", "memory", "--quick", "--seed", "3", "--out", out.to_str().unwrap()]);
    assert!(!other.status.success());
    assert!(text(&other).contains("contains another run: it was started as"), "{}", text(&other));
    assert_eq!(fs::read(out.join("samples.jsonl")).unwrap(), samples);

    let resumed = lab(&arguments);
    assert!(resumed.status.success(), "{}", text(&resumed));
    check_complete(&measurements(&out));
}

#[test]
fn concurrent_runs_are_independent_but_refuse_the_same_directory() {
    if !can_measure("concurrent_runs_are_independent_but_refuse_the_same_directory") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (out, other) = (directory.path().join("run"), directory.path().join("other"));
    let arguments = run_arguments(&out);
    let first = start(&arguments);
    wait_until("the run measures nothing", || measurements(&out).len() > 3);
    let second = lab(&arguments);
    assert!(!second.status.success());
    assert!(text(&second).contains("another run uses"), "{}", text(&second));
    let third = lab(&["run", "session-length", "--quick", "--out", other.to_str().unwrap()]);
    assert!(third.status.success(), "{}", text(&third));
    assert!(!text(&third).contains("not measured"), "{}", text(&third));

    let output = first.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    check_complete(&measurements(&out));
    let unavailable = |directory: &Path| {
        let text = fs::read_to_string(directory.join("samples.jsonl")).unwrap();
        text.lines().filter(|line| line.contains("\"kind\":\"unavailable\"")).count()
    };
    assert_eq!(unavailable(&out), unavailable(&other), "one run has disturbed the other");
}

#[test]
fn run_continues_when_the_reader_of_its_output_ends() {
    if !can_measure("run_continues_when_the_reader_of_its_output_ends") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let mut run = start(&["run", "session-length", "--quick", "--out", out.to_str().unwrap()]);
    drop(run.stdout.take());
    drop(run.stderr.take());
    assert!(run.wait().unwrap().success());
    assert!(out.join("report.html").is_file());
}

#[test]
fn killed_bench_leaves_nothing() {
    if !can_measure("killed_bench_leaves_nothing") {
        return;
    }
    let mut bench = start(&["bench", "--only", "simulate", "--seconds", "60"]);
    let marker = marker(&bench);
    wait_until("the measured programs do not start", || {
        // Two agents and two echo servers, which run until the end.
        let running = processes(&marker);
        running.len() >= 4 && running.iter().all(|id| namespace(*id) != namespace(std::process::id()))
    });
    kill_and_check_that_nothing_is_left(&mut bench);
}

/// Kills the lab, and waits until its processes, namespaces and directories have disappeared.
fn kill_and_check_that_nothing_is_left(run: &mut Child) {
    let marker = marker(run);
    let before = (processes(&marker), scratch_directories(run.id()));
    assert!(before.0.len() >= 2 && before.1.len() == 1, "{before:?}");
    let namespaces: BTreeSet<PathBuf> = before.0.iter().filter_map(|id| namespace(*id)).collect();
    assert!(
        !namespaces.contains(&fs::read_link("/proc/self/ns/net").unwrap()),
        "a program runs in our namespace"
    );

    signal(run.id(), "KILL");
    run.wait().unwrap();
    wait_until("processes of the run have survived it", || processes(&marker).is_empty());
    wait_until("a directory of the run has survived it", || scratch_directories(run.id()).is_empty());
    wait_until("a namespace of the run has survived it", || {
        let now: BTreeSet<PathBuf> = all_processes().filter_map(namespace).collect();
        now.is_disjoint(&namespaces)
    });
}

/// Returns the start of the environment variable of all processes that the lab has started.
fn marker(run: &Child) -> String {
    format!("PORTREEVE_LAB={}-", run.id())
}

fn run_arguments(out: &Path) -> [&str; 9] {
    let out = out.to_str().unwrap();
    ["run", "session-length", "--quick", "--repeat", "20", "--seed", "3", "--out", out]
}

/// Checks that every variant was measured exactly once in each of the 20 rounds.
fn check_complete(samples: &[String]) {
    let key = |line: &String| {
        let start = line.find("\"variant\"").unwrap();
        line[start..line.find(",\"duration\"").unwrap()].to_owned()
    };
    let keys: BTreeSet<String> = samples.iter().map(key).collect();
    assert_eq!(keys.len(), samples.len(), "a measurement was repeated");
    let rounds: BTreeSet<&str> = keys.iter().filter_map(|key| key.split("\"round\":").nth(1)).collect();
    assert_eq!(rounds.len(), 20);
    let variants = keys.len() / 20;
    assert!(variants > 20 && keys.len() == variants * 20, "{} measurements", keys.len());
}

/// Returns the processes that the run with this marker has started.
fn processes(marker: &str) -> Vec<u32> {
    let has_marker = |id: &u32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|octet| *octet == 0).any(|variable| variable.starts_with(marker.as_bytes()))
    };
    all_processes().filter(has_marker).collect()
}

fn all_processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn namespace(process: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/net")).ok()
}

/// Returns the temporary directories of a run.
fn scratch_directories(run: u32) -> Vec<PathBuf> {
    let prefix = format!("portreeve-lab-{run}-");
    let entries = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let own = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix));
    own.map(|entry| entry.path()).collect()
}
