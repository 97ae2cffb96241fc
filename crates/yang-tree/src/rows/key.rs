//! Keys of sorted maps. Short keys are stored in place, because most keys are short.

use std::{borrow::Borrow, cmp::Ordering, fmt, sync::Arc};

/// Octets that identify an entry of a map. Clones share long keys.
#[derive(Clone)]
pub struct RowKey(Octets);

#[derive(Clone)]
enum Octets {
    /// The octets after `len` are zero.
    Short {
        len: u8,
        octets: [u8; MAX_SHORT],
    },
    Long(Arc<[u8]>),
}

impl RowKey {
    /// Returns the octets.
    pub fn as_octets(&self) -> &[u8] {
        match &self.0 {
            Octets::Short { len, octets } => octets.get(..usize::from(*len)).unwrap_or_default(),
            Octets::Long(octets) => octets,
        }
    }
}

impl From<&[u8]> for RowKey {
    fn from(key: &[u8]) -> Self {
        let mut octets = [0; MAX_SHORT];
        match (octets.get_mut(..key.len()), u8::try_from(key.len())) {
            (Some(start), Ok(len)) => {
                start.copy_from_slice(key);
                Self(Octets::Short { len, octets })
            }
            _ => Self(Octets::Long(key.into())),
        }
    }
}

impl Borrow<[u8]> for RowKey {
    fn borrow(&self) -> &[u8] {
        self.as_octets()
    }
}

impl PartialEq for RowKey {
    fn eq(&self, other: &Self) -> bool {
        self.as_octets() == other.as_octets()
    }
}

impl Eq for RowKey {}

impl PartialOrd for RowKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RowKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_octets().cmp(other.as_octets())
    }
}

/// Prints no octets, which can be secret.
impl fmt::Debug for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowKey({} octets)", self.as_octets().len())
    }
}

/// Octets that fit beside the length and the tag in three words.
const MAX_SHORT: usize = 22;

const _: () = assert!(size_of::<RowKey>() == 24, "a key takes three words");
