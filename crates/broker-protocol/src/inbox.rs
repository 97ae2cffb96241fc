//! Octets as they arrive, cut into frames.

use crate::{Frame, FrameError, frame};

/// What has arrived and was not taken yet; at most one frame and a read more. Does no I/O.
#[derive(Debug)]
pub struct Inbox {
    buffer: Vec<u8>,
    /// Octets that the frame handed out last takes.
    taken: usize,
    /// Octets that are filled.
    filled: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { buffer: vec![0; FIRST_ROOM], taken: 0, filled: 0 }
    }
}

impl Inbox {
    /// Where to read into next; never empty.
    pub fn room(&mut self) -> &mut [u8] {
        self.drop_taken();
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.filled + FIRST_ROOM, 0);
        }
        self.buffer.get_mut(self.filled..).unwrap_or_default()
    }

    /// So many octets have been read into [`Self::room`].
    pub fn note_read(&mut self, count: usize) {
        self.filled = self.buffer.len().min(self.filled + count);
    }

    /// The next frame, if it is whole. It is gone when this is called again.
    ///
    /// # Errors
    /// When what has arrived is no frame; nothing more can be read then.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, FrameError> {
        self.drop_taken();
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        let Some(length) = frame::length(filled)?.filter(|length| *length <= self.filled) else {
            return Ok(None);
        };
        self.taken = length;
        Frame::read(self.buffer.get_mut(..length).unwrap_or_default()).map(Some)
    }

    /// Whether a whole frame is there.
    ///
    /// # Errors
    /// As [`Self::next_frame`].
    pub fn has_frame(&mut self) -> Result<bool, FrameError> {
        self.drop_taken();
        let filled = self.buffer.get(..self.filled).unwrap_or_default();
        Ok(frame::length(filled)?.is_some_and(|length| length <= self.filled))
    }

    fn drop_taken(&mut self) {
        if self.taken > 0 {
            self.buffer.copy_within(self.taken..self.filled, 0);
            self.filled -= self.taken;
            self.taken = 0;
        }
    }
}

const FIRST_ROOM: usize = 4096;
