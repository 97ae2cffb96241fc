//! Parses messages from the kernel, and their attributes.

/// One message of a datagram.
#[derive(Clone, Copy)]
pub(crate) struct NetlinkMessage<'a> {
    /// The type of the message: `nlmsg_type`.
    pub(crate) kind: u16,
    /// The flags of the message: `nlmsg_flags`.
    pub(crate) flags: u16,
    /// `nlmsg_seq`: the sequence number of the request.
    pub(crate) sequence: u32,
    /// The content after the header, without padding.
    pub(crate) payload: &'a [u8],
}

/// Iterates over the messages of one datagram.
pub(crate) struct Messages<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Messages<'a> {
    type Item = NetlinkMessage<'a>;

    fn next(&mut self) -> Option<NetlinkMessage<'a>> {
        let length = usize::try_from(u32_at(self.0, 0)?).ok()?;
        let message = NetlinkMessage {
            kind: u16_at(self.0, 4)?,
            flags: u16_at(self.0, 6)?,
            sequence: u32_at(self.0, 8)?,
            payload: self.0.get(MESSAGE_HEADER..length)?,
        };
        self.0 = self.0.get(aligned(length)..).unwrap_or_default();
        Some(message)
    }
}

/// Iterates over the attributes of a message or of a nested attribute, as type and content.
pub(crate) struct Attributes<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<(u16, &'a [u8])> {
        let length = usize::from(u16_at(self.0, 0)?);
        let kind = u16_at(self.0, 2)? & !FLAGS;
        let content = self.0.get(ATTRIBUTE_HEADER..length)?;
        self.0 = self.0.get(aligned(length)..).unwrap_or_default();
        Some((kind, content))
    }
}

/// Returns the number at this offset, in native byte order; `None` past the end.
pub(crate) fn u16_at(octets: &[u8], offset: usize) -> Option<u16> {
    octets.get(offset..)?.first_chunk().map(|chunk| u16::from_ne_bytes(*chunk))
}

/// Returns the number at this offset, in native byte order; `None` past the end.
pub(crate) fn u32_at(octets: &[u8], offset: usize) -> Option<u32> {
    octets.get(offset..)?.first_chunk().map(|chunk| u32::from_ne_bytes(*chunk))
}

/// Returns the number at this offset, in native byte order; `None` past the end.
pub(crate) fn i32_at(octets: &[u8], offset: usize) -> Option<i32> {
    octets.get(offset..)?.first_chunk().map(|chunk| i32::from_ne_bytes(*chunk))
}

/// Returns the number at this offset, in native byte order; `None` past the end.
pub(crate) fn u64_at(octets: &[u8], offset: usize) -> Option<u64> {
    octets.get(offset..)?.first_chunk().map(|chunk| u64::from_ne_bytes(*chunk))
}

/// Returns the aligned length: messages and attributes start at multiples of four octets.
pub(super) fn aligned(length: usize) -> usize {
    length.next_multiple_of(4)
}

pub(super) const MESSAGE_HEADER: usize = 16;
pub(super) const ATTRIBUTE_HEADER: usize = 4;

/// The flags `NLA_F_NESTED` and `NLA_F_NET_BYTEORDER`. They are not part of the attribute type.
const FLAGS: u16 = 0xc000;

#[cfg(test)]
mod tests;
