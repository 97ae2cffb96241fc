//! Messages of SNMPv3 (RFC 3412 §6).

use std::ops::Range;

use portreeve_smi::{
    SecurityLevel, SecurityModel,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag},
};

/// A parsed message. Ranges are offsets into the whole message, so that a security model can check a digest over all
/// of it and decrypt in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct V3Message {
    /// The header.
    pub header: HeaderData,
    /// Content of msgSecurityParameters.
    pub security_parameters: Range<usize>,
    /// Where the scopedPDU is, and in what form.
    pub data: ScopedPduData,
}

impl V3Message {
    /// Reads a message whose version [`crate::peek_version`] has found to be 3.
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

/// msgGlobalData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderData {
    /// Matches a response to its request, 0 ..= 2³¹-1.
    pub msg_id: i32,
    /// The largest message the sender takes, 484 ..= 2³¹-1 octets.
    pub max_size: u32,
    /// How the message is protected and whether a Report may be sent back.
    pub flags: MsgFlags,
    /// The security model in charge, 1 ..= 2³¹-1.
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

    /// The least msgMaxSize anybody may state.
    pub const MIN_MAX_SIZE: u32 = 484;
    const MAX: u32 = 0x7fff_ffff;
}

/// msgFlags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MsgFlags(pub u8);

impl MsgFlags {
    const AUTH: u8 = 1;
    const PRIV: u8 = 2;
    const REPORTABLE: u8 = 4;

    /// Flags for a message to be sent.
    pub fn new(level: SecurityLevel, reportable: bool) -> Self {
        let level = match level {
            SecurityLevel::NoAuthNoPriv => 0,
            SecurityLevel::AuthNoPriv => Self::AUTH,
            SecurityLevel::AuthPriv => Self::AUTH | Self::PRIV,
        };
        Self(level | if reportable { Self::REPORTABLE } else { 0 })
    }

    /// The security level, `None` for privacy without authentication.
    pub fn level(self) -> Option<SecurityLevel> {
        match self.0 & (Self::AUTH | Self::PRIV) {
            0 => Some(SecurityLevel::NoAuthNoPriv),
            Self::AUTH => Some(SecurityLevel::AuthNoPriv),
            Self::PRIV => None,
            _ => Some(SecurityLevel::AuthPriv),
        }
    }

    /// Whether a Report may be sent back.
    pub fn is_reportable(self) -> bool {
        self.0 & Self::REPORTABLE != 0
    }
}

/// ScopedPduData. The range of the plaintext form covers the whole element, that of the encrypted form the content of
/// its OCTET STRING.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopedPduData {
    /// A scopedPDU in clear.
    Plaintext(Range<usize>),
    /// An encrypted one.
    Encrypted(Range<usize>),
}

/// Makes the msgSecurityParameters and msgData that `writer` holds a message.
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
