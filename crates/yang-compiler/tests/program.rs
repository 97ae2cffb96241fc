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

#[test]
fn schema_is_written_to_standard_output() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("m.yang"), VALID).unwrap();
    let written = run(directory.path(), &["compile", "--out", "m.schema", "m.yang"]);
    assert!(written.status.success(), "{written:?}");
    let printed = run(directory.path(), &["compile", "--out", "-", "m.yang"]);
    assert_eq!(printed.stdout, fs::read(directory.path().join("m.schema")).unwrap());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn modules_are_compiled_for_the_agent_with_nothing_but_the_shipped_schema() {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/yang-modules");
    if !modules.is_dir() {
        println!("skipped: scripts/fetch-yang-modules has not fetched the modules");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let libexec = directory.path().join("libexec/portreeve");
    fs::create_dir_all(&libexec).unwrap();
    let program = libexec.join("portreeve-yang");
    fs::copy(env!("CARGO_BIN_EXE_portreeve-yang"), &program).unwrap();
    let schema = libexec.join("shipped.schema");
    let words =
        ["compile", "--shipped", "--path", modules.to_str().unwrap(), "--out", schema.to_str().unwrap()];
    assert!(run(directory.path(), &words).status.success());
    fs::write(directory.path().join("m.yang"), VALID).unwrap();
    let words = ["check", "--shipped", "m.yang"];
    let done = Command::new(&program).args(words).env_clear().current_dir(directory.path()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(
        text(&done.stdout).contains("ietf-system@2014-08-06; deviated by: portreeve-deviations\n"),
        "{done:?}"
    );
    assert!(text(&done.stdout).contains("module: m\n"), "{done:?}");
}
