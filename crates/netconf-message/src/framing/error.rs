//! Errors of received frames.

use std::fmt;

/// The octets received do not follow the framing. The session must be closed (RFC 6242 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramingError {
    /// The rule that is violated.
    pub reason: FramingErrorReason,
    /// Number of octets that the peer sent before the invalid one, since the session began.
    pub offset: u64,
}

/// The rule of RFC 6242 §4.2 that is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramingErrorReason {
    /// A chunk or a message does not begin with a line feed.
    NoLineFeed,
    /// The line feed is not followed by `#`.
    NoHash,
    /// The chunk size is empty, zero, has leading zeros, or contains something else than digits.
    InvalidChunkSize,
    /// The chunk size is larger than 4294967295.
    ChunkSizeTooLarge,
    /// `##` is not followed by a line feed.
    InvalidEndOfChunks,
    /// The message ends without a chunk.
    EmptyMessage,
}

impl fmt::Display for FramingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            FramingErrorReason::NoLineFeed => "expected a line feed before a chunk",
            FramingErrorReason::NoHash => "expected \"#\" after a line feed",
            FramingErrorReason::InvalidChunkSize => "invalid chunk size",
            FramingErrorReason::ChunkSizeTooLarge => "chunk size larger than 4294967295",
            FramingErrorReason::InvalidEndOfChunks => "expected a line feed after \"##\"",
            FramingErrorReason::EmptyMessage => "message without chunks",
        };
        write!(f, "octet {}: {reason}", self.offset)
    }
}

impl std::error::Error for FramingError {}
