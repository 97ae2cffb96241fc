//! The broker's word that the session is open.

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter};

use crate::{Frame, FrameError, VERSION, request::text};

/// A session is open, and belongs to this command until it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOpened {
    /// Whom the session has proven the agent's side to be, for people.
    pub peer: String,
    /// What is spoken in it, for people, such as `TLSv1.3`.
    pub protocol: String,
    /// What the last command that used this session has left; empty for a new one.
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
        writer.octet_string(self.peer.as_bytes())?;
        writer.integer(VERSION)
    }
}
