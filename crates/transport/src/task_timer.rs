//! A timer of a task that is polled for many other events.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use tokio::time::Sleep;

/// A timer that registers its waker only once, which is cheaper than polling it at each event.
pub(crate) struct TaskTimer<'t> {
    sleep: Pin<&'t mut Sleep>,
    /// The registered waker; `None` if none is registered.
    waker: Option<Waker>,
}

impl<'t> TaskTimer<'t> {
    pub(crate) fn new(sleep: Pin<&'t mut Sleep>) -> Self {
        Self { sleep, waker: None }
    }

    /// Waits until the timer fires.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let is_registered = self.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
        if is_registered && !self.sleep.is_elapsed() {
            return Poll::Pending;
        }
        let fired = self.sleep.as_mut().poll(context);
        self.waker = fired.is_pending().then(|| context.waker().clone());
        fired
    }

    /// Sets a new time at which the timer fires.
    pub(crate) fn reset(&mut self, deadline: Instant) {
        self.waker = None;
        self.sleep.as_mut().reset(deadline.into());
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::time::Duration;

    use tokio::runtime::Builder;
    use tokio::time::{sleep_until, timeout};

    use super::*;

    #[test]
    fn timer_wakes_each_task_that_polls_it_and_fires_again_after_a_reset() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (start, step, hour) = (Instant::now(), Duration::from_millis(5), Duration::from_secs(3600));
            let timer = pin!(sleep_until((start + step).into()));
            let mut timer = TaskTimer::new(timer);
            // The waker of another task is replaced.
            for _ in 0..2 {
                assert!(timer.poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
            poll_fn(|context| timer.poll(context)).await;
            assert!(start.elapsed() >= step);
            timer.reset(start + hour);
            assert!(timeout(step, poll_fn(|context| timer.poll(context))).await.is_err());
            // An earlier time replaces a later one, for which the waker is registered.
            let end = Instant::now() + step;
            timer.reset(end);
            poll_fn(|context| timer.poll(context)).await;
            assert!(Instant::now() >= end);
        });
    }
}
