//! The informs on disk: what is written, the results, and what is read at the start.

use std::rc::Rc;

use portreeve_lcd::Name;
use portreeve_snmp_apps::QueueEntry;
use portreeve_store::Record;

use super::Core;
use crate::{
    OutgoingNotification, SubmitError,
    disk_queue::{Stored, StoredEntry, Written, records},
    queue_clock::QueueClock,
    target::{Target, WaitingInform},
    writes::{Finished, StoredInform, Write},
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
                    target.push(entry, WaitingInform { content, is_passed_on, is_stored: true });
                }
            }
        }
    }

    pub(super) fn inform_records(
        &self,
        id: u64,
        content: &OutgoingNotification,
        targets: &[Rc<Target>],
        is_passed_on: bool,
    ) -> Vec<Record> {
        self.check_clock();
        let stored_at = self.queue_clock.borrow().reading(self.now());
        let mut records = vec![records::content(id, stored_at, content)];
        records.extend(targets.iter().map(|target| records::entry(&target.name, id, is_passed_on)));
        records
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
        match self.writes.finish(written) {
            Finished::Inform(inform, result) => self.finish_submission(*inform, result),
            // The next check stores the offset again.
            Finished::ClockOffsetFailed => self.queue_clock.borrow().set_stored_offset(None),
            Finished::Other => {}
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
            let inform = WaitingInform { content: content.clone(), is_passed_on: false, is_stored: true };
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
        self.writes.remove(records);
    }
}
