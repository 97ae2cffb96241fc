//! Runs handlers on a few threads, with bounded queues.
//!
//! ```text
//! submit ──▶ a queue for each handler, in turn ──▶ thread 1…N: run_handler ──▶ report
//! ```

mod queues;

use std::{
    fmt, io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portreeve_secret::Secret;

use super::{HandlerCommand, HandlerReport, process::run_handler_until};
use queues::JobQueues;

/// The limits of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerLimits {
    /// The number of handlers that run at once.
    pub max_running: usize,
    /// The maximum number of jobs that wait.
    pub max_waiting: usize,
    /// The maximum length of the input of all jobs that wait, in octets.
    pub max_waiting_octets: usize,
    /// True if several handlers use the pool. Then one of them cannot occupy all threads or the
    /// whole queue.
    pub is_shared: bool,
    /// The time after which running handlers are killed when the pool is dropped.
    pub stop_timeout: Duration,
}

impl Default for HandlerLimits {
    fn default() -> Self {
        Self {
            max_running: 8,
            max_waiting: 1000,
            max_waiting_octets: 16 << 20,
            is_shared: false,
            stop_timeout: Duration::from_secs(5),
        }
    }
}

/// A run of a handler.
pub struct HandlerJob {
    /// The handler.
    pub command: Arc<HandlerCommand>,
    /// The standard input.
    pub input: Vec<u8>,
    /// The community of the notification, which must not be logged.
    pub community: Option<Secret>,
    /// The maximum time of the run. See [`DEFAULT_HANDLER_TIMEOUT`].
    pub timeout: Duration,
}

/// The maximum time of a handler for which no other time is configured.
pub const DEFAULT_HANDLER_TIMEOUT: Duration = Duration::from_secs(30);

/// Receives the reports of handlers, on the threads of the pool.
type ReportFunction = dyn Fn(&HandlerCommand, &HandlerReport) + Send + Sync;

/// The threads that run handlers. When the pool is dropped, jobs that wait are discarded, and
/// running handlers are killed after [`HandlerLimits::stop_timeout`].
pub struct HandlerPool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    limits: HandlerLimits,
    state: Mutex<State>,
    /// Signaled when a job is added, when a run ends and when the pool is closed.
    changed: Condvar,
    report: Box<ReportFunction>,
}

struct State {
    queues: JobQueues,
    is_closed: bool,
    /// The time at which running handlers are killed.
    stop_at: Option<Instant>,
}

/// The queue has no room for a run of this handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerQueueFullError;

impl fmt::Display for HandlerQueueFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many handlers wait: use faster handlers, or fewer notifications for each")
    }
}

impl std::error::Error for HandlerQueueFullError {}

impl HandlerPool {
    /// Starts the threads. `report` is called after each run.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn start(
        limits: HandlerLimits,
        report: impl Fn(&HandlerCommand, &HandlerReport) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let state = Mutex::new(State { queues: JobQueues::new(limits), is_closed: false, stop_at: None });
        let shared = Arc::new(Shared { limits, state, changed: Condvar::new(), report: Box::new(report) });
        // Dropped on an error, which ends the threads that have been started.
        let mut pool = Self { shared, threads: Vec::new() };
        for _ in 0..limits.max_running.max(1) {
            let shared = Arc::clone(&pool.shared);
            let thread = thread::Builder::new().name("handler".to_owned()).spawn(move || shared.run())?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }

    /// Adds a job to the queue.
    ///
    /// # Errors
    /// The queue has no room for a job of this handler.
    pub fn submit(&self, job: HandlerJob) -> Result<(), HandlerQueueFullError> {
        self.shared.lock().queues.push(job)?;
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Discards all jobs that wait. Returns their number for each handler.
    pub fn discard_waiting(&self) -> Vec<(Arc<HandlerCommand>, usize)> {
        self.shared.lock().queues.clear()
    }

    /// Runs all jobs that wait, and waits for the end of each.
    pub fn finish(mut self) {
        self.close();
    }

    /// Ends the threads when the queue is empty.
    fn close(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A panic of a thread has been printed.
            let _ = thread.join();
        }
    }
}

impl Drop for HandlerPool {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.queues.clear();
        state.stop_at = Some(Instant::now() + self.shared.limits.stop_timeout);
        drop(state);
        self.close();
    }
}

impl Shared {
    fn run(&self) {
        while let Some(job) = self.next() {
            let HandlerJob { command, input, community, timeout } = job;
            let is_stopped = || self.lock().stop_at.is_some_and(|stop_at| Instant::now() >= stop_at);
            let report = run_handler_until(&command, &input, community.as_ref(), timeout, &is_stopped);
            (self.report)(&command, &report);
            self.lock().queues.end(&command);
            // Threads wait also while jobs wait that may not run yet.
            self.changed.notify_all();
        }
    }

    /// Waits for a job that may run; `None` if the pool is closed and no job waits.
    fn next(&self) -> Option<HandlerJob> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.queues.take() {
                return Some(job);
            }
            if state.is_closed && state.queues.waiting() == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
