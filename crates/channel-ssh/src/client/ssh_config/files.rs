//! Reads the files of ssh_config.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use portreeve_sys::open_file;

use crate::{
    client::{local::LocalUser, pattern::matches_wildcard},
    keys,
};

/// The source of ssh_config files.
pub trait ConfigFiles {
    /// Reads a file. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read as text, or if another user may have written it.
    fn read(&self, path: &Path) -> io::Result<Option<String>>;

    /// Returns the files that `Include pattern` in `file` refers to, in order.
    ///
    /// # Errors
    /// Fails if there are too many files.
    fn included(&self, pattern: &str, file: &Path, local: &LocalUser) -> io::Result<Vec<PathBuf>>;
}

/// The file system of this machine, as a source of ssh_config files.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl DiskFiles {
    /// Reads a file without checking its owner. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read as text.
    pub(crate) fn known_hosts(path: &Path) -> io::Result<Option<String>> {
        open(path)?.map(|file| keys::read_text(file, MAX_FILE_LEN)).transpose()
    }
}

impl ConfigFiles for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Option<String>> {
        let Some(file) = open(path)? else { return Ok(None) };
        if !path.starts_with(SYSTEM_DIR) {
            check_writers(&file)?;
        }
        keys::read_text(file, MAX_FILE_LEN).map(Some)
    }

    fn included(&self, pattern: &str, file: &Path, local: &LocalUser) -> io::Result<Vec<PathBuf>> {
        let pattern = match pattern.strip_prefix("~/") {
            Some(relative) => local.home.join(relative),
            None if pattern.starts_with('/') => PathBuf::from(pattern),
            // Relative paths in system files start at /etc/ssh, relative paths in user files at
            // ~/.ssh.
            None if file.starts_with(SYSTEM_DIR) => Path::new(SYSTEM_DIR).join(pattern),
            None => local.home.join(".ssh").join(pattern),
        };
        let mut found = vec![PathBuf::new()];
        for part in pattern.components() {
            let name = part.as_os_str().to_string_lossy();
            if !name.contains(['*', '?']) {
                found.iter_mut().for_each(|path| path.push(part));
                continue;
            }
            let mut next = Vec::new();
            for directory in found {
                next.extend(matching_entries(&directory, &name));
                if next.len() > MAX_INCLUDED {
                    return Err(io::Error::other(format!("more than {MAX_INCLUDED} files are included")));
                }
            }
            found = next;
        }
        Ok(found)
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match open_file(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks that only root and the user can write the file, as OpenSSH does: its content decides to
/// which servers the client connects and which servers it trusts.
fn check_writers(file: &File) -> io::Result<()> {
    let metadata = file.metadata()?;
    let own_uid = rustix::process::geteuid().as_raw();
    if metadata.uid() != 0 && metadata.uid() != own_uid {
        return Err(io::Error::other("not owned by you or root"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("writable by its group or others"));
    }
    Ok(())
}

/// Returns the entries of a directory that match the pattern, sorted by name. Hidden files match
/// only if the pattern begins with a dot.
fn matching_entries(directory: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            matches_wildcard(pattern, &name) && (!name.starts_with('.') || pattern.starts_with('.'))
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

const SYSTEM_DIR: &str = "/etc/ssh";

/// Maximum size in bytes of a file: several times the known_hosts file of a large site.
const MAX_FILE_LEN: u64 = 16 << 20;

const MAX_INCLUDED: usize = 1000;
