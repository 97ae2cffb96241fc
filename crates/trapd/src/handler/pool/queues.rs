//! The jobs that wait, in a queue for each handler.
//!
//! The handlers take turns, so that one with many jobs does not delay the others. If several
//! handlers share the pool, one that hangs leaves threads and room in the queue for the others: the
//! last quarter of the threads runs only handlers that are not running, and the jobs of one handler
//! may occupy at most as much as is then free.

use std::{collections::VecDeque, sync::Arc};

use super::{HandlerJob, HandlerLimits, HandlerQueueFullError};
use crate::HandlerCommand;

/// The jobs that wait, and the number of those that run.
pub(super) struct JobQueues {
    limits: HandlerLimits,
    /// The handlers that have jobs. The one whose turn is next is first.
    queues: VecDeque<JobQueue>,
    total: Amount,
    running: usize,
}

/// The jobs of one handler.
struct JobQueue {
    command: Arc<HandlerCommand>,
    jobs: VecDeque<HandlerJob>,
    amount: Amount,
    running: usize,
}

/// The number of jobs that wait, and the length of their input.
#[derive(Clone, Copy, Default)]
struct Amount {
    jobs: usize,
    octets: usize,
}

impl JobQueues {
    pub(super) fn new(limits: HandlerLimits) -> Self {
        Self { limits, queues: VecDeque::new(), total: Amount::default(), running: 0 }
    }

    /// Adds a job.
    ///
    /// # Errors
    /// There is no room for a job of this handler.
    pub(super) fn push(&mut self, job: HandlerJob) -> Result<(), HandlerQueueFullError> {
        let known = self.queues.iter().position(|queue| queue.command == job.command);
        let own = known.and_then(|position| self.queues.get(position)).map(|queue| queue.amount);
        let (own, octets) = (own.unwrap_or_default(), job.input.len());
        let HandlerLimits { max_waiting, max_waiting_octets, .. } = self.limits;
        if !self.has_room(own.jobs, 1, self.total.jobs, max_waiting)
            || !self.has_room(own.octets, octets, self.total.octets, max_waiting_octets)
        {
            return Err(HandlerQueueFullError);
        }
        if known.is_none() {
            self.queues.push_back(JobQueue::new(Arc::clone(&job.command)));
        }
        // A new queue is the last one.
        if let Some(queue) = self.queues.get_mut(known.unwrap_or(self.queues.len() - 1)) {
            queue.amount.add(octets);
            queue.jobs.push_back(job);
            self.total.add(octets);
        }
        Ok(())
    }

    /// Returns whether `added` fits beside `total`, of which `own` belongs to the same handler.
    fn has_room(&self, own: usize, added: usize, total: usize, max: usize) -> bool {
        let Some(free) = max.checked_sub(total + added) else { return false };
        !self.limits.is_shared || own == 0 || own + added <= free
    }

    /// Returns the job that runs next. It counts as running until [`Self::end`].
    pub(super) fn take(&mut self) -> Option<HandlerJob> {
        let HandlerLimits { max_running, is_shared, .. } = self.limits;
        let reserved = if is_shared { max_running / 4 } else { 0 };
        let may_run_again = self.running + reserved < max_running.max(1);
        let is_next = |queue: &JobQueue| !queue.jobs.is_empty() && (queue.running == 0 || may_run_again);
        let mut queue = self.queues.remove(self.queues.iter().position(is_next)?)?;
        let job = queue.jobs.pop_front();
        if let Some(job) = &job {
            queue.amount.remove(job.input.len());
            queue.running += 1;
            self.total.remove(job.input.len());
            self.running += 1;
        }
        self.queues.push_back(queue);
        job
    }

    /// Counts the end of a run.
    pub(super) fn end(&mut self, command: &HandlerCommand) {
        self.running -= 1;
        let Some(position) = self.queues.iter().position(|queue| *queue.command == *command) else { return };
        if let Some(queue) = self.queues.get_mut(position) {
            queue.running -= 1;
            if queue.running == 0 && queue.jobs.is_empty() {
                self.queues.remove(position);
            }
        }
    }

    /// Discards all jobs that wait. Returns their number for each handler.
    pub(super) fn clear(&mut self) -> Vec<(Arc<HandlerCommand>, usize)> {
        let with_jobs = self.queues.iter_mut().filter(|queue| !queue.jobs.is_empty());
        let discarded = with_jobs.map(|queue| (Arc::clone(&queue.command), queue.jobs.drain(..).len()));
        let discarded = discarded.collect();
        self.queues.iter_mut().for_each(|queue| queue.amount = Amount::default());
        self.queues.retain(|queue| queue.running > 0);
        self.total = Amount::default();
        discarded
    }

    /// Returns the number of jobs that wait.
    pub(super) fn waiting(&self) -> usize {
        self.total.jobs
    }
}

impl JobQueue {
    fn new(command: Arc<HandlerCommand>) -> Self {
        Self { command, jobs: VecDeque::new(), amount: Amount::default(), running: 0 }
    }
}

impl Amount {
    /// Adds a job with an input of this length.
    fn add(&mut self, octets: usize) {
        self.jobs += 1;
        self.octets += octets;
    }

    /// Removes a job with an input of this length.
    fn remove(&mut self, octets: usize) {
        self.jobs -= 1;
        self.octets -= octets;
    }
}

#[cfg(test)]
mod tests;
