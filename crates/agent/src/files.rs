//! Writes files with secrets.

use std::{fs, io::Write, os::unix::fs::OpenOptionsExt, path::Path};

use crate::error::CommandError;

/// Writes a new file with mode 0600 and creates its directory with mode 0700 if necessary. Fails if
/// the file exists.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), CommandError> {
    make_private_directory(path.parent().unwrap_or(Path::new(".")))?;
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| at(path, error))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| at(path, error))
}

/// Creates a directory that only its owner can access; an existing one is left unchanged.
pub(crate) fn make_private_directory(path: &Path) -> Result<(), CommandError> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| at(path, error))
}

fn at(path: &Path, error: std::io::Error) -> CommandError {
    let hint = match error.kind() {
        std::io::ErrorKind::AlreadyExists => "\nhint: choose another directory, or move the existing file",
        std::io::ErrorKind::PermissionDenied => "\nhint: choose a directory that you can write to",
        _ => "",
    };
    CommandError::new(format!("{}: {error}{hint}", path.display()))
}
