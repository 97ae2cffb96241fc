//! A warning about a file that other users can read, although its lines contain communities.

use std::{fs::Metadata, os::unix::fs::MetadataExt, path::Path};

/// Logs a warning if other users can read a regular file. A new file is readable by its owner only;
/// this one existed before.
pub(super) fn warn_about_readers(path: &Path, metadata: &Metadata) {
    let mode = metadata.mode() & 0o777;
    if metadata.is_file() && mode & READERS != 0 {
        let mode = format!("{mode:04o}");
        tracing::warn!(path = %path.display(), mode, "the file is readable by other users, and its lines contain communities: run chmod 600");
    }
}

/// The permissions of the group and of all users to read, as for a configuration file with secrets.
const READERS: u32 = 0o044;
