//! `samples.jsonl`: one record for each line, appended and flushed at once.
//!
//! After a crash, the last line may be incomplete. It is removed before a run resumes, and the
//! variant is measured again.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use crate::error::{Context, Result};
use crate::private_file;

/// The file, open for appending.
pub(super) struct SamplesFile {
    file: File,
    /// The length of the complete lines that it contained when it was opened.
    complete: u64,
}

impl SamplesFile {
    /// Opens or creates the file; returns it with the complete lines that it contains. Does not
    /// change it, because the lines have not been checked.
    pub(super) fn open(path: &Path) -> Result<(Self, String)> {
        let mut file = private_file::append(path).context(path.display())?;
        let mut octets = Vec::new();
        file.read_to_end(&mut octets).context(path.display())?;
        octets.truncate(octets.iter().rposition(|octet| *octet == b'\n').map_or(0, |end| end + 1));
        let complete = octets.len() as u64;
        let text = String::from_utf8(octets).context(path.display())?;
        Ok((Self { file, complete }, text))
    }

    /// Keeps only the lines in `text`, which are all or some of the complete ones. Must precede the
    /// first record.
    pub(super) fn keep(&mut self, path: &Path, text: &str) -> Result<()> {
        if text.len() as u64 == self.complete {
            return self.file.set_len(self.complete).context("cannot shorten samples.jsonl");
        }
        // After a crash there is either the old or the new file.
        let new = path.with_file_name(NEW);
        private_file::write(&new, text).context(new.display())?;
        fs::rename(&new, path).context(path.display())?;
        self.file = private_file::append(path).context(path.display())?;
        Ok(())
    }

    /// Appends one line by a single write, so that a signal between two writes cannot divide it.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).context("cannot write samples.jsonl")
    }
}

/// The new file, until it replaces the old one.
const NEW: &str = ".samples.jsonl.new";

#[cfg(test)]
mod tests;
