use std::time::Duration;

use super::*;

fn handler(name: &str) -> Arc<HandlerCommand> {
    Arc::new(HandlerCommand { program: "/bin/x".into(), arguments: vec![name.to_owned()] })
}

fn job(name: &str, input: &str) -> HandlerJob {
    HandlerJob {
        command: handler(name),
        input: input.as_bytes().to_vec(),
        community: None,
        timeout: Duration::from_secs(600),
    }
}

/// Queues that several handlers share.
fn shared(max_running: usize, max_waiting: usize) -> JobQueues {
    JobQueues::new(HandlerLimits { max_running, max_waiting, is_shared: true, ..HandlerLimits::default() })
}

/// Adds as many jobs as fit, and returns their number.
fn fill(queues: &mut JobQueues, name: &str) -> usize {
    (0..).take_while(|_| queues.push(job(name, "")).is_ok()).count()
}

/// Takes as many jobs as may run, and returns the names of their handlers.
fn take_all(queues: &mut JobQueues) -> Vec<String> {
    std::iter::from_fn(|| queues.take()).map(|job| job.command.arguments[0].clone()).collect()
}

#[test]
fn handlers_take_turns() {
    let mut queues = shared(100, 100);
    for (name, input) in [("a", "1"), ("a", "2"), ("a", "3"), ("b", "4"), ("b", "5"), ("c", "6")] {
        queues.push(job(name, input)).unwrap();
    }
    let taken = std::iter::from_fn(|| queues.take()).map(|job| String::from_utf8(job.input).unwrap());
    assert_eq!(taken.collect::<String>(), "146253");
}

#[test]
fn handler_that_hangs_leaves_threads_for_others() {
    let mut queues = shared(8, 1000);
    fill(&mut queues, "hangs");
    assert_eq!(take_all(&mut queues), ["hangs"; 6]);
    fill(&mut queues, "hangs too");
    assert_eq!(take_all(&mut queues), ["hangs too"]);
    queues.push(job("good", "")).unwrap();
    queues.push(job("good", "")).unwrap();
    assert_eq!(take_all(&mut queues), ["good"]);
    queues.end(&handler("good"));
    assert_eq!(take_all(&mut queues), ["good"]);
}

#[test]
fn thread_that_becomes_free_is_used_again_within_the_limit() {
    let mut queues = shared(8, 1000);
    fill(&mut queues, "hangs");
    assert_eq!(take_all(&mut queues), ["hangs"; 6]);
    queues.end(&handler("hangs"));
    assert_eq!(take_all(&mut queues), ["hangs"]);
}

#[test]
fn only_handler_of_a_pool_uses_all_threads_and_the_whole_queue() {
    let limits = HandlerLimits { max_running: 8, max_waiting: 20, ..HandlerLimits::default() };
    let mut queues = JobQueues::new(limits);
    assert_eq!(fill(&mut queues, "only"), 20);
    assert_eq!(take_all(&mut queues).len(), 8);
}

#[test]
fn one_handler_occupies_half_of_the_queue_at_most() {
    let mut queues = shared(8, 100);
    assert_eq!(fill(&mut queues, "many"), 50);
    assert_eq!(fill(&mut queues, "many too"), 25);
    assert_eq!(fill(&mut queues, "a third"), 12);
    assert_eq!(queues.waiting(), 87);
}

#[test]
fn one_handler_occupies_half_of_the_octets_at_most() {
    let limits = HandlerLimits { max_waiting_octets: 100, is_shared: true, ..HandlerLimits::default() };
    let mut queues = JobQueues::new(limits);
    queues.push(job("long", &"x".repeat(50))).unwrap();
    assert_eq!(queues.push(job("long", "x")), Err(HandlerQueueFullError));
    // The first job of a handler needs room only.
    queues.push(job("other", &"x".repeat(50))).unwrap();
    assert_eq!(queues.push(job("third", "x")), Err(HandlerQueueFullError));
    queues.take().unwrap();
    queues.push(job("third", "x")).unwrap();
}

#[test]
fn discarded_jobs_are_counted_for_each_handler() {
    let mut queues = shared(4, 100);
    for name in ["a", "a", "b", "a", "c"] {
        queues.push(job(name, "x")).unwrap();
    }
    assert_eq!(queues.take().unwrap().command, handler("a"));
    let mut discarded = queues.clear();
    discarded.sort_by_key(|(command, _)| command.arguments[0].clone());
    assert_eq!(discarded, [(handler("a"), 2), (handler("b"), 1), (handler("c"), 1)]);
    assert!(queues.take().is_none() && queues.waiting() == 0);
    queues.end(&handler("a"));
    assert!(queues.queues.is_empty());
    assert_eq!(fill(&mut queues, "a"), 50);
}

#[test]
fn handler_without_jobs_is_forgotten() {
    let mut queues = shared(8, 100);
    queues.push(job("a", "")).unwrap();
    queues.take().unwrap();
    queues.end(&handler("a"));
    assert!(queues.queues.is_empty());
}
