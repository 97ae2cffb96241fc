//! The observer: records the frames between manager and agent.
//!
//! A packet socket receives each frame when it enters the observer's bridge, before the link can
//! lose or delay it, with the kernel's timestamp. A thread moves the frames to memory every few
//! milliseconds, so that it seldom disturbs the programs that are measured.
//!
//! The frames of a device on the user's network are recorded at the manager's own interface, where
//! offloads may merge several into one.

mod captured;
mod fragments;
mod observer;
mod timestamps;

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::error::{Context, NetError, Result};
use crate::topology::Topology;
use observer::{Observer, Request, Viewpoint};
use portreeve_sys::PacketSocket;

pub use captured::{Captured, Direction, FrameRecord, MAX_RECORDS, Totals};
pub use fragments::FragmentPorts;

/// The octets of each frame that a capture keeps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Detail {
    /// None: only the decoded headers.
    Headers,
    /// All, for files and for decoding messages.
    Octets,
}

/// A running capture. It ends when it is dropped.
pub struct Capture {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Capture {
    /// Starts to record all frames between manager and agent. When this returns, no later frame is
    /// missed.
    ///
    /// # Errors
    /// `Unavailable` without an observer, that is, on loopback.
    pub fn start(topology: &Topology, detail: Detail) -> Result<Self> {
        let slot_size = match detail {
            Detail::Headers => HEADER_SLOT,
            Detail::Octets => FRAME_SLOT,
        };
        let (socket, viewpoint) = match topology.device() {
            Some(device) => {
                let viewpoint = Viewpoint::Interface { index: device.interface, device: device.address };
                (topology.manager().run(|| open(PacketSocket::open_both_ways, slot_size))?, viewpoint)
            }
            None => {
                let observer = topology.observer()?;
                let (manager_port, agent_port) = (observer.manager_port, observer.agent_port);
                let viewpoint = Viewpoint::Bridge { manager_port, agent_port };
                (observer.place.run(|| open(PacketSocket::open, slot_size))?, viewpoint)
            }
        };
        let socket = socket.context("cannot capture frames")?;
        let (requests, receiver) = mpsc::channel();
        let mut observer = Observer::new(socket, viewpoint, detail);
        let thread = thread::Builder::new().name("capture".to_owned());
        let thread = thread.spawn(move || observer.run(&receiver)).context("cannot start a thread")?;
        Ok(Self { requests: Some(requests), thread: Some(thread) })
    }

    /// Returns the frames that have been recorded since the last call.
    ///
    /// # Errors
    /// The capture has failed.
    pub fn take(&self) -> Result<Captured> {
        self.request(Request::Take)
    }

    /// Waits until no frame has arrived for `quiet`, and then returns the frames like
    /// [`take`](Self::take). For the last frames of a session, such as acknowledgments.
    ///
    /// # Errors
    /// The capture has failed, or frames still arrive after `limit`.
    pub fn take_when_quiet(&self, quiet: Duration, limit: Duration) -> Result<Captured> {
        let deadline = Instant::now() + limit;
        let mut number = self.request(Request::Count)?;
        loop {
            thread::sleep(quiet);
            let now = self.request(Request::Count)?;
            if now == number {
                return self.take();
            }
            if Instant::now() >= deadline {
                let limit = limit.as_secs_f64();
                return Err(NetError::Failed(format!("frames still arrive after {limit} s")));
            }
            number = now;
        }
    }

    fn request<T>(&self, request: impl FnOnce(Sender<T>) -> Request) -> Result<T> {
        let failed = || NetError::Failed("the capture has failed".to_owned());
        let (sender, response) = mpsc::channel();
        self.requests.as_ref().ok_or_else(failed)?.send(request(sender)).map_err(|_| failed())?;
        response.recv().map_err(|_| failed())
    }

    /// Ends the capture. Frames that have not been taken are lost.
    ///
    /// # Errors
    /// The error that has ended the capture earlier.
    pub fn stop(mut self) -> Result<()> {
        self.end()
    }

    fn end(&mut self) -> Result<()> {
        self.requests = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(result) => {
                result.unwrap_or_else(|_| Err(NetError::Failed("the capture has panicked".to_owned())))
            }
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Opens a socket in the namespace of the calling thread, and waits until it is ready.
fn open(open: fn(usize, usize) -> io::Result<PacketSocket>, slot_size: usize) -> io::Result<PacketSocket> {
    let mut socket = open(SOCKET_BUFFER, slot_size)?;
    timestamps::wait_until_recorded(&mut socket)?;
    Ok(socket)
}

/// The size of the kernel's buffer. The kernel counts about a kilobyte for each small frame.
const SOCKET_BUFFER: usize = 64 << 20;

/// Room for Ethernet, IPv6 with an extension header, and TCP with options.
const HEADER_SLOT: usize = 160;

/// Room for a frame with an MTU of 1500.
const FRAME_SLOT: usize = 1600;
