//! Reads and writes the lines of `samples.jsonl`.

use std::fmt;

use super::Record;

impl Record {
    /// Parses one line, with or without its line feed.
    ///
    /// # Errors
    ///
    /// If the line is too long, or if it is not a record. The error has line number 1.
    pub fn parse(line: &str) -> Result<Self, SampleError> {
        if line.len() > MAX_LINE {
            return Err(SampleError { line: 1, reason: SampleReason::TooLong });
        }
        serde_json::from_str(line)
            .map_err(|error| SampleError { line: 1, reason: SampleReason::Malformed(error.to_string()) })
    }

    /// Formats the record as one line without a line feed. Values that are not finite are omitted.
    pub fn to_line(&self) -> String {
        let mut record = self.clone();
        match &mut record {
            Self::Sample(sample) => {
                sample.values.retain(|_, value| value.is_finite());
                sample.series.values_mut().for_each(|values| values.retain(|value| value.is_finite()));
            }
            Self::Noise(noise) => noise.values.retain(|_, value| value.is_finite()),
            Self::Trace(trace) => trace.messages.retain(|message| message.at.is_finite()),
            Self::Unavailable(_) => {}
        }
        // Records have only text keys, and now only finite numbers: nothing here can fail.
        serde_json::to_string(&record).unwrap_or_default()
    }

    /// Returns the name of the record's experiment.
    pub fn experiment(&self) -> &str {
        match self {
            Self::Sample(sample) => &sample.experiment,
            Self::Unavailable(unavailable) => &unavailable.experiment,
            Self::Noise(noise) => &noise.experiment,
            Self::Trace(trace) => &trace.experiment,
        }
    }
}

/// Parses a whole file. Empty lines are skipped.
///
/// The last line is ignored if it is malformed and has no line feed: the program that wrote it was
/// killed. A program that appends to such a file must remove that line first.
///
/// # Errors
///
/// If another line is not a record.
pub fn parse_lines(text: &str) -> Result<Vec<Record>, SampleError> {
    let mut records = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim();
        if content.is_empty() {
            continue;
        }
        match Record::parse(content) {
            Ok(record) => records.push(record),
            Err(_) if !line.ends_with('\n') => break,
            Err(error) => return Err(SampleError { line: index.saturating_add(1), ..error }),
        }
    }
    Ok(records)
}

/// A line of `samples.jsonl` that is not a record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SampleError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: SampleReason,
}

/// The reason why a line is not a record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SampleReason {
    /// The line has more than [`MAX_LINE`] octets.
    TooLong,
    /// The line is not JSON, or not an object with the members of a record.
    Malformed(String),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            SampleReason::TooLong => write!(f, "line {}: record longer than {MAX_LINE} octets", self.line),
            SampleReason::Malformed(error) => write!(f, "line {}: malformed record: {error}", self.line),
        }
    }
}

impl std::error::Error for SampleError {}

/// The maximum length of a line, in octets.
pub const MAX_LINE: usize = 16 << 20;
