//! All interfaces at one moment.

use super::{Interface, Link, StackEntry, stack};

/// The rows of IF-MIB's tables, each in the order of its index.
///
/// Times are hundredths of a second of sysUpTime; 0 stands for the time before this program started.
#[derive(Debug, Default)]
pub struct IfSnapshot {
    /// ifTable and ifXTable, by ifIndex.
    pub interfaces: Vec<Interface>,
    /// ifStackTable, by the higher layer's ifIndex, then the lower's.
    pub stack: Vec<StackEntry>,
    /// ifTableLastChange: when an interface was last seen to come or go.
    pub table_last_change: u32,
    /// ifStackLastChange: when the stack was last seen to be another.
    pub stack_last_change: u32,
}

impl IfSnapshot {
    /// The interface with this ifIndex.
    pub fn interface(&self, index: u32) -> Option<&Interface> {
        let row = self.interfaces.binary_search_by_key(&[index], |interface| interface.index).ok()?;
        self.interfaces.get(row)
    }

    /// Puts what `fill` finds into the memory of the rows that were here before.
    pub(super) fn refill<E>(&mut self, fill: impl FnOnce(&mut Links<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut links = Links { interfaces: &mut self.interfaces, used: 0 };
        fill(&mut links)?;
        links.arrange();
        let used = links.used;
        self.interfaces.truncate(used);
        stack::arrange(&mut self.interfaces, &mut self.stack);
        Ok(())
    }

    /// Dates every change since `before`.
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

/// A snapshot's links while they are read: filled in any order, in memory that is used again.
pub struct Links<'a> {
    interfaces: &'a mut Vec<Interface>,
    used: usize,
}

impl Links<'_> {
    /// A link to fill in. What it holds is left over from another.
    pub fn next_free(&mut self) -> &mut Link {
        if self.used == self.interfaces.len() {
            self.interfaces.push(Interface::default());
        }
        self.used += 1;
        &mut self.interfaces[self.used - 1].link
    }

    /// Takes back the link that was handed out last.
    pub fn discard_last(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// The link with this index, once [`Links::arrange`] has put them in order.
    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut Link> {
        let filled = self.interfaces.get_mut(..self.used)?;
        let row = filled.binary_search_by_key(&[index], |interface| interface.index).ok()?;
        filled.get_mut(row).map(|interface| &mut interface.link)
    }

    /// Puts the links in order. Of two with one index, which an interrupted reading may yield, one stays.
    pub(super) fn arrange(&mut self) {
        self.interfaces.truncate(self.used);
        self.interfaces.iter_mut().for_each(Interface::derive_fields);
        self.interfaces.sort_unstable_by_key(|interface| interface.index);
        self.interfaces.dedup_by_key(|interface| interface.index);
        self.used = self.interfaces.len();
    }
}
