//! Frames of the protocol, and their length in the stream.

use std::{fmt, io};

use portreeve_channel::ChannelError;
use portreeve_smi::ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag};

use crate::{PromptRequest, PromptResponse, SessionOpened, SessionRequest, failure};

/// One frame of the protocol.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'f> {
    /// An SNMP message, unchanged, to or from the agent.
    Message(&'f mut [u8]),
    /// The command requests a session.
    Request(SessionRequest),
    /// The broker needs a response from the user to open the session.
    Prompt(PromptRequest),
    /// The command's response to a prompt.
    PromptResponse(PromptResponse),
    /// The session is open.
    Opened(SessionOpened),
    /// The session could not be opened, or has failed.
    Failed(ChannelError),
    /// The command stores a note for the next command in this session: at most
    /// [`Frame::MAX_NOTE_LEN`] octets.
    Note(&'f [u8]),
}

impl<'f> Frame<'f> {
    /// The maximum length of a note in octets.
    pub const MAX_NOTE_LEN: usize = 64;
    /// The maximum length of a response in octets.
    pub const MAX_RESPONSE_LEN: usize = 4096;
    /// The maximum length of an SNMP message in octets.
    pub const MAX_MESSAGE_LEN: usize = 1 << 20;

    /// Decodes a complete frame.
    pub(crate) fn read(octets: &'f mut [u8]) -> Result<Self, FrameError> {
        let tag = octets.first().copied().map(Tag);
        if tag == Some(MESSAGE) {
            return Ok(Self::Message(octets));
        }
        if tag == Some(PROMPT_RESPONSE) {
            return PromptResponse::take(octets).map(Self::PromptResponse);
        }
        let (tag, content) = Reader::new(octets).read()?;
        match tag {
            REQUEST => SessionRequest::read(content).map(Self::Request),
            PROMPT => PromptRequest::read(content).map(Self::Prompt),
            OPENED => SessionOpened::read(content).map(Self::Opened),
            FAILED => failure::read(content).map(Self::Failed),
            NOTE if content.len() <= Self::MAX_NOTE_LEN => Ok(Self::Note(content)),
            _ => Err(FrameError::Malformed),
        }
    }

    /// Encodes the frame. An SNMP message is sent as it is, so callers rarely encode one.
    ///
    /// # Errors
    /// If the frame is longer than allowed.
    pub fn encode(&self) -> Result<Vec<u8>, FrameError> {
        let mut buffer = vec![0; MAX_CONTROL_LEN];
        let mut writer = ReverseWriter::new(&mut buffer);
        let tag = match self {
            Self::Message(message) => return Ok(message.to_vec()),
            Self::Request(request) => request.write(&mut writer).map(|()| REQUEST),
            Self::Prompt(prompt) => prompt.write(&mut writer).map(|()| PROMPT),
            // For tests only: this copy of the response is not wiped.
            Self::PromptResponse(response) => return Ok(response.encode()?.expose().to_vec()),
            Self::Opened(opened) => opened.write(&mut writer).map(|()| OPENED),
            Self::Failed(error) => failure::write(error, &mut writer).map(|()| FAILED),
            Self::Note(note) => writer.raw(note).map(|()| NOTE),
        };
        writer.wrap(tag?, 0)?;
        Ok(writer.written().to_vec())
    }
}

/// Returns the length of the frame at the start of `stream`; `None` if more octets are needed to
/// determine it.
pub(crate) fn frame_length(stream: &[u8]) -> Result<Option<usize>, FrameError> {
    let Some(&tag) = stream.first() else { return Ok(None) };
    let max_len = match Tag(tag) {
        MESSAGE => Frame::MAX_MESSAGE_LEN,
        REQUEST | OPENED | FAILED | NOTE | PROMPT | PROMPT_RESPONSE => MAX_CONTROL_LEN,
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
        Some(length) if length <= max_len => Ok(Some(length)),
        _ => Err(FrameError::TooLong),
    }
}

/// Returns the beginning of a text for display, so that it fits into a frame. A server chooses the
/// length of its name and of its error messages.
pub(crate) fn shortened(text: &str) -> &str {
    let end = (0..=text.len().min(MAX_TEXT_LEN)).rev().find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

/// The reason why a connection cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// Not a frame of this protocol version.
    Malformed,
    /// The frame exceeds its maximum length.
    TooLong,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "malformed frame on the broker's socket",
            Self::TooLong => "frame too long for the broker's socket",
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

impl From<BufferFullError> for FrameError {
    fn from(_: BufferFullError) -> Self {
        Self::TooLong
    }
}

const MESSAGE: Tag = Tag::SEQUENCE;
// The tags of the frames. [APPLICATION 0] to [APPLICATION 2] and [APPLICATION 4] are constructed,
// [APPLICATION 3] and [APPLICATION 5] are not.
const REQUEST: Tag = Tag(0x60);
const OPENED: Tag = Tag(0x61);
const FAILED: Tag = Tag(0x62);
const NOTE: Tag = Tag(0x43);
const PROMPT: Tag = Tag(0x64);
pub(crate) const PROMPT_RESPONSE: Tag = Tag(0x45);
/// The maximum length of a control frame in octets: enough for several paths.
const MAX_CONTROL_LEN: usize = 64 * 1024;
/// The maximum length of a text for display in octets. Several such texts fit into a frame.
const MAX_TEXT_LEN: usize = 4096;

#[cfg(test)]
mod tests;
