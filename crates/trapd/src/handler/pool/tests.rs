use std::{
    path::Path,
    sync::mpsc::{Receiver, channel},
};

use super::*;

fn shell(script: &str) -> Arc<HandlerCommand> {
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    Arc::new(HandlerCommand { program: "/bin/sh".into(), arguments })
}

fn job(command: &Arc<HandlerCommand>, input: &str) -> HandlerJob {
    HandlerJob {
        command: Arc::clone(command),
        input: input.as_bytes().to_vec(),
        community: None,
        timeout: Duration::from_secs(600),
    }
}

/// Starts a pool whose reports are sent to the receiver.
fn start(limits: HandlerLimits) -> (HandlerPool, Receiver<String>) {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let report = move |_: &HandlerCommand, report: &HandlerReport| {
        let output = String::from_utf8_lossy(&report.output).into_owned();
        let _ = sender.lock().unwrap().send(format!("{} {output}", report.result));
    };
    (HandlerPool::start(limits, report).unwrap(), receiver)
}

/// A handler that waits until the file exists, or until the test is killed.
fn waiting_for(file: &Path) -> Arc<HandlerCommand> {
    shell(&format!("cat; while kill -0 $PPID && ! [ -e {} ]; do sleep 0.02; done", file.display()))
}

fn limits(max_running: usize, max_waiting: usize) -> HandlerLimits {
    HandlerLimits { max_running, max_waiting, ..HandlerLimits::default() }
}

/// Waits until the threads have taken all jobs but `waiting`.
fn wait_until_running(pool: &HandlerPool, waiting: usize) {
    while pool.shared.lock().queues.waiting() > waiting {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn all_jobs_run_before_the_pool_finishes() {
    let (pool, reports) = start(limits(3, 100));
    let command = shell("cat");
    (0..20).for_each(|n| pool.submit(job(&command, &n.to_string())).unwrap());
    pool.finish();
    let mut reports: Vec<String> = reports.iter().collect();
    let mut expected: Vec<String> = (0..20).map(|n| format!("status=0 {n}")).collect();
    reports.sort();
    expected.sort();
    assert_eq!(reports, expected);
}

#[test]
fn job_is_refused_when_the_queue_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let (pool, reports) = start(limits(2, 3));
    let command = waiting_for(&folder.path().join("go"));
    (0..2).for_each(|_| pool.submit(job(&command, "running")).unwrap());
    wait_until_running(&pool, 0);
    (0..3).for_each(|_| pool.submit(job(&command, "waiting")).unwrap());
    assert_eq!(pool.submit(job(&command, "refused")), Err(HandlerQueueFullError));
    // At most two have been started.
    assert_eq!(pool.shared.lock().queues.waiting(), 3);
    std::fs::write(folder.path().join("go"), "").unwrap();
    pool.finish();
    let reports: Vec<String> = reports.iter().collect();
    assert_eq!(reports.len(), 5);
    assert_eq!(reports.iter().filter(|report| *report == "status=0 waiting").count(), 3);
}

#[test]
fn job_is_refused_when_the_input_of_all_jobs_is_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let (pool, reports) = start(HandlerLimits { max_waiting_octets: 10, ..limits(1, 100) });
    let command = waiting_for(&folder.path().join("go"));
    pool.submit(job(&command, "0123456789")).unwrap();
    wait_until_running(&pool, 0);
    pool.submit(job(&command, "012345")).unwrap();
    assert_eq!(pool.submit(job(&command, "01234")), Err(HandlerQueueFullError));
    pool.submit(job(&command, "0123")).unwrap();
    std::fs::write(folder.path().join("go"), "").unwrap();
    pool.finish();
    assert_eq!(reports.iter().count(), 3);
}

#[test]
fn dropped_pool_discards_jobs_that_wait_and_ends_those_that_run() {
    let folder = tempfile::tempdir().unwrap();
    let stop_timeout = Duration::from_secs(600);
    let (pool, reports) = start(HandlerLimits { stop_timeout, ..limits(1, 100) });
    let command = waiting_for(&folder.path().join("go"));
    pool.submit(job(&command, "running")).unwrap();
    wait_until_running(&pool, 0);
    pool.submit(job(&command, "discarded")).unwrap();
    let go = folder.path().join("go");
    let shared = Arc::clone(&pool.shared);
    let writer = thread::spawn(move || {
        while !shared.lock().is_closed {
            thread::sleep(Duration::from_millis(1));
        }
        std::fs::write(go, "").unwrap();
    });
    drop(pool);
    writer.join().unwrap();
    assert_eq!(reports.iter().collect::<Vec<_>>(), ["status=0 running"]);
}

#[test]
fn running_handlers_are_killed_when_the_pool_is_dropped() {
    let stop_timeout = Duration::from_millis(100);
    let (pool, reports) = start(HandlerLimits { stop_timeout, ..limits(2, 100) });
    let command = shell("sleep 1000");
    (0..2).for_each(|_| pool.submit(job(&command, "")).unwrap());
    wait_until_running(&pool, 0);
    drop(pool);
    assert_eq!(reports.iter().collect::<Vec<_>>(), ["stopped=true ", "stopped=true "]);
}

#[test]
fn handler_that_hangs_does_not_stop_the_pool() {
    let timeout = Duration::from_millis(300);
    let (pool, reports) = start(limits(1, 100));
    pool.submit(HandlerJob { timeout, ..job(&shell("sleep 1000"), "") }).unwrap();
    pool.submit(job(&shell("exit 5"), "")).unwrap();
    pool.finish();
    let reports: Vec<String> = reports.iter().collect();
    assert_eq!(reports.len(), 2);
    assert_eq!(reports[0], "timeout=0.3s ");
}

#[test]
fn handler_that_hangs_does_not_delay_another() {
    let folder = tempfile::tempdir().unwrap();
    let (pool, reports) = start(HandlerLimits { is_shared: true, ..limits(4, 100) });
    let go = folder.path().join("go");
    let hanging = waiting_for(&go);
    (0..40).for_each(|_| pool.submit(job(&hanging, "hangs")).unwrap());
    wait_until_running(&pool, 37);
    pool.submit(job(&shell("cat"), "first")).unwrap();
    pool.submit(job(&shell("cat"), "second")).unwrap();
    let next = || reports.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!([next(), next()], ["status=0 first", "status=0 second"]);
    std::fs::write(go, "").unwrap();
    pool.finish();
    assert_eq!(reports.iter().filter(|report| report == "status=0 hangs").count(), 40);
}

#[test]
fn discarded_jobs_are_returned_and_do_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let (pool, reports) = start(limits(1, 100));
    let go = folder.path().join("go");
    let (running, waiting) = (waiting_for(&go), shell("echo waited"));
    pool.submit(job(&running, "running")).unwrap();
    wait_until_running(&pool, 0);
    (0..3).for_each(|_| pool.submit(job(&waiting, "")).unwrap());
    assert_eq!(pool.discard_waiting(), [(waiting, 3)]);
    std::fs::write(go, "").unwrap();
    pool.finish();
    assert_eq!(reports.iter().collect::<Vec<_>>(), ["status=0 running"]);
}

#[test]
fn missing_program_does_not_stop_the_pool() {
    let (pool, reports) = start(limits(1, 100));
    let missing = Arc::new(HandlerCommand { program: "/nonexistent/x".into(), arguments: Vec::new() });
    pool.submit(job(&missing, "")).unwrap();
    pool.submit(job(&shell("cat"), "next")).unwrap();
    pool.finish();
    let reports: Vec<String> = reports.iter().collect();
    assert!(reports[0].starts_with("error=\"No such file"), "{reports:?}");
    assert_eq!(reports[1], "status=0 next");
}
