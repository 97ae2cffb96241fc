//! All interfaces at one point in time.

use super::{Interface, Link, StackEntry, stack};

/// The rows of IF-MIB's tables, sorted by index.
///
/// Times are in hundredths of a second of sysUpTime; 0 means before this program started.
#[derive(Debug, Default)]
pub struct IfSnapshot {
    /// The rows of ifTable and ifXTable, sorted by ifIndex.
    pub interfaces: Vec<Interface>,
    /// The rows of ifStackTable, sorted by the ifIndex of the higher layer and then of the lower
    /// layer.
    pub stack: Vec<StackEntry>,
    /// ifTableLastChange: the time when an interface was last added or removed.
    pub table_last_change: u32,
    /// ifStackLastChange: the time when the stack last changed.
    pub stack_last_change: u32,
}

impl IfSnapshot {
    /// Returns the interface with this ifIndex.
    pub fn interface(&self, index: u32) -> Option<&Interface> {
        let row = self.interfaces.binary_search_by_key(&[index], |interface| interface.index).ok()?;
        self.interfaces.get(row)
    }

    /// Replaces the rows with the links that `fill` adds, and reuses the memory of the rows.
    pub(super) fn refill<E>(&mut self, fill: impl FnOnce(&mut Links<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut links = Links { interfaces: &mut self.interfaces, used: 0 };
        fill(&mut links)?;
        links.arrange();
        let used = links.used;
        self.interfaces.truncate(used);
        stack::arrange(&mut self.interfaces, &mut self.stack);
        Ok(())
    }

    /// Updates the times of all changes since `before`.
    pub(super) fn update_timestamps(&mut self, before: &Self, now: u32) {
        for interface in &mut self.interfaces {
            let [index] = interface.index;
            interface.update_timestamps(before.interface(index), now);
        }
        let indexes = |snapshot: &Self| snapshot.interfaces.len();
        let same_table = indexes(self) == indexes(before)
            && self.interfaces.iter().zip(&before.interfaces).all(|(new, old)| new.index == old.index);
        self.table_last_change = if same_table { before.table_last_change } else { now };
        self.stack_last_change = if self.stack == before.stack { before.stack_last_change } else { now };
    }
}

/// The links of a snapshot while they are read, in any order and in reused memory.
pub struct Links<'a> {
    interfaces: &'a mut Vec<Interface>,
    used: usize,
}

impl Links<'_> {
    /// Returns a link to fill in. The returned link still contains data of another link.
    pub fn next_free(&mut self) -> &mut Link {
        if self.used == self.interfaces.len() {
            self.interfaces.push(Interface::default());
        }
        self.used += 1;
        &mut self.interfaces[self.used - 1].link
    }

    /// Discards the link that was returned last.
    pub fn discard_last(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// Discards all links.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Returns the link with this index. Requires a call of [`Links::arrange`] before.
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut Link> {
        let filled = self.interfaces.get_mut(..self.used)?;
        let row = filled.binary_search_by_key(&[index], |interface| interface.index).ok()?;
        filled.get_mut(row).map(|interface| &mut interface.link)
    }

    /// Sorts the links. If an interrupted read returned several links with the same index, keeps
    /// one of them.
    pub(super) fn arrange(&mut self) {
        self.interfaces.truncate(self.used);
        self.interfaces.iter_mut().for_each(Interface::derive_fields);
        self.interfaces.sort_unstable_by_key(|interface| interface.index);
        self.interfaces.dedup_by_key(|interface| interface.index);
        self.used = self.interfaces.len();
    }
}
