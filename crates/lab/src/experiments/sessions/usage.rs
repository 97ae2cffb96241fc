//! What a process has used.

use std::fs;

use crate::failure::{Context, Result};

/// Seconds of CPU of all threads that are there. What a thread has used is exact whenever it waits.
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

/// Octets of memory that are its own and no file's.
pub(super) fn memory(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/smaps_rollup");
    let text = fs::read_to_string(&file).context(&file)?;
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kibibytes.ok_or_else(|| format!("{file} has no Anonymous"))?.trim().parse::<f64>()? * 1024.0)
}
