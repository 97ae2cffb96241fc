//! Splits received octets into the payloads of messages.
//!
//! ```text
//! Chunked:  Boundary ─LF─▶ LineFeed ─#─▶ Hash ─digit─▶ Size ─LF─▶ Data ─last octet─▶ Boundary
//!                                          └─#─▶ EndHash ─LF─▶ end of the message ─▶ Boundary
//! ```

use super::{DELIMITER, Framing, FramingError, FramingErrorReason};

/// Maximum number of line feeds before a message in addition to the one that belongs to its first
/// chunk. RFC 6242 allows none, but programs that write lines end a message with one.
pub const MAX_EXTRA_LINE_FEEDS: u8 = 1;

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'i> {
    /// The next octets of the message; never empty.
    Payload(&'i [u8]),
    /// The message is complete.
    End,
}

/// Splits the octets of a peer into messages. Occupies the same memory for messages of any size.
#[derive(Debug, Default)]
pub struct FrameReader {
    state: State,
    /// Number of octets read.
    offset: u64,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// End-of-message framing, with the number of octets of the delimiter that have been read.
    Delimiter(usize),
    /// Before a chunk or the end of chunks.
    Boundary { has_chunks: bool },
    /// After the line feed that begins a chunk. Before a message, counts the extra line feeds.
    LineFeed { has_chunks: bool, extra: u8 },
    /// After `#`.
    Hash { has_chunks: bool },
    /// After `##`.
    EndHash,
    /// In the digits of a chunk size.
    Size(u32),
    /// In a chunk, with the number of octets that follow; never zero.
    Data(u32),
    /// An error has been returned.
    Failed(FramingError),
}

impl Default for State {
    fn default() -> Self {
        Self::Delimiter(0)
    }
}

impl FrameReader {
    /// Changes the framing of the messages that follow.
    ///
    /// Call it after [`Frame::End`] and before the next call of [`next_frame`](Self::next_frame).
    /// Octets of an unfinished delimiter or chunk would be discarded.
    pub fn set_framing(&mut self, framing: Framing) {
        self.state = match framing {
            Framing::EndOfMessage => State::Delimiter(0),
            Framing::Chunked => State::Boundary { has_chunks: false },
        };
    }

    /// Returns the next part of a message and removes its octets from the start of `input`.
    /// Returns `None` if all of `input` has been used.
    ///
    /// # Errors
    /// Returns the violation of the framing; so does each later call.
    pub fn next_frame<'i>(&mut self, input: &mut &'i [u8]) -> Result<Option<Frame<'i>>, FramingError> {
        while !input.is_empty() {
            let before = input.len();
            let frame = match self.state {
                State::Delimiter(matched) => Ok(self.read_until_delimiter(matched, input)),
                State::Data(length) => Ok(Some(self.read_data(length, input))),
                _ => self.read_header(input),
            };
            // A slice is never longer than what 64 bits count.
            self.offset += (before - input.len()) as u64;
            match frame {
                Ok(None) => {}
                Ok(frame) => return Ok(frame),
                Err(reason) => {
                    // An error is reported before its octet is counted.
                    let error = match self.state {
                        State::Failed(error) => error,
                        _ => FramingError { reason, offset: self.offset },
                    };
                    self.state = State::Failed(error);
                    return Err(error);
                }
            }
        }
        Ok(None)
    }

    /// Reads octets of end-of-message framing. Octets that began like the delimiter are returned as
    /// payload once they turn out not to be one.
    fn read_until_delimiter<'i>(&mut self, matched: usize, input: &mut &'i [u8]) -> Option<Frame<'i>> {
        if matched == 0 {
            let length = memchr::memchr(b']', input).unwrap_or(input.len());
            if length > 0 {
                return Some(Frame::Payload(take(input, length)));
            }
        }
        let next = input.first().copied();
        //= rfc6242#4.3-p1
        if next == DELIMITER.get(matched).copied() {
            take(input, 1);
            let is_complete = matched + 1 == DELIMITER.len();
            self.state = State::Delimiter(if is_complete { 0 } else { matched + 1 });
            return is_complete.then_some(Frame::End);
        }
        // Compare the octet again, at the position that remains possible.
        let kept = longest_border(matched);
        self.state = State::Delimiter(kept);
        DELIMITER.get(..matched - kept).map(Frame::Payload)
    }

    fn read_data<'i>(&mut self, length: u32, input: &mut &'i [u8]) -> Frame<'i> {
        let octets = take(input, usize::try_from(length).unwrap_or(usize::MAX));
        // At most `length` octets were taken, so the conversion succeeds.
        let rest = length - u32::try_from(octets.len()).unwrap_or(length);
        self.state = if rest == 0 { State::Boundary { has_chunks: true } } else { State::Data(rest) };
        Frame::Payload(octets)
    }

    /// Reads one octet outside the data of chunks.
    fn read_header<'i>(&mut self, input: &mut &'i [u8]) -> Result<Option<Frame<'i>>, FramingErrorReason> {
        let Some(&octet) = input.first() else { return Ok(None) };
        self.state = match (self.state, octet) {
            (State::Boundary { has_chunks }, b'\n') => State::LineFeed { has_chunks, extra: 0 },
            (State::Boundary { .. }, _) => return Err(FramingErrorReason::NoLineFeed),
            (State::LineFeed { has_chunks, .. }, b'#') => State::Hash { has_chunks },
            (State::LineFeed { has_chunks: false, extra }, b'\n') if extra < MAX_EXTRA_LINE_FEEDS => {
                State::LineFeed { has_chunks: false, extra: extra + 1 }
            }
            (State::LineFeed { .. }, _) => return Err(FramingErrorReason::NoHash),
            (State::Hash { has_chunks: true }, b'#') => State::EndHash,
            //= rfc6242#4.2-p1
            (State::Hash { has_chunks: false }, b'#') => return Err(FramingErrorReason::EmptyMessage),
            //= rfc6242#4.2-p2
            (State::Hash { .. }, b'1'..=b'9') => State::Size(u32::from(octet - b'0')),
            (State::Size(size), b'0'..=b'9') => State::Size(
                size.checked_mul(10)
                    .and_then(|size| size.checked_add(u32::from(octet - b'0')))
                    .ok_or(FramingErrorReason::ChunkSizeTooLarge)?,
            ),
            (State::Size(size), b'\n') => State::Data(size),
            (State::Hash { .. } | State::Size(_), _) => return Err(FramingErrorReason::InvalidChunkSize),
            (State::EndHash, b'\n') => {
                take(input, 1);
                self.state = State::Boundary { has_chunks: false };
                return Ok(Some(Frame::End));
            }
            (State::EndHash, _) => return Err(FramingErrorReason::InvalidEndOfChunks),
            (State::Failed(error), _) => return Err(error.reason),
            // `next_frame` handles these states itself.
            (state @ (State::Delimiter(_) | State::Data(_)), _) => state,
        };
        take(input, 1);
        Ok(None)
    }
}

/// Returns the length of the longest proper prefix of the delimiter that its first `matched` octets
/// end with.
fn longest_border(matched: usize) -> usize {
    match matched {
        // "]]" ends with "]".
        2 => 1,
        // "]]>]" ends with "]", and "]]>]]" with "]]".
        4 => 1,
        5 => 2,
        _ => 0,
    }
}

/// Removes and returns the first octets of `input`, at most `count`.
fn take<'i>(input: &mut &'i [u8], count: usize) -> &'i [u8] {
    let (taken, rest) = input.split_at(count.min(input.len()));
    *input = rest;
    taken
}
