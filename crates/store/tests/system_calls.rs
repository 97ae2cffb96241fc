//! Checks the order of the real system calls with strace: content is synced before it gets its name
//! and before it is acknowledged, and each change of names that a later step relies on is synced
//! before that step.
//!
//! This program runs itself as the victim that strace observes. Power cuts are in the unit tests,
//! on a simulated disk; this test shows that the real disk performs the same syncs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test, and a process whose output is read"
)]

mod support;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use portreeve_smi::EngineId;
use portreeve_store::{Batch, Record, Store};
use support::{TempDir, VICTIM_ENV};

fn main() {
    support::run(run_victim, check_system_calls);
}

/// Creates a state, commits batches with and without threads, and has snapshots written.
fn run_victim(directory: &Path) {
    let (mut store, _) = Store::open(directory).unwrap();
    acknowledge();
    store.start_engine(|_| EngineId::LOCAL).unwrap();
    acknowledge();
    for n in 0..10_u8 {
        store.commit([Record::set([n], vec![n; 1 << 20])]).unwrap();
        acknowledge();
    }
    let writer = store.into_writer().unwrap();
    for n in 0..40_u8 {
        let batch = |key: u8| Batch::new(vec![Record::set([key], vec![n; 1 << 20])]);
        writer.commit_group(vec![batch(n % 2), batch(2)]).unwrap();
        acknowledge();
    }
}

fn acknowledge() {
    let mut out = std::io::stdout().lock();
    out.write_all(ACKNOWLEDGED.as_bytes()).unwrap();
    out.flush().unwrap();
}

fn check_system_calls() {
    let base = TempDir::new("calls");
    let (trace, state) = (base.0.join("trace"), base.0.join("above/state"));
    let calls = "trace=mkdir,openat,write,pwrite64,ftruncate,fdatasync,fsync,rename,renameat,renameat2";
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-y", "-s", "20", "-e", calls, "-o"]).arg(&trace);
    strace.arg(env::current_exe().unwrap()).env(VICTIM_ENV, &state).stdout(Stdio::null());
    match strace.status() {
        Ok(status) if status.success() => {}
        Ok(status) if !can_trace() => return println!("skipped: strace cannot trace a process: {status}"),
        Ok(status) => panic!("the traced process failed: {status}"),
        Err(error) => return println!("skipped: strace is not installed: {error}"),
    }
    let mut checker = Checker::new(state);
    let trace = String::from_utf8_lossy(&fs::read(&trace).unwrap()).into_owned();
    for line in trace.lines() {
        checker.check(line);
    }
    checker.check_end();
    println!(
        "{} system calls, {} acknowledgements, {} snapshots",
        checker.calls, checker.acknowledged, checker.snapshots
    );
}

/// Returns whether strace may trace any process here.
fn can_trace() -> bool {
    Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|status| status.success())
}

/// Follows which changes are not durable.
struct Checker {
    state: PathBuf,
    /// The directories that were created and whose parents were not synced.
    unsynced_directories: BTreeSet<PathBuf>,
    /// The files with content that was not synced.
    unsynced_files: BTreeSet<String>,
    /// The names that files were given after the directory was last synced.
    unsynced_names: BTreeSet<String>,
    /// Syncs of other threads that have not returned, by process ID.
    unfinished: Vec<(String, String)>,
    calls: usize,
    acknowledged: usize,
    snapshots: usize,
}

impl Checker {
    fn new(state: PathBuf) -> Self {
        Self {
            state,
            unsynced_directories: BTreeSet::new(),
            unsynced_files: BTreeSet::new(),
            unsynced_names: BTreeSet::new(),
            unfinished: Vec::new(),
            calls: 0,
            acknowledged: 0,
            snapshots: 0,
        }
    }

    /// Checks one line of the trace: a process ID, then a call or the end of one.
    fn check(&mut self, line: &str) {
        let (process, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if call.starts_with("<... ") && call.contains(" resumed>") {
            let at = self.unfinished.iter().position(|(id, _)| id == process);
            if let Some(at) = at {
                let (_, begun) = self.unfinished.remove(at);
                self.end_call(&begun, call);
            }
        } else if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            self.begin_call(begun);
            self.unfinished.push((process.to_owned(), begun.to_owned()));
        } else {
            self.begin_call(call);
            self.end_call(call, call);
        }
    }

    /// A change counts from the beginning of its call.
    fn begin_call(&mut self, call: &str) {
        self.calls += 1;
        let Some((function, arguments)) = call.split_once('(') else { return };
        match function {
            "mkdir" => {
                let path = PathBuf::from(quoted(arguments)[0].clone());
                if self.state.starts_with(&path) {
                    self.unsynced_directories.insert(path);
                }
            }
            "openat" if arguments.contains("O_CREAT") && file(arguments) == Some(self.state.clone()) => {
                self.check_directories();
                self.unsynced_names.extend(quoted(arguments).into_iter().filter(|name| name != "lock"));
            }
            "write" if arguments.contains(ACKNOWLEDGED) => self.check_acknowledgement(),
            "write" | "pwrite64" | "ftruncate" => {
                if let Some(name) = self.state_file(arguments).filter(|name| name != "lock") {
                    self.unsynced_files.insert(name);
                }
            }
            "rename" | "renameat" | "renameat2" => self.check_rename(call, &quoted(arguments)),
            _ => {}
        }
    }

    /// A sync counts when its call has returned.
    fn end_call(&mut self, begun: &str, ended: &str) {
        if !ended.trim_end().ends_with("= 0") {
            return;
        }
        let Some((function, arguments)) = begun.split_once('(') else { return };
        if let ("fdatasync" | "fsync", Some(name)) = (function, self.state_file(arguments)) {
            self.unsynced_files.remove(&name);
        } else if function == "fsync" && file(arguments) == Some(self.state.clone()) {
            self.unsynced_names.clear();
        } else if function == "fsync"
            && let Some(synced) = file(arguments)
        {
            self.unsynced_directories.retain(|directory| directory.parent() != Some(&synced));
        }
    }

    fn check_rename(&mut self, call: &str, names: &[String]) {
        let [from, to] = names else { panic!("{call}") };
        assert!(!self.unsynced_files.contains(from), "content is not synced before {call}");
        // The file that is replaced, or that the next step replaces, has its new name on disk.
        let required = match (from.as_str(), to.as_str()) {
            ("new", "state.log") => "state.log.sealed",
            ("state.snapshot", "state.snapshot.previous") => "state.snapshot.new",
            ("state.log.sealed", "state.log.previous") => "state.snapshot",
            ("state.log", "state.log.sealed") => "state.log.previous",
            _ => "",
        };
        assert!(!self.unsynced_names.contains(required), "{required} is not synced before {call}");
        self.unsynced_names.remove(from);
        self.unsynced_names.insert(to.clone());
        self.snapshots += usize::from(to == "state.snapshot");
    }

    fn check_acknowledgement(&mut self) {
        self.acknowledged += 1;
        self.check_directories();
        for name in ["state.log", "engine"] {
            assert!(!self.unsynced_files.contains(name), "{name} is not synced before an acknowledgement");
            assert!(!self.unsynced_names.contains(name), "the name {name} is not synced");
        }
    }

    fn check_directories(&self) {
        assert!(self.unsynced_directories.is_empty(), "not synced: {:?}", self.unsynced_directories);
    }

    fn check_end(&self) {
        assert!(self.unsynced_names.is_empty() && self.unsynced_files.is_empty());
        assert_eq!(self.acknowledged, 52);
        assert!(self.snapshots >= 3, "only {} snapshots", self.snapshots);
    }

    /// Returns the name in the state directory of the file that a call is about.
    fn state_file(&self, arguments: &str) -> Option<String> {
        let path = file(arguments)?;
        let name = path.strip_prefix(&self.state).ok()?.to_str()?;
        (!name.is_empty()).then(|| name.to_owned())
    }
}

/// Returns the path that strace shows after a descriptor, as in `3</tmp/state.log>`.
fn file(arguments: &str) -> Option<PathBuf> {
    let (_, rest) = arguments.split_once('<')?;
    Some(PathBuf::from(rest.split_once('>')?.0))
}

/// Returns the texts in quotation marks.
fn quoted(arguments: &str) -> Vec<String> {
    arguments.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The text that the victim prints when a batch is durable.
const ACKNOWLEDGED: &str = "acknowledged";
