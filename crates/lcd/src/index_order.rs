//! The order of rows: the lexicographical order of their index arcs, in which GETNEXT visits them
//! (RFC 2578 §7.7).
//!
//! A part of variable length is preceded by its length, so that a shorter part comes first, unless
//! it is IMPLIED: the last part of its index can be. Keys without counted parts derive their order.

/// Returns the sort key of a part that its length precedes.
pub(crate) fn counted<T>(part: &[T]) -> (usize, &[T]) {
    (part.len(), part)
}

/// Orders the keys of a table by this sort key.
macro_rules! order_by_index {
    ($key:ty, |$row:ident| $sort_key:expr) => {
        impl Ord for $key {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                fn sort_key($row: &$key) -> impl Ord {
                    $sort_key
                }
                sort_key(self).cmp(&sort_key(other))
            }
        }

        impl PartialOrd for $key {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
    };
}

pub(crate) use order_by_index;
