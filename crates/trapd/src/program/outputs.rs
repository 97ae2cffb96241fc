//! The files of a receiver: lines, and lines of JSON. A group is in both of them or in none.

use std::io;

/// A file to which a group of lines is appended, synced, and then committed or removed.
pub(crate) trait LineFile {
    /// Requests that the file is opened again before the next group, for example because it has
    /// been renamed.
    fn request_reopen(&mut self);

    /// Prepares the file for a group of lines.
    ///
    /// # Errors
    /// Lines in this file would be lost.
    fn prepare(&mut self) -> io::Result<()>;

    /// Appends lines. They are on disk after [`Self::sync`].
    ///
    /// # Errors
    /// The file does not accept the lines; it can contain a part of them.
    fn append(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Waits until the lines that were appended last are on disk, if this is a regular file.
    ///
    /// # Errors
    /// The lines are not on disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Keeps the lines that were appended last: [`Self::undo`] does not remove them any more.
    fn commit(&mut self);

    /// Removes the lines that were appended since the last commit, if this is a regular file. Part
    /// of a line would otherwise precede the next one.
    fn undo(&mut self);
}

/// The files of a receiver.
pub(crate) struct Outputs<F> {
    log: F,
    json: Option<F>,
}

impl<F: LineFile> Outputs<F> {
    /// Creates outputs of the file of lines, and the file of JSON lines.
    pub(crate) fn new(log: F, json: Option<F>) -> Self {
        Self { log, json }
    }

    /// Returns whether there is a file of JSON lines.
    pub(crate) fn has_json(&self) -> bool {
        self.json.is_some()
    }

    /// Requests that the files are opened again before the next group.
    pub(crate) fn request_reopen(&mut self) {
        self.files().for_each(F::request_reopen);
    }

    /// Writes the lines of a group. When this returns, they are on disk; after an error, none is in
    /// a file. Lines of earlier groups stay in any case.
    ///
    /// # Errors
    /// A file does not accept the lines.
    pub(crate) fn write(&mut self, lines: &[u8], json_lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() && json_lines.is_empty() {
            return Ok(());
        }
        let written = self.append_and_sync(lines, json_lines);
        self.files().for_each(if written.is_ok() { F::commit } else { F::undo });
        written
    }

    fn append_and_sync(&mut self, lines: &[u8], json_lines: &[u8]) -> io::Result<()> {
        self.files().try_for_each(F::prepare)?;
        if let Some(json) = &mut self.json {
            json.append(json_lines)?;
        }
        self.log.append(lines)?;
        self.files().try_for_each(F::sync)
    }

    fn files(&mut self) -> impl Iterator<Item = &mut F> {
        self.json.iter_mut().chain([&mut self.log])
    }
}

#[cfg(test)]
mod tests;
