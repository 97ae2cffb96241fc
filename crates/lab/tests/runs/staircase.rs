//! The experiment `staircase`, and the analysis of its captures.

use std::fs;

use super::fixture::{can_measure, lab, measurements, text};

#[test]
fn staircase_configures_objects_by_set_and_by_edit_config() {
    if !can_measure("staircase_configures_objects_by_set_and_by_edit_config") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("run");
    let output = lab(&["run", "staircase", "--quick", "--keep-pcap", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    let samples = measurements(&out);
    // Every variant has a sample in both rounds.
    for method in ["set-36", "set-1", "edit-config"] {
        let of_method = samples.iter().filter(|line| line.contains(&format!("\"method\":\"{method}\"")));
        assert!(of_method.count() >= 6, "{method}: {samples:?}");
    }
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("1000 objects take 28 transactions with SET and 1 with edit-config"), "{report}");

    let captures = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let mut of_sets = captures.filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.contains("set-36") && name.contains("objects=1000_") && name.ends_with(".pcap")
    });
    let output = lab(&["analyse", of_sets.next().unwrap().to_str().unwrap(), "--json"]);
    assert!(output.status.success(), "{}", text(&output));
    for expected in ["\"transactions\": 28", "\"later_fragments\": 334", "\"frames\": 390"] {
        assert!(text(&output).contains(expected), "{expected}: {}", text(&output));
    }
}

#[test]
fn analyse_rejects_other_files() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("text");
    fs::write(&file, "no capture").unwrap();
    let output = lab(&["analyse", file.to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(text(&output).contains("not a capture file"), "{}", text(&output));
}
