//! Commands that measure nothing, and invalid command lines.

use super::fixture::{lab, text};

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
