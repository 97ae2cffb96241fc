//! A receive buffer that splits a stream into frames.

use crate::{Frame, FrameError, frame};

/// Received octets that have not been consumed; at most one frame and the octets of one further
/// read. Does no I/O.
#[derive(Debug)]
pub struct FrameBuffer {
    buffer: Vec<u8>,
    /// The length of the frame returned last, which the next call discards.
    consumed: usize,
    /// The number of octets in the buffer.
    filled: usize,
}

impl Default for FrameBuffer {
    fn default() -> Self {
        Self { buffer: vec![0; READ_SIZE], consumed: 0, filled: 0 }
    }
}

impl FrameBuffer {
    /// Returns the space for the next read; never empty.
    pub fn free_space(&mut self) -> &mut [u8] {
        self.discard_consumed();
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.filled + READ_SIZE, 0);
        }
        self.buffer.get_mut(self.filled..).unwrap_or_default()
    }

    /// Records that `count` octets were read into [`Self::free_space`].
    pub fn advance(&mut self, count: usize) {
        self.filled = self.buffer.len().min(self.filled + count);
    }

    /// Returns the next frame if it is complete. The next call discards it.
    ///
    /// # Errors
    /// If the received octets are not a frame. Nothing more can be read then.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, FrameError> {
        self.discard_consumed();
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        let Some(length) = frame::frame_length(filled)?.filter(|length| *length <= self.filled) else {
            return Ok(None);
        };
        self.consumed = length;
        Frame::read(self.buffer.get_mut(..length).unwrap_or_default()).map(Some)
    }

    /// Returns `true` if a complete frame has been received.
    ///
    /// # Errors
    /// Those of [`Self::next_frame`].
    pub fn has_frame(&mut self) -> Result<bool, FrameError> {
        self.discard_consumed();
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        Ok(frame::frame_length(filled)?.is_some_and(|length| length <= self.filled))
    }

    fn discard_consumed(&mut self) {
        if self.consumed > 0 {
            self.buffer.copy_within(self.consumed..self.filled, 0);
            self.filled -= self.consumed;
            self.consumed = 0;
        }
    }
}

const READ_SIZE: usize = 4096;
