//! The notifications of one form, in order.
//!
//! An inform that the destination does not confirm must not stop the others for long. After some
//! attempts, each further failure lets another one be tried. If the destination confirms that one,
//! the first one goes to the end. It is discarded after the third time, but not in its first
//! minutes: the destination may refuse only large ones while its disk is nearly full.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use portreeve_snmp_apps::ReceivedNotification;

use super::{super::form::MessageForm, ForwardQueueLimits, with_jitter};

/// The notifications of one form.
pub(super) struct FormQueue {
    /// `None` for those that cannot be forwarded.
    pub(super) form: Option<MessageForm>,
    waiting: VecDeque<Waiting>,
    /// The memory of those that wait, in octets, about.
    pub(super) octets: usize,
    /// The time of the next attempt; `None` for at once.
    pub(super) due: Option<Instant>,
    pause: Duration,
    /// True if the destination does not accept notifications of this form.
    pub(super) has_failed: bool,
    /// True if the next attempt is for another one than the first.
    tries_another: bool,
    /// The number of others that the destination has not confirmed since the last success.
    failed_others: usize,
}

/// A notification that waits.
#[derive(Clone)]
pub(super) struct Waiting {
    pub(super) notification: Arc<ReceivedNotification>,
    pub(super) is_inform: bool,
    pub(super) since: Instant,
    /// Determines the order among all forms.
    pub(super) number: u64,
    /// The attempts that the destination did not confirm.
    failures: usize,
    /// The number of times that the destination has confirmed another one instead.
    overtaken: u32,
}

impl Waiting {
    pub(super) fn new(
        notification: Arc<ReceivedNotification>,
        is_inform: bool,
        since: Instant,
        number: u64,
    ) -> Self {
        Self { notification, is_inform, since, number, failures: 0, overtaken: 0 }
    }

    /// Returns the number of times that the destination has confirmed another one instead.
    #[cfg(test)]
    pub(super) fn overtaken(&self) -> u32 {
        self.overtaken
    }

    /// Returns whether the destination has confirmed another one instead.
    pub(super) fn was_overtaken(&self) -> bool {
        self.overtaken > 0
    }

    /// Returns whether the destination has confirmed others, but not this one, for some time.
    pub(super) fn is_rejected(&self, limits: &ForwardQueueLimits) -> bool {
        self.overtaken >= MAX_OVERTAKEN && self.since.elapsed() >= limits.min_rejected_age
    }
}

impl FormQueue {
    pub(super) fn new(form: Option<MessageForm>, limits: &ForwardQueueLimits) -> Self {
        Self {
            form,
            waiting: VecDeque::new(),
            octets: 0,
            due: None,
            pause: limits.min_pause,
            has_failed: false,
            tries_another: false,
            failed_others: 0,
        }
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        self.waiting.push_back(waiting);
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn front(&self) -> Option<&Waiting> {
        self.waiting.front()
    }

    /// Returns the notification of the next attempt, and its position.
    pub(super) fn next(&self) -> Option<(usize, &Waiting)> {
        let others = self.waiting.len().saturating_sub(1);
        let position = match self.tries_another && others > 0 {
            // Another one each time, because the next one may be refused as well.
            true => 1 + self.failed_others % others,
            false => 0,
        };
        Some((position, self.waiting.get(position)?))
    }

    /// Removes a notification that has been forwarded. `number` is that of the end of the queue.
    pub(super) fn forwarded(&mut self, position: usize, number: u64, limits: &ForwardQueueLimits) {
        self.remove(position);
        self.pause = limits.min_pause;
        self.due = None;
        self.failed_others = 0;
        if position == 0 {
            self.has_failed = false;
            return;
        }
        self.tries_another = false;
        let Some(mut first) = self.waiting.pop_front() else { return };
        first.overtaken = first.overtaken.saturating_add(1);
        // The next failure lets the notification after it be tried.
        first.failures = MIN_FAILURES - 1;
        if first.is_rejected(limits) {
            self.waiting.push_front(first);
        } else {
            self.waiting.push_back(Waiting { number, ..first });
        }
    }

    /// Removes a notification.
    pub(super) fn remove(&mut self, position: usize) -> Option<Waiting> {
        if position == 0 {
            self.tries_another = false;
        }
        self.waiting.remove(position)
    }

    /// Records that the destination did not accept the notification. `is_unconfirmed` is true if it
    /// was sent, but not confirmed.
    pub(super) fn failed(
        &mut self,
        position: usize,
        is_unconfirmed: bool,
        now: Instant,
        limits: &ForwardQueueLimits,
    ) {
        let others = self.waiting.len().saturating_sub(1);
        let Some(waiting) = self.waiting.get_mut(position) else { return };
        waiting.failures += usize::from(is_unconfirmed);
        // One that others have overtaken says nothing about the destination.
        self.failed_others += usize::from(position > 0);
        self.has_failed |= !waiting.was_overtaken();
        let has_failed_often = is_unconfirmed && waiting.failures >= MIN_FAILURES;
        self.tries_another = position == 0 && has_failed_often && others > 0;
        if !self.tries_another {
            self.due = Some(now + with_jitter(self.pause));
            self.pause = (self.pause * 2).min(limits.max_pause);
        }
    }
}

/// The number of attempts after which another notification is tried.
pub(super) const MIN_FAILURES: usize = 3;
/// The number of times that another one is confirmed before a notification is discarded.
pub(super) const MAX_OVERTAKEN: u32 = 3;
