//! Writes files atomically. Only the owner can read private keys. By default, existing files are
//! not replaced.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_secret::Secret;
use time::OffsetDateTime;

use crate::CommandError;

/// Files that are written together.
#[derive(Default)]
pub(crate) struct FileBatch {
    files: Vec<NewFile>,
}

impl FileBatch {
    /// Adds a private key with mode 0600.
    pub(crate) fn private(&mut self, path: PathBuf, text: Secret) {
        self.files.push(NewFile { path, text, mode: 0o600 });
    }

    /// Adds a public file with mode 0644.
    pub(crate) fn public(&mut self, path: PathBuf, octets: impl Into<Vec<u8>>) {
        self.files.push(NewFile { path, text: Secret::new(octets.into()), mode: 0o644 });
    }

    /// Writes all files if none exists. With `force`, existing files are renamed; returns their new
    /// names.
    pub(crate) fn write(self, force: bool, now: SystemTime) -> Result<Vec<PathBuf>, CommandError> {
        let mut kept = Vec::new();
        for file in &self.files {
            if fs::symlink_metadata(&file.path).is_err() {
                continue;
            }
            if !force {
                return Err(already_exists(&file.path));
            }
            kept.push(file.path.clone());
        }
        let ending = format!(".old-{}", timestamp(now));
        for path in &mut kept {
            let mut name = path.clone().into_os_string();
            name.push(&ending);
            fs::rename(&*path, &name).map_err(|error| CommandError::io(path, &error))?;
            *path = name.into();
        }
        for file in &self.files {
            if let Some(folder) = file.path.parent() {
                make_folder(folder)?;
            }
            let temporary = file.write_temporary()?;
            // A hard link never replaces a file that another process has created in the meantime.
            let linked = fs::hard_link(&temporary, &file.path);
            let _ = fs::remove_file(&temporary);
            linked.map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => already_exists(&file.path),
                _ => CommandError::io(&file.path, &error),
            })?;
            sync_folder(&file.path)?;
        }
        Ok(kept)
    }

    /// Returns the paths of all files.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }
}

struct NewFile {
    path: PathBuf,
    text: Secret,
    mode: u32,
}

impl NewFile {
    /// Writes the file under a temporary name.
    fn write_temporary(&self) -> Result<PathBuf, CommandError> {
        let mut name = std::ffi::OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".new-{}", std::process::id()));
        let temporary = self.path.with_file_name(name);
        // A previous process with the same ID may not have removed its temporary file.
        let _ = fs::remove_file(&temporary);
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(self.mode)
            .open(&temporary)
            .and_then(|mut file| file.write_all(self.text.expose()).and_then(|()| file.sync_all()));
        match written {
            Ok(()) => Ok(temporary),
            Err(error) => {
                let _ = fs::remove_file(&temporary);
                Err(CommandError::io(&self.path, &error))
            }
        }
    }
}

/// Atomically replaces a public file.
pub(crate) fn replace(path: &Path, octets: &[u8]) -> Result<(), CommandError> {
    let file = NewFile { path: path.to_owned(), text: Secret::from(octets), mode: 0o644 };
    let temporary = file.write_temporary()?;
    fs::rename(&temporary, path).map_err(|error| CommandError::io(path, &error))?;
    sync_folder(path)
}

/// Creates a directory for its owner only; an existing one is left unchanged.
pub(crate) fn make_folder(path: &Path) -> Result<(), CommandError> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| {
        CommandError::at(path, error).with_hint("use --dir to specify a directory that you can create")
    })
}

/// Reads a file of limited size.
pub(crate) fn read(path: &Path) -> Result<Secret, CommandError> {
    let mut octets = Vec::new();
    let file = File::open(path).map_err(|error| CommandError::io(path, &error))?;
    file.take(MAX_FILE_LEN + 1).read_to_end(&mut octets).map_err(|error| CommandError::io(path, &error))?;
    if octets.len() as u64 > MAX_FILE_LEN {
        return Err(CommandError::at(path, format_args!("longer than {MAX_FILE_LEN} bytes"))
            .with_hint("specify a file that contains keys or certificates"));
    }
    Ok(Secret::new(octets))
}

/// Reads a text file of limited size.
pub(crate) fn read_text(path: &Path) -> Result<String, CommandError> {
    let octets = read(path)?;
    let text = std::str::from_utf8(octets.expose());
    text.map(str::to_owned)
        .map_err(|_| CommandError::at(path, "not a text file").with_hint("convert the file to PEM first"))
}

fn already_exists(path: &Path) -> CommandError {
    CommandError::at(path, "already exists, so it is not replaced")
        .with_hint("use --force to rename the existing file and create a new one; `portreeve keys show` displays the existing file")
}

/// Makes a new file name durable by syncing its directory.
fn sync_folder(path: &Path) -> Result<(), CommandError> {
    let Some(folder) = path.parent() else { return Ok(()) };
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| CommandError::io(folder, &error))
}

/// Formats a time as `20261122T101500Z`.
fn timestamp(now: SystemTime) -> String {
    let now = OffsetDateTime::from(now);
    let (date, time) = (now.date(), now.time());
    format!(
        "{:04}{:02}{:02}T{:02}{:02}{:02}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        time.hour(),
        time.minute(),
        time.second()
    )
}

/// Maximum length of a file that is read, in bytes.
const MAX_FILE_LEN: u64 = 16 << 20;

#[cfg(test)]
mod tests;
