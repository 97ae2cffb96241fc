//! Messages of SNMPv1 and SNMPv2c (RFC 1157 §4, RFC 1901 §3).

use portreeve_smi::{
    MessageProcessingModel,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag},
};

/// A message parsed up to its PDU.
#[derive(Clone)]
pub struct CommunityMessage<'a> {
    /// The community name.
    pub community: &'a [u8],
    /// A reader positioned at the PDU, the last element of the message.
    pub pdu: Reader<'a>,
}

impl<'a> CommunityMessage<'a> {
    /// Parses a message whose version is 0 or 1 according to [`crate::peek_version`].
    ///
    /// # Errors
    /// Any [`BerError`] if the message is malformed.
    pub fn parse(message: &'a [u8]) -> Result<Self, BerError> {
        let mut reader = Reader::new(message);
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        reader.finish()?;
        fields.integer()?;
        let community = fields.octet_string()?;
        Ok(Self { community, pdu: fields })
    }
}

/// Prepends the headers that turn the PDU in `writer` into a message.
///
/// # Errors
/// [`BufferFullError`] if the buffer has no room.
pub fn prepend_community_message(
    writer: &mut ReverseWriter<'_>,
    version: MessageProcessingModel,
    community: &[u8],
) -> Result<(), BufferFullError> {
    writer.octet_string(community)?;
    writer.integer(i32::from(version as u8))?;
    writer.wrap(Tag::SEQUENCE, 0)
}
