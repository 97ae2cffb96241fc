//! Finds and removes the traces of earlier runs whose clean-up process was killed as well.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::processes::{Process, all, kill_all};
use super::usage_lock::is_used;
use super::{NAME_PREFIX, removal};
use crate::error::{Context, Result};
use crate::quota::group_directory;

/// Traces of runs that have ended.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Leftovers {
    /// Temporary directories of this user.
    pub directories: Vec<PathBuf>,
    /// Control groups.
    pub groups: Vec<PathBuf>,
    /// Processes that a run has started.
    pub processes: Vec<u32>,
}

impl Leftovers {
    /// Finds the traces of runs that have ended: their names contain the process ID of the run, and
    /// no process has locked them. If another process has the same ID now, they are not found.
    #[must_use]
    pub fn find() -> Self {
        let owner = rustix::process::geteuid().as_raw();
        let is_own = |path: &PathBuf| {
            fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == owner)
        };
        let directories = of_ended_runs(&std::env::temp_dir()).filter(is_own).collect();
        let groups = group_directory().map(|path| of_ended_runs(&path).collect()).unwrap_or_default();
        let processes = all().filter(belongs_to_ended_run).map(|process| process.id()).collect();
        Self { directories, groups, processes }
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Removes them.
    ///
    /// # Errors
    /// The first error; all others are removed nevertheless.
    pub fn remove(&self) -> Result<()> {
        kill_all(|process| self.processes.contains(&process.id()) && belongs_to_ended_run(process));
        let unused = |path: &&PathBuf| !is_used(path);
        let groups = self.groups.iter().filter(unused).map(|path| (path, removal::remove_group(path)));
        let directories = self.directories.iter().filter(unused);
        let directories = directories.map(|path| (path, removal::remove_directory(path)));
        let mut results: Vec<Result<()>> = Vec::new();
        for (path, result) in groups.chain(directories) {
            results.push(result.context(format_args!("cannot remove {}", path.display())));
        }
        results.into_iter().collect()
    }
}

impl fmt::Display for Leftovers {
    /// Writes a line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for process in &self.processes {
            writeln!(f, "process {process}")?;
        }
        for group in &self.groups {
            writeln!(f, "control group {}", group.display())?;
        }
        for directory in &self.directories {
            writeln!(f, "directory {}", directory.display())?;
        }
        Ok(())
    }
}

/// Returns the entries of a directory that ended runs have created.
fn of_ended_runs(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| has_ended(entry.file_name().to_str().and_then(run_of_name)))
        .map(|entry| entry.path())
        .filter(|path| !is_used(path))
}

/// Returns true if the run that has started a process has ended. The process ID of a run has a
/// meaning only in its own PID namespace.
fn belongs_to_ended_run(process: &Process) -> bool {
    process.is_in_own_pid_namespace() && has_ended(process.marker().and_then(|marker| process_id(&marker)))
}

/// Returns the process ID of the run that has created something with this name.
fn run_of_name(name: &str) -> Option<u32> {
    process_id(name.strip_prefix(NAME_PREFIX)?)
}

/// Returns the process ID with which a text begins.
fn process_id(text: &str) -> Option<u32> {
    text.split('-').next()?.parse().ok()
}

fn has_ended(run: Option<u32>) -> bool {
    run.is_some_and(|run| !Path::new(&format!("/proc/{run}")).exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleaner::UsageLock;

    #[test]
    fn names_contain_process_id_of_their_run() {
        assert_eq!(run_of_name("portreeve-lab-17-1700000000"), Some(17));
        assert_eq!(run_of_name("portreeve-lab-17"), Some(17));
        for name in ["portreeve-lab-", "portreeve-lab-x-17", "portreeve-17", "17", ""] {
            assert_eq!(run_of_name(name), None, "{name}");
        }
    }

    #[test]
    fn directory_that_a_run_of_another_pid_namespace_uses_is_not_left_over() {
        let parent = std::env::temp_dir().join(format!("portreeve-leftovers-{}", std::process::id()));
        let directory = parent.join(format!("{NAME_PREFIX}{}-1", u32::MAX));
        fs::create_dir_all(&directory).unwrap();
        let lock = UsageLock::new(&directory).unwrap();
        assert_eq!(of_ended_runs(&parent).count(), 0);
        let found = Leftovers { directories: vec![directory.clone()], ..Leftovers::default() };
        found.remove().unwrap();
        assert!(directory.exists(), "a run has begun to use it");
        drop(lock);
        assert_eq!(of_ended_runs(&parent).collect::<Vec<_>>(), found.directories);
        found.remove().unwrap();
        assert!(!directory.exists());
        fs::remove_dir(&parent).unwrap();
    }

    #[test]
    fn running_and_unknown_runs_have_not_ended() {
        assert!(!has_ended(Some(std::process::id())));
        assert!(!has_ended(None));
        assert!(has_ended(Some(u32::MAX)));
    }
}
