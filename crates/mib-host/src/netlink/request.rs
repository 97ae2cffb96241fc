//! Builds requests to the kernel.

use super::message::{ATTRIBUTE_HEADER, MESSAGE_HEADER, aligned};

/// A request that is built once and sent whenever its table is needed.
pub(crate) struct NetlinkRequest {
    octets: Vec<u8>,
}

impl NetlinkRequest {
    /// Creates a request for a single object. `kind` is `nlmsg_type`, and `header` is the fixed
    /// part of this message type.
    pub(crate) fn one(kind: u16, header: &[u8]) -> Self {
        Self::new(kind, NLM_F_REQUEST, header)
    }

    /// Creates a request for a complete table.
    pub(crate) fn dump(kind: u16, header: &[u8]) -> Self {
        Self::new(kind, NLM_F_REQUEST | NLM_F_DUMP, header)
    }

    fn new(kind: u16, flags: u16, header: &[u8]) -> Self {
        let mut octets = vec![0; MESSAGE_HEADER];
        octets[4..6].copy_from_slice(&kind.to_ne_bytes());
        octets[6..8].copy_from_slice(&flags.to_ne_bytes());
        octets.extend(header);
        Self { octets }.padded()
    }

    /// Appends an attribute of at most 64 KiB.
    pub(crate) fn with_attribute(mut self, kind: u16, content: &[u8]) -> Self {
        let length = u16::try_from(ATTRIBUTE_HEADER + content.len()).unwrap_or(u16::MAX);
        self.octets.extend(length.to_ne_bytes());
        self.octets.extend(kind.to_ne_bytes());
        self.octets.extend(content);
        self.padded()
    }

    /// Returns the message with this sequence number, which the response will repeat.
    pub(super) fn octets(&mut self, sequence: u32) -> &[u8] {
        self.octets[8..12].copy_from_slice(&sequence.to_ne_bytes());
        &self.octets
    }

    fn padded(mut self) -> Self {
        self.octets.resize(aligned(self.octets.len()), 0);
        let length = u32::try_from(self.octets.len()).unwrap_or(u32::MAX);
        self.octets[..4].copy_from_slice(&length.to_ne_bytes());
        self
    }
}

const NLM_F_REQUEST: u16 = 0x1;
const NLM_F_DUMP: u16 = 0x300;
