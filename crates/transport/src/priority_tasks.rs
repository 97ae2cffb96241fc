//! Tasks that run before all other tasks of a worker.
//!
//! The runtime appends a task that becomes ready to its queue. If a thousand sessions become ready
//! at once, a task of the queue waits for all of them, also if each needs only some microseconds.
//! The future that the worker blocks on does not wait: it is polled first whenever the runtime has
//! polled the sockets, at the latest after 61 other tasks. These tasks are part of that future.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Tasks that run until shutdown.
#[derive(Default)]
pub(crate) struct PriorityTasks(Vec<Pin<Box<dyn Future<Output = ()>>>>);

impl PriorityTasks {
    pub(crate) fn push(&mut self, task: impl Future<Output = ()> + 'static) {
        self.0.push(Box::pin(task));
    }

    /// Runs the tasks. A task that ends or panics is logged, and the others continue.
    pub(crate) async fn run(mut self) -> Infallible {
        poll_fn(move |context| {
            self.0.retain_mut(|task| is_running(task.as_mut(), context));
            Poll::Pending
        })
        .await
    }
}

fn is_running(task: Pin<&mut dyn Future<Output = ()>>, context: &mut Context<'_>) -> bool {
    let poll = catch_unwind(AssertUnwindSafe(|| task.poll(context)));
    if !matches!(poll, Ok(Poll::Pending)) {
        tracing::error!(panicked = poll.is_err(), "a task of a worker has stopped unexpectedly");
    }
    matches!(poll, Ok(Poll::Pending))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::Duration;

    use tokio::runtime::Builder;
    use tokio::task::{LocalSet, spawn_local, yield_now};

    use super::*;

    #[test]
    fn review_fairness_priority_task_runs_before_a_thousand_ready_tasks() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let others = Rc::new(Cell::new(0));
        LocalSet::new().block_on(&runtime, async {
            let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel::<()>();
            let mut tasks = PriorityTasks::default();
            let (seen, done) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(false)));
            let (others_seen, seen_by_task, is_done) =
                (Rc::clone(&others), Rc::clone(&seen), Rc::clone(&done));
            tasks.push(async move {
                let _ = receiver.recv().await;
                seen_by_task.set(others_seen.get());
                is_done.set(true);
                std::future::pending().await
            });
            for number in 0..1000 {
                let (others, sender) = (Rc::clone(&others), sender.clone());
                spawn_local(async move {
                    others.set(others.get() + 1);
                    if number == 0 {
                        sender.send(()).unwrap();
                    }
                });
            }
            let all_done = async {
                while others.get() < 1000 || !done.get() {
                    yield_now().await;
                }
            };
            tokio::select! {
                never = tasks.run() => match never {},
                () = all_done => {}
            }
            assert!(seen.get() <= 61, "{} tasks ran before", seen.get());
        });
    }

    #[test]
    fn priority_task_continues_when_another_ends_or_panics() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let polls = Rc::new(Cell::new(0));
        let mut tasks = PriorityTasks::default();
        tasks.push(async {});
        tasks.push(async { panic!("expected by the test") });
        let count = Rc::clone(&polls);
        tasks.push(async move {
            loop {
                count.set(count.get() + 1);
                yield_now().await;
            }
        });
        let run = async {
            tokio::select! {
                never = tasks.run() => match never {},
                () = async { while polls.get() < 3 { yield_now().await } } => {}
            }
        };
        // Fails with a timeout if the loop is not polled again.
        let run = async { tokio::time::timeout(Duration::from_secs(20), run).await };
        runtime.block_on(run).unwrap();
    }
}
