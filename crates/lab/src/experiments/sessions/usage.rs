//! CPU time and memory of a process.

use std::fs;

use crate::error::{Context, Result};

/// Returns the total CPU time of the process's current threads, in seconds. The kernel's value for
/// a thread is exact while the thread waits.
pub(super) fn cpu(process: u32) -> Result<f64> {
    let tasks = format!("/proc/{process}/task");
    let mut nanoseconds = 0.0;
    for task in fs::read_dir(&tasks).context(&tasks)? {
        let file = task?.path().join("schedstat");
        let text = fs::read_to_string(&file).context(file.display())?;
        nanoseconds += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}

/// Returns the process's anonymous memory in bytes.
pub(super) fn memory(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/smaps_rollup");
    let text = fs::read_to_string(&file).context(&file)?;
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kibibytes
        .ok_or_else(|| format!("{file} has no line that begins with \"Anonymous:\""))?
        .trim()
        .parse::<f64>()?
        * 1024.0)
}
