//! A [`ChannelError`] on its way to the command.

use portreeve_channel::{ChannelError, Step};
use portreeve_smi::ber::{BufferFull, Reader, ReverseWriter};

use crate::{FrameError, order::text};

pub(crate) fn read(content: &[u8]) -> Result<ChannelError, FrameError> {
    let mut fields = Reader::new(content);
    let number = usize::try_from(fields.integer()?).map_err(|_| FrameError::Malformed)?;
    let step = STEPS.get(number).copied().ok_or(FrameError::Malformed)?;
    let (cause, cure) = (text(&mut fields)?, text(&mut fields)?);
    fields.finish()?;
    Ok(ChannelError { step, cause, cure: (!cure.is_empty()).then_some(cure) })
}

pub(crate) fn write(error: &ChannelError, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFull> {
    writer.octet_string(error.cure.as_deref().unwrap_or_default().as_bytes())?;
    writer.octet_string(error.cause.as_bytes())?;
    let number = STEPS.iter().position(|step| *step == error.step).unwrap_or_default();
    writer.integer(i32::try_from(number).unwrap_or_default())
}

/// Each by its number.
const STEPS: [Step; 7] = [
    Step::Resolve,
    Step::Connect,
    Step::Negotiate,
    Step::ServerIdentity,
    Step::ClientIdentity,
    Step::Subsystem,
    Step::Data,
];
