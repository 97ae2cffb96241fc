//! Keys of leaf-list entries. Those of list entries are encoded by
//! [`Schema::encode_key`](portreeve_yang::Schema::encode_key).

use crate::RowKey;

/// Returns the key of a leaf-list entry, which is its canonical value.
pub fn value_key(value: &str) -> RowKey {
    RowKey::from(value.as_bytes())
}

/// Returns the canonical value of a leaf-list entry.
pub fn value_of(key: &RowKey) -> &str {
    std::str::from_utf8(key.as_octets()).unwrap_or_default()
}

/// Maximum number of octets of the keys of a list entry, encoded together. Each path and each
/// record below the entry contains them.
pub const MAX_KEY_OCTETS: usize = 1024;
