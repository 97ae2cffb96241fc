//! Collects changes to a snapshot, lists the records that must be written, and publishes the
//! changes.

use std::sync::Arc;

use crate::{
    Columns, Lcd, LcdHandle, LcdSnapshot, Row, Table, Tables,
    durable::{record_key, row_value, scalar_records},
    tables::{TableVisitor, visit_tables},
};

/// Changes on top of a snapshot, invisible to readers before [`LcdDraft::publish`].
pub struct LcdDraft {
    base: LcdSnapshot,
    tables: Tables,
}

impl LcdDraft {
    /// Creates a draft without changes.
    pub fn new(base: LcdSnapshot) -> Self {
        Self { tables: base.lcd.tables().clone(), base }
    }

    /// Returns the snapshot that the draft is based on.
    pub fn base(&self) -> &Lcd {
        &self.base.lcd
    }

    /// Returns the tables with the changes applied.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the tables for modification.
    pub fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    /// Returns the records to write to the state directory. A row that is not durable is included
    /// only if it was durable before; its record must then be removed.
    pub fn changes(&self) -> Vec<RecordChange> {
        let mut collecting =
            CollectChanges { old: self.base.lcd.tables(), new: &self.tables, changes: Vec::new() };
        visit_tables(&mut collecting);
        let mut changes = collecting.changes;
        let old = scalar_records(self.base.lcd.scalars());
        for ((key, new), (_, old)) in scalar_records(&self.tables.scalars).into_iter().zip(old) {
            if new != old {
                changes.push(RecordChange { key: key.into(), value: new });
            }
        }
        changes
    }

    /// Builds the snapshot that results from applying this draft to its base.
    pub fn to_lcd(&self) -> Lcd {
        self.base.lcd.recompile(self.tables.clone())
    }

    /// Publishes the changes and returns the generation that contains them.
    ///
    /// The changes are already durable, so publishing must not fail. If another change was
    /// published first, such as a new configuration file, the draft is rebased onto that change.
    /// Rows that now come from the file retain the values of the file.
    pub fn publish(mut self, handle: &LcdHandle) -> u64 {
        loop {
            match handle.publish(self.to_lcd(), self.base.generation) {
                Ok(generation) => return generation,
                Err(_) => self = self.rebase(handle.snapshot()),
            }
        }
    }

    fn rebase(self, onto: LcdSnapshot) -> Self {
        let mut tables = onto.lcd.tables().clone();
        visit_tables(&mut Replay { old: self.base.lcd.tables(), new: &self.tables, onto: &mut tables });
        replay_scalars(&self, &mut tables);
        tables.last_changed = tables.last_changed.latest(self.tables.last_changed);
        Self { base: onto, tables }
    }
}

/// A change of one durable record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChange {
    /// The key of the record in the state directory.
    pub key: Vec<u8>,
    /// The new value; `None` removes the record.
    pub value: Option<Vec<u8>>,
}

struct CollectChanges<'a> {
    old: &'a Tables,
    new: &'a Tables,
    changes: Vec<RecordChange>,
}

impl TableVisitor for CollectChanges<'_> {
    fn visit<C: Columns>(&mut self) {
        for_each_difference(C::table(self.old), C::table(self.new), |old, new| {
            let (before, after) = (old.and_then(|row| row_value(row)), new.and_then(|row| row_value(row)));
            if let Some(row) = new.or(old)
                && before != after
            {
                self.changes.push(RecordChange { key: record_key::<C>(&row.key), value: after });
            }
        });
    }
}

struct Replay<'a> {
    old: &'a Tables,
    new: &'a Tables,
    onto: &'a mut Tables,
}

impl TableVisitor for Replay<'_> {
    fn visit<C: Columns>(&mut self) {
        let onto = C::table_mut(self.onto);
        for_each_difference(C::table(self.old), C::table(self.new), |old, new| {
            let Some(key) = new.or(old).map(|row| &row.key) else { return };
            if onto.get(key).is_some_and(|row| !row.is_writable()) {
                return;
            }
            match new {
                Some(row) => onto.insert(Arc::clone(row)),
                None => onto.remove(key),
            }
        });
    }
}

fn replay_scalars(draft: &LcdDraft, onto: &mut Tables) {
    let (old, new, onto) = (draft.base.lcd.scalars(), &draft.tables.scalars, &mut onto.scalars);
    let texts = [
        (&old.sys_contact, &new.sys_contact, &mut onto.sys_contact),
        (&old.sys_name, &new.sys_name, &mut onto.sys_name),
        (&old.sys_location, &new.sys_location, &mut onto.sys_location),
    ];
    for (old, new, onto) in texts {
        if old != new && onto.is_writable() {
            *onto = new.clone();
        }
    }
    let switches = [
        (old.enable_authen_traps, new.enable_authen_traps, &mut onto.enable_authen_traps),
        (old.tsm_use_prefix, new.tsm_use_prefix, &mut onto.tsm_use_prefix),
    ];
    for (old, new, onto) in switches {
        if old != new && onto.storage.is_durable() {
            *onto = new;
        }
    }
    let locks = [
        (old.set_serial_no, new.set_serial_no, &mut onto.set_serial_no),
        (old.user_spin_lock, new.user_spin_lock, &mut onto.user_spin_lock),
        (old.view_spin_lock, new.view_spin_lock, &mut onto.view_spin_lock),
        (old.target_spin_lock, new.target_spin_lock, &mut onto.target_spin_lock),
    ];
    for (old, new, onto) in locks {
        if old != new {
            *onto = onto.incremented();
        }
    }
}

/// Calls `difference` for every row that exists in only one table or differs between them.
fn for_each_difference<'a, C: Columns>(
    old: &'a Table<C>,
    new: &'a Table<C>,
    mut difference: impl FnMut(Option<&'a Arc<Row<C>>>, Option<&'a Arc<Row<C>>>),
) {
    if old.is_same(new) {
        return;
    }
    for row in new.iter() {
        let before = old.get(&row.key);
        if !before.is_some_and(|before| Arc::ptr_eq(before, row)) {
            difference(before, Some(row));
        }
    }
    for row in old.iter().filter(|row| new.get(&row.key).is_none()) {
        difference(Some(row), None);
    }
}

#[cfg(test)]
mod tests;
