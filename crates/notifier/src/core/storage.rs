//! The informs on disk: what is written, the results, and what is read at the start.

use std::rc::Rc;

use portreeve_lcd::Name;
use portreeve_snmp_apps::QueueEntry;
use portreeve_store::Record;

use super::{Core, reserve};
use crate::{
    OutgoingNotification, SubmitError, Submitted,
    disk_queue::{Stored, StoredEntry, Written, records},
    queue_clock::QueueClock,
    target::{Target, WaitingInform},
    writes::{Finished, OwnInform, StoredInform, Write},
};

impl Core {
    /// Puts the informs of the last run into their queues.
    pub(crate) fn restore(self: &Rc<Self>, stored: Stored) {
        let Stored { queues, contents, clock_offset, .. } = stored;
        let newest = queues.values().flatten().map(|entry| entry.stored_at).max();
        let clock = QueueClock::resume(clock_offset, newest, self.wall_time(), self.now());
        *self.queue_clock.borrow_mut() = clock;
        self.check_clock();
        self.next_id.set(contents.keys().next_back().map_or(1, |last| last + 1));
        for (name, entries) in queues {
            let target = self.target(&name);
            for StoredEntry { id, stored_at, is_passed_on } in entries {
                if let Some(content) = contents.get(&id).cloned() {
                    *self.uses.borrow_mut().entry(id).or_default() += 1;
                    let earlier_age = self.queue_clock.borrow().age(stored_at, self.now());
                    let octets = content.octets();
                    let entry = QueueEntry { id, octets, added: self.now(), earlier_age };
                    target.push(entry, WaitingInform { content, is_passed_on });
                }
            }
        }
    }

    /// Adds an inform to the queues of its targets, as far as they have room, and stores it.
    /// `mark` is stored with it.
    pub(super) fn queue(
        &self,
        content: &OutgoingNotification,
        targets: Vec<Rc<Target>>,
        is_passed_on: bool,
        mark: Option<Record>,
    ) {
        let entry = self.new_entry(content);
        let is_limited = content.is_authentication_failure();
        let accepts = |target: &Rc<Target>| !is_limited || target.accepts_authentication_failure();
        let targets = targets.into_iter().filter(accepts).collect();
        let targets = reserve(targets, entry, &mut Submitted::default());
        for target in &targets {
            target.push_reserved(entry, WaitingInform { content: content.clone(), is_passed_on });
        }
        let inform = OwnInform { entry, targets };
        // While the disk does not keep up, informs are only in memory.
        if self.writes.has_room() {
            self.store(inform, mark);
        } else {
            self.keep_unstored(inform);
        }
    }

    /// Stores an inform for the targets in whose queues it is.
    fn store(&self, inform: OwnInform, mark: Option<Record>) {
        let OwnInform { entry, targets } = &inform;
        let waiting: Vec<_> =
            targets.iter().filter_map(|target| Some((&target.name, target.inform(entry.id)?))).collect();
        let mut records = Vec::from_iter(mark);
        if let Some((_, WaitingInform { content, .. })) = waiting.first() {
            let holders = waiting.iter().map(|(name, inform)| (*name, inform.is_passed_on));
            records.extend(self.inform_records(*entry, content, holders));
            self.uses.borrow_mut().insert(entry.id, waiting.len());
        }
        if !records.is_empty() {
            self.writes.write(records, Write::OwnInform(inform));
        }
    }

    /// Remembers an inform that must be stored later.
    fn keep_unstored(&self, inform: OwnInform) {
        let id = inform.entry.id;
        let holders = inform.targets.iter().filter(|target| target.inform(id).is_some()).count();
        if holders > 0 {
            self.uses.borrow_mut().insert(id, holders);
            self.unstored.borrow_mut().insert(id, inform);
        }
    }

    /// Stores the informs that could not be stored, as far as the disk keeps up.
    fn store_unstored(&self) {
        while self.writes.has_room()
            && let Some((_, inform)) = self.next_unstored()
        {
            self.store(inform, None);
        }
    }

    /// Stores one inform that could not be stored, to find out whether the disk works again.
    pub(super) fn retry_unstored(&self) {
        if self.writes.unfinished() == 0
            && let Some((_, inform)) = self.next_unstored()
        {
            self.store(inform, None);
        }
    }

    fn next_unstored(&self) -> Option<(u64, OwnInform)> {
        self.unstored.borrow_mut().pop_first()
    }

    /// Returns true if an inform is only in memory.
    pub(super) fn is_unstored(&self, id: u64) -> bool {
        self.unstored.borrow().contains_key(&id)
    }

    /// Returns the records of an inform for its targets, each with whether the inform must not be
    /// passed to its fallback.
    pub(super) fn inform_records<'n>(
        &self,
        entry: QueueEntry,
        content: &OutgoingNotification,
        holders: impl Iterator<Item = (&'n Name, bool)>,
    ) -> Vec<Record> {
        self.check_clock();
        let stored_at = self.queue_clock.borrow().reading(entry.added);
        let content = records::content(entry.id, stored_at, content);
        let entries = holders.map(|(name, is_passed_on)| records::entry(name, entry.id, is_passed_on));
        std::iter::once(content).chain(entries).collect()
    }

    /// Stores the offset of the system's clock, if that clock was set.
    pub(super) fn check_clock(&self) {
        let clock = self.queue_clock.borrow();
        if let Some(offset) = clock.changed_offset(self.wall_time(), self.now())
            && self.writes.has_room()
        {
            clock.set_stored_offset(Some(offset));
            self.writes.write(vec![records::clock_offset(offset)], Write::ClockOffset);
        }
    }

    /// Stores the digest of the configuration.
    pub(crate) fn store_configuration(&self, digest: &[u8]) {
        self.writes.write(vec![records::configuration(digest)], Write::Other);
    }

    /// Handles the result of a write.
    pub(crate) fn written(&self, written: Written) {
        let is_stored = written.result.is_ok();
        match self.writes.finish(written) {
            Finished::OwnInformFailed(inform) => self.keep_unstored(inform),
            Finished::Inform(inform, result) => self.finish_submission(*inform, result),
            // The next check stores the offset again.
            Finished::ClockOffsetFailed => self.queue_clock.borrow().set_stored_offset(None),
            Finished::Other => {}
        }
        if is_stored {
            self.store_unstored();
        }
    }

    /// Queues the inform of another program, which is durable now, or refuses it.
    fn finish_submission(&self, inform: StoredInform, result: Result<(), String>) {
        let StoredInform { entry, content, targets, submitted, done } = inform;
        if let Err(error) = result {
            targets.iter().for_each(|target| target.release(entry.octets));
            return done(Err(SubmitError::NotStored(error)));
        }
        self.uses.borrow_mut().insert(entry.id, targets.len());
        for target in &targets {
            let inform = WaitingInform { content: content.clone(), is_passed_on: false };
            target.push_reserved(entry, inform);
        }
        done(Ok(submitted));
    }

    /// Removes an inform of a target from the disk, with its content if no other target has it.
    pub(crate) fn remove(&self, target: &Name, id: u64) {
        let mut records = vec![records::removed_entry(target, id)];
        let mut uses = self.uses.borrow_mut();
        let left = uses.get(&id).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            uses.remove(&id);
            records.push(records::removed_content(id));
        } else {
            uses.insert(id, left);
        }
        drop(uses);
        if self.is_unstored(id) {
            if left == 0 {
                self.unstored.borrow_mut().remove(&id);
            }
            return;
        }
        self.writes.remove(records);
    }
}
