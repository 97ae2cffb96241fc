//! The thread of a user-space link.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::num::NonZeroU64;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::error::{Context, Result};
use crate::link::{LostFrames, MAX_DELAYED_FRAMES};

/// Passes on frames between two TAP interfaces.
pub(super) struct Forwarder {
    to_agent: Direction,
    to_manager: Direction,
    stop: Arc<OwnedFd>,
    losses: Arc<Losses>,
    delay: Duration,
}

/// Numbers of frames for which there was no room.
#[derive(Default)]
pub(super) struct Losses {
    to_agent: AtomicU64,
    to_manager: AtomicU64,
}

impl Losses {
    /// Returns the numbers.
    pub(super) fn get(&self) -> LostFrames {
        LostFrames {
            to_agent: self.to_agent.load(Ordering::Relaxed),
            to_manager: self.to_manager.load(Ordering::Relaxed),
        }
    }
}

impl Forwarder {
    /// Creates a forwarder, which runs until `stop` is readable.
    pub(super) fn new(
        manager: File,
        agent: File,
        stop: Arc<OwnedFd>,
        delay: Duration,
        losses: Arc<Losses>,
    ) -> Self {
        let (manager, agent) = (Arc::new(manager), Arc::new(agent));
        Self {
            to_agent: Direction::new(Arc::clone(&manager), Arc::clone(&agent)),
            to_manager: Direction::new(agent, manager),
            stop,
            losses,
            delay,
        }
    }

    /// Passes on frames until the link is stopped.
    pub(super) fn run(&mut self) -> Result<()> {
        // Without this, the kernel combines this thread's timeouts with others up to 50 µs later.
        let _ = rustix::thread::set_current_timer_slack(Some(NonZeroU64::MIN));
        // Above the programs that are measured, which may have the lowest real-time priority.
        let _ = portreeve_sys::set_realtime_priority(REALTIME_PRIORITY);
        loop {
            let now = Instant::now();
            for (direction, losses) in
                [(&mut self.to_agent, &self.losses.to_agent), (&mut self.to_manager, &self.losses.to_manager)]
            {
                let lost = direction.send_due(now) + direction.receive(self.delay);
                losses.fetch_add(lost, Ordering::Relaxed);
            }
            if self.wait().context("the user-space link failed")? {
                return Ok(());
            }
        }
    }

    /// Waits for the next frame, or until a frame is due. Returns true if the link is stopped.
    fn wait(&self) -> io::Result<bool> {
        let due = [self.to_agent.next_due(), self.to_manager.next_due()].into_iter().flatten().min();
        let timeout = due.map(|due| due.saturating_duration_since(Instant::now()));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut descriptors = [
            PollFd::new(&*self.stop, PollFlags::IN),
            PollFd::new(&*self.to_agent.from, PollFlags::IN),
            PollFd::new(&*self.to_manager.from, PollFlags::IN),
        ];
        match poll(&mut descriptors, timeout.as_ref()) {
            Err(rustix::io::Errno::INTR) => return Ok(false),
            result => result?,
        };
        let [stop, ..] = descriptors;
        Ok(!stop.revents().is_empty())
    }
}

/// The frames in one direction.
struct Direction {
    from: Arc<File>,
    to: Arc<File>,
    /// Frames in the order in which they are due.
    queue: VecDeque<(Instant, Vec<u8>)>,
    /// Buffers for later frames.
    free: Vec<Vec<u8>>,
}

impl Direction {
    fn new(from: Arc<File>, to: Arc<File>) -> Self {
        Self { from, to, queue: VecDeque::new(), free: Vec::new() }
    }

    fn next_due(&self) -> Option<Instant> {
        self.queue.front().map(|(due, _)| *due)
    }

    /// Sends the frames that are due; returns the number of frames that were lost.
    fn send_due(&mut self, now: Instant) -> u64 {
        let mut lost = 0;
        while self.next_due().is_some_and(|due| due <= now) {
            let Some((_, frame)) = self.queue.pop_front() else { break };
            // The interface accepts a frame at once, or has no memory for it.
            lost += u64::from((&*self.to).write(&frame).is_err());
            self.free.push(frame);
        }
        lost
    }

    /// Reads the frames that have arrived; returns the number of frames that were lost. Without a
    /// delay, they are sent at once.
    fn receive(&mut self, delay: Duration) -> u64 {
        let mut lost = 0;
        for _ in 0..MAX_READS {
            let mut frame = self.free.pop().unwrap_or_default();
            frame.resize(MAX_FRAME_LEN, 0);
            match (&*self.from).read(&mut frame) {
                Ok(length) if self.queue.len() < MAX_DELAYED_FRAMES => {
                    frame.truncate(length);
                    self.queue.push_back((Instant::now() + delay, frame));
                }
                Ok(_) => {
                    lost += 1;
                    self.free.push(frame);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => self.free.push(frame),
                // Nothing more has arrived.
                Err(_) => {
                    self.free.push(frame);
                    break;
                }
            }
            if delay.is_zero() {
                lost += self.send_due(Instant::now());
            }
        }
        lost
    }
}

/// The length of the largest frame: the MTU of 1500 octets, the header, and a VLAN tag.
const MAX_FRAME_LEN: usize = 1518;

/// The maximum number of frames that are read before frames in the opposite direction.
const MAX_READS: usize = 64;

/// The SCHED_FIFO priority of the thread.
const REALTIME_PRIORITY: i32 = 2;
