//! CPU quotas: a process gets a stated part of a processor core, as on a slow device.
//!
//! The kernel enforces a quota for a control group. Version 2 of control groups is used if it
//! controls the CPU, otherwise version 1. A quota does not apply to threads with real-time
//! priority.

mod group;
mod hierarchy;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::cleaner::{Cleaner, Item, NAME_PREFIX, UsageLock, remove_group};
use crate::error::{NetError, Result};
use group::Group;
use hierarchy::{Hierarchy, Version};

/// A control group with a CPU quota. When it is dropped, its processes return to the parent group.
pub struct CpuQuota {
    group: Group,
    cleaner: Cleaner,
    _lock: Option<UsageLock>,
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
    /// created by this user; `Failed` if `cores` is less than a thousandth or more than 1024.
    pub fn new(cleaner: &Cleaner, cores: f64) -> Result<Self> {
        let hierarchy = Hierarchy::find()?;
        if let Some(path) = hierarchy.disabled_controller()? {
            enable_controller(cleaner, path)?;
        }
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = hierarchy.root.join(format!("{NAME_PREFIX}{}-{number}", std::process::id()));
        cleaner.add(&Item::Group(path.clone()))?;
        fs::create_dir(&path).map_err(|error| {
            NetError::Unavailable(format!("cannot create the control group {}: {error}", path.display()))
        })?;
        // Without locks, `lab clean` in another PID namespace could remove the group.
        let lock = UsageLock::new(&path).ok();
        let group = Group { path, version: hierarchy.version };
        let quota = Self { group, cleaner: cleaner.clone(), _lock: lock };
        quota.set(cores)?;
        Ok(quota)
    }

    /// Changes the quota.
    ///
    /// # Errors
    /// `Failed` if `cores` is less than a thousandth or more than 1024; the error of writing.
    pub fn set(&self, cores: f64) -> Result<()> {
        self.group.set(cores)
    }

    /// Moves a process with all its threads into the group. Processes that it starts later are in
    /// the group, too.
    ///
    /// # Errors
    /// The process does not exist or may not be moved.
    pub fn add(&self, process: u32) -> Result<()> {
        self.group.add(process)
    }

    /// Returns the effect of the quota so far.
    ///
    /// # Errors
    /// The error of reading.
    pub fn throttling(&self) -> Result<Throttling> {
        self.group.throttling()
    }

    /// Returns the version of control groups, for the report: `cgroup v1` or `cgroup v2`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self.group.version {
            Version::One => "cgroup v1",
            Version::Two => "cgroup v2",
        }
    }
}

impl Drop for CpuQuota {
    fn drop(&mut self) {
        // If this fails, the clean-up process tries again and reports the error.
        if remove_group(&self.group.path).is_ok() {
            let _ = self.cleaner.forget(&Item::Group(self.group.path.clone()));
        }
    }
}

/// Returns the directory in which control groups with quotas are created.
pub(crate) fn group_directory() -> Result<PathBuf> {
    Hierarchy::find().map(|hierarchy| hierarchy.root)
}

/// Makes version 2 control the CPU of groups in a directory, until the lab ends.
fn enable_controller(cleaner: &Cleaner, path: PathBuf) -> Result<()> {
    let item = Item::CpuController(path.clone());
    cleaner.add(&item)?;
    fs::write(&path, "+cpu").or_else(|error| {
        cleaner.forget(&item)?;
        Err(NetError::Unavailable(format!(
            "cannot enable the controller cpu in {}: {error} (in a container, the group of its processes \
             cannot have groups with controllers)",
            path.display()
        )))
    })
}
