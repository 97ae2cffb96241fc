//! Files that are used by more than one output, files with a limited size, and standard output.

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    process::{Command, Stdio},
};

use portreeve_snmp_manager::ErrorStatus;

use crate::site::{PROGRAM, Receiver, Site, community, run_once};

/// Starts a receiver whose files can have a few kilobytes each.
fn run_with_small_files(site: &Site, stdout: Stdio) -> Receiver {
    // Without a handler of the signal, a write beyond the limit fails.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", &PROGRAM, "--config"]).arg(site.config()).stdout(stdout);
    Receiver::start_command(&mut command)
}

/// Sends informs until three of them are refused. Returns the number of acknowledged ones.
fn acknowledged_informs(site: &Site) -> usize {
    let (mut acknowledged, mut refused) = (0, 0);
    while refused < 3 {
        match site.inform(community(true)).unwrap().error_status() {
            Some(ErrorStatus::NoError) => acknowledged += 1,
            Some(ErrorStatus::GenErr) => refused += 1,
            other => panic!("{other:?}"),
        }
        assert!(acknowledged < 1000);
    }
    acknowledged
}

#[test]
fn json_file_that_is_full_removes_no_acknowledged_inform_from_the_log() {
    let site = Site::new("full-json", "");
    site.replace("log = ", "json = \"traps.jsonl\"\nlog = ");
    let receiver = run_with_small_files(&site, Stdio::null());
    let acknowledged = acknowledged_informs(&site);
    receiver.await_log(&["cannot write notifications", "traps.jsonl: File too large"]);
    assert!(acknowledged > 3);
    assert_eq!((site.lines(), site.text_of("traps.jsonl").lines().count()), (acknowledged, acknowledged));
}

#[test]
fn standard_output_that_is_a_file_contains_no_part_of_a_refused_inform() {
    let site = Site::new("full-stdout", "");
    site.replace("log = \"traps.log\"\n", "");
    let file = File::create(site.log()).unwrap();
    let receiver = run_with_small_files(&site, file.into());
    let acknowledged = acknowledged_informs(&site);
    receiver.await_log(&["cannot write notifications", "standard output: File too large"]);
    let text = site.text_of("traps.log");
    assert!(text.ends_with("coldStart\n"), "{text}");
    assert_eq!(text.lines().count(), acknowledged);
}

#[test]
fn log_and_json_in_one_file_are_refused() {
    let site = Site::new("same-file", "");
    site.replace("log = ", "json = \"traps.jsonl\"\nlog = ");
    let check = || run_once(&["--check", "--config"], &site.config());
    assert!(check().0);
    symlink(site.log(), site.path.join("traps.jsonl")).unwrap();
    let (succeeds, _, error) = check();
    assert!(!succeeds && error.contains("`log` and `json` are the same file"), "{error}");
}

#[test]
fn file_of_another_receiver_is_refused() {
    let (site, other) = (Site::new("own-file", ""), Site::new("other-file", ""));
    let _receiver = site.run();
    fs::remove_file(other.log()).unwrap();
    symlink(site.log(), other.log()).unwrap();
    // A receiver that starts nevertheless is ended.
    let mut command = Command::new("timeout");
    let output = command.args(["10", &PROGRAM, "--config"]).arg(other.config()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("traps.log: locked by another program"), "{error}");
}
