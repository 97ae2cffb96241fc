//! The sources of sessions, and the ranking by which a session is chosen for eviction.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

/// The key of a source: an IPv4 address, the IPv6 /64 that one host controls anyway, or a local
/// account.
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
    /// Returns the next larger group.
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
    /// The members of each group, the one with the highest weight last. Among equals, the one that
    /// has not changed for the longest time is last.
    members: HashMap<SourceGroup, BTreeSet<(usize, Reverse<u64>, SourceGroup)>>,
    changes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    sum: usize,
    /// The number of the change that led to this sum.
    changed: u64,
}

impl SourceRanking {
    /// Adds a session of `source`, or increases its weight.
    pub(super) fn add(&mut self, source: SourceId, weight: usize) {
        self.change(source, |sum| sum.saturating_add(weight));
    }

    /// Removes a session of `source`, or decreases its weight.
    pub(super) fn subtract(&mut self, source: SourceId, weight: usize) {
        self.change(source, |sum| sum.saturating_sub(weight));
    }

    /// Returns the source with the highest weight in the heaviest /56 of the heaviest /48; IPv4
    /// addresses and accounts rank with the /48s. `None` if there are no sessions.
    pub(super) fn heaviest(&self) -> Option<SourceId> {
        let mut group = SourceGroup::All;
        loop {
            group = self.members.get(&group)?.last()?.2;
            if let SourceGroup::Source(source) = group {
                return Some(source);
            }
        }
    }

    fn change(&mut self, source: SourceId, new_sum: impl Fn(usize) -> usize) {
        self.changes += 1;
        let mut group = SourceGroup::Source(source);
        while let Some(parent) = group.parent() {
            let members = self.members.entry(parent).or_default();
            let old = self.weights.remove(&group).unwrap_or_default();
            members.remove(&(old.sum, Reverse(old.changed), group));
            let new = Weight { sum: new_sum(old.sum), changed: self.changes };
            if new.sum > 0 {
                members.insert((new.sum, Reverse(new.changed), group));
                self.weights.insert(group, new);
            } else if members.is_empty() {
                self.members.remove(&parent);
            }
            group = parent;
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty() && self.members.is_empty()
    }
}
