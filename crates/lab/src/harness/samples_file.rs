//! `samples.jsonl`: one record for each line, appended and flushed at once.
//!
//! After a crash, the last line may be incomplete. It is removed before a run resumes, and the
//! variant is measured again.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::{Context, Result};

/// The file, open for appending.
pub(super) struct SamplesFile {
    file: File,
}

impl SamplesFile {
    /// Opens or creates the file; returns it with the complete lines that it contains. Removes an
    /// incomplete last line.
    pub(super) fn open(path: &Path) -> Result<(Self, String)> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).context(path.display())?;
        let mut octets = Vec::new();
        file.read_to_end(&mut octets).context(path.display())?;
        let complete = octets.iter().rposition(|octet| *octet == b'\n').map_or(0, |end| end + 1);
        if complete < octets.len() {
            octets.truncate(complete);
            file.set_len(complete as u64).context(path.display())?;
        }
        file.seek(SeekFrom::End(0))?;
        let text = String::from_utf8(octets).context(path.display())?;
        Ok((Self { file }, text))
    }

    /// Appends one line by a single write, so that a signal between two writes cannot divide it.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).context("cannot write samples.jsonl")
    }
}

#[cfg(test)]
mod tests;
