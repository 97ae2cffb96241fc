//! A PDU and the context it is about (RFC 3412 §6, ScopedPDU).

use portreeve_smi::ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag};

/// A parsed scopedPDU up to its PDU.
#[derive(Clone, Debug)]
pub struct ScopedPdu<'a> {
    /// Whose objects are meant: an engine ID, or empty.
    pub context_engine_id: &'a [u8],
    /// Which of that engine's contexts.
    pub context_name: &'a [u8],
    /// Stands before the PDU, which nothing follows.
    pub pdu: Reader<'a>,
}

impl<'a> ScopedPdu<'a> {
    /// Reads a scopedPDU. What follows it is ignored: block ciphers leave padding there.
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        let context_engine_id = fields.octet_string()?;
        let context_name = fields.octet_string()?;
        Ok(Self { context_engine_id, context_name, pdu: fields })
    }
}

/// Makes the PDU that `writer` holds a scopedPDU.
pub fn prepend_scoped_pdu(
    writer: &mut ReverseWriter<'_>,
    context_engine_id: &[u8],
    context_name: &[u8],
) -> Result<(), BufferFullError> {
    writer.octet_string(context_name)?;
    writer.octet_string(context_engine_id)?;
    writer.wrap(Tag::SEQUENCE, 0)
}
