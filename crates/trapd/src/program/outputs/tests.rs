use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use super::*;
use crate::program::output_file::OutputFile;

/// A file that records its calls.
struct RecordedFile {
    name: &'static str,
    calls: Arc<Mutex<Vec<String>>>,
    /// The call that fails.
    fails: &'static str,
}

impl RecordedFile {
    fn record(&self, call: &str) -> io::Result<()> {
        let call = format!("{} {call}", self.name);
        let is_failure = call == self.fails;
        self.calls.lock().unwrap().push(call);
        if is_failure { Err(io::Error::other("failed")) } else { Ok(()) }
    }
}

impl LineFile for RecordedFile {
    fn request_reopen(&mut self) {
        self.record("reopen").unwrap();
    }

    fn prepare(&mut self) -> io::Result<()> {
        self.record("prepare")
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.record(&format!("append {}", lines.escape_ascii()))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.record("sync")
    }

    fn commit(&mut self) {
        self.record("commit").unwrap();
    }

    fn undo(&mut self) {
        self.record("undo").unwrap();
    }
}

/// Returns the calls of a group of which one fails.
fn calls(fails: &'static str) -> (bool, Vec<String>) {
    let calls = Arc::default();
    let file = |name| RecordedFile { name, calls: Arc::clone(&calls), fails };
    let is_written = Outputs::new(file("log"), Some(file("json"))).write(b"1", b"{}").is_ok();
    let calls = calls.lock().unwrap().clone();
    (is_written, calls)
}

const PREPARED: [&str; 2] = ["json prepare", "log prepare"];
const APPENDED: [&str; 2] = ["json append {}", "log append 1"];
const SYNCED: [&str; 2] = ["json sync", "log sync"];

#[test]
fn group_is_written_after_both_files_are_synced() {
    let (is_written, calls) = calls("");
    assert!(is_written);
    assert_eq!(calls, [PREPARED, APPENDED, SYNCED, ["json commit", "log commit"]].concat());
}

#[test]
fn group_that_one_file_does_not_accept_is_removed_from_both() {
    for fails in [APPENDED, SYNCED, PREPARED].concat() {
        let (is_written, calls) = calls(fails);
        assert!(!is_written, "{fails}");
        let after = calls.iter().skip_while(|call| *call != fails).skip(1).collect::<Vec<_>>();
        assert_eq!(after, ["json undo", "log undo"], "{fails}");
    }
}

#[test]
fn failing_json_file_removes_no_earlier_line_of_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines");
    let open = |path: &Path| OutputFile::open(Some(path)).unwrap();
    let mut outputs = Outputs::new(open(&path), Some(open(&directory.path().join("json"))));
    outputs.write(b"1\n", b"{}\n").unwrap();
    outputs.json = Some(open(Path::new("/dev/full")));
    for _ in 0..2 {
        let error = outputs.write(b"2\n", b"{}\n").unwrap_err().to_string();
        assert!(error.starts_with("/dev/full: No space left"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n");
    }
}
