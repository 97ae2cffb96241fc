use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::Registry;
use crate::cleaner::{MARKER, NAME_PREFIX};

fn directory(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("{NAME_PREFIX}test-{name}-{}", std::process::id()));
    fs::create_dir_all(path.join("inside")).unwrap();
    path
}

#[test]
fn registered_directories_are_removed_and_forgotten_ones_are_kept() {
    let (removed, kept) = (directory("removed"), directory("kept"));
    let input = format!(
        "add directory {}\nadd directory {}\nforget directory {}\nadd directory /etc\nnonsensical\n",
        removed.display(),
        kept.display(),
        kept.display()
    );
    let mut output = Vec::new();
    let mut registry = Registry::default();
    registry.serve(input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let responses: Vec<bool> = output.lines().map(|line| line == "ok").collect();
    assert_eq!(responses, [true, true, true, false, false], "{output}");
    assert!(removed.exists());
    let mut log = Vec::new();
    registry.remove_all(&mut log);
    assert!(!removed.exists() && kept.exists());
    assert_eq!(String::from_utf8(log).unwrap(), "");
    fs::remove_dir_all(kept).unwrap();
}

#[test]
fn processes_with_marker_are_killed_with_their_children() {
    let marker = format!("test-{}", std::process::id());
    let start = |marker: &str| {
        let mut command = Command::new("sh");
        // The shell waits for its child, which inherits the environment.
        let command = command.args(["-c", "echo started; sleep 600; true"]).env(MARKER, marker);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        // The environment is visible when the program runs.
        let mut output = BufReader::new(child.stdout.take().unwrap());
        assert_eq!(output.read_line(&mut String::new()).unwrap(), "started\n".len());
        child
    };
    let (mut marked, mut other) = (start(&marker), start("another"));
    let mut registry = Registry::default();
    registry.handle(&format!("add marker {marker}")).unwrap();
    registry.remove_all(&mut Vec::new());
    assert!(!marked.wait().unwrap().success());
    assert!(other.try_wait().unwrap().is_none(), "the other process runs");
    let mut registry = Registry::default();
    registry.handle("add marker another").unwrap();
    registry.remove_all(&mut Vec::new());
    other.wait().unwrap();
}
