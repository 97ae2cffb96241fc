//! PDUs of SNMPv2 and, except for the trap, of SNMPv1 (RFC 3416 §3, RFC 1157 §4.1).

use std::fmt;

use portreeve_secret::wipe;
use portreeve_smi::{
    OidRef, Value,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag, check_oid},
};

/// A parsed PDU. Every variable binding has been validated.
#[derive(Clone, Copy, Debug)]
pub struct Pdu<'a> {
    /// The type of the PDU.
    pub pdu_type: PduType,
    /// The request-id, which the requester chooses and the response repeats.
    pub request_id: i32,
    /// The error-status of a response, or the non-repeaters of a GetBulkRequest.
    pub error_status: i32,
    /// The error-index of a response, counted from 1, or the max-repetitions of a GetBulkRequest.
    pub error_index: i32,
    /// The variable bindings.
    pub var_binds: VarBinds<'a>,
}

impl<'a> Pdu<'a> {
    /// Parses one PDU. An SNMPv1 trap has a different layout: see [`crate::TrapV1`].
    ///
    /// # Errors
    /// Any [`BerError`] if the PDU is malformed or of an unknown type.
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let tag = reader.peek_tag().ok_or(BerError::Truncated)?;
        let pdu_type = PduType::from_tag(tag).ok_or(BerError::UnexpectedTag)?;
        let mut fields = reader.enter(tag)?;
        let request_id = fields.integer()?;
        let error_status = fields.integer()?;
        let error_index = fields.integer()?;
        let var_binds = VarBinds::parse(&mut fields)?;
        fields.finish()?;
        Ok(Self { pdu_type, request_id, error_status, error_index, var_binds })
    }
}

/// A PDU that outlives its message, for responses that are sent later. The variable bindings are
/// wiped when dropped: those of a SET can contain communities and changes of keys.
#[derive(Clone)]
pub struct OwnedPdu {
    pdu_type: PduType,
    request_id: i32,
    error_status: i32,
    error_index: i32,
    octets: Box<[u8]>,
    count: usize,
}

impl OwnedPdu {
    /// Returns a PDU that borrows from this one.
    pub fn as_pdu(&self) -> Pdu<'_> {
        Pdu {
            pdu_type: self.pdu_type,
            request_id: self.request_id,
            error_status: self.error_status,
            error_index: self.error_index,
            var_binds: VarBinds { octets: &self.octets, count: self.count },
        }
    }
}

impl From<&Pdu<'_>> for OwnedPdu {
    fn from(pdu: &Pdu<'_>) -> Self {
        Self {
            pdu_type: pdu.pdu_type,
            request_id: pdu.request_id,
            error_status: pdu.error_status,
            error_index: pdu.error_index,
            octets: pdu.var_binds.octets.into(),
            count: pdu.var_binds.count,
        }
    }
}

impl Drop for OwnedPdu {
    fn drop(&mut self) {
        wipe(&mut self.octets);
    }
}

impl fmt::Debug for OwnedPdu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_pdu().fmt(f)
    }
}

/// The PDU types, except for the trap of SNMPv1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the RFC's")]
pub enum PduType {
    GetRequest,
    GetNextRequest,
    Response,
    SetRequest,
    GetBulkRequest,
    InformRequest,
    TrapV2,
    Report,
}

impl PduType {
    /// Returns the type with this tag.
    pub fn from_tag(tag: Tag) -> Option<Self> {
        Some(match tag {
            Tag::GET_REQUEST => Self::GetRequest,
            Tag::GET_NEXT_REQUEST => Self::GetNextRequest,
            Tag::RESPONSE => Self::Response,
            Tag::SET_REQUEST => Self::SetRequest,
            Tag::GET_BULK_REQUEST => Self::GetBulkRequest,
            Tag::INFORM_REQUEST => Self::InformRequest,
            Tag::TRAP_V2 => Self::TrapV2,
            Tag::REPORT => Self::Report,
            _ => return None,
        })
    }

    /// Returns the tag of this type on the wire.
    pub fn tag(self) -> Tag {
        match self {
            Self::GetRequest => Tag::GET_REQUEST,
            Self::GetNextRequest => Tag::GET_NEXT_REQUEST,
            Self::Response => Tag::RESPONSE,
            Self::SetRequest => Tag::SET_REQUEST,
            Self::GetBulkRequest => Tag::GET_BULK_REQUEST,
            Self::InformRequest => Tag::INFORM_REQUEST,
            Self::TrapV2 => Tag::TRAP_V2,
            Self::Report => Tag::REPORT,
        }
    }

    /// Returns whether the sender expects a response: the Confirmed Class (RFC 3411 §2.8).
    pub fn is_confirmed(self) -> bool {
        matches!(
            self,
            Self::GetRequest
                | Self::GetNextRequest
                | Self::GetBulkRequest
                | Self::SetRequest
                | Self::InformRequest
        )
    }
}

/// A variable binding as encoded in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarBind<'a> {
    /// The name of the instance, as validated content octets.
    pub name: OidRef<'a>,
    /// The value, or an exception instead of a value.
    pub value: Value<'a>,
}

impl<'a> VarBind<'a> {
    /// Parses and validates one binding.
    ///
    /// # Errors
    /// Any [`BerError`] if the binding is malformed or its value is invalid.
    // Inlined, so that the compiler can omit the decoding of values that are only validated.
    #[inline(always)]
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        let name = fields.expect(Tag::OBJECT_IDENTIFIER)?;
        check_oid(name)?;
        let (tag, content) = fields.read()?;
        let value = Value::from_content(tag, content)?;
        fields.finish()?;
        Ok(Self { name: OidRef::Encoded(name), value })
    }

    /// Parses a binding that [`VarBind::parse`] has already accepted or that this program has
    /// written.
    #[inline(always)]
    fn parse_validated(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        let name = fields.expect(Tag::OBJECT_IDENTIFIER)?;
        let (tag, content) = fields.read()?;
        let value = Value::from_validated_content(tag, content)?;
        Ok(Self { name: OidRef::Encoded(name), value })
    }
}

/// A validated list of variable bindings, in the order of the message.
#[derive(Clone, Copy, Default)]
pub struct VarBinds<'a> {
    octets: &'a [u8],
    count: usize,
}

/// Omits the values, which can be communities and changes of keys.
impl fmt::Debug for VarBinds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VarBinds").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'a> VarBinds<'a> {
    /// Parses and validates a list.
    ///
    /// # Errors
    /// Any [`BerError`] if the list or one of its bindings is malformed.
    #[inline]
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        Self::parse_encoded(reader.expect(Tag::SEQUENCE)?)
    }

    /// Parses and validates bindings as [`Self::encoded`] returns them, without the header of the
    /// list.
    ///
    /// # Errors
    /// Any [`BerError`] if one of them is malformed.
    #[inline]
    pub fn parse_encoded(octets: &'a [u8]) -> Result<Self, BerError> {
        let mut list = Reader::new(octets);
        let mut count = 0;
        while !list.is_empty() {
            VarBind::parse(&mut list)?;
            count += 1;
        }
        Ok(Self { octets, count })
    }

    /// Creates a list that was validated before: `octets` and `count` are the results of
    /// [`Self::encoded`] and [`Self::len`] for a list from [`Self::parse`]. For other octets,
    /// iteration ends at the first invalid binding.
    pub fn from_validated(octets: &'a [u8], count: usize) -> Self {
        Self { octets, count }
    }

    /// Returns the number of bindings.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no bindings.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the bindings as encoded in the message, without the header of the list. Error
    /// responses repeat these octets.
    pub fn encoded(&self) -> &'a [u8] {
        self.octets
    }

    /// Iterates over the bindings in order.
    pub fn iter(&self) -> impl Iterator<Item = VarBind<'a>> + Clone + use<'a> {
        let mut reader = Reader::new(self.octets);
        // The list has been validated, so the first error marks the end of the list.
        std::iter::from_fn(move || VarBind::parse_validated(&mut reader).ok())
    }
}

/// Iterates over the names in validated or locally encoded variable bindings, as content octets. An
/// identifier has only one encoding, so these octets can be compared.
pub fn encoded_names(var_binds: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut reader = Reader::new(var_binds);
    std::iter::from_fn(move || reader.enter(Tag::SEQUENCE).ok()?.expect(Tag::OBJECT_IDENTIFIER).ok())
}

/// Prepends the headers that turn the encoded variable bindings in `writer` into a PDU.
///
/// For a GetBulkRequest, `error_status` and `error_index` are non-repeaters and max-repetitions.
///
/// # Errors
/// [`BufferFullError`] if the buffer has no room.
pub fn prepend_pdu(
    writer: &mut ReverseWriter<'_>,
    pdu_type: PduType,
    request_id: i32,
    error_status: i32,
    error_index: i32,
) -> Result<(), BufferFullError> {
    writer.wrap(Tag::SEQUENCE, 0)?;
    writer.integer(error_index)?;
    writer.integer(error_status)?;
    writer.integer(request_id)?;
    writer.wrap(pdu_type.tag(), 0)
}

#[cfg(test)]
mod tests;
