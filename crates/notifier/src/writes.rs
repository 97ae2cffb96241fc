//! The writes of the notifier to the disk, until their results are known.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use portreeve_snmp_apps::QueueEntry;
use portreeve_store::Record;

use crate::{
    OutgoingNotification, Submitted,
    core::Done,
    disk_queue::{DiskQueue, Written, records},
    target::Target,
};

/// The writes whose results are not known.
pub(crate) struct Writes {
    disk: DiskQueue,
    unfinished: RefCell<BTreeMap<u64, (Write, usize)>>,
    next_batch: Cell<u64>,
    /// The octets of the unfinished writes.
    octets: Cell<usize>,
    failures: Cell<u64>,
    /// True if the last write has failed.
    is_failing: Cell<bool>,
    /// The removals that have failed: without them, informs would be sent again after a restart.
    failed_removals: RefCell<Vec<Record>>,
}

/// The purpose of a write.
pub(crate) enum Write {
    /// An inform that is queued when it is durable.
    Inform(Box<StoredInform>),
    /// An inform that is queued already.
    OwnInform(OwnInform),
    /// Informs that are no longer in their queues.
    Removal(Vec<Record>),
    /// The offset of the system's clock.
    ClockOffset,
    /// Something that nothing waits for.
    Other,
}

/// The consequence of a write whose result is known.
pub(crate) enum Finished {
    /// An inform of another program was stored, or was not.
    Inform(Box<StoredInform>, Result<(), String>),
    /// An inform that is queued already was not stored.
    OwnInformFailed(OwnInform),
    /// The offset of the system's clock was not stored.
    ClockOffsetFailed,
    /// Nothing waits for the result.
    Other,
}

/// An inform that is being stored for its targets.
pub(crate) struct StoredInform {
    pub(crate) entry: QueueEntry,
    pub(crate) content: OutgoingNotification,
    pub(crate) targets: Vec<Rc<Target>>,
    pub(crate) submitted: Submitted,
    pub(crate) done: Done,
}

/// An inform of the agent, or one that is passed to a fallback, and the targets to which it was
/// queued.
pub(crate) struct OwnInform {
    pub(crate) entry: QueueEntry,
    pub(crate) targets: Vec<Rc<Target>>,
}

impl Writes {
    pub(crate) fn new(disk: DiskQueue) -> Self {
        Self {
            disk,
            unfinished: RefCell::default(),
            next_batch: Cell::default(),
            octets: Cell::default(),
            failures: Cell::default(),
            is_failing: Cell::default(),
            failed_removals: RefCell::default(),
        }
    }

    /// Returns true if more may be written: the disk keeps up.
    pub(crate) fn has_room(&self) -> bool {
        self.octets.get() < MAX_UNFINISHED_OCTETS
    }

    /// Returns the number of writes that are not finished.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished.borrow().len()
    }

    /// Returns the number of writes that have failed.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.get()
    }

    /// Writes records, after all earlier ones.
    pub(crate) fn write(&self, records: Vec<Record>, write: Write) {
        let batch = self.next_batch.get();
        self.next_batch.set(batch + 1);
        let octets = records.iter().map(records::octets).sum();
        self.octets.set(self.octets.get() + octets);
        self.unfinished.borrow_mut().insert(batch, (write, octets));
        self.disk.write(batch, records);
    }

    /// Removes informs from the disk.
    pub(crate) fn remove(&self, records: Vec<Record>) {
        self.write(records.clone(), Write::Removal(records));
    }

    /// Handles the result of a write.
    pub(crate) fn finish(&self, written: Written) -> Finished {
        let Written { batch, result } = written;
        let unfinished = self.unfinished.borrow_mut().remove(&batch);
        let Some((write, octets)) = unfinished else { return Finished::Other };
        self.octets.set(self.octets.get() - octets);
        self.log(&result);
        if result.is_ok() {
            let failed = std::mem::take(&mut *self.failed_removals.borrow_mut());
            if !failed.is_empty() {
                self.remove(failed);
            }
        }
        match write {
            Write::Inform(inform) => return Finished::Inform(inform, result),
            Write::OwnInform(inform) if result.is_err() => return Finished::OwnInformFailed(inform),
            Write::ClockOffset if result.is_err() => return Finished::ClockOffsetFailed,
            Write::Removal(records) if result.is_err() => {
                let mut failed = self.failed_removals.borrow_mut();
                if failed.len() < MAX_FAILED_REMOVALS {
                    failed.extend(records);
                }
            }
            Write::OwnInform(_) | Write::Removal(_) | Write::ClockOffset | Write::Other => {}
        }
        Finished::Other
    }

    fn log(&self, result: &Result<(), String>) {
        if let Err(error) = result {
            self.failures.set(self.failures.get() + 1);
            if !self.is_failing.replace(true) {
                tracing::error!(
                    %error,
                    "cannot store informs: those of other programs are refused, those of the agent are lost if it stops before they are delivered or stored"
                );
            }
        } else if self.is_failing.replace(false) {
            tracing::info!(failures = self.failures.get(), "informs are stored again");
        }
    }
}

/// The maximum number of octets that wait for the disk. It is exceeded by one write.
const MAX_UNFINISHED_OCTETS: usize = 8 << 20;
/// The maximum number of removals that are tried again.
const MAX_FAILED_REMOVALS: usize = 100_000;
