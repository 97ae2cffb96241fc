//! The files that ssh_config is spread over.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{
    client::{local::LocalUser, pattern::matches_wildcard},
    keys,
};

/// Where files are read from.
pub trait ConfigFiles {
    /// A file's text; `None` where there is no such file.
    ///
    /// # Errors
    /// When it is there and cannot be read as text, or somebody else may have written it.
    fn read(&self, path: &Path) -> io::Result<Option<String>>;

    /// The files that `Include pattern` in `file` means, in their order.
    ///
    /// # Errors
    /// When there are too many.
    fn included(&self, pattern: &str, file: &Path, local: &LocalUser) -> io::Result<Vec<PathBuf>>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl DiskFiles {
    /// A file's text, whoever has written it; `None` where there is no such file.
    ///
    /// # Errors
    /// When it is there and cannot be read as text.
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
            // Names of the system's files are below /etc/ssh, those of a user's below ~/.ssh.
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
            for folder in found {
                next.extend(matching_entries(&folder, &name));
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
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// As ssh has it: whoever can write a user's configuration decides where the user connects to, and whom they trust there.
fn check_writers(file: &File) -> io::Result<()> {
    let metadata = file.metadata()?;
    let own_uid = rustix::process::geteuid().as_raw();
    if metadata.uid() != 0 && metadata.uid() != own_uid {
        return Err(io::Error::other("it belongs to somebody else"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("its group or others can write it"));
    }
    Ok(())
}

/// What of a folder has a name like that, in the order of names; hidden files only where the pattern says so.
fn matching_entries(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
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

/// Octets of one file: known_hosts of a large site, a few times over.
const MAX_FILE_LEN: u64 = 16 << 20;

const MAX_INCLUDED: usize = 1000;
