//! Parsing and encoding of msgSecurityParameters of USM (RFC 3414 §2.4).

use std::ops::Range;

use portreeve_smi::ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag};
use portreeve_smi::{ClockReading, EngineBoots};

/// The fields of a received message. Ranges are offsets into the whole message. The digest can
/// therefore be computed with zeros in place of the digest field, and the message can be decrypted
/// while the ranges are in use.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SecurityParameters {
    /// msgAuthoritativeEngineID, of any length.
    pub engine_id: Range<usize>,
    /// msgAuthoritativeEngineBoots and msgAuthoritativeEngineTime.
    pub clock: ClockReading,
    /// msgUserName, at most 32 octets.
    pub user_name: Range<usize>,
    /// msgAuthenticationParameters, of any length.
    pub authentication: Range<usize>,
    /// msgPrivacyParameters, of any length.
    pub privacy: Range<usize>,
}

impl SecurityParameters {
    /// Parses the parameters at `range` of `message`.
    ///
    /// # Errors
    /// Any [`BerError`] if the parameters are malformed or out of range.
    pub fn parse(message: &[u8], range: Range<usize>) -> Result<Self, BerError> {
        //= rfc3414#3.2-1
        //= rfc3414#3.2-2
        let start = range.start;
        let octets = message.get(range).ok_or(BerError::Truncated)?;
        let mut outer = Reader::at(octets, start);
        let mut fields = outer.enter(Tag::SEQUENCE)?;
        outer.finish()?;
        let engine_id = fields.range(Tag::OCTET_STRING)?;
        let boots = EngineBoots::new(fields.unsigned()?).ok_or(BerError::BadValue)?;
        let time = fields.unsigned()?;
        let user_name = fields.range(Tag::OCTET_STRING)?;
        let authentication = fields.range(Tag::OCTET_STRING)?;
        let privacy = fields.range(Tag::OCTET_STRING)?;
        fields.finish()?;
        if time > MAX_TIME || user_name.len() > MAX_USER_NAME_LEN {
            return Err(BerError::BadValue);
        }
        Ok(Self { engine_id, clock: ClockReading { boots, time }, user_name, authentication, privacy })
    }
}

/// The fields of a message to be sent.
pub(super) struct NewParameters<'a> {
    pub(super) engine_id: &'a [u8],
    pub(super) clock: ClockReading,
    pub(super) user_name: &'a [u8],
    /// The number of octets to reserve for the digest, at most 48.
    pub(super) mac_len: usize,
    pub(super) salt: &'a [u8],
}

impl NewParameters<'_> {
    /// Prepends the parameters, wrapped in their OCTET STRING, to the content of `writer`. The
    /// digest field is filled with zeros. Returns the number of octets from the digest field to the
    /// end of the message.
    pub(super) fn prepend(&self, writer: &mut ReverseWriter<'_>) -> Result<usize, BufferFullError> {
        let since = writer.len();
        writer.octet_string(self.salt)?;
        let octets_after_digest = writer.len();
        writer.octet_string(zeros(self.mac_len))?;
        writer.octet_string(self.user_name)?;
        writer.unsigned(Tag::INTEGER, self.clock.time)?;
        writer.unsigned(Tag::INTEGER, self.clock.boots.get())?;
        writer.octet_string(self.engine_id)?;
        writer.wrap(Tag::SEQUENCE, since)?;
        writer.wrap(Tag::OCTET_STRING, since)?;
        Ok(octets_after_digest)
    }
}

/// Returns the input of the digest: the parts of the message before and after `digest`, with zeros
/// between them. Returns `None` if `digest` is longer than any digest, or out of bounds.
pub(super) fn around_digest<'m>(message: &'m [u8], digest: &Range<usize>) -> Option<[&'m [u8]; 3]> {
    let zeros = ZEROS.get(..digest.len())?;
    Some([message.get(..digest.start)?, zeros, message.get(digest.end..)?])
}

fn zeros(len: usize) -> &'static [u8] {
    ZEROS.get(..len).unwrap_or(&ZEROS)
}

/// The zeros that replace a digest. The longest digest has 48 octets.
static ZEROS: [u8; 48] = [0; 48];

const MAX_USER_NAME_LEN: usize = 32;
const MAX_TIME: u32 = 0x7fff_ffff;

#[cfg(test)]
mod tests;
