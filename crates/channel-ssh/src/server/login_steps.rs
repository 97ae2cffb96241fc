//! Polls a session on its worker. If logins have used too much of the workers' time, polls it on
//! the login thread until the peer has logged in.
//!
//! ```text
//!            budget not used up                 ┌──────────────┐
//! woken ──┬────────────────────────────────────▶│ worker polls │──▶ time of a slow step is charged
//!         │                                     └──────────────┘
//!         │  budget used up   ┌────────────────────┐
//!         └──────────────────▶│ login thread polls │──▶ session returns to the worker
//!                             └────────────────────┘
//! ```
//! russh verifies the signatures of peers, and those of certificates of any authority, while the
//! session is polled. For some types of keys, that takes a millisecond, and any peer can cause it
//! without logging in. If a worker did all of this work, it would serve nothing else during that
//! time.

use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::{Duration, Instant},
};

use tokio::{
    runtime::Handle,
    sync::oneshot,
    time::{Sleep, sleep_until},
};

use super::{
    cpu_time::thread_cpu_time,
    progress::ConnectionProgress,
    russh_log::{LogScope, rekeys},
    server_stream::StreamStats,
};

/// The login thread, and the budget for slow login steps on the workers. A server has one of each
/// for all workers.
#[derive(Default)]
pub(super) struct LoginSteps {
    budget: Mutex<SlowStepBudget>,
    /// Sends jobs to the login thread, which ends when this is dropped. `None` if the thread could
    /// not be created.
    jobs: OnceLock<Option<mpsc::Sender<Job>>>,
}

type Job = Box<dyn FnOnce() + Send>;

impl LoginSteps {
    fn are_allowed_on_worker(&self) -> bool {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).is_available(Instant::now())
    }

    fn charge(&self, cpu_time: Duration) {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).charge(cpu_time);
    }

    /// Returns the queue of the login thread, which is started when it is first needed.
    fn login_thread(&self) -> Option<&mpsc::Sender<Job>> {
        self.jobs.get_or_init(start_login_thread).as_ref()
    }
}

fn start_login_thread() -> Option<mpsc::Sender<Job>> {
    let (sender, jobs) = mpsc::channel::<Job>();
    let run = move || {
        for job in jobs {
            // A poll that panics is caught in the job. Dropping a session could panic, too.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    };
    match thread::Builder::new().name("ssh-logins".into()).spawn(run) {
        Ok(_) => Some(sender),
        Err(error) => {
            tracing::warn!(%error, "cannot start the thread for SSH logins; the workers do the slow login steps themselves");
            None
        }
    }
}

/// Limits the processor time of slow login steps on the workers.
struct SlowStepBudget {
    /// The remaining time in nanoseconds; negative after a step that took more than was left.
    remaining: i64,
    refilled: Instant,
}

impl Default for SlowStepBudget {
    fn default() -> Self {
        Self { remaining: BUDGET.as_nanos() as i64, refilled: Instant::now() }
    }
}

impl SlowStepBudget {
    fn is_available(&mut self, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.refilled);
        let refill = i64::try_from(elapsed.as_nanos() / REFILL_DIVISOR).unwrap_or(i64::MAX);
        if refill > 0 {
            self.remaining = self.remaining.saturating_add(refill).min(BUDGET.as_nanos() as i64);
            self.refilled = now;
        }
        self.remaining >= 0
    }

    fn charge(&mut self, cpu_time: Duration) {
        self.remaining = self.remaining.saturating_sub(cpu_time.as_nanos() as i64);
    }
}

/// A session that is polled on its worker or on the login thread. Resolves to `None` if the session
/// has panicked.
pub(super) struct SteppedSession<F: Future> {
    location: PollLocation<F>,
    steps: Arc<LoginSteps>,
    progress: Arc<ConnectionProgress>,
    stats: Arc<StreamStats>,
    on_move: MoveObserver,
    /// False while the session waits or is on the login thread.
    is_on_worker: bool,
    /// The end of a wait for processor time, see [`LoginCpuLimit`](super::login_cpu_limit).
    wait: Option<Pin<Box<Sleep>>>,
    rekey_limit: RekeyLimit,
}

/// Limits how often the peer of a logged-in connection exchanges keys, because that costs as much
/// processor time as many requests.
#[derive(Default)]
struct RekeyLimit {
    /// The start of the current minute, and the key exchanges in it.
    minute: Option<(Instant, u32)>,
}

impl RekeyLimit {
    fn allows(&mut self, count: u32, now: Instant) -> bool {
        let minute = self.minute.filter(|(start, _)| now.saturating_duration_since(*start) < MINUTE);
        let (start, before) = minute.unwrap_or((now, 0));
        self.minute = Some((start, before.saturating_add(count)));
        before.saturating_add(count) <= MAX_REKEYS_PER_MINUTE
    }
}

/// Called before the login, when the next step of a connection runs on its worker, or does not: it
/// waits, or runs on another thread. Until it returns to the worker, the stream must not hold or
/// await what the worker's connections share.
pub(super) type MoveObserver = Box<dyn Fn(bool)>;

/// The thread on which the session is polled.
enum PollLocation<F: Future> {
    Worker(F),
    LoginThread { result: oneshot::Receiver<StepResult<F>>, waker: Arc<StepWaker> },
    Ended,
}

/// The session, and the result of its poll; `None` if the poll has panicked.
struct StepResult<F: Future> {
    session: F,
    poll: Option<Poll<F::Output>>,
}

impl<F: Future> SteppedSession<F>
where
    F: Future + Unpin + Send + 'static,
    F::Output: Send,
{
    pub(super) fn new(
        session: F,
        steps: Arc<LoginSteps>,
        progress: Arc<ConnectionProgress>,
        stats: Arc<StreamStats>,
        on_move: MoveObserver,
    ) -> Self {
        let location = PollLocation::Worker(session);
        Self {
            location,
            steps,
            progress,
            stats,
            on_move,
            is_on_worker: true,
            wait: None,
            rekey_limit: RekeyLimit::default(),
        }
    }

    fn set_on_worker(&mut self, is_on_worker: bool) {
        self.is_on_worker = is_on_worker;
        (self.on_move)(is_on_worker);
    }

    /// Polls the session on this thread before its login. Returns `None` if it panics.
    fn poll_here(&mut self, session: &mut F, context: &mut Context<'_>) -> Option<Poll<F::Output>> {
        if !self.is_on_worker {
            self.set_on_worker(true);
        }
        let is_authenticating = self.progress.is_authenticating();
        let (poll, cpu_time) = poll_before_login(session, context, &self.progress);
        if cpu_time >= SLOW_STEP {
            self.steps.charge(cpu_time);
            if is_authenticating && !self.stats.is_logged_in() {
                self.progress.charge(cpu_time);
            }
        }
        poll
    }

    /// Returns true if the login has to wait because its source has used much processor time. The
    /// task is then woken at the end of the wait.
    fn has_to_wait(&mut self, context: &mut Context<'_>) -> bool {
        loop {
            if let Some(wait) = &mut self.wait {
                if wait.as_mut().poll(context).is_pending() {
                    return true;
                }
                self.wait = None;
            }
            match self.progress.wait_end() {
                Some(end) => {
                    self.progress.statistics.count_delay();
                    self.wait = Some(Box::pin(sleep_until(end.into())));
                    if self.is_on_worker {
                        self.set_on_worker(false);
                    }
                }
                None => return false,
            }
        }
    }

    /// Returns the queue of the login thread if the next step must run on that thread; `None` if it
    /// runs on the worker.
    fn login_thread(&self) -> Option<mpsc::Sender<Job>> {
        if self.steps.are_allowed_on_worker() { None } else { self.steps.login_thread().cloned() }
    }

    /// Queues one step of the session for the login thread.
    fn send_away(
        &mut self,
        jobs: &mpsc::Sender<Job>,
        mut session: F,
        context: &Context<'_>,
    ) -> PollLocation<F> {
        self.set_on_worker(false);
        let waker = Arc::new(StepWaker { is_woken: AtomicBool::new(false), task: context.waker().clone() });
        let (step_waker, progress) = (Waker::from(Arc::clone(&waker)), Arc::clone(&self.progress));
        let (sender, result) = oneshot::channel();
        let runtime = Handle::current();
        let job = move || {
            if sender.is_closed() {
                return;
            }
            // Timers that the session creates belong to the runtime of its worker.
            let _runtime = runtime.enter();
            let mut context = Context::from_waker(&step_waker);
            let is_authenticating = progress.is_authenticating();
            let (poll, cpu_time) = poll_before_login(&mut session, &mut context, &progress);
            if is_authenticating && cpu_time >= SLOW_STEP {
                progress.charge(cpu_time);
            }
            // Sending fails if the connection was dropped during the step.
            let _ = sender.send(StepResult { session, poll });
        };
        // Sending fails if the login thread has ended. The job is then dropped with its sender,
        // which ends the session.
        let _ = jobs.send(Box::new(job));
        PollLocation::LoginThread { result, waker }
    }
}

impl<F> Future for SteppedSession<F>
where
    F: Future + Unpin + Send + 'static,
    F::Output: Send,
{
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let is_logged_in = self.stats.is_logged_in();
        if let (PollLocation::Worker(session), true) = (&mut self.location, is_logged_in) {
            let before = rekeys();
            let poll = poll_catching_panic(session, context);
            let count = rekeys().wrapping_sub(before);
            if count > 0 && !self.rekey_limit.allows(count, Instant::now()) {
                self.stats.set_too_many_rekeys();
            }
            return poll.map_or(Poll::Ready(None), |poll| poll.map(Some));
        }
        loop {
            match mem::replace(&mut self.location, PollLocation::Ended) {
                PollLocation::Worker(session) if self.has_to_wait(context) => {
                    self.location = PollLocation::Worker(session);
                    return Poll::Pending;
                }
                PollLocation::Worker(mut session) => {
                    if let Some(jobs) = self.login_thread() {
                        self.location = self.send_away(&jobs, session, context);
                        continue;
                    }
                    let poll = self.poll_here(&mut session, context);
                    self.location = PollLocation::Worker(session);
                    return poll.map_or(Poll::Ready(None), |poll| poll.map(Some));
                }
                PollLocation::LoginThread { mut result, waker } => {
                    match Pin::new(&mut result).poll(context) {
                        Poll::Pending => {
                            self.location = PollLocation::LoginThread { result, waker };
                            return Poll::Pending;
                        }
                        Poll::Ready(Ok(StepResult { session, poll: Some(Poll::Pending) })) => {
                            self.location = PollLocation::Worker(session);
                            // Return to the caller after each step. If the session has been woken,
                            // this task is polled again for the next step.
                            if waker.is_woken.load(Relaxed) {
                                context.waker().wake_by_ref();
                            }
                            return Poll::Pending;
                        }
                        Poll::Ready(Ok(StepResult { poll: Some(Poll::Ready(output)), .. })) => {
                            return Poll::Ready(Some(output));
                        }
                        Poll::Ready(Ok(StepResult { poll: None, .. }) | Err(_)) => return Poll::Ready(None),
                    }
                }
                PollLocation::Ended => return Poll::Ready(None),
            }
        }
    }
}

/// Wakes the task of the connection, and records that the session wants to be polled again.
struct StepWaker {
    is_woken: AtomicBool,
    task: Waker,
}

impl Wake for StepWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_woken.store(true, Relaxed);
        self.task.wake_by_ref();
    }
}

/// Polls the session. Returns the result, which is `None` after a panic, and the processor time.
fn poll_before_login<F: Future + Unpin>(
    session: &mut F,
    context: &mut Context<'_>,
    progress: &Arc<ConnectionProgress>,
) -> (Option<Poll<F::Output>>, Duration) {
    let _scope = LogScope::enter(Arc::clone(progress));
    let before = thread_cpu_time();
    let poll = poll_catching_panic(session, context);
    (poll, thread_cpu_time().saturating_sub(before))
}

fn poll_catching_panic<F: Future + Unpin>(
    session: &mut F,
    context: &mut Context<'_>,
) -> Option<Poll<F::Output>> {
    catch_unwind(AssertUnwindSafe(|| Pin::new(session).poll(context))).ok()
}

/// A step that takes at least this processor time is slow. A key exchange with ML-KEM takes less.
const SLOW_STEP: Duration = Duration::from_micros(300);
/// The maximum of the budget: the processor time that slow steps may take on the workers without a
/// pause.
const BUDGET: Duration = Duration::from_millis(3);
/// The budget grows by the elapsed time divided by this number: by two milliseconds per second.
const REFILL_DIVISOR: u128 = 500;
/// Maximum number of key exchanges in a minute. OpenSSH exchanges keys after a gigabyte.
const MAX_REKEYS_PER_MINUTE: u32 = 60;
const MINUTE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests;
