//! Commands that measure nothing, and invalid command lines.

use std::fs;
use std::process::Command;

use super::fixture::{lab, program, text};

#[test]
fn list_shows_every_experiment_with_its_papers() {
    let output = lab(&["list"]);
    assert!(output.status.success());
    let text = text(&output);
    for word in [
        "one-shot",
        "walk",
        "session-length",
        "phases",
        "traffic",
        "memory",
        "000 Table 2",
        "002 Table 2",
        "000 Fig 6",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn invalid_command_lines_are_rejected_with_a_hint() {
    for (arguments, message) in [
        (&["run"][..], "no experiment given\nhint: see `portreeve lab list`"),
        (&["run", "004-everything"], "unknown experiment '004-everything'"),
        (&["run", "walk", "--budget", "soon"], "invalid time 'soon'"),
        (&["report"], "hint: report DIR"),
        (&["compare", "a"], "hint: compare DIR DIR"),
        (&["list", "walk"], "invalid arguments of `list`"),
    ] {
        let output = lab(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(text(&output).contains(message), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn report_and_compare_reject_directories_without_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    for arguments in [&["report", path][..], &["compare", path, path]] {
        let output = lab(arguments);
        assert!(!output.status.success());
        assert!(text(&output).contains("contains no run: it has no run.json"), "{}", text(&output));
    }
}

#[test]
fn run_that_measures_nothing_fails() {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    // A hard link, because a file that was just written may not be executable yet. There, the lab
    // finds none of the other programs.
    let alone = directory.path().join("portreeve-lab");
    fs::hard_link(program(), &alone).unwrap();
    let out = directory.path().join("run");
    let output = Command::new(alone).args(["run", "demo", "--quick", "--out"]).arg(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("nothing was measured\nhint: "), "{}", text(&output));
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("portreeved is neither built nor installed"), "{report}");
}
