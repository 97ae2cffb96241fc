//! Files with secrets in them.

use std::{fs, io::Write, os::unix::fs::OpenOptionsExt, path::Path};

use crate::failure::Failure;

/// Writes a new file, mode 0600, making its directory (0700) if need be. Refuses to replace a file.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    make_private_directory(path.parent().unwrap_or(Path::new(".")))?;
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| at(path, error))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| at(path, error))
}

/// Makes a directory for its owner alone; one that is there stays as it is.
pub(crate) fn make_private_directory(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| at(path, error))
}

fn at(path: &Path, error: std::io::Error) -> Failure {
    let cure = match error.kind() {
        std::io::ErrorKind::AlreadyExists => "\nhint: choose another directory, or move the file away",
        std::io::ErrorKind::PermissionDenied => "\nhint: choose a directory you may write to",
        _ => "",
    };
    Failure::new(format!("{}: {error}{cure}", path.display()))
}
