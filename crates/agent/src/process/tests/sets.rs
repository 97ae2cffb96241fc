//! SETs that wait, panic or do not end.

use std::{net::UdpSocket, sync::Mutex};

use portreeve_datastore::{ProposedState, Refusal};
use portreeve_mib::{Draft, Instrumentation, Lookup, Object, Requester, SetVariable};
use portreeve_mib_std::LcdObjects;
use portreeve_smi::OidBuf;
use portreeve_snmp_manager::Session;

use super::*;
use crate::datastore_thread::FinishError;

#[test]
fn sets_that_wait_are_part_of_the_status() {
    let agent = TestAgent::start();
    let (guard, first) = agent.block_sets();
    let text = agent.status();
    assert!(text.contains("  waiting: "), "{text}");
    assert!(text.contains(" (set) for "), "{text}");
    assert!(text.contains("  queue of SETs: 0\n"), "{text}");
    let second = agent.set_contact("second");
    wait_until("a SET in the queue", || agent.status().contains("  queue of SETs: 1 ("));
    drop(guard);
    for set in [first, second] {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::NoError));
    }
    assert!(agent.status().contains("  generation     2\n"), "{}", agent.status());
}

#[test]
fn shutdown_ends_when_a_disk_does_not_respond() {
    let (disk, responds) = mpsc::channel::<()>();
    let shutdown = move || {
        let _ = responds.recv();
        Ok(())
    };
    let error = shut_down_within(SHORT_TIME, shutdown, || ()).unwrap_err();
    assert_eq!(error.to_string(), UNFINISHED_SHUTDOWN);
    drop(disk);
    let failed = || Err(CommandError::new("SETs have not ended"));
    assert_eq!(shut_down_within(TIMEOUT, failed, || ()).unwrap_err().to_string(), "SETs have not ended");
    let panicked = shut_down_within(TIMEOUT, || panic!("a panic for the test"), || ()).unwrap_err();
    assert_eq!(panicked.to_string(), PANICKED_SHUTDOWN);
    shut_down_within(TIMEOUT, || Ok(()), || ()).unwrap();
}

#[test]
fn result_of_shutdown_is_known_while_a_file_cannot_be_removed() {
    for reason in [None, Some("SETs have not ended")] {
        let (disk, responds) = mpsc::channel::<()>();
        let shutdown = move || reason.map_or(Ok(()), |reason| Err(CommandError::new(reason)));
        let remove_files = move || {
            let _ = responds.recv();
        };
        let result = shut_down_within(SHORT_TIME, shutdown, remove_files);
        assert_eq!(result.err().map(|error| error.to_string()).as_deref(), reason);
        drop(disk);
    }
}

#[test]
fn files_are_removed_before_shutdown_ends() {
    let (removing, removed) = mpsc::channel();
    shut_down_within(TIMEOUT, || Ok(()), move || removing.send(()).unwrap()).unwrap();
    removed.try_recv().unwrap();
}

/// A SET that waits for the lock stands for one that waits for the disk.
#[test]
fn shutdown_does_not_wait_for_a_set_that_does_not_end() {
    let agent = TestAgent::start();
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
    let address = agent.address();
    let set = std::thread::spawn(move || {
        client(&address, V2C, Duration::from_secs(1)).request(&set_request("late")).is_err()
    });
    wait_until("a waiter", || !lock.status().waiters.is_empty());
    let TestAgent { service, .. } = agent;
    let start = Instant::now();
    assert_eq!(service.shutdown(SHORT_TIME), Err(FinishError::TimedOut));
    assert!(start.elapsed() < TIMEOUT, "{:?}", start.elapsed());
    assert!(set.join().unwrap(), "a SET that may not be stored was answered");
    drop(guard);
}

#[test]
fn agent_stops_when_panic_interrupts_set_that_is_stored() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let set = agent.set_contact(PANIC_IN_PUBLISH);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let interrupted = async { tokio::time::timeout(TIMEOUT, agent.service.interrupted()).await };
    runtime.block_on(interrupted).unwrap();
    let TestAgent { service, directory, .. } = agent;
    assert_eq!(service.shutdown(TIMEOUT), Err(FinishError::Interrupted));
    assert_eq!(set.join().unwrap(), Some(ErrorStatus::UndoFailed));
    let agent = TestAgent::start_in(directory, writable_objects, |_| ());
    assert_eq!(agent.contact(), PANIC_IN_PUBLISH, "the change was stored");
}

/// The SETs are executed when the agent has already received the signal that stops it.
#[test]
fn shutdown_fails_when_panic_interrupts_set_that_is_stored() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let (guard, set) = agent.block_sets_with(PANIC_IN_PUBLISH);
    let address = agent.address();
    let TestAgent { service, directory, .. } = agent;
    let stopping = std::thread::spawn(move || service.shutdown(TIMEOUT));
    wait_until("the end of reading", || !is_answered(&address));
    drop(guard);
    assert_eq!(set.join().unwrap(), Some(ErrorStatus::UndoFailed));
    assert_eq!(stopping.join().unwrap(), Err(FinishError::Interrupted));
    drop(directory);
}

#[test]
fn shutdown_fails_when_the_thread_that_executes_sets_panics() {
    let agent = TestAgent::start_with_objects(|engine_id| {
        let mut objects = PanickingObjects::new(engine_id);
        objects.panics_in_drop = true;
        vec![Box::new(objects)]
    });
    let TestAgent { service, directory, .. } = agent;
    assert_eq!(service.shutdown(TIMEOUT), Err(FinishError::Panicked));
    drop(directory);
}

/// The SETs are in the queue, but not in the group that is interrupted.
#[test]
fn sets_that_wait_are_answered_when_panic_interrupts_set_that_is_stored() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let (guard, first) = agent.block_sets_with(PANIC_IN_PUBLISH);
    let waiting = agent.queue_sets(&["second", "third"]);
    drop(guard);
    assert_eq!(first.join().unwrap(), Some(ErrorStatus::UndoFailed));
    for set in waiting {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::GenErr));
    }
    let TestAgent { service, directory, .. } = agent;
    assert_eq!(service.shutdown(TIMEOUT), Err(FinishError::Interrupted));
    let agent = TestAgent::start_in(directory, writable_objects, |_| ());
    assert_eq!(agent.contact(), PANIC_IN_PUBLISH, "a SET that was answered with genErr has no effect");
}

#[test]
fn sets_after_panic_are_answered_without_waiting_for_later_ones() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let (guard, first) = agent.block_sets();
    let mut group = agent.queue_sets(&["second", PANIC_IN_TEST, WAIT_IN_TEST]);
    let last = group.pop().unwrap();
    let blocked = WAIT.lock().unwrap();
    drop(guard);
    let statuses: Vec<_> = group.into_iter().map(|set| set.join().unwrap()).collect();
    drop(blocked);
    assert_eq!(statuses, [ErrorStatus::NoError, ErrorStatus::GenErr].map(Some));
    for set in [first, last] {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::NoError));
    }
}

#[test]
fn panic_before_a_set_is_stored_fails_only_this_set() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    assert_eq!(agent.set_contact(PANIC_IN_TEST).join().unwrap(), Some(ErrorStatus::GenErr));
    assert_eq!(agent.set_contact("next").join().unwrap(), Some(ErrorStatus::NoError));
    assert_eq!(agent.contact(), "next");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut interrupted = pin!(agent.service.interrupted());
    let poll = std::future::poll_fn(|context| std::task::Poll::Ready(interrupted.as_mut().poll(context)));
    assert!(runtime.block_on(poll).is_pending());
}

#[test]
fn user_with_many_sets_leaves_room_for_sets_of_others() {
    let agent = TestAgent::start();
    let (guard, first) = agent.block_sets();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(agent.address().trim_start_matches("udp:")).unwrap();
    let credentials = Credentials::V2c(Secret::from("change"));
    let mut session = Session::new(credentials, &SessionOptions::default(), 7);
    for _ in 0..12 {
        for _ in 0..50 {
            session.request(&set_request("flood"));
            socket.send(session.poll_output(Timestamp::ZERO).unwrap()).unwrap();
        }
        // The only worker has handled all SETs when it answers a later request.
        client(&agent.address(), V2C, TIMEOUT).request(&get_request()).unwrap();
    }
    let text = agent.status();
    assert!(text.contains("  queue of SETs: 512 ("), "{text}");
    assert!(text.contains(", refused because of the limit for one user: 88\n"), "{text}");
    let other = agent.set_contact_as(Credentials::V1, "other");
    wait_until("the SET of another user", || agent.status().contains("  queue of SETs: 513 ("));
    drop(guard);
    for set in [first, other] {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::NoError));
    }
}

/// All SETs but the first wait together, and are executed as one group.
#[test]
fn panic_in_the_preparation_of_one_set_does_not_affect_others_of_its_group() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let (guard, first) = agent.block_sets();
    let group = agent.queue_sets(&["second", PANIC_IN_TEST, "third"]);
    drop(guard);
    assert_eq!(first.join().unwrap(), Some(ErrorStatus::NoError));
    let statuses: Vec<_> = group.into_iter().map(|set| set.join().unwrap()).collect();
    let [ok, failed] = [ErrorStatus::NoError, ErrorStatus::GenErr].map(Some);
    assert_eq!(statuses, [ok, failed, ok]);
    assert_eq!(agent.contact(), "third");
    assert_eq!(agent.datastore.state().current().generation, 3);
    let TestAgent { service, directory, .. } = agent;
    service.shutdown(TIMEOUT).unwrap();
    let agent = TestAgent::start_in(directory, writable_objects, |_| ());
    assert_eq!(agent.contact(), "third", "the SETs were stored in order");
}

/// The first SET waits for the lock and the second one in the queue when the agent is stopped.
#[test]
fn sets_that_wait_are_executed_and_answered_at_shutdown() {
    let agent = TestAgent::start();
    let (guard, first) = agent.block_sets();
    let second = agent.set_contact("second");
    wait_until("a SET in the queue", || agent.status().contains("  queue of SETs: 1 ("));
    let address = agent.address();
    let TestAgent { service, directory, .. } = agent;
    let stopping = std::thread::spawn(move || service.shutdown(TIMEOUT).unwrap());
    wait_until("the end of reading", || !is_answered(&address));
    drop(guard);
    for set in [first, second] {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::NoError));
    }
    stopping.join().unwrap();
    let contact = TestAgent::start_in(directory, writable_objects, |_| ()).contact();
    assert!(contact == "first" || contact == "second", "{contact}");
}

/// Creates the objects that SETs change. A SET of sysContact to [`PANIC_IN_TEST`] or
/// [`PANIC_IN_PUBLISH`] panics in that phase, and one to [`WAIT_IN_TEST`] waits for [`WAIT`].
fn panicking_objects(engine_id: EngineId) -> Vec<Box<dyn Instrumentation>> {
    vec![Box::new(PanickingObjects::new(engine_id))]
}

struct PanickingObjects {
    objects: LcdObjects,
    panics_in_drop: bool,
}

impl PanickingObjects {
    fn new(engine_id: EngineId) -> Self {
        Self { objects: LcdObjects::new(engine_id), panics_in_drop: false }
    }
}

impl Instrumentation for PanickingObjects {
    fn objects(&self) -> Vec<&'static Object> {
        self.objects.objects()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        self.objects.get(leaf, index)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        self.objects.next(leaf, after, name)
    }

    fn draft(&mut self, proposed: &ProposedState, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let draft = self.objects.draft(proposed, requester)?;
        Some(Box::new(PanickingDraft { draft, panics_in_publish: false }))
    }
}

impl Drop for PanickingObjects {
    fn drop(&mut self) {
        assert!(!self.panics_in_drop, "a panic for the test");
    }
}

struct PanickingDraft {
    draft: Box<dyn Draft>,
    panics_in_publish: bool,
}

impl Draft for PanickingDraft {
    fn test(&mut self, proposed: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        assert_ne!(variable.value, Value::OctetString(PANIC_IN_TEST.as_bytes()), "a panic for the test");
        if variable.value == Value::OctetString(WAIT_IN_TEST.as_bytes()) {
            drop(WAIT.lock());
        }
        self.panics_in_publish = variable.value == Value::OctetString(PANIC_IN_PUBLISH.as_bytes());
        self.draft.test(proposed, variable)
    }

    fn apply(&mut self, proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.draft.apply(proposed)
    }

    fn check(&mut self, proposed: &ProposedState) -> Result<(), Refusal> {
        self.draft.check(proposed)
    }

    fn publish(&mut self) {
        assert!(!self.panics_in_publish, "a panic for the test");
    }
}

/// A test holds it to block the thread that executes SETs.
static WAIT: Mutex<()> = Mutex::new(());
/// The maximum time of an event that does not occur.
const SHORT_TIME: Duration = Duration::from_millis(50);
const WAIT_IN_TEST: &str = "wait in test";
const PANIC_IN_TEST: &str = "panic in test";
const PANIC_IN_PUBLISH: &str = "panic in publish";
