//! Nothing is left behind after `kill -9`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{HELPER, cleaner, wait_until};
use portreeve_lab_net::{Leftovers, ScratchDirectory};

/// A process that has set up everything.
struct Victim {
    child: Child,
    lines: Vec<String>,
}

impl Victim {
    /// Starts the process; `None` if it needs root.
    fn start() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: not root");
            return None;
        }
        // A program in the background of a script ignores SIGINT, and so do its processes.
        let mut command = Command::new("env");
        let mut child = command
            .args(["--default-signal=INT", HELPER, "set-up"])
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = Vec::new();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        while let Some(line) = output.next().transpose().unwrap().filter(|line| line != "ready") {
            lines.push(line);
        }
        assert!(child.try_wait().unwrap().is_none(), "the helper has ended: {lines:?}");
        Some(Self { child, lines })
    }

    fn values(&self, keyword: &str) -> Vec<String> {
        self.lines
            .iter()
            .filter_map(|line| line.strip_prefix(keyword))
            .map(|value| value.trim().to_owned())
            .collect()
    }

    /// The processes that this one has started, with theirs.
    fn descendants(&self) -> Vec<u32> {
        let mut found = vec![self.child.id()];
        let mut index = 0;
        while let Some(parent) = found.get(index) {
            let children =
                fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
            // Threads other than the first start processes, too.
            let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
            let of_tasks: String = tasks
                .map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default())
                .collect();
            let all = children + &of_tasks;
            for child in all.split_whitespace().map(|text| text.parse().unwrap()) {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
            index += 1;
        }
        found.split_off(1)
    }

    fn panic(&mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"panic\n").unwrap();
        self.child.wait().unwrap();
    }

    fn kill(&mut self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap();
    }
}

/// The processes in a network namespace, which is given as the target of `/proc/PID/ns/net`.
pub(crate) fn processes_in(namespace: &Path) -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| fs::read_link(format!("/proc/{number}/ns/net")).is_ok_and(|link| link == namespace))
        .collect()
}

/// The control groups of a process of the lab.
fn groups_of(process: u32) -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let roots =
        mounts.lines().filter(|line| line.contains(" - cgroup")).filter_map(|line| line.split(' ').nth(4));
    let entries = roots.flat_map(|root| fs::read_dir(root).into_iter().flatten().flatten());
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!("portreeve-lab-{process}-")))
        .map(|entry| entry.path())
        .collect()
}

fn is_running(process: u32) -> bool {
    // A process that has ended but whose status was not read has no executable file.
    fs::read_link(format!("/proc/{process}/exe")).is_ok()
}

impl Drop for Victim {
    /// Ends the process if the test has failed.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn nothing_is_left_after(end: impl FnOnce(&mut Victim)) {
    let Some(mut victim) = Victim::start() else { return };
    let process = victim.child.id();
    let directory = PathBuf::from(victim.values("directory")[0].clone());
    let namespaces: Vec<PathBuf> =
        victim.values("namespace").iter().map(|path| fs::read_link(path).unwrap()).collect();
    // The clean-up process, two shells with two processes each, and usually a process with a quota.
    wait_until("all processes run", || victim.descendants().len() >= 7);
    let descendants = victim.descendants();
    assert!(directory.is_dir());
    if victim.values("quota").is_empty() {
        println!("skipped: control groups: {:?}", victim.lines);
    }
    assert_eq!(groups_of(process).is_empty(), victim.values("quota").is_empty());
    for namespace in &namespaces {
        wait_until("the processes are in the namespaces", || processes_in(namespace).len() >= 3);
    }
    // An interface whose peer is in the agent's namespace disappears with that namespace.
    let peer = &victim.values("namespace")[1];
    let observed = Observed::new(peer);
    assert!(observed.exists());
    end(&mut victim);
    wait_until("the processes have ended", || !descendants.iter().any(|process| is_running(*process)));
    for namespace in &namespaces {
        wait_until("no process is in the namespaces", || processes_in(namespace).is_empty());
    }
    wait_until("the temporary directory is removed", || !directory.exists());
    wait_until("the control groups are removed", || groups_of(process).is_empty());
    wait_until("the kernel has removed the namespace", || !observed.exists());
}

#[test]
fn nothing_is_left_after_sigkill() {
    nothing_is_left_after(|victim| victim.kill(Signal::KILL));
}

#[test]
fn nothing_is_left_after_signals_of_terminal_and_supervisor() {
    nothing_is_left_after(|victim| victim.kill(Signal::INT));
    nothing_is_left_after(|victim| victim.kill(Signal::TERM));
}

#[test]
fn nothing_is_left_after_panic() {
    nothing_is_left_after(Victim::panic);
}

#[test]
fn traces_of_run_without_clean_up_process_are_found_and_removed_later() {
    let Some(mut victim) = Victim::start() else { return };
    let process = victim.child.id();
    let directory = PathBuf::from(victim.values("directory")[0].clone());
    wait_until("all processes run", || victim.descendants().len() >= 7);
    let descendants = victim.descendants();
    let is_clean_up = |process: &u32| {
        fs::read_to_string(format!("/proc/{process}/cmdline")).is_ok_and(|line| line.ends_with("clean-up\0"))
    };
    let cleaner = *descendants.iter().find(|process| is_clean_up(process)).unwrap();
    kill_process(Pid::from_raw(cleaner.cast_signed()).unwrap(), Signal::KILL).unwrap();
    wait_until("the clean-up process has ended", || !is_running(cleaner));
    assert!(!Leftovers::find().directories.contains(&directory), "the run has not ended");
    victim.kill(Signal::KILL);
    let found = Leftovers::find();
    assert!(found.directories.contains(&directory));
    assert!(groups_of(process).iter().all(|group| found.groups.contains(group)));
    let processes: Vec<&u32> =
        descendants.iter().filter(|process| found.processes.contains(process)).collect();
    assert!(processes.len() >= 2, "processes of processes survive: {found}");
    // Traces of other tests, which their clean-up processes remove at the same time, do not matter.
    let _ = found.remove();
    assert!(!directory.exists() && groups_of(process).is_empty());
    assert!(!descendants.iter().any(|process| is_running(*process)));
}

/// A pair of interfaces: one in a namespace of the test, its peer in the namespace to be observed.
struct Observed(PathBuf, Child);

impl Observed {
    fn new(namespace: &str) -> Self {
        // The process keeps the test's namespace until its standard input is closed.
        let child = Command::new("unshare").args(["--net", "cat"]).stdin(Stdio::piped()).spawn().unwrap();
        let own = PathBuf::from(format!("/proc/{}/ns/net", child.id()));
        let test = fs::read_link("/proc/self/ns/net").unwrap();
        wait_until("unshare has created a namespace", || fs::read_link(&own).is_ok_and(|link| link != test));
        let target = format!("--net={}", own.display());
        let add = ["ip", "link", "add", "left", "type", "veth", "peer", "name", "right", "netns", namespace];
        assert!(Command::new("nsenter").arg(target).args(add).status().unwrap().success());
        Self(PathBuf::from(format!("/proc/{}/net/dev", child.id())), child)
    }

    fn exists(&self) -> bool {
        fs::read_to_string(&self.0).unwrap().contains("left:")
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        drop(self.1.stdin.take());
        let _ = self.1.wait();
    }
}

#[test]
fn clean_up_process_survives_signals_and_removes_after_lab_has_ended() {
    let cleaner = cleaner();
    let scratch = ScratchDirectory::new(&cleaner).unwrap();
    let path = scratch.path().to_owned();
    fs::write(path.join("file"), "contents").unwrap();
    // The clean-up process is a child of this one with the argument `clean-up`.
    let own = std::process::id();
    let is_cleaner = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        line.ends_with("clean-up\0")
            && stat.rsplit(')').next().unwrap().split_whitespace().nth(1) == Some(&own.to_string())
    };
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let cleaners: Vec<u32> =
        numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_cleaner).collect();
    assert!(!cleaners.is_empty());
    for process in cleaners {
        let process = Pid::from_raw(process.cast_signed()).unwrap();
        for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
            kill_process(process, signal).unwrap();
        }
        assert_eq!(rustix::process::getsid(Some(process)).unwrap(), process, "a session of its own");
    }
    let second = ScratchDirectory::new(&cleaner).unwrap();
    std::mem::forget(second);
    drop(scratch);
    assert!(!path.exists(), "a directory is removed when it is dropped");
    let second = ScratchDirectory::new(&cleaner).unwrap();
    let path = second.path().to_owned();
    std::mem::forget(second);
    assert!(path.is_dir());
    cleaner.finish();
    assert!(!path.exists(), "the others are removed at the end");
    assert!(ScratchDirectory::new(&cleaner).is_err());
}
