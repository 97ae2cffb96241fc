//! Polls a future only when it was woken.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Runs `future`, and polls it only when it was woken. The future that a worker blocks on is polled
/// each time any of its tasks is woken, so that polls of the unready parts would add up.
pub(crate) async fn poll_when_woken<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let wakeup = Arc::new(Wakeup { is_woken: AtomicBool::new(true), task: Mutex::new(None) });
    let waker = Waker::from(Arc::clone(&wakeup));
    poll_fn(|context| {
        // Before the flag is read, so that a wakeup from now on wakes this task.
        wakeup.set_task(context.waker());
        if wakeup.is_woken.swap(false, Ordering::AcqRel) {
            future.as_mut().poll(&mut Context::from_waker(&waker))
        } else {
            Poll::Pending
        }
    })
    .await
}

/// Records whether a future was woken, and wakes the task that polls it.
struct Wakeup {
    is_woken: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Wakeup {
    fn set_task(&self, waker: &Waker) {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *task {
            Some(task) => task.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
    }
}

impl Wake for Wakeup {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        // Woken without the lock, because a waker may do anything.
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(task) = task {
            task.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts its wakeups.
    #[derive(Default)]
    struct CountingTask(std::sync::atomic::AtomicUsize);

    impl Wake for CountingTask {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn future_is_polled_only_when_woken_and_wakes_the_task_that_polled_last() {
        let (polls, inner) = (Cell::new(0), Cell::new(None));
        let mut future = pin!(poll_when_woken(poll_fn(|context| {
            polls.set(polls.get() + 1);
            inner.set(Some(context.waker().clone()));
            if polls.get() == 3 { Poll::Ready(()) } else { Poll::Pending }
        })));
        let tasks = [Arc::new(CountingTask::default()), Arc::new(CountingTask::default())];
        let wakers = tasks.clone().map(Waker::from);
        let mut poll = |task: usize| future.as_mut().poll(&mut Context::from_waker(&wakers[task]));
        let wakeups = || tasks.each_ref().map(|task| task.0.load(Ordering::Relaxed));
        for task in [0, 0, 1] {
            assert!(poll(task).is_pending());
        }
        assert_eq!(polls.get(), 1);
        inner.take().unwrap().wake();
        assert_eq!(wakeups(), [0, 1]);
        assert!(poll(1).is_pending());
        assert!(poll(1).is_pending());
        assert_eq!(polls.get(), 2);
        // A wakeup from another thread.
        std::thread::spawn({
            let waker = inner.take().unwrap();
            move || waker.wake()
        })
        .join()
        .unwrap();
        assert_eq!(wakeups(), [0, 2]);
        assert!(poll(0).is_ready());
    }
}
