//! The version of a message, which selects its message processing model (RFC 3412 §4.2.1, first
//! step of the dispatcher).

use portreeve_smi::{
    MessageProcessingModel,
    ber::{BerError, Reader, Tag},
};

/// The version field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// A version with a supported message processing model.
    Known(MessageProcessingModel),
    /// Any other version number.
    Unknown(i32),
}

/// Reads only the version of a message.
///
/// # Errors
/// Any [`BerError`] if the message is not a SEQUENCE that starts with an INTEGER.
pub fn peek_version(message: &[u8]) -> Result<Version, BerError> {
    let mut reader = Reader::new(message);
    let version = reader.enter(Tag::SEQUENCE)?.integer()?;
    reader.finish()?;
    Ok(match version {
        0 => Version::Known(MessageProcessingModel::V1),
        1 => Version::Known(MessageProcessingModel::V2c),
        3 => Version::Known(MessageProcessingModel::V3),
        other => Version::Unknown(other),
    })
}
