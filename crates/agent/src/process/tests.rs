use std::{fs, thread::JoinHandle, time::Instant};

use portreeve_datastore::{Datastore, Purpose, Ticket, TransactionGuard};
use portreeve_mib::{
    Instrumentation,
    modules::snmpv2_mib::{COLD_START, SNMP_TRAP_OID, SYS_CONTACT},
};
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, OidRef, Timestamp, Value};
use portreeve_snmp_manager::{Client, Credentials, Operation, RetryPolicy, SessionOptions};
use tempfile::TempDir;
use tokio::sync::oneshot::Receiver;

use super::*;
use crate::{
    control::{NotificationOutcome, ReloadOutcome, SubmittedNotification},
    status::StateFiles,
    submissions::MAX_WAITING,
};

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
    let agent = TestAgent::start_with(|parts| {
        parts.status.state_files =
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

/// The main thread calls the handler.
#[test]
fn handler_does_not_wait_for_the_path_of_a_reload() {
    let (disk, responds) = mpsc::channel::<()>();
    let directory = TestAgent::directory();
    let agent = TestAgent::start_in(directory, writable_objects, |parts| {
        parts.is_same_file = Box::new(move |_, _| {
            responds.recv().unwrap();
            false
        });
    });
    let (answer, mut outcome) = Answer::new();
    agent.requests.handle(Request::Reload { file: "/other.toml".into() }, answer);
    assert!(outcome.try_recv().is_err(), "the handler has returned, and the disk has not responded yet");
    wait_until("the reload in the status", || agent.status().contains("  reload         in progress since "));
    disk.send(()).unwrap();
    let reason = format!(
        "the agent runs with {}, not with /other.toml\nhint: specify the agent's file with --config",
        agent.file().display()
    );
    assert_eq!(outcome.blocking_recv().unwrap(), Response::Refused { reason });
    let text = agent.status();
    assert!(!text.contains("failed reload"), "a request for another agent is not a failed reload: {text}");
    assert!(!text.contains("in progress"), "{text}");
}

#[test]
fn notification_is_not_accepted_while_too_many_wait_for_the_disk() {
    let agent = TestAgent::start();
    let submit = || {
        let (answer, outcome) = Answer::new();
        let mut variables = portreeve_snmp_manager::Request::new(Operation::Inform);
        let name = [&SNMP_TRAP_OID.oid()[..], &[0]].concat();
        variables.push(&name, Value::ObjectId(OidRef::Arcs(&COLD_START.oid())));
        let variables = variables.variables().encoded().to_vec();
        let notification = SubmittedNotification { variables, ..Default::default() };
        agent.requests.handle(Request::Notify(notification), answer);
        outcome.blocking_recv().unwrap()
    };
    let places = Arc::clone(&agent.requests.submissions.places);
    let taken = places.try_acquire_many_owned(u32::try_from(MAX_WAITING).unwrap()).unwrap();
    assert_eq!(submit(), Response::Busy);
    drop(taken);
    for _ in 0..=MAX_WAITING {
        assert_eq!(submit(), Response::Submitted(NotificationOutcome::default()));
    }
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

/// The parts of an agent that a test can replace.
struct Parts {
    status: StatusSource,
    is_same_file: Box<ComparePaths>,
}

type ComparePaths = dyn Fn(&Path, &Path) -> bool + Send;

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

    /// Starts an agent with changes of its parts.
    fn start_with(change: impl FnOnce(&mut Parts)) -> Self {
        Self::start_in(Self::directory(), writable_objects, change)
    }

    /// Starts an agent with these objects that SETs can change.
    fn start_with_objects(writable_objects: fn(EngineId) -> Vec<Box<dyn Instrumentation>>) -> Self {
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
        writable_objects: fn(EngineId) -> Vec<Box<dyn Instrumentation>>,
        change: impl FnOnce(&mut Parts),
    ) -> Self {
        let file = directory.path().join("portreeved.toml");
        let started =
            Service::start(prepare(&file).unwrap(), false, writable_objects, PENDING_TIMEOUT).unwrap();
        let StartedService { service, reloader, status } = started;
        let mut parts = Parts { status, is_same_file: Box::new(|_, _| true) };
        change(&mut parts);
        let Parts { status, is_same_file } = parts;
        let datastore = status.datastore.clone();
        let reloads = ReloadThread::start_with(reloader, file.clone(), is_same_file).unwrap();
        let requests = Requests::new(file, reloads, status).unwrap();
        Self { requests, datastore, service, directory }
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("portreeved.toml")
    }

    /// Acquires the transaction lock, and sends a SET, for which the thread that executes SETs then
    /// waits. Later SETs stay in the queue until the guard is dropped.
    fn block_sets(&self) -> (TransactionGuard, JoinHandle<Option<ErrorStatus>>) {
        self.block_sets_with("first")
    }

    /// Like [`block_sets`](Self::block_sets), with a SET of sysContact to this value.
    fn block_sets_with(&self, contact: &'static str) -> (TransactionGuard, JoinHandle<Option<ErrorStatus>>) {
        let lock = self.datastore.lock();
        let guard = lock.acquire(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
        let first = self.set_contact(contact);
        wait_until("a waiter", || !lock.status().waiters.is_empty());
        (guard, first)
    }

    /// Sends one SET of sysContact after the other while SETs are blocked, and returns them when
    /// they wait in the queue.
    fn queue_sets(&self, contacts: &[&'static str]) -> Vec<JoinHandle<Option<ErrorStatus>>> {
        let queue_set = |(number, contact): (usize, &&'static str)| {
            let set = self.set_contact(contact);
            let queued = format!("  queue of SETs: {number} (");
            wait_until("a SET in the queue", || self.status().contains(&queued));
            set
        };
        (1..).zip(contacts).map(queue_set).collect()
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
/// Longer than any test, so that a SET is executed even if the machine is loaded.
const PENDING_TIMEOUT: Duration = Duration::from_secs(300);
const CONFIG: &str = "[agent]\nstate-dir = \"state\"\nworkers = 1\n\
                      [[listen]]\naddress = \"127.0.0.1:0\"\n\
                      [weak]\nallow = [\"communities\"]\n\
                      [[community]]\nname = \"change\"\nversions = [\"v1\", \"v2c\"]\naccess = \"write\"\nview = \"all\"\n";

mod sets;
