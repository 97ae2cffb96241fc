use std::{
    io::Write,
    os::unix::fs::symlink,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

use portreeve_datastore::{Datastore, Purpose, Ticket};
use portreeve_lcd::{LcdDraft, TextScalar};
use portreeve_smi::Timestamp;
use tempfile::TempDir;
use tracing::subscriber::with_default;

use super::*;
use crate::{
    handler_factory::writable_objects,
    service::{Service, StartedService},
};

#[test]
fn panic_before_a_reload_changes_anything_leaves_the_previous_configuration() {
    let mut agent = TestAgent::start();
    agent.write_file("[agent]\nworkers = 2", "[system]\ncontact = \"from the file\"");
    let response = agent.reload_with_panic("takes effect only after a restart");
    assert_eq!(response, Response::Refused { reason: PANICKED.to_owned() });
    assert_eq!((agent.contact().as_str(), agent.failure().as_str()), ("by SET", PANICKED));
    assert_eq!(agent.rechecks.load(Ordering::Relaxed), 0);
}

#[test]
fn panic_after_a_reload_has_published_is_reported_as_interruption() {
    let mut agent = TestAgent::start();
    agent.write_file("[agent]\nworkers = 1", "[system]\ncontact = \"from the file\"");
    let response = agent.reload_with_panic("hides a row made by SET");
    assert_eq!(response, Response::Interrupted { reason: INTERRUPTED.to_owned() });
    assert_eq!((agent.contact().as_str(), agent.failure().as_str()), ("from the file", INTERRUPTED));
    assert_eq!(agent.rechecks.load(Ordering::Relaxed), 1, "sessions that are no longer accepted stay open");
    // Another reload completes the work, and the value that the file hides is not lost.
    agent.write_file("[agent]\nworkers = 1", "");
    assert!(matches!(agent.reload_with_panic("no such line"), Response::Reloaded(_)));
    assert_eq!(agent.contact(), "by SET");
    assert!(agent.history.read().failure.is_none());
    // The interruption has been reported, and is not that of a later reload.
    agent.write_file("[agent]\nworkers = 2", "");
    let response = agent.reload_with_panic("takes effect only after a restart");
    assert_eq!(response, Response::Refused { reason: PANICKED.to_owned() });
}

#[test]
fn paths_are_the_same_file_if_they_lead_to_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let working_directory = std::env::current_dir().unwrap();
    let path = |name: &str| directory.path().join(name);
    for name in ["file", "other"] {
        fs::write(path(name), "").unwrap();
    }
    symlink("file", path("link")).unwrap();
    let file = path("file");
    let up = "../".repeat(working_directory.components().count() - 1);
    let relative = Path::new(&up).join(file.strip_prefix("/").unwrap());
    for same in [&file, &relative, &path("link"), &path("./file")] {
        assert!(is_same_file(&file, same) && is_same_file(same, &file), "{}", same.display());
    }
    for different in [path("other"), path("missing"), directory.path().into(), PathBuf::new()] {
        assert!(!is_same_file(&file, &different), "{}", different.display());
    }
    // A file that has been removed is still the one that the agent runs with.
    assert!(is_same_file(Path::new("removed"), &working_directory.join("removed")));
    assert!(!is_same_file(Path::new("removed"), &path("removed")));
}

/// An agent whose sysContact has been set, and whose reloads run on the thread of the test.
struct TestAgent {
    reloader: Reloader,
    datastore: Datastore,
    history: LoadHistory,
    directory: TempDir,
    /// The number of times that the sessions have been rechecked.
    rechecks: Arc<AtomicUsize>,
    _service: Service,
}

impl TestAgent {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = write_file(&directory, "[agent]\nworkers = 1", "");
        let timeout = Duration::from_secs(60);
        let started = Service::start(prepare(&file).unwrap(), false, writable_objects, timeout).unwrap();
        let StartedService { service, mut reloader, .. } = started;
        let rechecks = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&rechecks);
        reloader.recheck_sessions = Box::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let datastore = reloader.datastore.clone();
        let mut locked = datastore.begin(Ticket::new("test", Purpose::Set, Timestamp::ZERO));
        let mut draft = LcdDraft::new(Arc::clone(&locked.current().lcd));
        draft.scalars_mut().sys_contact = TextScalar::set(b"by SET".to_vec());
        locked.publish_tables(draft.into_lcd());
        drop(locked);
        Self { reloader, datastore, history: LoadHistory::new(), directory, rechecks, _service: service }
    }

    fn write_file(&self, agent: &str, rest: &str) -> PathBuf {
        write_file(&self.directory, agent, rest)
    }

    /// Reloads the file. The log panics at the first line that contains `words`.
    fn reload_with_panic(&mut self, words: &'static str) -> Response {
        let (requests, receiver) = mpsc::sync_channel(1);
        let (sender, response) = mpsc::channel();
        let done = Box::new(move |response| sender.send(response).unwrap());
        assert!(requests.send(ReloadRequest { owner: "test", named: None, done }).is_ok());
        drop(requests);
        let writer = PanickingWriter { words, has_panicked: Arc::default() };
        let log = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
        let file = self.directory.path().join("portreeved.toml");
        let reloader = &mut self.reloader;
        with_default(log, || handle_requests(reloader, &file, is_same_file, &receiver, &self.history));
        response.recv().unwrap()
    }

    fn contact(&self) -> String {
        let state = self.datastore.state().current();
        String::from_utf8(state.lcd.scalars().sys_contact.value.to_vec()).unwrap()
    }

    /// Returns the reason of the last failed reload in the status.
    fn failure(&self) -> String {
        self.history.read().failure.unwrap().1
    }
}

fn write_file(directory: &TempDir, agent: &str, rest: &str) -> PathBuf {
    let file = directory.path().join("portreeved.toml");
    let listen = "[[listen]]\naddress = \"127.0.0.1:0\"";
    fs::write(&file, format!("{agent}\nstate-dir = \"state\"\n{listen}\n{rest}\n")).unwrap();
    file
}

/// A log that panics at the first line that contains these words. The subscriber writes that line
/// again together with the next one.
#[derive(Clone)]
struct PanickingWriter {
    words: &'static str,
    has_panicked: Arc<AtomicBool>,
}

impl Write for PanickingWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let is_found = String::from_utf8_lossy(line).contains(self.words);
        assert!(!is_found || self.has_panicked.swap(true, Ordering::Relaxed), "a panic for the test");
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
