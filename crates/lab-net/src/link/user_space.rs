//! A link in user space, for kernels without netem.
//!
//! ```text
//! manager ─ bridge ─ TAP ─▶ thread: waits `delay` ─▶ TAP ─ second bridge ─ agent
//! ```
//! The thread passes on frames in both directions, in their order. A frame's time begins when the
//! thread reads it. The thread wakes up for each frame, which takes some microseconds even without
//! a delay: therefore all delays of a series must use this link, including 0.

mod forwarder;

use std::fs;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};

use super::{LostFrames, MAX_DELAYED_FRAMES};
use crate::error::{Context, NetError, Result};
use crate::place::Place;
use crate::program::Program;
use crate::topology::{AGENT_PORT, BRIDGE, MANAGER_PORT, wait_until_forwarding};
use forwarder::{Forwarder, Losses};

/// A running link. It must be stopped with [`stop`](Self::stop), unless its namespace ends anyway.
pub(super) struct UserSpaceLink {
    stop: Arc<OwnedFd>,
    losses: Arc<Losses>,
    thread: Option<JoinHandle<Result<Result<()>>>>,
}

impl UserSpaceLink {
    /// Divides the observer's bridge, and starts the thread between its two parts.
    pub(super) fn start(observer: &Place, delay: Duration) -> Result<Self> {
        let create = |name| {
            observer
                .run(|| portreeve_sys::create_tap(name))?
                .context("cannot create a TAP interface (/dev/net/tun)")
        };
        let (manager_tap, agent_tap) = (create(MANAGER_TAP)?, create(AGENT_TAP)?);
        let commands = format!(
            "link add {SECOND_BRIDGE} type bridge mcast_snooping 0\n\
             link set {MANAGER_TAP} txqueuelen {MAX_DELAYED_FRAMES} master {BRIDGE} up\n\
             link set {AGENT_TAP} txqueuelen {MAX_DELAYED_FRAMES} master {SECOND_BRIDGE} up\n\
             link set {AGENT_PORT} master {SECOND_BRIDGE}\n\
             link set {SECOND_BRIDGE} up"
        );
        let mut division = Division { observer, is_kept: false };
        Program::Ip.run(observer, &["-batch", "-"], &commands)?;
        wait_until_forwarding(observer, &[MANAGER_PORT, AGENT_PORT, MANAGER_TAP, AGENT_TAP])?;
        let stop = Arc::new(eventfd(0, EventfdFlags::CLOEXEC).context("cannot create an eventfd")?);
        let losses = Arc::new(Losses::default());
        let mut forwarder =
            Forwarder::new(manager_tap, agent_tap, Arc::clone(&stop), delay, Arc::clone(&losses));
        let thread = observer.spawn_thread(move || forwarder.run())?;
        division.is_kept = true;
        Ok(Self { stop, losses, thread: Some(thread) })
    }

    /// Stops the thread, and joins the parts of the bridge again.
    pub(super) fn stop(mut self, observer: &Place) -> Result<()> {
        self.end_thread()?;
        join_bridges(observer)?;
        wait_until_forwarding(observer, &[MANAGER_PORT, AGENT_PORT])
    }

    /// Returns the frames for which there was no room, here or in the queues of the interfaces.
    pub(super) fn lost_frames(&self, observer: &Place) -> Result<LostFrames> {
        let path = "/proc/thread-self/net/dev";
        let text = observer.run(|| fs::read_to_string(path))?.context(path)?;
        let mut lost = self.losses.get();
        lost += LostFrames { to_agent: dropped(&text, MANAGER_TAP), to_manager: dropped(&text, AGENT_TAP) };
        Ok(lost)
    }

    fn end_thread(&mut self) -> Result<()> {
        rustix::io::write(&*self.stop, &1u64.to_ne_bytes()).context("cannot stop the user-space link")?;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result.flatten(),
            Some(Err(_)) => {
                Err(NetError::Failed("the thread of the user-space link has panicked".to_owned()))
            }
        }
    }
}

impl Drop for UserSpaceLink {
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.end_thread();
        }
    }
}

/// The bridge is being divided. Unless the division is kept, its parts are joined again on drop:
/// otherwise an error would leave the agent without a connection.
struct Division<'p> {
    observer: &'p Place,
    is_kept: bool,
}

impl Drop for Division<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // The first error is returned to the caller.
            let _ = join_bridges(self.observer);
        }
    }
}

/// Joins the parts of the bridge.
fn join_bridges(observer: &Place) -> Result<()> {
    let commands = format!("link set {AGENT_PORT} master {BRIDGE}\nlink delete {SECOND_BRIDGE} type bridge");
    Program::Ip.run(observer, &["-batch", "-"], &commands).map(drop)
}

/// Returns the number of frames that an interface could not send, according to `/proc/net/dev`.
fn dropped(text: &str, interface: &str) -> u64 {
    let columns = text.lines().find_map(|line| line.trim_start().strip_prefix(interface)?.strip_prefix(':'));
    // Eight columns about received frames, then octets, frames, errors and drops of sent ones.
    let column = columns.and_then(|columns| columns.split_whitespace().nth(11));
    column.and_then(|number| number.parse().ok()).unwrap_or_default()
}

const MANAGER_TAP: &str = "delay-manager";
const AGENT_TAP: &str = "delay-agent";
const SECOND_BRIDGE: &str = "bridge2";

#[cfg(test)]
mod tests {
    use super::dropped;

    #[test]
    fn dropped_frames_are_read_from_column_of_sent_frames() {
        let text = "Inter-|   Receive                                                |  Transmit\n \
                    face |bytes    packets errs drop fifo frame compressed multicast|bytes packets errs drop\n \
                    delay-agent:  10 2 3 4 5 6 7 8 900 10 11 12 13 14 15 16\n\
                    delay-agent2: 10 2 3 4 5 6 7 8 900 10 11 99 13 14 15 16\n";
        assert_eq!(dropped(text, "delay-agent"), 12);
        assert_eq!(dropped(text, "delay-agent2"), 99);
        assert_eq!(dropped(text, "delay"), 0);
    }
}
