//! One frame of a conversation, and where it ends in the stream.

use std::{fmt, io};

use portreeve_channel::ChannelError;
use portreeve_smi::ber::{BerError, BufferFull, Reader, ReverseWriter, Tag};

use crate::{Answer, Opened, Order, Question, failed};

/// What one side says.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'f> {
    /// An SNMP message, as it is, to or from the agent.
    Message(&'f mut [u8]),
    /// The command wants a session.
    Order(Order),
    /// The broker has to know something to open it.
    Question(Question),
    /// The command knows it, or does not.
    Answer(Answer),
    /// The session is open.
    Opened(Opened),
    /// There is no session, or there is none any more.
    Failed(ChannelError),
    /// The command leaves word for the next one in this session: at most [`Frame::LONGEST_NOTE`] octets.
    Note(&'f [u8]),
}

impl<'f> Frame<'f> {
    /// The longest note, in octets.
    pub const LONGEST_NOTE: usize = 64;
    /// The longest answer, in octets.
    pub const LONGEST_ANSWER: usize = 4096;
    /// The longest SNMP message, in octets.
    pub const LONGEST_MESSAGE: usize = 1 << 20;

    /// Reads a frame that is whole.
    pub(crate) fn read(octets: &'f mut [u8]) -> Result<Self, FrameError> {
        let tag = octets.first().copied().map(Tag);
        if tag == Some(MESSAGE) {
            return Ok(Self::Message(octets));
        }
        if tag == Some(ANSWER) {
            return Answer::take(octets).map(Self::Answer);
        }
        let (tag, content) = Reader::new(octets).read()?;
        match tag {
            ORDER => Order::read(content).map(Self::Order),
            QUESTION => Question::read(content).map(Self::Question),
            OPENED => Opened::read(content).map(Self::Opened),
            FAILED => failed::read(content).map(Self::Failed),
            NOTE if content.len() <= Self::LONGEST_NOTE => Ok(Self::Note(content)),
            _ => Err(FrameError::Malformed),
        }
    }

    /// The frame's octets. A message is its own frame, so that one rarely needs this for it.
    ///
    /// # Errors
    /// When a text in it is longer than frames may be.
    pub fn encode(&self) -> Result<Vec<u8>, FrameError> {
        let mut buffer = vec![0; LONGEST_CONTROL];
        let mut writer = ReverseWriter::new(&mut buffer);
        let tag = match self {
            Self::Message(message) => return Ok(message.to_vec()),
            Self::Order(order) => order.write(&mut writer).map(|()| ORDER),
            Self::Question(question) => question.write(&mut writer).map(|()| QUESTION),
            // For tests: whoever has an answer to send wipes what it was sent from.
            Self::Answer(answer) => return Ok(answer.encode()?.expose().to_vec()),
            Self::Opened(opened) => opened.write(&mut writer).map(|()| OPENED),
            Self::Failed(error) => failed::write(error, &mut writer).map(|()| FAILED),
            Self::Note(note) => writer.raw(note).map(|()| NOTE),
        };
        writer.wrap(tag?, 0)?;
        Ok(writer.written().to_vec())
    }
}

/// How many octets the frame at the start of `stream` has; `None` while too little of it is there to know.
pub(crate) fn length(stream: &[u8]) -> Result<Option<usize>, FrameError> {
    let Some(&tag) = stream.first() else { return Ok(None) };
    let most = match Tag(tag) {
        MESSAGE => Frame::LONGEST_MESSAGE,
        ORDER | OPENED | FAILED | NOTE | QUESTION | ANSWER => LONGEST_CONTROL,
        _ => return Err(FrameError::Malformed),
    };
    let Some(&first) = stream.get(1) else { return Ok(None) };
    let (header, content) = match first {
        0..=0x7f => (2, usize::from(first)),
        0x81..=0x84 => {
            let digits = usize::from(first & 0x7f);
            let Some(digits) = stream.get(2..2 + digits) else { return Ok(None) };
            (2 + digits.len(), digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)))
        }
        0x80 | 0x85.. => return Err(FrameError::Malformed),
    };
    match content.checked_add(header) {
        Some(length) if length <= most => Ok(Some(length)),
        _ => Err(FrameError::TooLong),
    }
}

/// Why a conversation cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// What came is no frame of this version.
    Malformed,
    /// A frame exceeds its bound.
    TooLong,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "what came over the broker's socket is not understood",
            Self::TooLong => "what came over the broker's socket, or should go there, is too long",
        })
    }
}

impl std::error::Error for FrameError {}

impl From<FrameError> for io::Error {
    fn from(error: FrameError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

impl From<BerError> for FrameError {
    fn from(_: BerError) -> Self {
        Self::Malformed
    }
}

impl From<BufferFull> for FrameError {
    fn from(_: BufferFull) -> Self {
        Self::TooLong
    }
}

const MESSAGE: Tag = Tag::SEQUENCE;
// [APPLICATION 0] to [APPLICATION 2] and [APPLICATION 4] are constructed, [APPLICATION 3] and [APPLICATION 5] are not.
const ORDER: Tag = Tag(0x60);
const OPENED: Tag = Tag(0x61);
const FAILED: Tag = Tag(0x62);
const NOTE: Tag = Tag(0x43);
const QUESTION: Tag = Tag(0x64);
pub(crate) const ANSWER: Tag = Tag(0x45);
/// Room for some paths.
const LONGEST_CONTROL: usize = 64 * 1024;

#[cfg(test)]
mod tests;
