//! One target: what waits for it, and the task that sends it.
//!
//! ```text
//! traps ────┐
//!           ├─► task ─► link: connection, sessions of informs, encoder of traps ─► receiver
//! informs ──┘             │
//!   ▲                     └─ failure ─► pause, fallback
//!   └── durable
//! ```

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    time::Duration,
};

use portreeve_lcd::Name;
use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_apps::{InformQueue, QueueEntry, QueueLimits};
use tokio::{sync::Notify, time::sleep};

use crate::{
    NotifierSettings, OutgoingNotification, TargetSettings, TargetStatus,
    core::Core,
    destination::TargetRows,
    link::{Link, LinkEvent},
};

/// A trap that waits for its target.
pub(crate) struct WaitingTrap {
    pub(crate) rows: TargetRows,
    pub(crate) content: OutgoingNotification,
    /// True if another target did not accept the notification.
    pub(crate) is_fallback: bool,
}

/// One target.
pub(crate) struct Target {
    pub(crate) name: Name,
    queue: RefCell<InformQueue>,
    contents: RefCell<BTreeMap<u64, OutgoingNotification>>,
    /// The octets of informs that are being stored.
    reserved: Cell<usize>,
    traps: RefCell<VecDeque<WaitingTrap>>,
    trap_octets: Cell<usize>,
    /// The greatest number of an inform that was passed to the fallback.
    passed_on: Cell<u64>,
    /// The informs that another target did not accept; they are not passed on again.
    from_others: RefCell<BTreeSet<u64>>,
    wake: Notify,
    is_stopped: Cell<bool>,
    status: RefCell<TargetStatus>,
    /// True if the current failure has been logged.
    has_logged_failure: Cell<bool>,
}

impl Target {
    pub(crate) fn new(name: Name, settings: &NotifierSettings) -> Self {
        let status = TargetStatus { name: name.to_vec(), ..TargetStatus::default() };
        Self {
            queue: RefCell::new(InformQueue::new(limits(settings.targets.get(&name), false))),
            name,
            contents: RefCell::default(),
            reserved: Cell::default(),
            traps: RefCell::default(),
            trap_octets: Cell::default(),
            passed_on: Cell::default(),
            from_others: RefCell::default(),
            wake: Notify::new(),
            is_stopped: Cell::default(),
            status: RefCell::new(status),
            has_logged_failure: Cell::default(),
        }
    }

    /// Adds a trap, unless too many wait.
    pub(crate) fn push_trap(&self, trap: WaitingTrap) {
        let octets = trap.content.octets();
        if self.trap_octets.get() + octets > MAX_TRAP_OCTETS {
            return self.discard_trap("too many traps wait");
        }
        self.trap_octets.set(self.trap_octets.get() + octets);
        self.traps.borrow_mut().push_back(trap);
        self.wake.notify_one();
    }

    /// Reserves room for an inform that is to be stored. If there is none, the inform is counted as
    /// refused.
    pub(crate) fn reserve(&self, octets: usize) -> bool {
        let mut queue = self.queue.borrow_mut();
        let has_room = queue.has_room_for(self.reserved.get() + octets);
        if has_room {
            self.reserved.set(self.reserved.get() + octets);
        } else {
            queue.refuse();
            self.log_failure("its queue is full: new informs are discarded");
        }
        has_room
    }

    /// Adds an inform for which room was reserved.
    pub(crate) fn push_reserved(&self, entry: QueueEntry, content: OutgoingNotification, is_fallback: bool) {
        self.release(entry.octets);
        if is_fallback {
            self.from_others.borrow_mut().insert(entry.id);
        }
        self.push(entry, content);
    }

    /// Releases the room for an inform that could not be stored.
    pub(crate) fn release(&self, octets: usize) {
        self.reserved.set(self.reserved.get().saturating_sub(octets));
    }

    /// Adds an inform.
    pub(crate) fn push(&self, entry: QueueEntry, content: OutgoingNotification) {
        if self.queue.borrow_mut().push(entry).is_ok() {
            self.contents.borrow_mut().insert(entry.id, content);
        }
        self.wake.notify_one();
    }

    /// Makes the task look at its work again, for example because the tables were changed.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Makes the task close its session and end.
    pub(crate) fn stop(&self) {
        self.is_stopped.set(true);
        self.wake.notify_one();
    }

    pub(crate) fn status(&self) -> TargetStatus {
        TargetStatus { queue: self.queue.borrow().status(), ..self.status.borrow().clone() }
    }

    /// Records why something was not sent to the target.
    pub(crate) fn set_error(&self, core: &Core, reason: &str) {
        self.status.borrow_mut().last_error = Some((core.wall_time(), reason.to_owned()));
    }

    fn discard_trap(&self, reason: &str) {
        self.status.borrow_mut().traps_discarded += 1;
        self.log_failure(reason);
    }

    /// Logs a failure, unless the last message about this target was one.
    fn log_failure(&self, reason: &str) {
        if !self.has_logged_failure.replace(true) {
            tracing::warn!(target = %self.display_name(), reason, "notifications cannot be delivered");
        }
    }

    fn log_success(&self) {
        if self.has_logged_failure.replace(false) {
            let TargetStatus { traps_discarded, queue, .. } = self.status();
            let discarded = traps_discarded + queue.refused + queue.expired;
            tracing::info!(target = %self.display_name(), discarded, "notifications are delivered again");
        }
    }

    fn display_name(&self) -> String {
        self.name.escape_ascii().to_string()
    }

    /// Sends what waits, until the target is stopped.
    pub(crate) async fn run(self: Rc<Self>, core: Rc<Core>) {
        let mut link = None;
        loop {
            self.expire(&core);
            if self.is_stopped.get() {
                return close(link, &core).await;
            }
            self.send_traps(&core, &mut link).await;
            self.send_informs(&core, &mut link).await;
            self.handle_events(&core, &mut link).await;
            self.pass_on(&core);
            self.status.borrow_mut().is_connected = link.is_some();
            self.wait(&core, &mut link).await;
        }
    }

    /// Discards the informs that are too old.
    fn expire(&self, core: &Core) {
        let now = core.wall_time();
        loop {
            let Some(id) = self.queue.borrow_mut().expire(now) else { return };
            self.log_failure("informs are discarded because of their age");
            self.forget(core, id);
        }
    }

    /// Removes an inform from the disk.
    fn forget(&self, core: &Core, id: u64) {
        self.contents.borrow_mut().remove(&id);
        self.from_others.borrow_mut().remove(&id);
        core.remove(&self.name, id);
    }

    async fn send_traps(&self, core: &Rc<Core>, link: &mut Option<Link>) {
        loop {
            let Some(trap) = self.traps.borrow_mut().pop_front() else { return };
            self.trap_octets.set(self.trap_octets.get().saturating_sub(trap.content.octets()));
            let mut sent = self.send_trap(core, link, &trap).await;
            if sent.is_err() && link.take().is_some() {
                // The receiver may have closed the session since the last trap.
                sent = self.send_trap(core, link, &trap).await;
            }
            match sent {
                Ok(()) => {
                    self.status.borrow_mut().traps_sent += 1;
                    self.log_success();
                }
                Err(reason) => {
                    *link = None;
                    self.set_error(core, &reason);
                    self.discard_trap(&reason);
                    if let Some(fallback) = core.fallback(&self.name).filter(|_| !trap.is_fallback) {
                        core.pass_to(&fallback, &trap.content);
                    }
                }
            }
        }
    }

    async fn send_trap(
        &self,
        core: &Rc<Core>,
        link: &mut Option<Link>,
        trap: &WaitingTrap,
    ) -> Result<(), String> {
        self.connect(core, link, &trap.rows).await?;
        match link {
            Some(link) => link.send_trap(core, &trap.content).await,
            None => Ok(()),
        }
    }

    /// Opens a connection or session, unless the existing one fits.
    async fn connect(
        &self,
        core: &Rc<Core>,
        link: &mut Option<Link>,
        rows: &TargetRows,
    ) -> Result<(), String> {
        if link.as_ref().is_some_and(|link| link.fits(core, rows)) {
            return Ok(());
        }
        close(link.take(), core).await;
        let opened = Link::open(core, rows).await?;
        self.status.borrow_mut().address = opened.endpoint().to_string();
        let own = core.settings();
        let limits = limits(own.targets.get(&self.name), !opened.endpoint().loses_messages());
        self.queue.borrow_mut().set_limits(limits);
        *link = Some(opened);
        Ok(())
    }

    /// Sends the informs that are due.
    async fn send_informs(&self, core: &Rc<Core>, link: &mut Option<Link>) {
        loop {
            let Some(id) = self.queue.borrow_mut().next_to_send(core.now()) else { return };
            let content = self.contents.borrow().get(&id).cloned();
            let Some(content) = content else {
                // Each entry has its content.
                self.queue.borrow_mut().reject(id);
                continue;
            };
            if let Err(reason) = self.send_inform(core, link, id, &content).await {
                return self.fail(core, link, &reason).await;
            }
        }
    }

    async fn send_inform(
        &self,
        core: &Rc<Core>,
        link: &mut Option<Link>,
        id: u64,
        content: &OutgoingNotification,
    ) -> Result<(), String> {
        let rows = core.stored_rows(&self.name, &content.context_name)?;
        self.connect(core, link, &rows).await?;
        match link {
            Some(link) => link.send_inform(core, id, content).await,
            None => Ok(()),
        }
    }

    /// Sends all informs again after a pause.
    async fn fail(&self, core: &Rc<Core>, link: &mut Option<Link>, reason: &str) {
        self.set_error(core, reason);
        self.log_failure(reason);
        self.queue.borrow_mut().fail(core.now(), getrandom::u32().unwrap_or_default());
        if let Some(link) = link {
            link.cancel_informs();
        }
        // A receiver that accepts a session and never answers gets a new session.
        close(link.take(), core).await;
    }

    /// Passes the informs of a target that does not answer to its fallback, each once.
    fn pass_on(&self, core: &Rc<Core>) {
        if self.queue.borrow().status().failures == 0 {
            return;
        }
        let Some(fallback) = core.fallback(&self.name) else { return };
        let waiting: Vec<u64> = self.queue.borrow().entries().map(|entry| entry.id).collect();
        for id in waiting.into_iter().filter(|id| *id > self.passed_on.get()) {
            self.passed_on.set(id);
            let content = self.contents.borrow().get(&id).cloned();
            if let Some(content) = content.filter(|_| !self.from_others.borrow().contains(&id)) {
                core.pass_to(&fallback, &content);
            }
        }
    }

    /// Waits for work, for a message of the receiver, or for the next deadline.
    async fn wait(&self, core: &Rc<Core>, link: &mut Option<Link>) {
        let deadline = self.deadline(core, link.as_ref());
        let mut ended = None;
        tokio::select! {
            () = self.wake.notified() => {}
            () = sleep(deadline) => {}
            received = receive(core, link) => ended = received.err(),
        }
        if let Some(reason) = ended {
            *link = None;
            if self.queue.borrow().has_outstanding() {
                self.fail(core, link, &reason).await;
            }
            return;
        }
        self.handle_events(core, link).await;
    }

    async fn handle_events(&self, core: &Rc<Core>, link: &mut Option<Link>) {
        let Some(open) = link else { return };
        let failed = open.handle_timeout(core).await.err();
        let mut failure = failed;
        while let Some((id, event)) = open.poll_event() {
            match event {
                LinkEvent::Acknowledged(ErrorStatus::NoError) => self.acknowledge(core, id),
                // The receiver can never accept it: its limit is below the size of the inform.
                LinkEvent::Acknowledged(ErrorStatus::TooBig) => {
                    self.reject(core, id, "the receiver answered tooBig");
                }
                LinkEvent::Unsendable(reason) => self.reject(core, id, &reason),
                LinkEvent::Acknowledged(status) => {
                    failure = Some(format!("the receiver answered {}", status.name()));
                }
                LinkEvent::Failed(reason) => failure = Some(reason),
            }
        }
        if open.is_idle() {
            close(link.take(), core).await;
        }
        if let Some(reason) = failure {
            self.fail(core, link, &reason).await;
        }
    }

    /// Discards an inform that can never be delivered.
    fn reject(&self, core: &Core, id: u64, reason: &str) {
        if self.queue.borrow_mut().reject(id) {
            self.set_error(core, reason);
            tracing::warn!(target = %self.display_name(), reason, "an inform is discarded");
            self.forget(core, id);
        }
    }

    fn acknowledge(&self, core: &Core, id: u64) {
        if self.queue.borrow_mut().acknowledge(id) {
            self.log_success();
            self.forget(core, id);
        }
    }

    /// Returns the time until the next deadline.
    fn deadline(&self, core: &Core, link: Option<&Link>) -> Duration {
        let now = core.now();
        let until = |time: Timestamp| time.since(now);
        let queue = self.queue.borrow();
        let age = limits(core.settings().targets.get(&self.name), false).max_age;
        let expiry = queue.status().oldest.map(|oldest| {
            let end = oldest.saturating_add(age.as_secs());
            Duration::from_secs(end.saturating_sub(core.wall_time()).max(1))
        });
        let session = link.and_then(Link::next_timeout).map(until);
        let idle = link.map(Link::idle_time_left);
        let pause = queue.next_timeout().map(until);
        [expiry, session, idle, pause].into_iter().flatten().min().unwrap_or(LONG_TIME)
    }
}

/// Waits for the next message of the receiver; forever without a link.
async fn receive(core: &Core, link: &mut Option<Link>) -> Result<(), String> {
    match link {
        Some(link) => link.receive(core).await,
        None => std::future::pending().await,
    }
}

async fn close(link: Option<Link>, core: &Core) {
    if let Some(link) = link {
        link.close(core).await;
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

/// The maximum number of octets of traps that wait for a target.
const MAX_TRAP_OCTETS: usize = 1 << 20;
/// The maximum number of informs that are sent over a stream before the first is acknowledged.
const MAX_OUTSTANDING: usize = 16;
/// The time after which a task without a deadline looks at its work again.
const LONG_TIME: Duration = Duration::from_secs(3600);
