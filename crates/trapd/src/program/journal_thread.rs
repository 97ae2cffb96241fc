//! The thread that writes to the journal of systemd, so that a journal that accepts nothing delays
//! neither the files nor the responses to informs.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::Instant,
};

use super::interval_count::IntervalCount;
use crate::{Journal, JournalEntry};

/// The entries that wait for the journal, and its thread.
pub(crate) struct JournalThread {
    entries: mpsc::Sender<JournalEntry>,
    octets: Arc<AtomicUsize>,
    is_stopped: Arc<AtomicBool>,
    discarded: IntervalCount,
    thread: JoinHandle<()>,
}

impl JournalThread {
    /// Opens the journal and starts the thread.
    pub(crate) fn start(socket: &Path) -> Result<Self, String> {
        let journal = Journal::open(socket);
        let journal =
            journal.map_err(|error| format!("cannot open the journal {}: {error}", socket.display()))?;
        let (entries, receiver) = mpsc::channel();
        let (octets, is_stopped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (waiting, stop) = (Arc::clone(&octets), Arc::clone(&is_stopped));
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(move || {
            run(&journal, &receiver, &waiting, &stop);
        });
        let thread = thread.map_err(|error| format!("cannot start the thread of the journal: {error}"))?;
        Ok(Self { entries, octets, is_stopped, discarded: IntervalCount::default(), thread })
    }

    /// Queues an entry. If too many wait, it is discarded and counted.
    pub(crate) fn write(&mut self, entry: JournalEntry) {
        let octets = entry.octets();
        let waiting = self.octets.fetch_add(octets, Ordering::Relaxed);
        if waiting + octets > MAX_OCTETS || self.entries.send(entry).is_err() {
            self.octets.fetch_sub(octets, Ordering::Relaxed);
            log_discarded(self.discarded.add(1, Instant::now()));
        }
    }

    /// Ends the thread. Entries that the journal does not accept at once are discarded.
    pub(crate) fn finish(mut self) {
        log_discarded(self.discarded.take());
        self.is_stopped.store(true, Ordering::Relaxed);
        drop(self.entries);
        // A panic of the thread has already been printed.
        let _ = self.thread.join();
    }
}

fn run(
    journal: &Journal,
    entries: &mpsc::Receiver<JournalEntry>,
    octets: &AtomicUsize,
    is_stopped: &AtomicBool,
) {
    let mut failed = IntervalCount::default();
    let mut accepts = true;
    for entry in entries {
        if accepts || !is_stopped.load(Ordering::Relaxed) {
            let written = journal.write(&entry);
            accepts = written.is_ok();
            if let Err(error) = written
                && let Some(entries) = failed.add(1, Instant::now())
            {
                tracing::warn!(%error, entries, "the journal does not accept notifications, which are in the files");
            }
        }
        octets.fetch_sub(entry.octets(), Ordering::Relaxed);
    }
}

fn log_discarded(entries: Option<u64>) {
    if let Some(entries) = entries {
        tracing::warn!(entries, "notifications are not written to the journal: too many wait");
    }
}

/// The maximum size of all entries that wait.
const MAX_OCTETS: usize = 4 << 20;
