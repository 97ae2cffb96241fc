//! The state that all targets share, on the notifier's thread.

mod distribution;
mod storage;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use portreeve_channel::ChannelReason;
use portreeve_datastore::{State, StateHandle};
use portreeve_lcd::{Name, NotifyType};
use portreeve_smi::Timestamp;
use portreeve_snmp_apps::{Notification, QueueEntry, recipient_named};
use portreeve_snmp_engine::{LocalEngine, statistics::Recorder};

use crate::{
    NotifierSettings, NotifierStatus, OutgoingNotification, SubmitError, Submitted,
    certificate_report::certificate_report,
    disk_queue::{DiskQueue, records},
    queue_clock::QueueClock,
    target::Target,
    targets::Targets,
    writes::{OwnInform, StoredInform, Write, Writes},
};

/// Called with the result of a submission.
pub(crate) type Done = Box<dyn FnOnce(Result<Submitted, SubmitError>) + Send>;

/// The state that all targets share.
pub(crate) struct Core {
    local: LocalEngine,
    now: Box<dyn Fn() -> Timestamp + Send>,
    wall: Box<dyn Fn() -> u64 + Send>,
    queue_clock: RefCell<QueueClock>,
    recorder: Recorder,
    state: StateHandle,
    settings: RefCell<Arc<NotifierSettings>>,
    writes: Writes,
    targets: Targets,
    /// The number of queues on disk that contain a content.
    uses: RefCell<BTreeMap<u64, usize>>,
    /// The informs in the queues that are not on disk, by number.
    unstored: RefCell<BTreeMap<u64, OwnInform>>,
    next_id: Cell<u64>,
    withheld: Cell<u64>,
    /// The memory for a received datagram.
    datagram: RefCell<Box<[u8]>>,
}

/// The parts of the agent that the notifier uses.
pub(crate) struct CoreParts {
    pub(crate) local: LocalEngine,
    pub(crate) now: Box<dyn Fn() -> Timestamp + Send>,
    /// Returns the seconds since 1970.
    pub(crate) wall: Box<dyn Fn() -> u64 + Send>,
    pub(crate) recorder: Recorder,
    pub(crate) state: StateHandle,
    pub(crate) settings: Arc<NotifierSettings>,
}

impl Core {
    pub(crate) fn new(parts: CoreParts, disk: DiskQueue) -> Self {
        let CoreParts { local, now, wall, recorder, state, settings } = parts;
        Self {
            local,
            queue_clock: RefCell::new(QueueClock::resume(0, None, wall(), now())),
            now,
            wall,
            recorder,
            state,
            settings: RefCell::new(settings),
            writes: Writes::new(disk),
            targets: Targets::default(),
            uses: RefCell::default(),
            unstored: RefCell::default(),
            next_id: Cell::new(1),
            withheld: Cell::default(),
            datagram: RefCell::new(vec![0; MAX_DATAGRAM].into_boxed_slice()),
        }
    }

    pub(crate) fn local(&self) -> &LocalEngine {
        &self.local
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Returns the seconds since 1970.
    pub(crate) fn wall_time(&self) -> u64 {
        (self.wall)()
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Returns the current state. The caller must not keep it: a replaced state may be large.
    pub(crate) fn state(&self) -> Arc<State> {
        self.state.current()
    }

    pub(crate) fn settings(&self) -> Arc<NotifierSettings> {
        Arc::clone(&self.settings.borrow())
    }

    /// Returns the memory for a received datagram.
    pub(crate) fn datagram(&self) -> &RefCell<Box<[u8]>> {
        &self.datagram
    }

    pub(crate) fn replace_settings(&self, settings: Arc<NotifierSettings>) {
        *self.settings.borrow_mut() = Arc::clone(&settings);
        self.targets.remove_unused(&self.state());
        self.targets.apply(&settings);
    }

    /// Sends a notification of another program to all targets that the tables select. `done` is
    /// called when the informs are durable.
    pub(crate) fn submit(self: &Rc<Self>, content: &OutgoingNotification, done: Done) {
        if !self.writes.has_room() {
            return done(Err(SubmitError::Busy));
        }
        let (mut submitted, targets) = match self.distribute(content, None) {
            Ok(selected) => selected,
            Err(error) => return done(Err(error)),
        };
        let entry = self.new_entry(content);
        let targets = reserve(targets, entry, &mut submitted);
        if targets.is_empty() {
            return done(Ok(submitted));
        }
        let holders = targets.iter().map(|target| (&target.name, false));
        let records = self.inform_records(entry, content, holders);
        let inform = StoredInform { entry, content: content.clone(), targets, submitted, done };
        self.writes.write(records, Write::Inform(Box::new(inform)));
    }

    /// Sends a notification of the agent to all targets that the tables select. The informs are
    /// sent while they are stored, and also if they cannot be stored.
    pub(crate) fn notify(self: &Rc<Self>, content: &OutgoingNotification) {
        self.notify_except(content, None);
    }

    fn notify_except(self: &Rc<Self>, content: &OutgoingNotification, except: Option<&Name>) {
        if let Ok((_, targets)) = self.distribute(content, except) {
            self.queue(content, targets, false, None);
        }
    }

    /// Reports to the other targets that the certificate of a target is not trusted.
    pub(crate) fn report_certificate(self: &Rc<Self>, name: &Name, cause: ChannelReason) {
        let up_time = self.now().since(self.local.started).as_millis() / 10;
        let up_time = u32::try_from(up_time % (1 << 32)).unwrap_or_default();
        let (state, statistics) = (self.state(), self.recorder.statistics());
        let report = certificate_report(cause, name, &state.lcd, statistics, up_time);
        if let Some(report) = report {
            self.notify_except(&report, Some(name));
        }
    }

    /// Passes a notification that one target did not accept to another. `origin` is the queue in
    /// which it stays, and its number there.
    pub(crate) fn pass_to(
        self: &Rc<Self>,
        name: &Name,
        content: &OutgoingNotification,
        origin: Option<(&Name, u64)>,
    ) {
        let state = self.state();
        let kind = self.settings().targets.get(name).map_or(NotifyType::Inform, |target| target.kind);
        let Ok(notification) = Notification::new(&content.context_name, content.var_binds()) else { return };
        let recipient = recipient_named(&state.lcd, &self.local.engine_id, &notification, name, kind);
        let mut informs = Vec::new();
        match recipient {
            Ok(recipient) if kind == NotifyType::Trap => self.push_trap(&recipient, content, true),
            Ok(_) => informs.push(self.target(name)),
            Err(reason) => self.withhold(name, &reason),
        }
        // An inform that is stored later is stored with the mark.
        let origin = origin.filter(|(_, id)| !self.is_unstored(*id));
        let mark = origin.map(|(origin, id)| records::entry(origin, id, true));
        self.queue(content, informs, true, mark);
    }

    fn new_entry(&self, content: &OutgoingNotification) -> QueueEntry {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        QueueEntry { id, octets: content.octets(), added: self.now(), earlier_age: Duration::ZERO }
    }

    /// Returns the fallback of a target.
    pub(crate) fn fallback(&self, name: &Name) -> Option<Name> {
        self.settings.borrow().targets.get(name)?.fallback.clone()
    }

    /// Returns a target; starts its task if it is new.
    fn target(self: &Rc<Self>, name: &Name) -> Rc<Target> {
        self.targets.get(name).unwrap_or_else(|| self.targets.start(name, self))
    }

    pub(crate) fn status(&self) -> NotifierStatus {
        NotifierStatus {
            targets: self.targets.status(self.now()),
            withheld: self.withheld.get(),
            // The handle counts them.
            discarded: 0,
            write_failures: self.writes.failures(),
            waiting_writes: self.writes.unfinished(),
        }
    }

    /// Does what is done from time to time.
    pub(crate) fn tick(&self) {
        self.check_clock();
        self.retry_unstored();
    }

    /// Closes all sessions.
    pub(crate) async fn stop(&self) {
        self.check_clock();
        self.targets.stop().await;
    }
}

/// Returns the targets whose queues have room for an inform, which is reserved.
fn reserve(targets: Vec<Rc<Target>>, entry: QueueEntry, submitted: &mut Submitted) -> Vec<Rc<Target>> {
    let wanted = targets.len();
    let targets: Vec<_> = targets.into_iter().filter(|target| target.reserve(entry.octets)).collect();
    submitted.informs = targets.len();
    submitted.discarded = wanted - targets.len();
    targets
}

/// The maximum size of a datagram.
const MAX_DATAGRAM: usize = 65_535;

#[cfg(test)]
mod age_tests;
#[cfg(test)]
mod storage_tests;
#[cfg(test)]
mod tests;
