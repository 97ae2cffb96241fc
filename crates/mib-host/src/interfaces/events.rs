//! Reports changes of links as they happen.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use portreeve_smi::Timestamp;

use super::{IfSnapshot, KernelLinkSource, Link, LinkChange, LinkChanges};
use crate::netlink::{Consistency, NetlinkSocket, Received};

/// A thread that reports changes of ifOperStatus in this network namespace.
///
/// If the kernel discards messages, the thread reads all links and reports the differences, so that
/// no final status is lost. Dropping it stops the thread and waits for its end.
pub struct LinkEvents {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LinkEvents {
    /// Subscribes to changes and reads all links. `report` is called on the thread, in the order of
    /// the changes. `now` returns the current time.
    ///
    /// # Errors
    /// Returns an error if the links cannot be read or the thread cannot be started.
    pub fn start(
        report: impl Fn(LinkChange) + Send + 'static,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) -> io::Result<Self> {
        // The subscription comes first, so that no change after the read is lost.
        let mut socket = NetlinkSocket::subscribe_to_links()?;
        let mut source = KernelLinkSource::open()?;
        let (links, complete) = read_links(&mut source)?;
        let mut changes = LinkChanges::new(links);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("link-events".to_owned()).spawn(move || {
            let mut must_read = !complete;
            while !stopped.load(Ordering::Relaxed) {
                let received = socket.receive(|message| {
                    changes.process(message.kind, message.payload, now()).into_iter().for_each(&report);
                });
                must_read |= !matches!(received, Ok(Received::Messages | Received::Nothing));
                if must_read {
                    // Pending messages are older than the links that are read next.
                    socket.discard_pending();
                    if let Ok((links, complete)) = read_links(&mut source) {
                        changes.replace(links, complete, now()).into_iter().for_each(&report);
                        must_read = !complete;
                    }
                }
                if must_read || received.is_err() {
                    thread::sleep(RETRY_INTERVAL);
                }
            }
        })?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for LinkEvents {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}

/// Returns all links, and true if no link changed during the read.
fn read_links(source: &mut KernelLinkSource) -> io::Result<(Vec<Link>, bool)> {
    let mut snapshot = IfSnapshot::default();
    let mut consistency = Consistency::Interrupted;
    snapshot.refill(|links| source.read_once(links).map(|read| consistency = read))?;
    let links = snapshot.interfaces.into_iter().map(|interface| interface.link).collect();
    Ok((links, consistency == Consistency::Consistent))
}

/// The time between attempts to read the links after a failure or an interrupted read.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);
