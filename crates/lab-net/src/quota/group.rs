//! A control group: its files in both versions.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::Throttling;
use super::hierarchy::Version;
use crate::error::{Context, NetError, Result};

/// A control group that exists.
pub(super) struct Group {
    pub(super) path: PathBuf,
    pub(super) version: Version,
}

impl Group {
    /// Sets the quota in cores.
    pub(super) fn set(&self, cores: f64) -> Result<()> {
        if !(MIN_CORES..=MAX_CORES).contains(&cores) {
            return Err(NetError::Failed(format!("a quota of {cores} cores cannot be set")));
        }
        let (quota, period) = quota_and_period(cores);
        match self.version {
            Version::Two => self.write("cpu.max", &format!("{quota} {period}")),
            Version::One => {
                // The kernel rejects a quota that would be too small for the old period.
                self.write("cpu.cfs_quota_us", "-1")?;
                self.write("cpu.cfs_period_us", &period.to_string())?;
                self.write("cpu.cfs_quota_us", &quota.to_string())
            }
        }
    }

    /// Moves a process into the group.
    pub(super) fn add(&self, process: u32) -> Result<()> {
        self.write("cgroup.procs", &process.to_string())
    }

    /// Reads the effect of the quota.
    pub(super) fn throttling(&self) -> Result<Throttling> {
        let path = self.path.join("cpu.stat");
        let text = fs::read_to_string(&path).context(path.display())?;
        Ok(parse_throttling(&text))
    }

    fn write(&self, name: &str, value: &str) -> Result<()> {
        let path = self.path.join(name);
        fs::write(&path, value).context(format_args!("cannot write {value} to {}", path.display()))
    }
}

/// Returns the quota and the period in microseconds. A short period makes the process slow rather
/// than letting it run at full speed between pauses; but the kernel's minimum for both is 1 ms.
fn quota_and_period(cores: f64) -> (u64, u64) {
    let period = (MIN_QUOTA / cores).max(PERIOD).round();
    ((period * cores).round() as u64, period as u64)
}

/// Parses `cpu.stat` of both versions. The time is in nanoseconds in version 1, and in microseconds
/// in version 2.
fn parse_throttling(text: &str) -> Throttling {
    let mut result = Throttling::default();
    for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
        let value = value.trim().parse().unwrap_or_default();
        match name {
            "nr_periods" => result.periods = value,
            "nr_throttled" => result.throttled = value,
            "throttled_time" => result.waited = Duration::from_nanos(value),
            "throttled_usec" => result.waited = Duration::from_micros(value),
            _ => {}
        }
    }
    result
}

/// The minimum of a quota, and the usual period, in microseconds.
const MIN_QUOTA: f64 = 1000.0;
const PERIOD: f64 = 10_000.0;

const MIN_CORES: f64 = 0.001;
const MAX_CORES: f64 = 1024.0;

#[cfg(test)]
mod tests;
