//! The frame that reports an open session.

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter};

use crate::{Frame, FrameError, VERSION, frame::shortened, request::text};

/// An open session, which belongs to this command until the command ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOpened {
    /// The authenticated identity of the agent, for display.
    pub peer: String,
    /// The protocol version for display, such as `TLSv1.3`.
    pub protocol: String,
    /// The note that the last command in this session has stored; empty for a new session.
    pub note: Vec<u8>,
}

impl SessionOpened {
    pub(crate) fn read(content: &[u8]) -> Result<Self, FrameError> {
        let mut fields = Reader::new(content);
        if fields.integer()? != VERSION {
            return Err(FrameError::Malformed);
        }
        let (peer, protocol, note) = (text(&mut fields)?, text(&mut fields)?, fields.octet_string()?);
        fields.finish()?;
        if note.len() > Frame::MAX_NOTE_LEN {
            return Err(FrameError::TooLong);
        }
        Ok(Self { peer, protocol, note: note.to_vec() })
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        writer.octet_string(&self.note)?;
        writer.octet_string(self.protocol.as_bytes())?;
        writer.octet_string(shortened(&self.peer).as_bytes())?;
        writer.integer(VERSION)
    }
}
