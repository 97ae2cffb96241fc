//! CPU quotas: a process gets a stated part of a processor core, as on a slow device.
//!
//! The kernel enforces a quota for a control group. Version 2 of control groups is used if it
//! controls the CPU, otherwise version 1. A quota does not apply to threads with real-time
//! priority.

mod hierarchy;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::cleaner::{Cleaner, Item, NAME_PREFIX, remove_group};
use crate::error::{Context, NetError, Result};
use hierarchy::{Hierarchy, Version};

/// A control group with a CPU quota. When it is dropped, its processes return to the parent group.
pub struct CpuQuota {
    group: PathBuf,
    version: Version,
    cleaner: Cleaner,
}

/// The effect of a quota so far.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Throttling {
    /// The number of periods in which the group wanted to run.
    pub periods: u64,
    /// The number of periods in which it had to wait.
    pub throttled: u64,
    /// The time for which it had to wait.
    pub waited: Duration,
}

impl CpuQuota {
    /// Creates a group that gets `cores` cores: 0.1 is a tenth of one core.
    ///
    /// # Errors
    /// `Unavailable` if control groups are not mounted, do not control the CPU, or cannot be
    /// created by this user.
    pub fn new(cleaner: &Cleaner, cores: f64) -> Result<Self> {
        let hierarchy = Hierarchy::find()?;
        hierarchy.enable(cleaner)?;
        Self::create(&hierarchy, cleaner, cores)
    }

    fn create(hierarchy: &Hierarchy, cleaner: &Cleaner, cores: f64) -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let group = hierarchy.root.join(format!("{NAME_PREFIX}{}-{number}", std::process::id()));
        cleaner.add(&Item::Group(group.clone()))?;
        fs::create_dir(&group).map_err(|error| {
            NetError::Unavailable(format!("cannot create the control group {}: {error}", group.display()))
        })?;
        let quota = Self { group, version: hierarchy.version, cleaner: cleaner.clone() };
        quota.set(cores)?;
        Ok(quota)
    }

    /// Changes the quota.
    ///
    /// # Errors
    /// `Failed` if `cores` is less than a thousandth or more than 1024; the error of writing.
    pub fn set(&self, cores: f64) -> Result<()> {
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

    /// Moves a process with all its threads into the group.
    ///
    /// # Errors
    /// The process does not exist or may not be moved.
    pub fn add(&self, process: u32) -> Result<()> {
        self.write("cgroup.procs", &process.to_string())
    }

    /// Returns the effect of the quota so far.
    ///
    /// # Errors
    /// The error of reading.
    pub fn throttling(&self) -> Result<Throttling> {
        let path = self.group.join("cpu.stat");
        let text = fs::read_to_string(&path).context(path.display())?;
        Ok(parse_throttling(&text))
    }

    /// Returns the version of control groups, for the report: `cgroup v1` or `cgroup v2`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self.version {
            Version::One => "cgroup v1",
            Version::Two => "cgroup v2",
        }
    }

    fn write(&self, name: &str, value: &str) -> Result<()> {
        let path = self.group.join(name);
        fs::write(&path, value).context(format_args!("cannot write {value} to {}", path.display()))
    }
}

impl Drop for CpuQuota {
    fn drop(&mut self) {
        // If this fails, the clean-up process tries again and reports the error.
        if remove_group(&self.group).is_ok() {
            let _ = self.cleaner.forget(&Item::Group(self.group.clone()));
        }
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
