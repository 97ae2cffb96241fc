//! The notifications on their way to the writer, and the results of informs on their way back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use portreeve_smi::{ClockReading, EngineId, TransportAddress};
use portreeve_snmp_apps::{ReceivedNotification, SourceCounts, StoreResult};
use portreeve_transport::WorkerWaker;

use super::queue_usage::QueueUsage;
use crate::ReceptionTime;

/// An accepted notification that is to be written.
pub(crate) struct Item {
    pub(crate) notification: Arc<ReceivedNotification>,
    /// The number of the inform, whose result is reported; `None` for a trap.
    pub(crate) inform: Option<u64>,
    pub(crate) received: ReceptionTime,
    /// The index of the listener.
    pub(crate) listener: usize,
    /// The clock of the sender of an SNMPv3 trap.
    pub(crate) clock: Option<(EngineId, ClockReading)>,
    /// The memory that the notification occupies, about.
    pub(crate) octets: usize,
}

/// The sending half of the queue, with its limit.
pub(crate) struct Queue {
    items: mpsc::Sender<Item>,
    usage: Arc<QueueUsage>,
}

/// The receiving half.
pub(crate) struct QueueReceiver {
    items: mpsc::Receiver<Item>,
    usage: Arc<QueueUsage>,
}

/// Creates a queue for this number of octets.
pub(crate) fn queue(max_octets: usize) -> (Queue, QueueReceiver) {
    let (sender, receiver) = mpsc::channel();
    let usage = Arc::new(QueueUsage::new(max_octets));
    let queue = Queue { items: sender, usage: Arc::clone(&usage) };
    (queue, QueueReceiver { items: receiver, usage })
}

impl Queue {
    /// Adds an item. Returns false if there is no room for it, or if the writer has ended.
    pub(crate) fn push(&self, item: Item) -> bool {
        let octets = item.octets;
        if !self.usage.reserve(octets) {
            return false;
        }
        let is_sent = self.items.send(item).is_ok();
        if !is_sent {
            self.usage.release(octets);
        }
        is_sent
    }

    /// Returns the memory of the items that have not been written.
    pub(crate) fn usage(&self) -> Arc<QueueUsage> {
        Arc::clone(&self.usage)
    }
}

impl QueueReceiver {
    /// Waits for items and returns those that wait, as far as they are written with one sync;
    /// `None` at the end.
    pub(crate) fn next_group(&self) -> Option<Vec<Item>> {
        let first = self.items.recv().ok()?;
        let mut octets = variables_len(&first);
        let mut group = vec![first];
        while group.len() < MAX_GROUP
            && octets < MAX_GROUP_OCTETS
            && let Ok(item) = self.items.try_recv()
        {
            octets += variables_len(&item);
            group.push(item);
        }
        Some(group)
    }

    /// Releases the memory of items that have been written, and whose results have been reported.
    pub(crate) fn release(&self, items: &[Item]) {
        self.usage.release(items.iter().map(|item| item.octets).sum());
    }
}

/// The results of notifications, for the worker.
#[derive(Clone, Default)]
pub(crate) struct Results(Arc<Mutex<ResultState>>);

#[derive(Default)]
struct ResultState {
    results: Vec<(u64, StoreResult)>,
    lost: SourceCounts,
    has_lost: bool,
    waker: Option<WorkerWaker>,
}

impl Results {
    /// Sets the worker that gets the results.
    pub(crate) fn set_waker(&self, waker: WorkerWaker) {
        self.lock().waker = Some(waker);
    }

    /// Adds the results of a group.
    pub(crate) fn report(&self, informs: impl Iterator<Item = u64>, result: StoreResult) {
        let mut state = self.lock();
        state.results.extend(informs.map(|inform| (inform, result)));
        if let (false, Some(waker)) = (state.results.is_empty(), &state.waker) {
            waker.wake();
        }
    }

    /// Adds the sources of traps that could not be written.
    pub(crate) fn report_lost(&self, sources: impl Iterator<Item = TransportAddress>) {
        let mut state = self.lock();
        sources.for_each(|source| {
            state.lost.count(source);
            state.has_lost = true;
        });
        if let (true, Some(waker)) = (state.has_lost, &state.waker) {
            waker.wake();
        }
    }

    /// Returns whether traps could not be written since the last call of [`Self::take_lost`].
    pub(crate) fn has_lost(&self) -> bool {
        self.lock().has_lost
    }

    /// Moves all results to `taken`, which must be empty. Its memory is used for later results.
    pub(crate) fn take(&self, taken: &mut Vec<(u64, StoreResult)>) {
        std::mem::swap(&mut self.lock().results, taken);
    }

    /// Returns the sources of traps that could not be written since the last call.
    pub(crate) fn take_lost(&self) -> SourceCounts {
        let mut state = self.lock();
        state.has_lost = false;
        std::mem::take(&mut state.lost)
    }

    fn lock(&self) -> MutexGuard<'_, ResultState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn variables_len(item: &Item) -> usize {
    item.notification.var_binds().encoded().len()
}

/// The maximum number of notifications that are written with one sync.
const MAX_GROUP: usize = 4096;
/// The size of the variables that are written with one sync, in octets. Their lines can be many
/// times as long.
const MAX_GROUP_OCTETS: usize = 1 << 20;
