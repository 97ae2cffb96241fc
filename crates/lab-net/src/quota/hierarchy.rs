//! Finds the hierarchy of control groups that controls the CPU.

use std::fs;
use std::path::PathBuf;

use crate::error::{Context, NetError, Result};

/// A hierarchy of control groups.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Hierarchy {
    pub(super) version: Version,
    /// The directory in which groups are created.
    pub(super) root: PathBuf,
}

/// The version of control groups.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Version {
    One,
    Two,
}

impl Hierarchy {
    /// Finds the hierarchy that controls the CPU.
    pub(super) fn find() -> Result<Self> {
        let path = "/proc/self/mountinfo";
        let mounts = fs::read_to_string(path).context(path)?;
        Self::find_in(&mounts)
    }

    /// Finds the hierarchy in a list of mounts (`/proc/self/mountinfo`). A controller belongs to
    /// one version only, so the version that has it is used.
    fn find_in(mounts: &str) -> Result<Self> {
        let mut reasons = Vec::new();
        for mount in mounts.lines().filter_map(Mount::parse) {
            match mount.kind {
                "cgroup" if mount.options.split(',').any(|option| option == "cpu") => {
                    return Ok(Self { version: Version::One, root: mount.path });
                }
                "cgroup2" => {
                    let controllers = mount.path.join("cgroup.controllers");
                    match fs::read_to_string(&controllers) {
                        Ok(list) if has_cpu(&list) => {
                            return Ok(Self { version: Version::Two, root: mount.path });
                        }
                        Ok(_) => reasons.push(format!("{} does not list cpu", controllers.display())),
                        Err(error) => reasons.push(format!("{}: {error}", controllers.display())),
                    }
                }
                _ => {}
            }
        }
        if reasons.is_empty() {
            reasons.push("no control groups are mounted".to_owned());
        }
        Err(NetError::Unavailable(format!("no control groups for the CPU: {}", reasons.join("; "))))
    }

    /// Returns the file in which version 2 must be made to control the CPU of groups in this
    /// directory; `None` if it does, and with version 1.
    pub(super) fn disabled_controller(&self) -> Result<Option<PathBuf>> {
        if self.version == Version::One {
            return Ok(None);
        }
        let path = self.root.join("cgroup.subtree_control");
        let list = fs::read_to_string(&path).context(path.display())?;
        Ok((!has_cpu(&list)).then_some(path))
    }
}

/// A line of `/proc/self/mountinfo`.
struct Mount<'a> {
    path: PathBuf,
    kind: &'a str,
    /// The options of the file system, which include the controllers of version 1.
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (mount, system) = line.split_once(" - ")?;
        let path = mount.split(' ').nth(4)?;
        let mut fields = system.split(' ');
        let (kind, _source, options) = (fields.next()?, fields.next()?, fields.next()?);
        // The kernel writes a space in a path as `\040`.
        Some(Self { path: path.replace("\\040", " ").into(), kind, options })
    }
}

fn has_cpu(list: &str) -> bool {
    list.split_whitespace().any(|name| name == "cpu")
}

#[cfg(test)]
mod tests;
