//! The sources of sessions, and the ranking by which a session is chosen for eviction.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

/// The key of a source: an IPv4 address, an IPv6 /64 (one host usually controls all its addresses),
/// or a local account.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) enum SourceId {
    V4(u32),
    V6(u64),
    Account(u32),
}

impl From<IpAddr> for SourceId {
    fn from(peer: IpAddr) -> Self {
        match peer.to_canonical() {
            IpAddr::V4(v4) => Self::V4(v4.to_bits()),
            IpAddr::V6(v6) => Self::V6((v6.to_bits() >> 64) as u64),
        }
    }
}

/// A source, or a network whose sources are counted together.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum SourceGroup {
    All,
    /// The network prefix, in the lowest bits.
    V6Prefix48(u64),
    V6Prefix56(u64),
    Source(SourceId),
}

impl SourceGroup {
    /// Returns the next larger group that contains this group.
    fn parent(self) -> Option<Self> {
        match self {
            Self::All => None,
            Self::Source(SourceId::V6(prefix)) => Some(Self::V6Prefix56(prefix >> 8)),
            Self::V6Prefix56(prefix) => Some(Self::V6Prefix48(prefix >> 8)),
            Self::V6Prefix48(_) | Self::Source(SourceId::V4(_) | SourceId::Account(_)) => Some(Self::All),
        }
    }
}

/// The groups of sources, ordered by the sum of their sessions' weights. Each operation takes
/// logarithmic time.
#[derive(Debug, Default)]
pub(super) struct SourceRanking {
    weights: HashMap<SourceGroup, Weight>,
    /// The members of each group, ordered by weight; the member with the highest weight is last. Of
    /// members with equal weight, the one whose weight changed least recently is last.
    members: HashMap<SourceGroup, BTreeSet<(usize, Reverse<u64>, SourceGroup)>>,
    changes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    sum: usize,
    /// The sequence number of the last change of this sum.
    changed: u64,
}

impl SourceRanking {
    /// Changes the weight of one session of `source`. A session with weight 0 is not counted.
    pub(super) fn change(&mut self, source: SourceId, old_weight: usize, new_weight: usize) {
        self.changes += 1;
        let mut group = SourceGroup::Source(source);
        while let Some(parent) = group.parent() {
            let members = self.members.entry(parent).or_default();
            let old = self.weights.remove(&group).unwrap_or_default();
            members.remove(&(old.sum, Reverse(old.changed), group));
            let sum = old.sum.saturating_sub(old_weight).saturating_add(new_weight);
            if sum > 0 {
                members.insert((sum, Reverse(self.changes), group));
                self.weights.insert(group, Weight { sum, changed: self.changes });
            } else if members.is_empty() {
                self.members.remove(&parent);
            }
            group = parent;
        }
    }

    /// Returns the source with the highest weight in the heaviest /56 of the heaviest /48; IPv4
    /// addresses and accounts compete with the /48 networks. `None` if there are no sessions.
    pub(super) fn heaviest(&self) -> Option<SourceId> {
        let mut group = SourceGroup::All;
        loop {
            group = self.members.get(&group)?.last()?.2;
            if let SourceGroup::Source(source) = group {
                return Some(source);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty() && self.members.is_empty()
    }
}
