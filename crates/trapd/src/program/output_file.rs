//! A file to which lines are appended.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// A file to which lines are appended, or standard output.
pub(crate) struct OutputFile {
    path: Option<PathBuf>,
    file: Option<File>,
    /// The length of a regular file before the lines that were appended last.
    length_before: Option<u64>,
}

impl OutputFile {
    /// Opens the file `path`; standard output without one.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let file = path.map(append_to).transpose()?;
        Ok(Self { path: path.map(Path::to_owned), file, length_before: None })
    }

    /// Opens the file again, for example after it has been renamed. If that fails, the old one
    /// stays in use.
    pub(crate) fn reopen(&mut self) {
        let Some(path) = &self.path else { return };
        match append_to(path) {
            Ok(file) => (self.file, self.length_before) = (Some(file), None),
            Err(error) => tracing::error!(path = %path.display(), %error, "cannot open the file again"),
        }
    }

    /// Appends lines. They are on disk after [`Self::sync`]; [`Self::undo`] removes them.
    pub(crate) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.length_before = None;
        if lines.is_empty() {
            return Ok(());
        }
        let Some(file) = &mut self.file else {
            let mut stdout = io::stdout().lock();
            return stdout.write_all(lines).and_then(|()| stdout.flush());
        };
        let metadata = file.metadata()?;
        self.length_before = metadata.is_file().then_some(metadata.len());
        file.write_all(lines)
    }

    /// Waits until the lines that were appended last are on disk, unless this is not a regular
    /// file.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        match &self.file {
            Some(file) if self.length_before.is_some() => file.sync_data(),
            _ => Ok(()),
        }
    }

    /// Removes the lines that were appended last from a regular file. Part of a line would
    /// otherwise precede the next one.
    pub(crate) fn undo(&mut self) {
        if let (Some(file), Some(length)) = (&self.file, self.length_before.take()) {
            // If this fails as well, the file contains a line without its end.
            let _ = file.set_len(length);
        }
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    // The lines contain communities.
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    if file.metadata()?.is_file() {
        // A new file is durable only with its name.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        // A directory that cannot be read cannot be synced.
        if let Ok(directory) = File::open(parent.unwrap_or(Path::new("."))) {
            directory.sync_all()?;
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn lines_that_are_undone_are_removed_and_those_before_stay() {
        let directory = directory();
        let path = directory.path().join("lines");
        fs::write(&path, "0\n").unwrap();
        let mut file = OutputFile::open(Some(&path)).unwrap();
        file.append(b"1\n").unwrap();
        file.sync().unwrap();
        file.append(b"2\n").unwrap();
        file.undo();
        file.append(b"").unwrap();
        file.undo();
        assert_eq!(fs::read_to_string(&path).unwrap(), "0\n1\n");
    }

    #[test]
    fn file_that_is_opened_again_is_the_one_at_the_path() {
        let directory = directory();
        let (path, old) = (directory.path().join("lines"), directory.path().join("old"));
        let mut file = OutputFile::open(Some(&path)).unwrap();
        file.append(b"1\n").unwrap();
        fs::rename(&path, &old).unwrap();
        file.append(b"2\n").unwrap();
        file.reopen();
        file.append(b"3\n").unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "1\n2\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), "3\n");
    }
}
