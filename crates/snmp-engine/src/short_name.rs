//! Names and engine IDs of at most 32 octets, copied by value.

/// A user name, contextName or contextEngineID (RFC 3411 §3.3, RFC 3414 §2.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShortName {
    octets: [u8; 32],
    length: u8,
}

impl ShortName {
    /// Copies `name`; `None` if it is longer than 32 octets.
    pub(crate) fn new(name: &[u8]) -> Option<Self> {
        let mut octets = [0; 32];
        octets.get_mut(..name.len())?.copy_from_slice(name);
        Some(Self { octets, length: u8::try_from(name.len()).ok()? })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.octets.get(..usize::from(self.length)).unwrap_or_default()
    }
}
