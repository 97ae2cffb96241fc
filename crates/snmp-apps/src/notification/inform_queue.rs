//! The informs that wait for one target, in order.
//!
//! The queue decides which inform is sent when. Its owner stores the informs, sends them with
//! retransmissions, and reports the results. All times are those of the agent's clock, which starts
//! with the agent and never jumps.

use std::{collections::VecDeque, fmt, time::Duration};

use portreeve_smi::Timestamp;

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// The maximum number of octets in the queue.
    pub max_octets: usize,
    /// The time after which an inform that was not acknowledged is discarded.
    pub max_age: Duration,
    /// The number of informs that may be sent before the first of them is acknowledged. Only one
    /// if the transport can change their order.
    pub max_outstanding: usize,
    /// The pause after the first failure. Each further failure doubles it.
    pub min_pause: Duration,
    /// The maximum of the pause, before the random part is added.
    pub max_pause: Duration,
}

/// An inform in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueEntry {
    /// The number of the inform.
    pub id: u64,
    /// Its length, or the memory that it needs.
    pub octets: usize,
    /// The time at which it was added to the queue.
    pub added: Timestamp,
    /// Its age at that time: zero, unless it was in the queue before a restart.
    pub earlier_age: Duration,
}

impl QueueEntry {
    /// Returns the age of the inform.
    pub fn age(&self, now: Timestamp) -> Duration {
        self.earlier_age + now.since(self.added)
    }
}

/// The condition of a queue, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueStatus {
    /// The number of informs in the queue.
    pub entries: usize,
    /// Their octets.
    pub octets: usize,
    /// The age of the oldest.
    pub oldest: Option<Duration>,
    /// The number of informs that were acknowledged.
    pub acknowledged: u64,
    /// The number of informs that were refused because the queue was full.
    pub refused: u64,
    /// The number of informs that were discarded because of their age.
    pub expired: u64,
    /// The number of informs that were discarded because they can never be delivered.
    pub rejected: u64,
    /// The number of failures since the last acknowledgement.
    pub failures: u32,
}

/// The informs of one target.
#[derive(Debug)]
pub struct InformQueue {
    limits: QueueLimits,
    entries: VecDeque<QueueEntry>,
    /// The number of entries, from the first, that are being sent.
    outstanding: usize,
    octets: usize,
    /// The end of the pause after a failure.
    paused_until: Option<Timestamp>,
    /// True if informs are sent one at a time, whatever the limits say.
    is_serial: bool,
    status: QueueStatus,
}

/// The queue has no room for an inform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFullError;

impl fmt::Display for QueueFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the queue of the target is full")
    }
}

impl std::error::Error for QueueFullError {}

impl InformQueue {
    /// Creates an empty queue.
    pub fn new(limits: QueueLimits) -> Self {
        Self {
            limits,
            entries: VecDeque::new(),
            outstanding: 0,
            octets: 0,
            paused_until: None,
            is_serial: false,
            status: QueueStatus::default(),
        }
    }

    /// Adds an inform, which is sent after all others. Its number must differ from theirs.
    ///
    /// # Errors
    /// [`QueueFullError`] if there is no room for it; it is counted. Informs that are already in
    /// the queue stay there: their senders rely on them.
    pub fn push(&mut self, entry: QueueEntry) -> Result<(), QueueFullError> {
        if !self.has_room_for(entry.octets) {
            self.refuse();
            return Err(QueueFullError);
        }
        self.restore(entry);
        Ok(())
    }

    /// Adds an inform that was in the queue before a restart, even if there is no room for it: the
    /// limit may have been lowered.
    pub fn restore(&mut self, entry: QueueEntry) {
        self.octets += entry.octets;
        self.entries.push_back(entry);
    }

    /// Replaces the limits, for example after the configuration was changed. The informs in the
    /// queue stay there.
    pub fn set_limits(&mut self, limits: QueueLimits) {
        self.limits = limits;
    }

    /// Counts an inform that is not added, because the queue has no room for it.
    pub fn refuse(&mut self) {
        self.status.refused += 1;
    }

    /// Returns true if informs were sent whose results are not known yet.
    pub fn has_outstanding(&self) -> bool {
        self.outstanding > 0
    }

    /// Returns true if no inform is in the queue.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns true if the target did not acknowledge the last informs that were sent.
    pub fn is_failing(&self) -> bool {
        self.status.failures > 0
    }

    /// Returns true if an inform of this length can be added.
    pub fn has_room_for(&self, octets: usize) -> bool {
        self.octets + octets <= self.limits.max_octets
    }

    /// Returns the number of the next inform to be sent; `None` if none is to be sent now.
    pub fn next_to_send(&mut self, now: Timestamp) -> Option<u64> {
        if self.paused_until.is_some_and(|end| now < end) {
            return None;
        }
        self.paused_until = None;
        // After a failure, a single inform tries whether the target answers again.
        let max = if self.status.failures > 0 || self.is_serial { 1 } else { self.limits.max_outstanding };
        let entry = self.entries.get(self.outstanding).filter(|_| self.outstanding < max)?;
        self.outstanding += 1;
        Some(entry.id)
    }

    /// Removes an inform that the target has acknowledged. Returns false if it is not in the queue,
    /// or was not sent.
    pub fn acknowledge(&mut self, id: u64) -> bool {
        if !self.remove_sent(id) {
            return false;
        }
        self.status.acknowledged += 1;
        self.status.failures = 0;
        self.paused_until = None;
        true
    }

    /// Removes an inform that the target will never acknowledge, for example because it is too long
    /// for it. Returns false if it is not in the queue, or was not sent.
    pub fn reject(&mut self, id: u64) -> bool {
        let is_removed = self.remove_sent(id);
        self.status.rejected += u64::from(is_removed);
        is_removed
    }

    /// Records that the informs that were sent were not acknowledged, or could not be sent. All of
    /// them are sent again, in order, after a pause. `random` chooses the random part of the pause,
    /// so that the senders of many hosts do not return at once.
    pub fn fail(&mut self, now: Timestamp, random: u32) {
        self.outstanding = 0;
        let doublings = self.status.failures.min(MAX_DOUBLINGS);
        let pause = (self.limits.min_pause * 2_u32.pow(doublings)).min(self.limits.max_pause);
        let jitter = pause.mul_f64(f64::from(random) / f64::from(u32::MAX) * MAX_JITTER);
        let end = now.as_micros().saturating_add((pause + jitter).as_micros().try_into().unwrap_or(u64::MAX));
        self.paused_until = Some(Timestamp::from_micros(end));
        self.status.failures = self.status.failures.saturating_add(1);
    }

    /// Makes informs be sent one at a time from now on, because the target has answered one with an
    /// error: those that were sent after it may have been accepted before it. A receiver that
    /// conforms to RFC 3416 §4.2.7 never does so.
    pub fn send_one_at_a_time(&mut self) {
        self.is_serial = true;
    }

    /// Takes back the last inform that [`Self::next_to_send`] returned, because it cannot be sent
    /// while others are outstanding.
    pub fn take_back(&mut self) {
        self.outstanding = self.outstanding.saturating_sub(1);
    }

    /// Returns the number of informs that were sent whose results are not known yet.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Makes the informs that were sent be sent again, because their results will never be known,
    /// although the target did not fail.
    pub fn resend(&mut self) {
        self.outstanding = 0;
    }

    /// Ends the pause, for example because the target has sent a message.
    pub fn resume(&mut self) {
        self.paused_until = None;
    }

    /// Removes the oldest inform if it is too old, whether or not it was sent, and returns its
    /// number. Call this until it returns `None`.
    pub fn expire(&mut self, now: Timestamp) -> Option<u64> {
        let oldest = *self.entries.front()?;
        if oldest.age(now) < self.limits.max_age {
            return None;
        }
        self.remove(0);
        self.status.expired += 1;
        Some(oldest.id)
    }

    /// Returns the time until the oldest inform is too old.
    pub fn time_to_expiry(&self, now: Timestamp) -> Option<Duration> {
        Some(self.limits.max_age.saturating_sub(self.entries.front()?.age(now)))
    }

    /// Returns the time at which an inform is to be sent after a pause.
    pub fn next_timeout(&self) -> Option<Timestamp> {
        self.paused_until.filter(|_| self.outstanding < self.entries.len())
    }

    /// Returns the condition of the queue.
    pub fn status(&self, now: Timestamp) -> QueueStatus {
        QueueStatus {
            entries: self.entries.len(),
            octets: self.octets,
            oldest: self.entries.front().map(|entry| entry.age(now)),
            ..self.status
        }
    }

    fn remove_sent(&mut self, id: u64) -> bool {
        let mut sent = self.entries.iter().take(self.outstanding);
        let position = sent.position(|entry| entry.id == id);
        position.inspect(|position| self.remove(*position)).is_some()
    }

    fn remove(&mut self, position: usize) {
        let Some(entry) = self.entries.remove(position) else { return };
        self.octets -= entry.octets;
        if position < self.outstanding {
            self.outstanding -= 1;
        }
    }
}

/// The maximum number of times that the pause is doubled, so that it does not overflow.
const MAX_DOUBLINGS: u32 = 16;
/// The random part of a pause, at most, as a fraction of the pause.
const MAX_JITTER: f64 = 0.25;

#[cfg(test)]
mod tests;
