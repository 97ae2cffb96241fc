//! The notifications that wait, in a queue for each form of message.
//!
//! Messages of one form have the same community, version and kind. So a community that the
//! destination does not know delays only notifications with this community. While all of them are
//! accepted, they are forwarded in the order in which they were added.

use std::{sync::Arc, time::Instant};

use portreeve_snmp_apps::ReceivedNotification;

use super::{
    super::form::MessageForm,
    ForwardQueueFullError, ForwardQueueLimits,
    form_queue::{FormQueue, Waiting},
    size_of_one,
};

/// The queues of one destination.
pub(super) struct FormQueues {
    limits: ForwardQueueLimits,
    /// True if there can be several forms. Then those of one form occupy at most half of the
    /// memory.
    is_shared: bool,
    /// A queue stays when it is empty. Communities are few, because only those that are configured
    /// are accepted.
    queues: Vec<FormQueue>,
    octets: usize,
    next_number: u64,
}

/// An attempt to forward a notification, which stays in its queue.
pub(super) struct Attempt {
    pub(super) waiting: Waiting,
    /// True if the destination does not accept other notifications of this form either.
    pub(super) has_failed: bool,
    queue: usize,
    position: usize,
}

/// The next action.
pub(super) enum Next {
    /// Forward a notification.
    Attempt(Box<Attempt>),
    /// Wait until this time, or until a notification is added.
    Pause(Instant),
    /// Wait until a notification is added.
    Idle,
}

impl Attempt {
    /// Returns whether the notification is the first one of its queue.
    pub(super) fn is_for_first(&self) -> bool {
        self.position == 0
    }
}

impl FormQueues {
    pub(super) fn new(limits: ForwardQueueLimits, is_shared: bool) -> Self {
        Self { limits, is_shared, queues: Vec::new(), octets: 0, next_number: 0 }
    }

    /// Adds a notification.
    ///
    /// # Errors
    /// There is no room for a notification of this form.
    pub(super) fn push(
        &mut self,
        form: Option<MessageForm>,
        notification: Arc<ReceivedNotification>,
        is_inform: bool,
        now: Instant,
    ) -> Result<(), ForwardQueueFullError> {
        let size = size_of_one(&notification);
        let known = self.queues.iter().position(|queue| queue.form == form);
        let own = known.and_then(|position| self.queues.get(position)).map_or(0, |queue| queue.octets);
        let free = self.limits.max_octets.checked_sub(self.octets + size).ok_or(ForwardQueueFullError)?;
        if self.is_shared && own > 0 && own + size > free {
            return Err(ForwardQueueFullError);
        }
        let number = self.number();
        let position = known.unwrap_or_else(|| {
            self.queues.push(FormQueue::new(form, &self.limits));
            self.queues.len() - 1
        });
        if let Some(queue) = self.queues.get_mut(position) {
            queue.push(Waiting::new(notification, is_inform, now, number));
            queue.octets += size;
            self.octets += size;
        }
        Ok(())
    }

    /// Returns the number of notifications that wait.
    pub(super) fn len(&self) -> usize {
        self.queues.iter().map(FormQueue::len).sum()
    }

    /// Returns the next action: an attempt for the oldest of the first notifications, except those
    /// that wait after a failure.
    pub(super) fn next(&self, now: Instant) -> Next {
        let is_due = |queue: &FormQueue| queue.due.is_none_or(|due| due <= now);
        let due = self.queues.iter().enumerate().filter(|(_, queue)| is_due(queue));
        let oldest = due.filter_map(|(index, queue)| Some((queue.front()?.number, index, queue)));
        if let Some((_, index, queue)) = oldest.min_by_key(|(number, ..)| *number)
            && let Some((position, waiting)) = queue.next()
        {
            let (waiting, has_failed) = (waiting.clone(), queue.has_failed);
            return Next::Attempt(Box::new(Attempt { waiting, has_failed, queue: index, position }));
        }
        let waiting = self.queues.iter().filter(|queue| queue.len() > 0);
        waiting.filter_map(|queue| queue.due).min().map_or(Next::Idle, Next::Pause)
    }

    /// Records that the notification has been forwarded.
    pub(super) fn forwarded(&mut self, attempt: &Attempt) {
        let number = self.number();
        let Some(queue) = self.queues.get_mut(attempt.queue) else { return };
        queue.forwarded(attempt.position, number, &self.limits);
        self.release(attempt);
    }

    /// Removes a notification that is discarded.
    pub(super) fn discard(&mut self, attempt: &Attempt) {
        let Some(queue) = self.queues.get_mut(attempt.queue) else { return };
        queue.remove(attempt.position);
        self.release(attempt);
    }

    /// Records that the destination did not accept the notification.
    pub(super) fn failed(&mut self, attempt: &Attempt, is_unconfirmed: bool, now: Instant) {
        let Some(queue) = self.queues.get_mut(attempt.queue) else { return };
        queue.failed(attempt.position, is_unconfirmed, now, &self.limits);
    }

    fn release(&mut self, attempt: &Attempt) {
        let size = size_of_one(&attempt.waiting.notification);
        self.octets -= size;
        if let Some(queue) = self.queues.get_mut(attempt.queue) {
            queue.octets -= size;
        }
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }
}

#[cfg(test)]
mod tests;
