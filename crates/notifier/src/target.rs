//! One target: what waits for it, and the task that sends it.
//!
//! ```text
//! traps ────┐
//!           ├─► Task ─► Link: connection, sessions of informs, encoder of traps ─► receiver
//! informs ──┘             │
//!                         └─ failure ─► pause, fallback
//! ```

mod report;
mod task;
mod trap_queue;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use portreeve_lcd::Name;
use portreeve_smi::Timestamp;
use portreeve_snmp_apps::{InformQueue, QueueEntry, QueueLimits};
use tokio::{sync::Notify, task::spawn_local};

use crate::{
    NotifierSettings, OutgoingNotification, TargetSettings, TargetStatus, core::Core,
    file_reads::TargetFileReads,
};

use report::Report;
use task::Task;
use trap_queue::TrapQueue;
pub(crate) use trap_queue::WaitingTrap;

/// One target.
pub(crate) struct Target {
    pub(crate) name: Name,
    queue: RefCell<InformQueue>,
    informs: RefCell<BTreeMap<u64, WaitingInform>>,
    /// The informs that may still be passed to the fallback.
    not_passed_on: RefCell<BTreeSet<u64>>,
    /// The number of authenticationFailure notifications in the queue.
    authentication_failures: Cell<usize>,
    /// The octets of informs that are being stored.
    reserved: Cell<usize>,
    traps: RefCell<TrapQueue>,
    report: Report,
    wake: Notify,
    is_stopped: Cell<bool>,
    file_reads: Arc<TargetFileReads>,
    /// True if the last connection was a stream, whose messages stay in order.
    keeps_order: Cell<bool>,
}

/// An inform that waits for its target.
#[derive(Clone)]
pub(crate) struct WaitingInform {
    pub(crate) content: OutgoingNotification,
    /// True if the inform was passed to the fallback, or came from another target.
    pub(crate) is_passed_on: bool,
}

impl Target {
    /// Creates a target whose task has not been started.
    pub(crate) fn new(name: Name, settings: &NotifierSettings) -> Self {
        Self {
            queue: RefCell::new(InformQueue::new(limits(settings.targets.get(&name), false))),
            report: Report::new(&name),
            name,
            informs: RefCell::default(),
            not_passed_on: RefCell::default(),
            authentication_failures: Cell::default(),
            reserved: Cell::default(),
            traps: RefCell::default(),
            wake: Notify::new(),
            is_stopped: Cell::default(),
            file_reads: Arc::default(),
            keeps_order: Cell::default(),
        }
    }

    /// Sends what waits, until the target is stopped. After a panic, the session of the target is
    /// opened again.
    pub(crate) async fn run(self: Rc<Self>, core: Rc<Core>) {
        while spawn_local(Task::new(&self, &core).run()).await.is_err_and(|error| error.is_panic()) {
            // The panic has already been printed.
            tracing::error!(target = %self.name.escape_ascii(), "the task of a target has panicked: it is started again");
            self.report.set_error(core.wall_time(), "internal error: see the log");
            // A pause, because the same inform may be the cause again.
            self.queue.borrow_mut().fail(core.now(), 0);
        }
    }

    /// Adds a trap; discards it if too many wait.
    pub(crate) fn push_trap(&self, trap: WaitingTrap) {
        let pushed = self.traps.borrow_mut().push(trap);
        match pushed {
            Ok(()) => self.wake.notify_one(),
            Err(_) => self.discard_trap("too many traps wait", false),
        }
    }

    /// Reserves room for an inform. If there is none, the inform is counted as refused.
    pub(crate) fn reserve(&self, octets: usize) -> bool {
        let has_room = self.queue.borrow().has_room_for(self.reserved.get() + octets);
        if has_room {
            self.reserved.set(self.reserved.get() + octets);
        } else {
            self.queue.borrow_mut().refuse();
            self.log_discard("the queue of the target is full");
        }
        has_room
    }

    /// Returns true if the queue may contain one more authenticationFailure. If not, it is counted
    /// as discarded: peers that cause it must not displace other notifications.
    pub(crate) fn accepts_authentication_failure(&self) -> bool {
        let is_accepted = self.authentication_failures.get() < MAX_AUTHENTICATION_FAILURES;
        if !is_accepted {
            self.report.authentication_failure_discarded();
        }
        is_accepted
    }

    /// Releases the room of an inform that could not be stored.
    pub(crate) fn release(&self, octets: usize) {
        self.reserved.set(self.reserved.get().saturating_sub(octets));
    }

    /// Adds an inform for which room was reserved.
    pub(crate) fn push_reserved(&self, entry: QueueEntry, inform: WaitingInform) {
        self.release(entry.octets);
        self.push(entry, inform);
    }

    /// Adds an inform, even if there is no room for it.
    pub(crate) fn push(&self, entry: QueueEntry, inform: WaitingInform) {
        self.queue.borrow_mut().restore(entry);
        if !inform.is_passed_on {
            self.not_passed_on.borrow_mut().insert(entry.id);
        }
        let count = usize::from(inform.content.is_authentication_failure());
        self.authentication_failures.set(self.authentication_failures.get() + count);
        self.informs.borrow_mut().insert(entry.id, inform);
        self.wake.notify_one();
    }

    /// Applies changed settings: new limits take effect, and the task tries again at once.
    pub(crate) fn apply(&self, settings: &NotifierSettings) {
        self.update_limits(settings);
        self.queue.borrow_mut().resume();
        self.wake.notify_one();
    }

    fn update_limits(&self, settings: &NotifierSettings) {
        let limits = limits(settings.targets.get(&self.name), self.keeps_order.get());
        self.queue.borrow_mut().set_limits(limits);
    }

    /// Makes the task close its session and end.
    pub(crate) fn stop(&self) {
        self.is_stopped.set(true);
        self.wake.notify_one();
    }

    /// Returns true if nothing waits for the target.
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.borrow().is_empty() && self.traps.borrow().is_empty() && self.reserved.get() == 0
    }

    pub(crate) fn status(&self, now: Timestamp) -> TargetStatus {
        TargetStatus { queue: self.queue.borrow().status(now), ..self.report.status() }
    }

    /// Records why something is not sent to the target.
    pub(crate) fn set_error(&self, wall_time: u64, reason: &str) {
        self.report.set_error(wall_time, reason);
    }

    fn discard_trap(&self, reason: &str, was_sent: bool) {
        self.report.trap_discarded(was_sent);
        self.log_discard(reason);
    }

    fn log_discard(&self, reason: &str) {
        self.report.log_discard(reason, self.discarded());
    }

    fn delivered(&self) {
        let is_empty = self.queue.borrow().is_empty() && self.traps.borrow().is_empty();
        self.report.delivered(self.discarded(), is_empty);
    }

    /// Returns the number of all notifications that were discarded.
    fn discarded(&self) -> u64 {
        let TargetStatus { traps_discarded, queue, .. } = self.status(Timestamp::ZERO);
        traps_discarded + queue.refused + queue.expired + queue.rejected
    }

    /// Returns the informs that may be passed to the fallback, each once.
    fn take_not_passed_on(&self) -> Vec<(u64, WaitingInform)> {
        let ids = std::mem::take(&mut *self.not_passed_on.borrow_mut());
        let mut informs = self.informs.borrow_mut();
        let mark = |id| {
            let inform: &mut WaitingInform = informs.get_mut(&id)?;
            inform.is_passed_on = true;
            Some((id, inform.clone()))
        };
        ids.into_iter().filter_map(mark).collect()
    }

    /// Returns an inform in the queue.
    pub(crate) fn inform(&self, id: u64) -> Option<WaitingInform> {
        self.informs.borrow().get(&id).cloned()
    }

    /// Removes an inform that is no longer in the queue.
    fn forget(&self, core: &Core, id: u64) {
        self.not_passed_on.borrow_mut().remove(&id);
        let removed = self.informs.borrow_mut().remove(&id);
        if let Some(inform) = removed {
            let count = usize::from(inform.content.is_authentication_failure());
            self.authentication_failures.set(self.authentication_failures.get() - count);
            core.remove(&self.name, id);
        }
    }

    fn take_traps(&self) -> VecDeque<WaitingTrap> {
        self.traps.borrow_mut().take()
    }
}

/// Returns the limits of a queue. Messages of a stream stay in order, so several can be sent before
/// the first is acknowledged.
fn limits(settings: Option<&TargetSettings>, keeps_order: bool) -> QueueLimits {
    let default = TargetSettings::default();
    let settings = settings.unwrap_or(&default);
    QueueLimits {
        max_octets: settings.queue_octets,
        max_age: settings.queue_age,
        max_outstanding: if keeps_order { MAX_OUTSTANDING } else { 1 },
        min_pause: Duration::from_secs(1),
        max_pause: Duration::from_secs(60),
    }
}

/// The maximum number of authenticationFailure notifications of the agent in a queue.
const MAX_AUTHENTICATION_FAILURES: usize = 64;
/// The maximum number of informs that are sent over a stream before the first is acknowledged.
const MAX_OUTSTANDING: usize = 16;
