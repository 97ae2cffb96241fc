use std::{cell::RefCell, hint::black_box, net::Ipv4Addr, rc::Rc, thread::ThreadId};

use portreeve_channel::ChannelStep;
use tokio::runtime::Builder;

use super::*;

#[test]
fn review_h1_slow_login_steps_run_on_the_login_thread_until_login() {
    let (progress, steps, stats) = connection();
    let threads = Arc::new(Mutex::new(Vec::new()));
    let session = Steps::new(&threads, {
        let stats = Arc::clone(&stats);
        move |step| match step {
            // The step takes more processor time than the whole budget.
            0 => use_processor(BUDGET + SLOW_STEP),
            3 => stats.set_logged_in(),
            _ => {}
        }
    });
    assert_eq!(run(session, &progress, &steps, &stats), Some(6));
    let worker = thread::current().id();
    let on_worker: Vec<bool> = threads.lock().unwrap().iter().map(|id| *id == worker).collect();
    assert_eq!(on_worker, [true, false, false, false, true, true]);
}

#[test]
fn review_h1_fast_logins_run_on_the_worker_thread() {
    let (progress, steps, stats) = connection();
    let threads = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..1000 {
        run(Steps::new(&threads, |_| ()), &progress, &steps, &stats);
    }
    let worker = thread::current().id();
    assert!(threads.lock().unwrap().iter().all(|id| *id == worker));
    assert!(steps.jobs.get().is_none(), "the login thread was started");
}

#[test]
fn review_h1_panic_on_the_login_thread_ends_only_its_session() {
    let (progress, steps, stats) = connection();
    let threads = Arc::default();
    steps.charge(BUDGET * 100);
    let panicking = Steps::new(&threads, |_| panic!("expected"));
    assert_eq!(run(panicking, &progress, &steps, &stats), None);
    assert_eq!(run(Steps::new(&threads, |_| ()), &progress, &steps, &stats), Some(6));
}

#[test]
fn review_h1_wake_during_a_step_on_the_login_thread_is_not_lost() {
    let (progress, steps, stats) = connection();
    steps.charge(BUDGET * 100);
    // Each step wakes the session once, while it runs, and nothing wakes the session later.
    for _ in 0..1000 {
        assert_eq!(run(Steps::new(&Arc::default(), |_| ()), &progress, &steps, &stats), Some(6));
    }
}

#[test]
fn review_h1_slow_step_budget_is_refilled_slowly_up_to_its_maximum() {
    let mut budget = SlowStepBudget::default();
    let start = budget.refilled;
    let after = |milliseconds| start + Duration::from_millis(milliseconds);
    budget.charge(BUDGET);
    assert!(budget.is_available(start), "used up exactly");
    budget.charge(Duration::from_millis(1));
    assert!(!budget.is_available(after(499)), "two milliseconds are added each second");
    assert!(budget.is_available(after(500)));
    // After a time without logins, the budget is not larger than its maximum.
    assert!(budget.is_available(after(3_600_000)));
    budget.charge(BUDGET);
    budget.charge(SLOW_STEP);
    assert!(!budget.is_available(after(3_600_000)));
}

#[test]
fn review_h1_login_waits_while_its_source_has_no_cpu_time_left() {
    let (progress, steps, stats) = connection();
    // The source may use 50 ms at once and regains a twentieth of the elapsed time.
    let start = Instant::now();
    progress.charge(Duration::from_millis(55));
    assert_eq!(run(Steps::new(&Arc::default(), |_| ()), &progress, &steps, &stats), Some(6));
    assert!(start.elapsed() >= Duration::from_millis(90), "{:?}", start.elapsed());
    assert_ne!(progress.statistics.read().login_delays, 0);
    progress.charge(Duration::from_millis(45));
    assert!(progress.wait_end().is_some());
    progress.refund();
    assert_eq!(progress.wait_end(), None);
    let delays = progress.statistics.read().login_delays;
    run(Steps::new(&Arc::default(), |_| ()), &progress, &steps, &stats);
    assert_eq!(progress.statistics.read().login_delays, delays);
}

#[test]
fn review_h1_only_slow_steps_of_authentication_are_charged() {
    let (progress, steps, stats) = connection();
    let slow = |_| use_processor(SLOW_STEP);
    run(Steps::new(&Arc::default(), slow), &progress, &steps, &stats);
    assert_eq!(progress.charged(), Duration::ZERO, "during the key exchange");
    progress.set_step(ChannelStep::ClientIdentity);
    run(Steps::new(&Arc::default(), |_| ()), &progress, &steps, &stats);
    assert_eq!(progress.charged(), Duration::ZERO, "fast steps");
    run(Steps::new(&Arc::default(), slow), &progress, &steps, &stats);
    assert!(progress.charged() >= 6 * SLOW_STEP, "{:?}", progress.charged());
}

#[test]
fn review_h1_moves_of_the_session_between_threads_are_reported() {
    let (progress, steps, stats) = connection();
    let moves = Rc::new(RefCell::new(Vec::new()));
    let run = |steps: &_| {
        let observed = Rc::clone(&moves);
        let on_move = Box::new(move |is_on_worker| observed.borrow_mut().push(is_on_worker));
        run_with(on_move, Steps::new(&Arc::default(), |_| ()), &progress, steps, &stats);
        moves.take()
    };
    assert_eq!(run(&steps), [], "all steps run on the worker");
    progress.charge(Duration::from_millis(60));
    assert_eq!(run(&steps), [false, true], "the session waits once");
    steps.charge(BUDGET * 100);
    assert_eq!(run(&steps), [false; 6], "each step runs on the login thread");
}

/// A session of six steps that records the thread of each one. Each step wakes the task, because
/// nothing else does.
struct Steps<A> {
    action: A,
    done: usize,
    threads: Arc<Mutex<Vec<ThreadId>>>,
}

impl<A: FnMut(usize)> Steps<A> {
    fn new(threads: &Arc<Mutex<Vec<ThreadId>>>, action: A) -> Self {
        Self { action, done: 0, threads: Arc::clone(threads) }
    }
}

impl<A: FnMut(usize) + Unpin> Future for Steps<A> {
    type Output = usize;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<usize> {
        self.threads.lock().unwrap().push(thread::current().id());
        let step = self.done;
        (self.action)(step);
        self.done += 1;
        context.waker().wake_by_ref();
        if self.done == 6 { Poll::Ready(self.done) } else { Poll::Pending }
    }
}

fn run<A: FnMut(usize) + Unpin + Send + 'static>(
    session: Steps<A>,
    progress: &Arc<ConnectionProgress>,
    steps: &Arc<LoginSteps>,
    stats: &Arc<StreamStats>,
) -> Option<usize> {
    run_with(Box::new(|_| {}), session, progress, steps, stats)
}

fn run_with<A: FnMut(usize) + Unpin + Send + 'static>(
    on_move: MoveObserver,
    session: Steps<A>,
    progress: &Arc<ConnectionProgress>,
    steps: &Arc<LoginSteps>,
    stats: &Arc<StreamStats>,
) -> Option<usize> {
    let session =
        SteppedSession::new(session, Arc::clone(steps), Arc::clone(progress), Arc::clone(stats), on_move);
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let limit = Duration::from_secs(60);
    runtime.block_on(async { tokio::time::timeout(limit, session).await.expect("a session that ends") })
}

fn connection() -> (Arc<ConnectionProgress>, Arc<LoginSteps>, Arc<StreamStats>) {
    let progress = ConnectionProgress::new(Ipv4Addr::LOCALHOST.into(), Arc::default(), Arc::default());
    (Arc::new(progress), Arc::default(), Arc::default())
}

fn use_processor(time: Duration) {
    let start = thread_cpu_time();
    while thread_cpu_time() - start < time {
        black_box(());
    }
}

#[test]
fn key_exchanges_of_a_connection_are_limited_in_each_minute() {
    let (mut limit, start) = (RekeyLimit::default(), Instant::now());
    assert!((0..MAX_REKEYS_PER_MINUTE).all(|_| limit.allows(1, start)));
    assert!(!limit.allows(1, start + MINUTE - Duration::from_millis(1)));
    assert!(limit.allows(MAX_REKEYS_PER_MINUTE, start + MINUTE));
    assert!(!limit.allows(1, start + MINUTE));
}
