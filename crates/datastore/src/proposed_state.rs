//! The state that a group of transactions proposes, before it is durable and published.

use std::sync::Arc;

use portreeve_lcd::{Lcd, LcdDraft, LcdSavepoint, StateRecord};
use portreeve_smi::Timestamp;
use portreeve_yang_tree::TreeSize;

use crate::{Model, Refusal, RefusalKind, RunningLockHolder, State, TransactionRecords, Tree, TreeChange};

/// The current state with all changes that transactions have made so far. Every participant of a
/// transaction sees the changes of all others, and those of earlier transactions of its group.
pub struct ProposedState {
    base: Arc<State>,
    model: Arc<Model>,
    now: Timestamp,
    tree: Tree,
    /// A version of the tree that needs no check.
    valid_tree: Option<Tree>,
    /// The NETCONF session that holds the lock on the running configuration.
    lock_holder: Option<Arc<RunningLockHolder>>,
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
    tree: Tree,
    records: usize,
}

impl ProposedState {
    /// Proposes no change of `base`. `now` is the time at which the transactions are prepared.
    pub fn new(base: Arc<State>, model: Arc<Model>, now: Timestamp) -> Self {
        let (lcd, access) = (LcdDraft::new(Arc::clone(&base.lcd)), Arc::clone(&base.lcd));
        Self {
            tree: base.tree.clone(),
            valid_tree: None,
            lock_holder: None,
            base,
            model,
            now,
            lcd,
            records: Vec::new(),
            access,
            compiled: None,
        }
    }

    /// Sets the NETCONF session that holds the lock on the running configuration.
    pub(crate) fn with_lock_holder(self, lock_holder: Option<Arc<RunningLockHolder>>) -> Self {
        Self { lock_holder, ..self }
    }

    /// Returns the NETCONF session that holds the lock on the running configuration.
    pub(crate) fn lock_holder(&self) -> Option<&Arc<RunningLockHolder>> {
        self.lock_holder.as_ref()
    }

    /// Returns the published state on which the proposal is based.
    pub fn base(&self) -> &Arc<State> {
        &self.base
    }

    /// Returns the meaning of the tree.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the proposed data tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Replaces the proposed data tree, which is checked after the transaction has been prepared.
    pub fn set_tree(&mut self, tree: Tree) {
        self.tree = tree;
    }

    /// Marks the proposed data tree as valid, so that it is not checked.
    pub(crate) fn mark_tree_as_valid(&mut self) {
        self.valid_tree = Some(self.tree.clone());
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
        Savepoint { lcd: self.lcd.savepoint(), tree: self.tree.clone(), records: self.records.len() }
    }

    /// Takes back all changes since `savepoint`.
    pub(crate) fn roll_back_to(&mut self, savepoint: &Savepoint) {
        self.compiled = None;
        self.lcd.roll_back_to(&savepoint.lcd);
        self.tree = savepoint.tree.clone();
        self.records.truncate(savepoint.records);
    }

    /// Makes tables and tree consistent after the changes since `savepoint`, and checks the tree.
    /// `session` is the NETCONF session that makes the changes.
    ///
    /// # Errors
    /// Returns the reason if the changes cannot be made in both, if the tree is not valid, or if
    /// another session has locked it.
    pub(crate) fn complete_since(
        &mut self,
        savepoint: &Savepoint,
        session: Option<u32>,
    ) -> Result<(), Refusal> {
        if !self.tree.is_same_version(&savepoint.tree) {
            self.compiled = None;
            self.model.to_tables(&savepoint.tree, &self.tree, &mut self.lcd)?;
        }
        if self.lcd.is_changed_since(&savepoint.lcd) {
            self.tree = self.model.to_tree(self.lcd.tables(), &self.tree)?;
        }
        if self.tree.is_same_version(&savepoint.tree) {
            return Ok(());
        }
        if let Some(holder) = &self.lock_holder
            && session != Some(holder.session)
        {
            let text = format!("{holder} has locked the running configuration");
            return Err(Refusal::new(RefusalKind::InUse, text));
        }
        let (before, after) = (savepoint.tree.size(), self.tree.size());
        // A tree that was larger at the start can become smaller.
        let grows = after.leafs > before.leafs || after.octets > before.octets;
        if grows && !after.is_within(TreeSize::MAX) {
            let TreeSize { leafs, octets } = TreeSize::MAX;
            let text = format!("the configuration is limited to {leafs} leafs and {octets} octets");
            return Err(Refusal::new(RefusalKind::TooBig, text));
        }
        if !self.valid_tree.as_ref().is_some_and(|valid| valid.is_same_version(&self.tree)) {
            self.model.check_change(&savepoint.tree, &self.tree)?;
        }
        Ok(())
    }

    /// Completes the changes since `savepoint`, and moves their records out of the proposal.
    pub(crate) fn finish_since(&mut self, savepoint: &Savepoint) -> TransactionRecords {
        self.compiled = None;
        self.lcd.stamp_changes_since(&savepoint.lcd, self.now);
        let mut records = self.lcd.records_since(&savepoint.lcd);
        records.extend(self.records.drain(savepoint.records.min(self.records.len())..));
        let is_changed = !self.tree.is_same_version(&savepoint.tree);
        let (before, after) = (&savepoint.tree, &self.tree);
        let tree = is_changed.then(|| TreeChange { before: before.clone(), after: after.clone() });
        TransactionRecords { records, tree }
    }

    /// Compiles the proposed tables and scalars for [`ProposedState::into_lcd`], unless they are
    /// those of the base or are compiled already. `now` is the time of the changes.
    pub(crate) fn compile(&mut self, now: Timestamp) {
        if self.compiled.is_none() && self.lcd.is_changed() {
            self.lcd.set_time_of_changes(now);
            self.compiled = Some(self.lcd.to_lcd());
        }
    }

    /// Returns the next state; `None` if nothing has changed. `now` is the time of the changes.
    pub(crate) fn into_next(mut self, now: Timestamp) -> Option<NextState> {
        self.compile(now);
        let is_changed = self.compiled.is_some() || !self.tree.is_same_version(&self.base.tree);
        let unchanged = || Arc::clone(&self.base.lcd);
        is_changed.then(|| NextState {
            lcd: self.compiled.take().map_or_else(unchanged, Arc::new),
            tree: self.tree,
        })
    }
}

/// The content of a state that can be published.
pub(crate) struct NextState {
    pub(crate) lcd: Arc<Lcd>,
    pub(crate) tree: Tree,
}

#[cfg(test)]
mod tests;
