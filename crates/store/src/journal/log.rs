//! The file `state.log`.

use std::io;

use crate::disk::AppendFile;
use crate::format::{FrameWriter, HEADER_LEN, encoded_len};
use crate::record::Batch;

/// The state of `state.log`.
pub(super) enum Log {
    /// The file does not exist.
    Absent,
    /// The file exists and is not open. It is valid up to offset `end`, before which the last frame
    /// has this checksum.
    Closed { end: u64, checksum: u32 },
    /// The file is open for appending.
    Open(OpenLog),
    /// The file is not trusted: all files must be rewritten before the next batch.
    Suspect,
}

/// The log, open for appending.
pub(super) struct OpenLog {
    file: Box<dyn AppendFile>,
    /// The end of the last durable batch, and the checksum of its last frame.
    end: u64,
    checksum: u32,
}

impl OpenLog {
    /// Continues a file that contains only a header.
    pub(super) fn new(file: Box<dyn AppendFile>) -> Self {
        Self { file, end: HEADER_LEN as u64, checksum: 0 }
    }

    /// Continues a file at `end`. What follows there is an unfinished batch.
    pub(super) fn continued(mut file: Box<dyn AppendFile>, end: u64, checksum: u32) -> io::Result<Self> {
        file.truncate(end)?;
        Ok(Self { file, end, checksum })
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Appends batches and makes them durable. `sequence` is the number of the batch before them.
    /// On failure the log is unchanged unless the error is marked as suspect.
    /// `handed_over` contains the prefixes of the keys that sources can change.
    pub(super) fn append(
        &mut self,
        sequence: u64,
        batches: &[Batch],
        handed_over: &[Vec<u8>],
    ) -> Result<(), AppendError> {
        let (end, checksum) = match self.write(sequence, batches, handed_over) {
            Ok(position) => position,
            Err(error) => {
                let is_undone = self.undo().is_ok();
                return Err(AppendError { error, is_suspect: !is_undone, is_visible: !is_undone });
            }
        };
        if let Err(error) = self.file.sync() {
            // The kernel does not say which part of the content is on disk. The batches are removed
            // nevertheless, because they must not be found after a restart.
            let is_undone = self.undo().is_ok();
            return Err(AppendError { error, is_suspect: true, is_visible: !is_undone });
        }
        (self.end, self.checksum) = (end, checksum);
        Ok(())
    }

    fn write(&mut self, sequence: u64, batches: &[Batch], handed_over: &[Vec<u8>]) -> io::Result<(u64, u32)> {
        // The length of a source is not known.
        let has_source = batches.iter().any(|batch| batch.source.is_some());
        let length = || batches.iter().map(|batch| encoded_len(batch.records.iter().map(Into::into))).sum();
        let length = (!has_source).then(length);
        let mut frames = FrameWriter::new(&mut *self.file, self.end, self.checksum, length);
        for (batch, sequence) in batches.iter().zip(sequence + 1..) {
            frames.begin(sequence)?;
            batch.records.iter().try_for_each(|record| frames.record(record.into()))?;
            if let Some(source) = &batch.source {
                source.visit_records(&mut |record| {
                    if !handed_over.iter().any(|prefix| record.key().starts_with(prefix)) {
                        return Err(io::Error::other("a source changes a key that the map holds"));
                    }
                    frames.record(record)
                })?;
            }
            frames.end()?;
        }
        frames.finish()
    }

    /// Removes everything after the last durable batch.
    fn undo(&mut self) -> io::Result<()> {
        self.file.truncate(self.end)?;
        self.file.sync()
    }
}

/// The reason why batches could not be appended.
pub(super) struct AppendError {
    pub(super) error: io::Error,
    /// True if the content of the file is unknown after the failure.
    pub(super) is_suspect: bool,
    /// True if the batches may be found after a restart.
    pub(super) is_visible: bool,
}
