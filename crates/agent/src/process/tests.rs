use std::{net::UdpSocket, sync::mpsc, thread::JoinHandle, time::Instant};

use portreeve_datastore::{Datastore, ProposedState, Purpose, Refusal, Ticket};
use portreeve_mib::{
    Draft, Instrumentation, Lookup, Object, Requester, ServedObjects, SetVariable,
    modules::snmpv2_mib::SYS_CONTACT,
};
use portreeve_mib_std::LcdObjects;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, OidBuf, Timestamp, Value};
use portreeve_snmp_manager::{Client, Credentials, Operation, RetryPolicy, Session, SessionOptions};
use tempfile::TempDir;
use tokio::sync::oneshot::Receiver;

use super::*;
use crate::{control::ReloadOutcome, status::StateFiles};

#[test]
fn status_is_answered_while_a_transaction_holds_the_lock_and_a_reload_waits() {
    let agent = TestAgent::start();
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("ops@192.0.2.7", Purpose::Set, Timestamp::ZERO));
    fs::write(agent.file(), CONFIG.to_owned() + "[system]\ncontact = \"new\"\n").unwrap();
    let (answer, reloaded) = Answer::new();
    agent.requests.handle(Request::Reload { file: agent.file() }, answer);
    wait_until("a waiter", || !lock.status().waiters.is_empty());
    let text = agent.status();
    assert!(text.contains("  held by ops@192.0.2.7 (set) for "), "{text}");
    assert!(text.contains("  waiting: portreeved reload (reload) for "), "{text}");
    assert!(text.contains("  reload         in progress since "), "{text}");
    assert!(text.contains("  generation     0\n"), "{text}");
    drop(guard);
    let outcome = ReloadOutcome { changes: vec!["sysContact: changed".into()], restart_only: vec![] };
    assert_eq!(reloaded.blocking_recv().unwrap(), Response::Reloaded(outcome));
    let text = agent.status();
    assert!(text.contains("\ntransaction lock\n  free\n  queue of SETs: 0\n"), "{text}");
    assert!(text.contains("(portreeved reload)\n  generation     1\n"), "{text}");
}

/// The main thread calls the handler.
#[test]
fn handler_does_not_wait_for_a_disk_that_does_not_respond() {
    let (disk, responds) = mpsc::channel();
    let agent = TestAgent::start_with(|status| {
        status.state_files =
            StateFiles::start_with(Path::new("/state"), Duration::from_secs(60), move |_| {
                responds.recv().unwrap();
                vec![("engine".to_owned(), 46)]
            })
            .unwrap();
    });
    let mut outcome = agent.request_status();
    // The handler has returned, and the disk has not responded yet.
    assert!(outcome.try_recv().is_err());
    disk.send(()).unwrap();
    let text = status_text(outcome.blocking_recv().unwrap());
    assert!(text.contains("\nstate directory /state\n  engine  46\n"), "{text}");
}

#[test]
fn sets_that_wait_are_part_of_the_status() {
    let agent = TestAgent::start();
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
    let first = agent.set_contact("first");
    wait_until("a waiter", || !lock.status().waiters.is_empty());
    let text = agent.status();
    assert!(text.contains("  waiting: "), "{text}");
    assert!(text.contains(" (set) for "), "{text}");
    assert!(text.contains("  queue of SETs: 0\n"), "{text}");
    // The thread that executes SETs waits for the lock, so that this SET stays in the queue.
    let second = agent.set_contact("second");
    wait_until("a SET in the queue", || agent.status().contains("  queue of SETs: 1 ("));
    drop(guard);
    for set in [first, second] {
        assert_eq!(set.join().unwrap(), Some(ErrorStatus::NoError));
    }
    assert!(agent.status().contains("  generation     2\n"), "{}", agent.status());
}

#[test]
fn reloads_are_refused_when_too_many_wait() {
    let agent = TestAgent::start();
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("test", Purpose::Set, Timestamp::ZERO));
    let mut waiting = Vec::new();
    let refusal = loop {
        let (answer, mut outcome) = Answer::new();
        agent.requests.handle(Request::Reload { file: agent.file() }, answer);
        match outcome.try_recv() {
            Ok(response) => break response,
            Err(_) => waiting.push(outcome),
        }
        assert!(waiting.len() < 100, "reloads are not limited");
    };
    assert_eq!(refusal, Response::Refused { reason: "too many reloads wait already".into() });
    drop(guard);
    for outcome in waiting {
        assert_eq!(outcome.blocking_recv().unwrap(), Response::Reloaded(ReloadOutcome::default()));
    }
}

#[test]
fn failed_reload_is_part_of_the_status_until_a_reload_succeeds() {
    let agent = TestAgent::start();
    let reload = || {
        let (answer, outcome) = Answer::new();
        agent.requests.handle(Request::Reload { file: agent.file() }, answer);
        outcome.blocking_recv().unwrap()
    };
    fs::write(agent.file(), CONFIG.to_owned() + "[typo]\n").unwrap();
    assert!(matches!(reload(), Response::Refused { .. }));
    let text = agent.status();
    assert!(text.contains("  failed reload  "), "{text}");
    assert!(text.contains("unknown section `typo`"), "{text}");
    fs::write(agent.file(), CONFIG).unwrap();
    assert_eq!(reload(), Response::Reloaded(ReloadOutcome::default()));
    assert!(!agent.status().contains("failed reload"), "{}", agent.status());
}

#[test]
fn agent_stops_when_panic_interrupts_set_that_is_stored() {
    let agent = TestAgent::start_with_objects(panicking_objects);
    let set = agent.set_contact(PANIC_IN_PUBLISH);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let interrupted = async { tokio::time::timeout(TIMEOUT, agent.service.interrupted()).await };
    runtime.block_on(interrupted).unwrap();
    let TestAgent { service, directory, .. } = agent;
    service.shutdown();
    assert_eq!(set.join().unwrap(), Some(ErrorStatus::UndoFailed));
    let agent = TestAgent::start_in(directory, writable_objects, |_| ());
    assert_eq!(agent.contact(), PANIC_IN_PUBLISH, "the change was stored");
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
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
    let first = agent.set_contact("first");
    wait_until("a waiter", || !lock.status().waiters.is_empty());
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

/// The first SET waits for the lock and the second one in the queue when the agent is stopped.
#[test]
fn sets_that_wait_are_executed_and_answered_at_shutdown() {
    let agent = TestAgent::start();
    let lock = agent.datastore.lock().clone();
    let guard = lock.acquire(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
    let first = agent.set_contact("first");
    wait_until("a waiter", || !lock.status().waiters.is_empty());
    let second = agent.set_contact("second");
    wait_until("a SET in the queue", || agent.status().contains("  queue of SETs: 1 ("));
    let address = agent.address();
    let TestAgent { service, directory, .. } = agent;
    let stopping = std::thread::spawn(move || service.shutdown());
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
/// [`PANIC_IN_PUBLISH`] panics in that phase.
fn panicking_objects(engine_id: EngineId) -> ServedObjects {
    ServedObjects::new(vec![Box::new(PanickingObjects(LcdObjects::new(engine_id)))]).unwrap()
}

struct PanickingObjects(LcdObjects);

impl Instrumentation for PanickingObjects {
    fn objects(&self) -> Vec<&'static Object> {
        self.0.objects()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        self.0.get(leaf, index)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        self.0.next(leaf, after, name)
    }

    fn draft(&mut self, proposed: &ProposedState, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let draft = self.0.draft(proposed, requester)?;
        Some(Box::new(PanickingDraft { draft, panics_in_publish: false }))
    }
}

struct PanickingDraft {
    draft: Box<dyn Draft>,
    panics_in_publish: bool,
}

impl Draft for PanickingDraft {
    fn test(&mut self, proposed: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        assert_ne!(variable.value, Value::OctetString(PANIC_IN_TEST.as_bytes()), "a panic for the test");
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

/// An agent in this process.
struct TestAgent {
    requests: Requests,
    datastore: Datastore,
    service: Service,
    directory: TempDir,
}

impl TestAgent {
    fn start() -> Self {
        Self::start_with(|_| ())
    }

    /// Starts an agent with changes of the sources of its status.
    fn start_with(change: impl FnOnce(&mut StatusSource)) -> Self {
        Self::start_in(Self::directory(), writable_objects, change)
    }

    /// Starts an agent with these objects that SETs can change.
    fn start_with_objects(writable_objects: fn(EngineId) -> ServedObjects) -> Self {
        Self::start_in(Self::directory(), writable_objects, |_| ())
    }

    /// Creates a directory with the configuration file.
    fn directory() -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("portreeved.toml"), CONFIG).unwrap();
        directory
    }

    /// Starts an agent with the file and the state in this directory.
    fn start_in(
        directory: TempDir,
        writable_objects: fn(EngineId) -> ServedObjects,
        change: impl FnOnce(&mut StatusSource),
    ) -> Self {
        let file = directory.path().join("portreeved.toml");
        let started = Service::start(prepare(&file).unwrap(), false, writable_objects).unwrap();
        let StartedService { service, reloader, mut status } = started;
        change(&mut status);
        let datastore = status.datastore.clone();
        let reloads = ReloadThread::start(reloader, file.clone()).unwrap();
        let requests = Requests::new(file, reloads, status).unwrap();
        Self { requests, datastore, service, directory }
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("portreeved.toml")
    }

    /// Sends a SET of sysContact, and returns its error-status when it is joined.
    fn set_contact(&self, contact: &'static str) -> JoinHandle<Option<ErrorStatus>> {
        self.set_contact_as(V2C, contact)
    }

    fn set_contact_as(&self, version: Version, contact: &'static str) -> JoinHandle<Option<ErrorStatus>> {
        let address = self.address();
        std::thread::spawn(move || {
            client(&address, version, TIMEOUT).request(&set_request(contact)).unwrap().error_status()
        })
    }

    fn address(&self) -> String {
        let status = self.status();
        let mut words = status.split_whitespace().skip_while(|word| *word != "udp");
        format!("udp:{}", words.nth(1).unwrap())
    }

    /// Returns sysContact of the published state.
    fn contact(&self) -> String {
        let state = self.datastore.state().current();
        String::from_utf8(state.lcd.scalars().sys_contact.value.to_vec()).unwrap()
    }

    /// Returns the status as text.
    fn status(&self) -> String {
        status_text(self.request_status().blocking_recv().unwrap())
    }

    fn request_status(&self) -> Receiver<Response> {
        let (answer, outcome) = Answer::new();
        self.requests.handle(Request::Status { format: StatusFormat::Text }, answer);
        outcome
    }
}

fn status_text(response: Response) -> String {
    match response {
        Response::Status { text } => text,
        other => panic!("{other:?}"),
    }
}

/// Returns a client that sends each request once.
fn client(address: &str, version: Version, timeout: Duration) -> Client {
    let retry = RetryPolicy::fixed(timeout, 0);
    let options = SessionOptions { retry, ..SessionOptions::default() };
    Client::open(&address.parse().unwrap(), version(Secret::from("change")), &options).unwrap()
}

/// Returns whether the agent answers a GET.
fn is_answered(address: &str) -> bool {
    client(address, V2C, Duration::from_millis(300)).request(&get_request()).is_ok()
}

fn get_request() -> portreeve_snmp_manager::Request {
    portreeve_snmp_manager::Request::read(Operation::Get, [contact_name()])
}

fn set_request(contact: &str) -> portreeve_snmp_manager::Request {
    let mut request = portreeve_snmp_manager::Request::new(Operation::Set);
    request.push(&contact_name(), Value::OctetString(contact.as_bytes()));
    request
}

fn contact_name() -> Vec<u32> {
    [&SYS_CONTACT.oid()[..], &[0]].concat()
}

/// Creates the credentials of a version from a community.
type Version = fn(Secret) -> Credentials;

/// Waits until the condition is true; fails with `what` after twenty seconds.
fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "timed out waiting for {what}");
        std::thread::yield_now();
    }
}

const V2C: Version = Credentials::V2c;
const TIMEOUT: Duration = Duration::from_secs(30);
const PANIC_IN_TEST: &str = "panic in test";
const PANIC_IN_PUBLISH: &str = "panic in publish";
const CONFIG: &str = "[agent]\nstate-dir = \"state\"\nworkers = 1\n\
                      [[listen]]\naddress = \"127.0.0.1:0\"\n\
                      [weak]\nallow = [\"communities\"]\n\
                      [[community]]\nname = \"change\"\nversions = [\"v1\", \"v2c\"]\naccess = \"write\"\nview = \"all\"\n";
