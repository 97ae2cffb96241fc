//! The state that a group of transactions proposes, before it is durable and published.

use std::sync::Arc;

use portreeve_lcd::{Lcd, LcdDraft, LcdSavepoint, StateRecord};
use portreeve_smi::Timestamp;

use crate::State;

/// The current state with all changes that transactions have made so far. Every participant of a
/// transaction sees the changes of all others, and those of earlier transactions of its group.
pub struct ProposedState {
    base: Arc<State>,
    now: Timestamp,
    lcd: LcdDraft,
    records: Vec<StateRecord>,
    /// The last compiled form of the tables that access control reads.
    access: Arc<Lcd>,
    /// The compiled form of all tables, if they have not changed since.
    compiled: Option<Lcd>,
}

/// A point to which a [`ProposedState`] can return.
pub(crate) struct Savepoint {
    lcd: LcdSavepoint,
    records: usize,
}

impl ProposedState {
    /// Proposes no change of `base`. `now` is the time at which the transactions are prepared.
    pub fn new(base: Arc<State>, now: Timestamp) -> Self {
        let (lcd, access) = (LcdDraft::new(Arc::clone(&base.lcd)), Arc::clone(&base.lcd));
        Self { base, now, lcd, records: Vec::new(), access, compiled: None }
    }

    /// Returns the published state on which the proposal is based.
    pub fn base(&self) -> &Arc<State> {
        &self.base
    }

    /// Returns the time at which the transactions are prepared.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the proposed tables and scalars.
    pub fn lcd(&self) -> &LcdDraft {
        &self.lcd
    }

    /// Returns the proposed tables and scalars for modification.
    pub fn lcd_mut(&mut self) -> &mut LcdDraft {
        self.compiled = None;
        &mut self.lcd
    }

    /// Adds a record that must be durable before the state is published. Changes of the tables and
    /// scalars need none: their records are derived.
    pub fn add_record(&mut self, record: StateRecord) {
        self.records.push(record);
    }

    /// Returns the proposed access rights: groups, access entries, views and contexts. Other parts
    /// of the result may be outdated. Compiles only if one of these tables has changed.
    pub fn access_rights(&mut self) -> &Arc<Lcd> {
        let (new, compiled) = (self.lcd.tables(), self.access.tables());
        let is_current = new.groups.is_same(&compiled.groups)
            && new.access.is_same(&compiled.access)
            && new.view_families.is_same(&compiled.view_families)
            && Arc::ptr_eq(&new.contexts, &compiled.contexts)
            && new.allowed_weaknesses == compiled.allowed_weaknesses;
        if !is_current {
            self.access = Arc::new(self.access.recompile(new.clone()));
        }
        &self.access
    }

    pub(crate) fn savepoint(&self) -> Savepoint {
        Savepoint { lcd: self.lcd.savepoint(), records: self.records.len() }
    }

    /// Takes back all changes since `savepoint`.
    pub(crate) fn roll_back_to(&mut self, savepoint: &Savepoint) {
        self.compiled = None;
        self.lcd.roll_back_to(&savepoint.lcd);
        self.records.truncate(savepoint.records);
    }

    /// Completes the changes since `savepoint`, and moves their records out of the proposal.
    pub(crate) fn finish_since(&mut self, savepoint: &Savepoint) -> Vec<StateRecord> {
        self.compiled = None;
        self.lcd.stamp_changes_since(&savepoint.lcd, self.now);
        let mut records = self.lcd.records_since(&savepoint.lcd);
        records.extend(self.records.drain(savepoint.records.min(self.records.len())..));
        records
    }

    /// Compiles the proposed tables and scalars for [`ProposedState::into_lcd`], unless they are
    /// those of the base or are compiled already. `now` is the time of the changes.
    pub(crate) fn compile(&mut self, now: Timestamp) {
        if self.compiled.is_none() && self.lcd.is_changed() {
            self.lcd.set_time_of_changes(now);
            self.compiled = Some(self.lcd.to_lcd());
        }
    }

    /// Returns the proposed tables and scalars, compiled; `None` if they have not changed. `now` is
    /// the time of the changes.
    pub(crate) fn into_lcd(mut self, now: Timestamp) -> Option<Lcd> {
        self.compile(now);
        self.compiled
    }
}

#[cfg(test)]
mod tests;
