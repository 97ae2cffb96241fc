//! The task of one target: sends what waits, over one connection or session.

mod traps;

use std::{rc::Rc, time::Duration};

use portreeve_lcd::NotifyType;
use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_apps::{Notification, recipient_named};
use tokio::time::sleep;

use super::{Target, TrapQueue};
use crate::{
    OutgoingNotification,
    connection::ConnectionEnd,
    core::Core,
    destination::{Endpoint, TargetRows},
    link::{Link, LinkEvent, SendError},
};

/// The task of one target.
pub(super) struct Task {
    target: Rc<Target>,
    core: Rc<Core>,
    link: Option<Link>,
    /// The traps that were sent in a session that the receiver may still reject. Those that have no
    /// room count as accepted.
    unconfirmed: TrapQueue,
}

/// The reason why an inform is not sent now.
enum InformError {
    /// It needs another community than those that are outstanding.
    Later,
    /// It can never be sent to the target.
    Unsendable(String),
    /// It is sent after a pause.
    Failed(ConnectionEnd),
}

impl Task {
    pub(super) fn new(target: &Rc<Target>, core: &Rc<Core>) -> Self {
        Self {
            target: Rc::clone(target),
            core: Rc::clone(core),
            link: None,
            unconfirmed: TrapQueue::default(),
        }
    }

    /// Sends what waits, until the target is stopped.
    pub(super) async fn run(mut self) {
        loop {
            self.expire();
            if self.target.is_stopped.get() {
                return self.stop().await;
            }
            self.confirm_traps();
            self.send_traps().await;
            self.send_informs().await;
            if self.handle_events().await {
                continue;
            }
            self.pass_on();
            self.target.report.set_connected(self.link.is_some());
            self.wait().await;
        }
    }

    /// Sends the traps that wait, if that needs no new session, and closes the session.
    async fn stop(&mut self) {
        if self.link.is_some() {
            self.send_traps().await;
        }
        for _ in self.target.take_traps() {
            self.target.discard_trap("the agent stops", false);
        }
        self.close_link().await;
    }

    /// Discards the informs that are too old.
    fn expire(&self) {
        let now = self.core.now();
        loop {
            let Some(id) = self.target.queue.borrow_mut().expire(now) else { return };
            self.target.log_discard("their age has reached its limit");
            self.target.forget(&self.core, id);
        }
    }

    /// Opens a connection or session, unless the existing one fits. Returns true if it is new.
    async fn connect(&mut self, rows: &TargetRows) -> Result<bool, ConnectionEnd> {
        if self.link.as_mut().is_some_and(|link| link.fits(&self.core, rows)) {
            return Ok(false);
        }
        self.close_link().await;
        let attempt = |endpoint: &Endpoint| self.target.report.set_address(endpoint.to_string());
        let opened = Link::open(&self.core, rows, &self.target.file_reads, attempt).await?;
        self.target.keeps_order.set(!opened.endpoint().loses_messages());
        self.target.update_limits(&self.core.settings());
        self.link = Some(opened);
        Ok(true)
    }

    /// Sends the informs that are due.
    async fn send_informs(&mut self) {
        loop {
            let Some(id) = self.target.queue.borrow_mut().next_to_send(self.core.now()) else { return };
            let inform = self.target.inform(id);
            // Each entry has its content.
            let Some(inform) = inform else { return self.reject(id, "internal error: no content") };
            match self.send_inform(id, &inform.content).await {
                Ok(()) => {}
                Err(InformError::Later) => return self.target.queue.borrow_mut().take_back(),
                Err(InformError::Unsendable(reason)) => self.reject(id, &reason),
                Err(InformError::Failed(end)) => return self.fail(&end).await,
            }
        }
    }

    async fn send_inform(&mut self, id: u64, content: &OutgoingNotification) -> Result<(), InformError> {
        let rows = self.rows(content)?;
        let has_others = self.target.queue.borrow().outstanding() > 1;
        if has_others && self.link.as_ref().is_some_and(|link| link.needs_other_community(&rows)) {
            return Err(InformError::Later);
        }
        if self.connect(&rows).await.map_err(InformError::Failed)? {
            // The informs that were sent in the last session have no results.
            self.target.queue.borrow_mut().resend();
            return Ok(());
        }
        let Some(link) = &mut self.link else { return Ok(()) };
        link.send_inform(&self.core, id, content).await.map_err(|error| match error {
            SendError::Unsendable(reason) => InformError::Unsendable(reason),
            SendError::Failed(end) => InformError::Failed(end),
        })
    }

    /// Returns the rows for an inform that was selected for the target earlier. Its filter and its
    /// notify view may have been changed since.
    fn rows(&self, content: &OutgoingNotification) -> Result<TargetRows, InformError> {
        let state = self.core.state();
        let notification = Notification::new(&content.context_name, content.var_binds());
        let notification = notification.map_err(|error| InformError::Unsendable(error.to_string()))?;
        let engine_id = &self.core.local().engine_id;
        let kind = NotifyType::Inform;
        let recipient = recipient_named(&state.lcd, engine_id, &notification, &self.target.name, kind);
        match recipient {
            Ok(recipient) => Ok(TargetRows::from(&recipient)),
            Err(reason) if reason.is_prohibition() => {
                Err(InformError::Unsendable(format!("withheld: {reason}")))
            }
            Err(reason) => Err(InformError::Failed(ConnectionEnd::failed(reason.to_string()))),
        }
    }

    /// Sends all informs again after a pause.
    async fn fail(&mut self, end: &ConnectionEnd) {
        self.report_failure(end);
        self.target.queue.borrow_mut().fail(self.core.now(), getrandom::u32().unwrap_or_default());
        // A receiver that accepts a session and never answers gets a new session.
        self.lose_link(end).await;
    }

    /// Records a failure, and reports it to the other targets if it may be an attack.
    fn report_failure(&self, end: &ConnectionEnd) {
        let is_new = self.target.report.failed(self.core.wall_time(), &end.reason);
        if let Some(cause) = end.cause.filter(|_| is_new) {
            self.core.report_certificate(&self.target.name, cause);
        }
    }

    /// Passes the informs of a target that does not answer to its fallback, each once.
    fn pass_on(&self) {
        if !self.target.queue.borrow().is_failing() {
            return;
        }
        let Some(fallback) = self.core.fallback(&self.target.name) else { return };
        for (id, inform) in self.target.take_not_passed_on() {
            self.core.pass_to(&fallback, &inform.content, Some((&self.target.name, id)));
        }
    }

    /// Waits for work, for a message of the receiver, or for the next deadline.
    async fn wait(&mut self) {
        let deadline = self.deadline();
        let Self { target, core, link, .. } = self;
        let ended = tokio::select! {
            () = target.wake.notified() => None,
            () = sleep(deadline) => None,
            received = receive(core, link) => received.err(),
        };
        match ended {
            Some(end) if self.target.queue.borrow().has_outstanding() => self.fail(&end).await,
            Some(end) => self.lose_link(&end).await,
            None => {}
        }
    }

    /// Handles deadlines and the results of informs. Returns true if there was a result, so that
    /// more may be sent.
    async fn handle_events(&mut self) -> bool {
        let Some(link) = &mut self.link else { return false };
        let mut failure = link.handle_timeout(&self.core).await.err();
        let mut has_result = false;
        while let Some((id, event)) = self.link.as_mut().and_then(Link::poll_event) {
            has_result = true;
            match event {
                LinkEvent::Acknowledged(ErrorStatus::NoError) => self.acknowledge(id),
                // The receiver can never accept it: its limit is below the size of the inform.
                LinkEvent::Acknowledged(ErrorStatus::TooBig) => {
                    self.reject(id, "the receiver answered tooBig")
                }
                LinkEvent::Unsendable(reason) => self.reject(id, &reason),
                LinkEvent::Acknowledged(status) => {
                    self.target.queue.borrow_mut().send_one_at_a_time();
                    let reason = format!("the receiver answered {}", status.name());
                    failure = Some(ConnectionEnd::failed(reason));
                }
                LinkEvent::Failed(reason) => failure = Some(ConnectionEnd::failed(reason)),
            }
        }
        match failure {
            Some(end) => self.fail(&end).await,
            None if self.link.as_ref().is_some_and(|link| link.is_idle(self.core.now())) => {
                self.close_link().await
            }
            None => {}
        }
        has_result
    }

    /// Discards an inform that can never be delivered.
    fn reject(&self, id: u64, reason: &str) {
        if self.target.queue.borrow_mut().reject(id) {
            self.target.set_error(self.core.wall_time(), reason);
            self.target.log_discard(reason);
            self.target.forget(&self.core, id);
        }
    }

    fn acknowledge(&self, id: u64) {
        if self.target.queue.borrow_mut().acknowledge(id) {
            self.target.delivered();
            self.target.forget(&self.core, id);
        }
    }

    /// Gives up a connection that has ended or failed. If the receiver has rejected the session,
    /// the traps that were sent in it are lost.
    async fn lose_link(&mut self, end: &ConnectionEnd) {
        if end.is_rejection {
            for trap in self.unconfirmed.take() {
                self.report_failure(end);
                self.discard_trap(&trap, &end.reason, true);
            }
        }
        self.close_link().await;
    }

    /// Closes the connection or session. The informs that were sent in it are sent again.
    async fn close_link(&mut self) {
        self.unconfirmed.take();
        //= rfc5592#5.4-2
        //= rfc6353#5.4-3
        let Some(link) = self.link.take() else { return };
        self.target.queue.borrow_mut().resend();
        link.close().await;
    }

    /// Returns the time until the next deadline.
    fn deadline(&self) -> Duration {
        let now = self.core.now();
        let until = |time: Timestamp| time.since(now);
        let queue = self.target.queue.borrow();
        let expiry = queue.time_to_expiry(now);
        let session = self.link.as_ref().and_then(Link::next_timeout).map(until);
        let idle = self.link.as_ref().and_then(|link| link.idle_time_left(now));
        let confirmation = self.link.as_ref().filter(|_| !self.unconfirmed.is_empty());
        let confirmation = confirmation.map(Link::rejection_time_left);
        let pause = queue.next_timeout().map(until);
        [expiry, session, idle, confirmation, pause].into_iter().flatten().min().unwrap_or(LONG_TIME)
    }
}

/// Waits for the next message of the receiver; forever without a link.
async fn receive(core: &Core, link: &mut Option<Link>) -> Result<(), ConnectionEnd> {
    match link {
        Some(link) => link.receive(core).await,
        None => std::future::pending().await,
    }
}

/// The time after which a task without a deadline looks at its work again.
const LONG_TIME: Duration = Duration::from_secs(3600);

#[cfg(test)]
mod tests;
