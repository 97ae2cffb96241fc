use std::{sync::mpsc, thread::JoinHandle, time::Instant};

use portreeve_datastore::{Datastore, Purpose, Ticket};
use portreeve_mib::modules::snmpv2_mib::SYS_CONTACT;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, Timestamp, Value};
use portreeve_snmp_manager::{Client, Credentials, Operation, RetryPolicy, SessionOptions};
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

/// An agent in this process.
struct TestAgent {
    requests: Requests,
    datastore: Datastore,
    _service: Service,
    directory: TempDir,
}

impl TestAgent {
    fn start() -> Self {
        Self::start_with(|_| ())
    }

    /// Starts an agent with changes of the sources of its status.
    fn start_with(change: impl FnOnce(&mut StatusSource)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("portreeved.toml");
        fs::write(&file, CONFIG).unwrap();
        let started = Service::start(prepare(&file).unwrap(), false).unwrap();
        let StartedService { service, reloader, mut status } = started;
        change(&mut status);
        let datastore = status.datastore.clone();
        let reloads = ReloadThread::start(reloader, file.clone()).unwrap();
        let requests = Requests::new(file, reloads, status).unwrap();
        Self { requests, datastore, _service: service, directory }
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("portreeved.toml")
    }

    /// Sends a SET of sysContact, and returns its error-status when it is joined.
    fn set_contact(&self, contact: &'static str) -> JoinHandle<Option<ErrorStatus>> {
        let status = self.status();
        let mut words = status.split_whitespace().skip_while(|word| *word != "udp");
        let address = format!("udp:{}", words.nth(1).unwrap());
        std::thread::spawn(move || {
            let credentials = Credentials::V2c(Secret::from("change"));
            let retry = RetryPolicy::fixed(Duration::from_secs(30), 0);
            let options = SessionOptions { retry, ..SessionOptions::default() };
            let mut client = Client::open(&address.parse().unwrap(), credentials, &options).unwrap();
            let mut request = portreeve_snmp_manager::Request::new(Operation::Set);
            request.push(&[&SYS_CONTACT.oid()[..], &[0]].concat(), Value::OctetString(contact.as_bytes()));
            client.request(&request).unwrap().error_status()
        })
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

/// Waits until the condition is true; fails with `what` after twenty seconds.
fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "timed out waiting for {what}");
        std::thread::yield_now();
    }
}

const CONFIG: &str = "[agent]\nstate-dir = \"state\"\nworkers = 1\n\
                      [[listen]]\naddress = \"127.0.0.1:0\"\n\
                      [weak]\nallow = [\"communities\"]\n\
                      [[community]]\nname = \"change\"\nversions = [\"v2c\"]\naccess = \"write\"\nview = \"all\"\n";
