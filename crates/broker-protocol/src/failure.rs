//! Encoding of a [`ChannelError`] for the command.

use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter};

use crate::{FrameError, frame::shortened, request::text};

pub(crate) fn read(content: &[u8]) -> Result<ChannelError, FrameError> {
    let mut fields = Reader::new(content);
    let number = usize::try_from(fields.integer()?).map_err(|_| FrameError::Malformed)?;
    let step = STEPS.get(number).copied().ok_or(FrameError::Malformed)?;
    let (cause, hint) = (text(&mut fields)?, text(&mut fields)?);
    fields.finish()?;
    // The command counts no sessions, so that the reason is not sent.
    Ok(ChannelError { step, cause, hint: (!hint.is_empty()).then_some(hint), reason: None })
}

pub(crate) fn write(error: &ChannelError, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
    writer.octet_string(shortened(error.hint.as_deref().unwrap_or_default()).as_bytes())?;
    writer.octet_string(shortened(&error.cause).as_bytes())?;
    let number = STEPS.iter().position(|step| *step == error.step).unwrap_or_default();
    writer.integer(i32::try_from(number).unwrap_or_default())
}

/// The steps by their number on the wire.
const STEPS: [ChannelStep; 7] = [
    ChannelStep::Resolve,
    ChannelStep::Connect,
    ChannelStep::Negotiate,
    ChannelStep::ServerIdentity,
    ChannelStep::ClientIdentity,
    ChannelStep::Subsystem,
    ChannelStep::Data,
];
