//! One row of ifTable and ifXTable.

use super::{
    Link,
    if_type::{has_physical_address, if_type},
};

/// An interface and the values derived from its link.
///
/// Times are in hundredths of a second of sysUpTime; 0 means before this program started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The index of the row: ifIndex.
    pub index: [u32; 1],
    /// The data about the interface from the kernel.
    pub link: Link,
    /// The value of ifType, an IANAifType number.
    pub if_type: i32,
    /// ifLastChange: the time when the interface entered its current state.
    pub last_change: u32,
    /// ifCounterDiscontinuityTime: the time when the interface's counters last restarted.
    pub discontinuity: u32,
    /// True if another interface is stacked above this one.
    pub has_higher: bool,
    /// True if this interface is stacked above another one.
    pub has_lower: bool,
}

impl Interface {
    /// Returns the value of ifPhysAddress.
    pub fn physical_address(&self) -> &[u8] {
        if has_physical_address(&self.link) { &self.link.address } else { &[] }
    }

    /// Returns ifAlias, limited to 64 octets and cut at a character boundary.
    pub fn alias(&self) -> &[u8] {
        let alias = &self.link.alias;
        let starts = |end: &usize| alias.get(*end).is_none_or(|octet| octet & 0xc0 != 0x80);
        let end = (0..=MAX_ALIAS_LEN.min(alias.len())).rev().find(starts).unwrap_or(0);
        &alias[..end]
    }

    /// Derives the values that depend only on the link.
    pub(super) fn derive_fields(&mut self) {
        self.index = [self.link.index];
        self.if_type = if_type(&self.link);
        (self.has_higher, self.has_lower) = (false, false);
    }

    /// Updates the times of this row. `before` is the same interface in the previous snapshot, and
    /// `now` is the time of changes found in this one.
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

/// The maximum length of ifAlias (RFC 2863 §6).
const MAX_ALIAS_LEN: usize = 64;
