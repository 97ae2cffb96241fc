//! Traps are sent once: a trap that cannot be sent is discarded, or passed to the fallback.

use super::Task;
use crate::{
    link::{Link, SendError},
    target::WaitingTrap,
};

impl Task {
    /// Sends the traps that wait.
    pub(super) async fn send_traps(&mut self) {
        loop {
            let Some(trap) = self.target.traps.borrow_mut().pop() else { return };
            let had_link = self.link.is_some();
            let mut sent = self.send_trap(&trap).await;
            if had_link
                && self.link.is_some()
                && let Err(SendError::Failed(end)) = sent
            {
                //= rfc6353#5.2-4
                // The receiver may have closed the session since the last trap.
                self.lose_link(&end).await;
                sent = self.send_trap(&trap).await;
            }
            match sent {
                Ok(()) => {
                    self.target.report.trap_sent();
                    // The receiver may still reject the session, each time anew.
                    if !self.is_rejectable() {
                        self.target.delivered();
                    } else {
                        let _ = self.unconfirmed.push(trap);
                    }
                }
                Err(SendError::Unsendable(reason)) => {
                    self.target.set_error(self.core.wall_time(), &reason);
                    self.discard_trap(&trap, &reason, false);
                }
                Err(SendError::Failed(end)) => {
                    self.lose_link(&end).await;
                    self.report_failure(&end);
                    // The traps that wait would fail for the same reason, each after a timeout.
                    self.discard_trap(&trap, &end.reason, false);
                    for trap in self.target.take_traps() {
                        self.discard_trap(&trap, &end.reason, false);
                    }
                }
            }
        }
    }

    async fn send_trap(&mut self, trap: &WaitingTrap) -> Result<(), SendError> {
        self.connect(&trap.rows).await.map_err(SendError::Failed)?;
        match &mut self.link {
            Some(link) => link.send_trap(&self.core, &trap.content).await,
            None => Ok(()),
        }
    }

    /// Discards a trap, or passes it to the fallback.
    pub(super) fn discard_trap(&self, trap: &WaitingTrap, reason: &str, was_sent: bool) {
        self.target.discard_trap(reason, was_sent);
        if let Some(fallback) = self.core.fallback(&self.target.name).filter(|_| !trap.is_fallback) {
            self.core.pass_to(&fallback, &trap.content, None);
        }
    }

    /// Forgets the traps that the receiver can no longer reject.
    pub(super) fn confirm_traps(&mut self) {
        if !self.unconfirmed.is_empty() && !self.is_rejectable() {
            self.unconfirmed.take();
            self.target.delivered();
        }
    }

    fn is_rejectable(&self) -> bool {
        self.link.as_ref().is_some_and(Link::is_rejectable)
    }
}
