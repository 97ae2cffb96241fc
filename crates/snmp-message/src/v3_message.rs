//! Messages of SNMPv3 (RFC 3412 §6).

use std::ops::Range;

use portreeve_smi::{
    SecurityLevel, SecurityModel,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag},
};

/// A parsed message. Ranges are offsets into the whole message, so that a security model can verify
/// a digest over the whole message and decrypt in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct V3Message {
    /// The fields of the header, msgGlobalData.
    pub header: HeaderData,
    /// The content of msgSecurityParameters.
    pub security_parameters: Range<usize>,
    /// The position and form of the scopedPDU.
    pub data: ScopedPduData,
}

impl V3Message {
    /// Parses a message whose version is 3 according to [`crate::peek_version`].
    ///
    /// # Errors
    /// Any [`BerError`] if the message is malformed or a header field is out of range.
    pub fn parse(message: &[u8]) -> Result<Self, BerError> {
        let mut reader = Reader::new(message);
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        reader.finish()?;
        fields.integer()?;
        let header = HeaderData::parse(&mut fields)?;
        let security_parameters = fields.range(Tag::OCTET_STRING)?;
        let data = match fields.peek_tag() {
            Some(Tag::OCTET_STRING) => ScopedPduData::Encrypted(fields.range(Tag::OCTET_STRING)?),
            _ => {
                let start = fields.position();
                fields.expect(Tag::SEQUENCE)?;
                ScopedPduData::Plaintext(start..fields.position())
            }
        };
        fields.finish()?;
        Ok(Self { header, security_parameters, data })
    }
}

/// The fields of msgGlobalData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderData {
    /// msgID, which matches a response to its request, 0 ..= 2³¹-1.
    pub msg_id: i32,
    /// msgMaxSize: the size of the largest message that the sender accepts, 484 ..= 2³¹-1 octets.
    pub max_size: u32,
    /// The security level, and whether a Report may be sent back.
    pub flags: MsgFlags,
    /// The security model of the message, 1 ..= 2³¹-1.
    pub security_model: SecurityModel,
}

impl HeaderData {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::SEQUENCE)?;
        let msg_id = fields.integer()?;
        let max_size = fields.unsigned()?;
        let flags = fields.octet_string()?;
        let security_model = fields.unsigned()?;
        fields.finish()?;
        let &[flags] = flags else { return Err(BerError::BadValue) };
        let in_range = msg_id >= 0
            && (Self::MIN_MAX_SIZE..=Self::MAX).contains(&max_size)
            && (1..=Self::MAX).contains(&security_model);
        if !in_range {
            return Err(BerError::BadValue);
        }
        Ok(Self { msg_id, max_size, flags: MsgFlags(flags), security_model: SecurityModel(security_model) })
    }

    /// The minimum of msgMaxSize.
    pub const MIN_MAX_SIZE: u32 = 484;
    const MAX: u32 = 0x7fff_ffff;
}

/// The octet msgFlags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MsgFlags(pub u8);

impl MsgFlags {
    const AUTH: u8 = 1;
    const PRIV: u8 = 2;
    const REPORTABLE: u8 = 4;

    /// Creates the flags of a message to be sent.
    pub fn new(level: SecurityLevel, reportable: bool) -> Self {
        let level = match level {
            SecurityLevel::NoAuthNoPriv => 0,
            SecurityLevel::AuthNoPriv => Self::AUTH,
            SecurityLevel::AuthPriv => Self::AUTH | Self::PRIV,
        };
        Self(level | if reportable { Self::REPORTABLE } else { 0 })
    }

    /// Returns the security level; `None` for privacy without authentication.
    pub fn level(self) -> Option<SecurityLevel> {
        match self.0 & (Self::AUTH | Self::PRIV) {
            0 => Some(SecurityLevel::NoAuthNoPriv),
            Self::AUTH => Some(SecurityLevel::AuthNoPriv),
            Self::PRIV => None,
            _ => Some(SecurityLevel::AuthPriv),
        }
    }

    /// Returns whether a Report may be sent back.
    pub fn is_reportable(self) -> bool {
        self.0 & Self::REPORTABLE != 0
    }
}

/// ScopedPduData. The range of the plaintext form covers the whole element. The range of the
/// encrypted form covers the content of its OCTET STRING.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopedPduData {
    /// An unencrypted scopedPDU.
    Plaintext(Range<usize>),
    /// An encrypted scopedPDU.
    Encrypted(Range<usize>),
}

/// Prepends the headers that turn the msgSecurityParameters and msgData in `writer` into a message.
///
/// # Errors
/// [`BufferFullError`] if the buffer has no room.
pub fn prepend_v3_message(
    writer: &mut ReverseWriter<'_>,
    header: &HeaderData,
) -> Result<(), BufferFullError> {
    let since = writer.len();
    writer.unsigned(Tag::INTEGER, header.security_model.0)?;
    writer.octet_string(&[header.flags.0])?;
    writer.unsigned(Tag::INTEGER, header.max_size)?;
    writer.integer(header.msg_id)?;
    writer.wrap(Tag::SEQUENCE, since)?;
    writer.integer(VERSION)?;
    writer.wrap(Tag::SEQUENCE, 0)
}

const VERSION: i32 = 3;

#[cfg(test)]
mod tests;
