//! The program `portreeve-yang`.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const VALID: &str = "module m { namespace \"urn:m\"; prefix m; leaf a { type string; } }";
const INVALID: &str = "module m {\n namespace \"urn:m\"; prefix m;\n leaf a { type missing; } }";

fn run(directory: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portreeve-yang")).args(words).current_dir(directory).output().unwrap()
}

fn text(octets: &[u8]) -> &str {
    str::from_utf8(octets).unwrap()
}

#[test]
fn compiled_file_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("m.yang"), VALID).unwrap();
    let done = run(directory.path(), &["compile", "--out", "m.schema", "m.yang"]);
    assert!(done.status.success() && done.stdout.is_empty() && done.stderr.is_empty(), "{done:?}");
    let shown = run(directory.path(), &["show", "m.schema"]);
    assert_eq!(text(&shown.stdout), "modules:\n  m\n\nmodule: m\n  +--rw a?   string\n");
    let checked = run(directory.path(), &["check", "m.yang"]);
    assert_eq!(checked.stdout, shown.stdout);
}

#[test]
fn invalid_module_leaves_existing_file_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("m.yang"), INVALID).unwrap();
    fs::write(directory.path().join("m.schema"), "old").unwrap();
    let done = run(directory.path(), &["compile", "--out", "m.schema", "m.yang"]);
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(text(&done.stderr), "m.yang:3: Referenced type \"missing\" not found\n");
    assert_eq!(fs::read(directory.path().join("m.schema")).unwrap(), b"old");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn invalid_command_line_has_status_2() {
    let directory = tempfile::tempdir().unwrap();
    let done = run(directory.path(), &["make"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("hint: see `portreeve yang --help`"), "{done:?}");
}
