//! Messages of SNMPv1 and SNMPv2c (RFC 1157 §4, RFC 1901 §3).

use portreeve_smi::{
    MessageProcessingModel,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag},
};

/// A parsed message up to its PDU.
#[derive(Clone, Debug)]
pub struct CommunityMessage<'a> {
    /// The shared word that stands for a user.
    pub community: &'a [u8],
    /// Stands before the PDU, which nothing follows.
    pub pdu: Reader<'a>,
}

impl<'a> CommunityMessage<'a> {
    /// Reads a message whose version [`crate::peek_version`] has found to be 0 or 1.
    pub fn parse(message: &'a [u8]) -> Result<Self, BerError> {
        let mut reader = Reader::new(message);
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        reader.finish()?;
        fields.integer()?;
        let community = fields.octet_string()?;
        Ok(Self { community, pdu: fields })
    }
}

/// Makes the PDU that `writer` holds a message.
pub fn prepend_community_message(
    writer: &mut ReverseWriter<'_>,
    version: MessageProcessingModel,
    community: &[u8],
) -> Result<(), BufferFullError> {
    writer.octet_string(community)?;
    writer.integer(i32::from(version as u8))?;
    writer.wrap(Tag::SEQUENCE, 0)
}
