//! The state that all targets share, on the notifier's thread.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_datastore::{State, StateReader};
use portreeve_lcd::{Name, NotifyType};
use portreeve_smi::Timestamp;
use portreeve_snmp_apps::{
    Notification, QueueEntry, Recipient, recipient_named, recipients, stored_recipient,
};
use portreeve_snmp_engine::{LocalEngine, statistics::Recorder};
use tokio::task::JoinSet;

use crate::{
    NotifierSettings, NotifierStatus, OutgoingNotification, SubmitError, Submitted,
    destination::TargetRows,
    disk_queue::{self, DiskQueue, Stored, Written},
    target::{Target, WaitingTrap},
};

/// Called with the result of a submission.
pub(crate) type Done = Box<dyn FnOnce(Result<Submitted, SubmitError>) + Send>;

/// The state that all targets share.
pub(crate) struct Core {
    local: LocalEngine,
    now: Box<dyn Fn() -> Timestamp + Send>,
    recorder: Recorder,
    state: RefCell<StateReader>,
    settings: RefCell<Arc<NotifierSettings>>,
    disk: DiskQueue,
    targets: RefCell<BTreeMap<Name, Rc<Target>>>,
    tasks: RefCell<JoinSet<()>>,
    /// The number of targets whose queue contains a content.
    uses: RefCell<BTreeMap<u64, usize>>,
    /// The informs that are being stored, by batch.
    writing: RefCell<BTreeMap<u64, Writing>>,
    next_batch: Cell<u64>,
    next_id: Cell<u64>,
    withheld: Cell<u64>,
    write_failures: Cell<u64>,
}

/// An inform that is being stored for its targets.
struct Writing {
    entry: QueueEntry,
    content: OutgoingNotification,
    targets: Vec<Rc<Target>>,
    is_fallback: bool,
    submitted: Submitted,
    /// `None` for a notification of the agent itself, which is sent even if it cannot be stored.
    done: Option<Done>,
}

/// The parts of the agent that the notifier uses.
pub(crate) struct CoreParts {
    pub(crate) local: LocalEngine,
    pub(crate) now: Box<dyn Fn() -> Timestamp + Send>,
    pub(crate) recorder: Recorder,
    pub(crate) state: StateReader,
    pub(crate) settings: Arc<NotifierSettings>,
}

impl Core {
    pub(crate) fn new(parts: CoreParts, disk: DiskQueue) -> Self {
        let CoreParts { local, now, recorder, state, settings } = parts;
        Self {
            local,
            now,
            recorder,
            state: RefCell::new(state),
            settings: RefCell::new(settings),
            disk,
            targets: RefCell::default(),
            tasks: RefCell::default(),
            uses: RefCell::default(),
            writing: RefCell::default(),
            next_batch: Cell::default(),
            next_id: Cell::new(1),
            withheld: Cell::default(),
            write_failures: Cell::default(),
        }
    }

    /// Puts the informs of the last run into their queues.
    pub(crate) fn restore(self: &Rc<Self>, stored: Stored) {
        let Stored { queues, contents, .. } = stored;
        self.next_id.set(contents.keys().next_back().map_or(1, |last| last + 1));
        for (name, entries) in queues {
            let target = self.target(&name);
            for entry in entries {
                if let Some(content) = contents.get(&entry.id) {
                    *self.uses.borrow_mut().entry(entry.id).or_default() += 1;
                    target.push(entry, content.clone());
                }
            }
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
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    pub(crate) fn state(&self) -> Arc<State> {
        Arc::clone(self.state.borrow_mut().refresh())
    }

    pub(crate) fn settings(&self) -> Arc<NotifierSettings> {
        Arc::clone(&self.settings.borrow())
    }

    pub(crate) fn replace_settings(&self, settings: Arc<NotifierSettings>) {
        *self.settings.borrow_mut() = settings;
        self.targets.borrow().values().for_each(|target| target.wake());
    }

    /// Sends a notification to all targets that the tables select. `done` is called when the
    /// informs are durable.
    pub(crate) fn submit(self: &Rc<Self>, content: OutgoingNotification, done: Option<Done>) {
        let state = self.state();
        let notification = match Notification::new(&content.context_name, content.var_binds()) {
            Ok(notification) => notification,
            Err(error) => return finish(done, Err(SubmitError::Invalid(error))),
        };
        let selected = recipients(&state.lcd, &self.local.engine_id, &notification);
        let mut submitted = Submitted { withheld: selected.withheld.len(), ..Submitted::default() };
        for withheld in &selected.withheld {
            self.withheld.set(self.withheld.get() + 1);
            self.target(&withheld.address.key.name)
                .set_error(self, &format!("withheld: {}", withheld.reason));
        }
        let mut informs = Vec::new();
        for recipient in &selected.chosen {
            match recipient.kind {
                NotifyType::Trap => {
                    submitted.traps += 1;
                    self.push_trap(recipient, &content, false);
                }
                NotifyType::Inform => informs.push(self.target(&recipient.address.key.name)),
            }
        }
        self.store(content, informs, false, submitted, done);
    }

    /// Passes a notification that one target did not accept to another.
    pub(crate) fn pass_to(self: &Rc<Self>, name: &Name, content: &OutgoingNotification) {
        let state = self.state();
        let kind = self.settings().targets.get(name).map_or(NotifyType::Inform, |target| target.kind);
        let Ok(notification) = Notification::new(&content.context_name, content.var_binds()) else { return };
        let recipient = recipient_named(&state.lcd, &self.local.engine_id, &notification, name, kind);
        match recipient {
            Ok(recipient) if kind == NotifyType::Trap => self.push_trap(&recipient, content, true),
            Ok(_) => {
                self.store(content.clone(), vec![self.target(name)], true, Submitted::default(), None);
            }
            Err(reason) => self.target(name).set_error(self, &format!("withheld: {reason}")),
        }
    }

    fn push_trap(
        self: &Rc<Self>,
        recipient: &Recipient<'_>,
        content: &OutgoingNotification,
        is_fallback: bool,
    ) {
        let target = self.target(&recipient.address.key.name);
        target.push_trap(WaitingTrap { rows: rows(recipient), content: content.clone(), is_fallback });
    }

    /// Stores an inform for its targets, as far as their queues have room.
    fn store(
        &self,
        content: OutgoingNotification,
        targets: Vec<Rc<Target>>,
        is_fallback: bool,
        mut submitted: Submitted,
        done: Option<Done>,
    ) {
        let octets = content.octets();
        let wanted = targets.len();
        let targets: Vec<_> = targets.into_iter().filter(|target| target.reserve(octets)).collect();
        submitted.informs = targets.len();
        submitted.discarded = wanted - targets.len();
        if targets.is_empty() {
            return finish(done, Ok(submitted));
        }
        let entry = QueueEntry { id: self.next_id.get(), octets, stored_at: self.wall_time() };
        self.next_id.set(entry.id + 1);
        let mut records = vec![disk_queue::content_record(entry.id, entry.stored_at, &content)];
        records.extend(targets.iter().map(|target| disk_queue::entry_record(&target.name, entry.id)));
        let batch = self.write(records);
        let writing = Writing { entry, content, targets, is_fallback, submitted, done };
        self.writing.borrow_mut().insert(batch, writing);
    }

    fn write(&self, records: Vec<portreeve_store::Record>) -> u64 {
        let batch = self.next_batch.get();
        self.next_batch.set(batch + 1);
        self.disk.write(batch, records);
        batch
    }

    /// Stores the digest of the configuration.
    pub(crate) fn store_configuration(&self, digest: &[u8]) {
        self.write(vec![disk_queue::configuration_record(digest)]);
    }

    /// Queues the informs of a batch that was written.
    pub(crate) fn written(&self, written: Written) {
        let Written { batch, result } = written;
        if let Err(error) = &result {
            self.write_failures.set(self.write_failures.get() + 1);
            if self.write_failures.get() == 1 {
                tracing::error!(%error, "cannot store informs: they are lost if the agent stops before they are delivered");
            }
        }
        let Some(writing) = self.writing.borrow_mut().remove(&batch) else { return };
        let Writing { entry, content, targets, is_fallback, submitted, done } = writing;
        match (result, done) {
            (Err(error), Some(done)) => {
                targets.iter().for_each(|target| target.release(entry.octets));
                done(Err(SubmitError::NotStored(error)));
            }
            (_, done) => {
                self.uses.borrow_mut().insert(entry.id, targets.len());
                for target in &targets {
                    target.push_reserved(entry, content.clone(), is_fallback);
                }
                finish(done, Ok(submitted));
            }
        }
    }

    /// Removes an inform of a target from the disk, with its content if no other target has it.
    pub(crate) fn remove(&self, target: &Name, id: u64) {
        let mut records = vec![disk_queue::removed_entry(target, id)];
        let mut uses = self.uses.borrow_mut();
        let left = uses.get(&id).map_or(0, |count| count - 1);
        if left == 0 {
            uses.remove(&id);
            records.push(disk_queue::removed_content(id));
        } else {
            uses.insert(id, left);
        }
        drop(uses);
        self.write(records);
    }

    /// Returns the current rows of a target whose informs are in its queue.
    pub(crate) fn stored_rows(&self, name: &Name, context_name: &[u8]) -> Result<TargetRows, String> {
        let state = self.state();
        let recipient = stored_recipient(&state.lcd, &self.local.engine_id, name, context_name);
        recipient.map(|recipient| rows(&recipient)).map_err(|reason| reason.to_string())
    }

    /// Returns the fallback of a target.
    pub(crate) fn fallback(&self, name: &Name) -> Option<Name> {
        self.settings.borrow().targets.get(name)?.fallback.clone()
    }

    /// Returns a target; starts its task if it is new.
    fn target(self: &Rc<Self>, name: &Name) -> Rc<Target> {
        if let Some(target) = self.targets.borrow().get(name) {
            return Rc::clone(target);
        }
        let target = Rc::new(Target::new(Arc::clone(name), &self.settings()));
        self.tasks.borrow_mut().spawn_local(Rc::clone(&target).run(Rc::clone(self)));
        self.targets.borrow_mut().insert(Arc::clone(name), Rc::clone(&target));
        target
    }

    pub(crate) fn status(&self) -> NotifierStatus {
        NotifierStatus {
            targets: self.targets.borrow().values().map(|target| target.status()).collect(),
            withheld: self.withheld.get(),
            write_failures: self.write_failures.get(),
        }
    }

    /// Closes all sessions.
    pub(crate) async fn stop(&self) {
        self.targets.borrow().values().for_each(|target| target.stop());
        let mut tasks = std::mem::take(&mut *self.tasks.borrow_mut());
        while tasks.join_next().await.is_some() {}
    }
}

fn rows(recipient: &Recipient<'_>) -> TargetRows {
    TargetRows {
        address: Arc::clone(recipient.address),
        params: Arc::clone(recipient.params),
        community: recipient.community.map(Arc::clone),
    }
}

fn finish(done: Option<Done>, result: Result<Submitted, SubmitError>) {
    if let Some(done) = done {
        done(result);
    }
}
