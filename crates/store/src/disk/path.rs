//! The path of the state directory: its missing parts are created, and no other user can replace
//! any part of it.
//!
//! Links in the path are followed only if root or the user of this process created them, because
//! such a link is configuration: systemd makes the state directory of a service with a dynamic user
//! a link. Links in the directory itself are never followed.

use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use rustix::process::{getegid, geteuid};

use crate::error::UnsafeDirectoryReason;

/// Creates the missing directories of `path`, and makes the name of each durable by calling `sync`
/// with its parent, before the next one is created.
///
/// An earlier process may have been killed before that sync. Therefore the parent of the last
/// directory that exists is synced as well.
pub(super) fn create(path: &Path, sync: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|path| !is_present(path)).collect();
    let existing = path.ancestors().nth(missing.len());
    if let Some(parent) = existing.and_then(parent)
        && let Err(error) = sync(parent)
        // This user has not created the directory if the parent cannot be opened.
        && error.kind() != io::ErrorKind::PermissionDenied
    {
        tracing::warn!(%error, directory = %parent.display(), "cannot sync a parent of the state directory");
    }
    for directory in missing.into_iter().rev() {
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        if let Some(parent) = parent(directory) {
            sync(parent)?;
        }
    }
    Ok(())
}

/// Returns the parent of a directory, relative to the working directory if `path` is.
fn parent(path: &Path) -> Option<&Path> {
    path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
}

/// Returns whether a path exists. The empty path, with which a relative path starts, always exists.
fn is_present(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.exists()
}

/// Returns the first directory or link with which another user could replace a part of `path`, and
/// the reason. Parts that do not exist are not judged, and neither is the directory itself.
pub(super) fn find_unsafe_parent(path: &Path) -> io::Result<Option<(PathBuf, UnsafeDirectoryReason)>> {
    // Contains no links.
    let mut parent = PathBuf::from("/");
    let mut parts = reversed_parts(&std::path::absolute(path)?);
    let mut links = 0;
    while let Some(part) = parts.pop() {
        if part == Path::new("..") {
            parent.pop();
            continue;
        }
        let entry = parent.join(&part);
        if let Some(reason) = unsafe_reason(&fs::metadata(&parent)?) {
            return Ok(Some((parent, reason)));
        }
        let metadata = match fs::symlink_metadata(&entry) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match metadata {
            None => return Ok(None),
            Some(metadata) if !metadata.is_symlink() => parent = entry,
            Some(link) if !is_trusted(link.uid()) => {
                return Ok(Some((entry, UnsafeDirectoryReason::ForeignLink(link.uid()))));
            }
            Some(_) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(io::Error::other("too many symbolic links"));
                }
                let target = fs::read_link(&entry)?;
                if target.is_absolute() {
                    parent = PathBuf::from("/");
                }
                parts.extend(reversed_parts(&target));
            }
        }
    }
    Ok(None)
}

/// Returns the reason why other users can replace the entries of a directory; `None` if they can
/// replace only their own.
fn unsafe_reason(directory: &Metadata) -> Option<UnsafeDirectoryReason> {
    let mode = directory.mode() & 0o7777;
    if !is_trusted(directory.uid()) {
        Some(UnsafeDirectoryReason::ForeignParent(directory.uid()))
    } else if is_writable_by_others(mode, directory.gid()) && mode & STICKY == 0 {
        Some(UnsafeDirectoryReason::WritableParent(mode))
    } else {
        None
    }
}

/// Returns whether other users can write a directory with this mode and group. The group of this
/// process may write: on many systems, each user has a group without other members, and new
/// directories are writable by it.
fn is_writable_by_others(mode: u32, group: u32) -> bool {
    mode & 0o002 != 0 || (mode & 0o020 != 0 && group != getegid().as_raw())
}

/// Returns whether a user can be trusted with the state: root, and the user of this process.
pub(super) fn is_trusted(uid: u32) -> bool {
    [0, geteuid().as_raw()].contains(&uid)
}

/// Returns the parts of a path below the root, the last one first.
fn reversed_parts(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
    parts.rev().map(|part| PathBuf::from(part.as_os_str())).collect()
}

/// The maximum number of links in a path, as in the kernel.
const MAX_LINKS: usize = 40;

/// The mode bit of a directory in which only the owner of an entry can replace it.
const STICKY: u32 = 0o1000;

#[cfg(test)]
mod tests;
