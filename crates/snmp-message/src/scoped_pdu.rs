//! A PDU and its context (RFC 3412 §6, ScopedPDU).

use portreeve_smi::ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag};

/// A scopedPDU parsed up to its PDU.
#[derive(Clone)]
pub struct ScopedPdu<'a> {
    /// The ID of the engine that serves the context; may be empty.
    pub context_engine_id: &'a [u8],
    /// The name of the context on that engine.
    pub context_name: &'a [u8],
    /// A reader positioned at the PDU, the last element of the scopedPDU.
    pub pdu: Reader<'a>,
}

impl<'a> ScopedPdu<'a> {
    /// Parses a scopedPDU. Octets after the scopedPDU are ignored, because they may be the padding
    /// of a block cipher.
    ///
    /// # Errors
    /// Any [`BerError`] if the scopedPDU is malformed.
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        let context_engine_id = fields.octet_string()?;
        let context_name = fields.octet_string()?;
        Ok(Self { context_engine_id, context_name, pdu: fields })
    }
}

/// Prepends the headers that turn the PDU in `writer` into a scopedPDU.
///
/// # Errors
/// [`BufferFullError`] if the buffer has no room.
pub fn prepend_scoped_pdu(
    writer: &mut ReverseWriter<'_>,
    context_engine_id: &[u8],
    context_name: &[u8],
) -> Result<(), BufferFullError> {
    writer.octet_string(context_name)?;
    writer.octet_string(context_engine_id)?;
    writer.wrap(Tag::SEQUENCE, 0)
}
