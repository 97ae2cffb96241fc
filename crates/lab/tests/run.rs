//! Runs of the program, as a user starts them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portreeve-lab")).args(arguments).output().unwrap()
}

#[test]
fn list_shows_every_experiment_with_its_papers() {
    let output = lab(&["list"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("one-shot") && text.contains("000 Table 2"), "{text}");
}
