//! One row of ifTable and ifXTable.

use super::{
    Link,
    if_type::{has_physical_address, if_type},
};

/// An interface with what has been worked out about it.
///
/// Times are hundredths of a second of sysUpTime; 0 stands for the time before this program started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The row's index arcs: ifIndex.
    pub index: [u32; 1],
    /// What the kernel says.
    pub link: Link,
    /// IANAifType.
    pub if_type: i32,
    /// ifLastChange: when it was seen to enter its present state.
    pub last_change: u32,
    /// ifCounterDiscontinuityTime: when its counters were seen to start anew.
    pub discontinuity: u32,
    /// Whether another interface lies above this one.
    pub has_higher: bool,
    /// Whether this one lies above another.
    pub has_lower: bool,
}

impl Interface {
    /// ifPhysAddress.
    pub fn physical_address(&self) -> &[u8] {
        if has_physical_address(&self.link) { &self.link.address } else { &[] }
    }

    /// ifAlias: as much as fits its 64 octets, cut where a character begins.
    pub fn alias(&self) -> &[u8] {
        let alias = &self.link.alias;
        let starts = |end: &usize| alias.get(*end).is_none_or(|octet| octet & 0xc0 != 0x80);
        let end = (0..=MAX_ALIAS_LEN.min(alias.len())).rev().find(starts).unwrap_or(0);
        &alias[..end]
    }

    /// Works out what follows from the link alone.
    pub(super) fn derive_fields(&mut self) {
        self.index = [self.link.index];
        self.if_type = if_type(&self.link);
        (self.has_higher, self.has_lower) = (false, false);
    }

    /// Dates this row, `before` being what the last snapshot says of the same interface and `now` what a change seen
    /// in this one is dated.
    pub(super) fn update_timestamps(&mut self, before: Option<&Self>, now: u32) {
        let same_state = before.filter(|before| {
            before.link.status == self.link.status
                && before.link.admin_up == self.link.admin_up
                && before.link.carrier_changes == self.link.carrier_changes
        });
        let same_counters =
            before.filter(|before| !self.link.counters.has_reset_since(&before.link.counters));
        self.last_change = same_state.map_or(now, |before| before.last_change);
        self.discontinuity = same_counters.map_or(now, |before| before.discontinuity);
    }
}

/// The size ifAlias is limited to (RFC 2863 §6).
const MAX_ALIAS_LEN: usize = 64;
