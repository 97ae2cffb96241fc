//! Reports changes of links as they happen.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use portreeve_smi::Timestamp;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

use super::{IfSnapshot, KernelLinkSource, Link, LinkChange, LinkChanges};
use crate::netlink::{Consistency, NetlinkSocket, Received};

/// A thread that reports changes of ifOperStatus in this network namespace. It sleeps while nothing
/// changes.
///
/// If the kernel discards messages, the thread reads all links and reports the differences, so that
/// no final status is lost. Dropping it stops the thread and waits for its end.
pub struct LinkEvents {
    /// The thread stops when this can be read.
    stop: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl LinkEvents {
    /// Subscribes to changes and reads all links. `report` is called on the thread, in the order of
    /// the changes. `report_failure` is called there with the first error when links or changes
    /// cannot be read, and again only after they could. `now` returns the current time.
    ///
    /// # Errors
    /// Returns an error if the links cannot be read or the thread cannot be started.
    pub fn start(
        report: impl Fn(LinkChange) + Send + 'static,
        report_failure: impl Fn(io::Error) + Send + 'static,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) -> io::Result<Self> {
        // The subscription comes first, so that no change after the read is lost.
        let socket = NetlinkSocket::subscribe_to_links()?;
        Self::start_with(socket, report, report_failure, now)
    }

    /// Like [`start`](Self::start), with the socket of the subscription.
    pub(super) fn start_with(
        socket: NetlinkSocket,
        report: impl Fn(LinkChange) + Send + 'static,
        report_failure: impl Fn(io::Error) + Send + 'static,
        now: impl Fn() -> Timestamp + Send + 'static,
    ) -> io::Result<Self> {
        let mut source = KernelLinkSource::open()?;
        let (links, complete) = read_links(&mut source)?;
        let mut reader =
            Reader { socket, source, changes: LinkChanges::new(links), must_read: !complete, failures: 0 };
        let stop = Arc::new(eventfd(0, EventfdFlags::CLOEXEC)?);
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new().name("link-events".to_owned()).spawn(move || {
            while reader.wait(&stopped) {
                match reader.read(&report, &now) {
                    Ok(()) => reader.failures = 0,
                    Err(error) => {
                        if reader.failures == 0 {
                            report_failure(error);
                        }
                        reader.failures += 1;
                    }
                }
            }
        })?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for LinkEvents {
    fn drop(&mut self) {
        // Cannot fail: the counter is 0.
        let _ = rustix::io::write(&*self.stop, &1_u64.to_ne_bytes());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct Reader {
    socket: NetlinkSocket,
    source: KernelLinkSource,
    changes: LinkChanges,
    /// True if messages were lost, so that all links must be read.
    must_read: bool,
    /// The number of failures since the last success.
    failures: u32,
}

impl Reader {
    /// Waits for a message, or for the next attempt to read. Returns false if the thread must stop.
    fn wait(&self, stop: &OwnedFd) -> bool {
        let pause = if self.failures > 0 {
            Some(RETRY_INTERVAL * 2_u32.pow(self.failures.min(MAX_DOUBLINGS)))
        } else {
            self.must_read.then_some(RETRY_INTERVAL)
        };
        let pause = pause.map(|pause| Timespec {
            tv_sec: pause.as_secs().try_into().unwrap_or_default(),
            tv_nsec: pause.subsec_nanos().into(),
        });
        let stop = PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::IN);
        let socket = PollFd::from_borrowed_fd(self.socket.as_fd(), PollFlags::IN);
        let mut descriptors = [stop, socket];
        // A socket that has failed may be readable forever.
        let used = if self.failures > 0 { 1 } else { descriptors.len() };
        // After an error, such as a signal, no descriptor is marked.
        let _ = poll(descriptors.get_mut(..used).unwrap_or_default(), pause.as_ref());
        descriptors.first().is_some_and(|stop| stop.revents().is_empty())
    }

    /// Reads the next messages and, if messages were lost, all links.
    fn read(&mut self, report: &impl Fn(LinkChange), now: &impl Fn() -> Timestamp) -> io::Result<()> {
        let Self { socket, source, changes, must_read, .. } = self;
        let received = socket.receive(|message| {
            changes.process(message.kind, message.payload, now()).into_iter().for_each(report);
        });
        *must_read |= !matches!(received, Ok(Received::Messages | Received::Nothing));
        if *must_read {
            // Pending messages are older than the links that are read next.
            socket.discard_pending();
            let (links, complete) = read_links(source)?;
            changes.replace(links, complete, now()).into_iter().for_each(report);
            *must_read = !complete;
        }
        received.map(|_| ())
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

/// The time between attempts to read the links after an interrupted read. After failures it doubles
/// up to 1.28 s.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);
const MAX_DOUBLINGS: u32 = 6;

#[cfg(test)]
mod tests;
