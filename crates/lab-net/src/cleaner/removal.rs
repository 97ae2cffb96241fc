//! Removes directories and control groups.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Removes a directory with its contents. It may have been removed before.
pub(super) fn remove_directory(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes a control group. Processes that are still in it return to its parent. It may have been
/// removed before.
pub(crate) fn remove_group(path: &Path) -> io::Result<()> {
    let deadline = Instant::now() + REMOVAL_TIMEOUT;
    loop {
        let parent = path.parent().unwrap_or(path).join("cgroup.procs");
        for process in fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default().lines() {
            // A process that has just ended cannot be moved.
            let _ = fs::write(&parent, process);
        }
        match fs::remove_dir(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if Instant::now() > deadline => return Err(error),
            // A process leaves its group a moment after it has ended.
            Err(_) => thread::sleep(REMOVAL_INTERVAL),
        }
    }
}

/// Disables the controller `cpu` in a `cgroup.subtree_control` file, unless another group has begun
/// to use it.
pub(super) fn disable_cpu_controller(path: &Path) -> io::Result<()> {
    let entries = fs::read_dir(path.parent().unwrap_or(path))?;
    let is_used = entries.flatten().any(|entry| {
        let read = |name| fs::read_to_string(entry.path().join(name)).ok();
        read("cpu.max").is_some_and(|max| !max.starts_with("max "))
            || read("cpu.weight").is_some_and(|weight| weight.trim() != "100")
            || read("cgroup.subtree_control")
                .is_some_and(|list| list.split_whitespace().any(|name| name == "cpu"))
    });
    if is_used { Ok(()) } else { fs::write(path, "-cpu") }
}

/// The time for processes to leave a group.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(5);

/// The interval between two attempts to remove a group.
const REMOVAL_INTERVAL: Duration = Duration::from_millis(5);

#[cfg(test)]
mod tests;
