//! The thread of a capture.

use std::net::IpAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use std::{io, mem};

use portreeve_sys::{PacketSocket, ReceivedFrame};

use super::Detail;
use super::captured::{Captured, Direction, FrameRecord};
use super::fragments::FragmentPorts;
use crate::error::{Context, Result};
use crate::packet::{LinkType, Packet};

/// A request to the thread.
pub(super) enum Request {
    /// Return the recorded frames.
    Take(Sender<Captured>),
    /// Return the number of recorded frames.
    Count(Sender<usize>),
}

/// Records frames.
pub(super) struct Observer {
    socket: PacketSocket,
    recorder: Recorder,
}

/// The interfaces at which frames are recorded, and the directions of the frames.
#[derive(Clone, Copy, Debug)]
pub(super) enum Viewpoint {
    /// The two ports of a bridge, by their indices.
    Bridge { manager_port: u32, agent_port: u32 },
    /// The manager's interface to a device with this address.
    Interface { index: u32, device: IpAddr },
}

impl Viewpoint {
    /// Returns the direction of a frame, or `None` if it is not recorded.
    fn direction(self, frame: &ReceivedFrame<'_>, packet: Option<&Packet>) -> Option<Direction> {
        match self {
            Self::Bridge { manager_port, agent_port } => match frame.interface {
                port if port == manager_port => Some(Direction::ToAgent),
                port if port == agent_port => Some(Direction::ToManager),
                // The bridge itself, and the TAP interfaces of a user-space link.
                _ => None,
            },
            Self::Interface { index, device } => {
                let packet = packet.filter(|_| frame.interface == index)?;
                match frame.is_outgoing {
                    true if packet.destination == device => Some(Direction::ToAgent),
                    false if packet.source == device => Some(Direction::ToManager),
                    _ => None,
                }
            }
        }
    }
}

struct Recorder {
    viewpoint: Viewpoint,
    detail: Detail,
    fragments: FragmentPorts,
    captured: Captured,
}

impl Observer {
    /// Creates an observer that records the frames between manager and agent.
    pub(super) fn new(socket: PacketSocket, viewpoint: Viewpoint, detail: Detail) -> Self {
        let fragments = FragmentPorts::default();
        let captured = Captured::default();
        Self { socket, recorder: Recorder { viewpoint, detail, fragments, captured } }
    }

    /// Records frames until all senders of requests are dropped.
    pub(super) fn run(&mut self, requests: &Receiver<Request>) -> Result<()> {
        loop {
            let request = requests.recv_timeout(INTERVAL);
            // A request waits until the frames before it are recorded.
            self.receive().context("the capture failed")?;
            match request {
                Ok(Request::Take(response)) => {
                    let mut captured = mem::take(&mut self.recorder.captured);
                    captured.sort();
                    drop(response.send(captured));
                }
                Ok(Request::Count(response)) => drop(response.send(self.recorder.captured.len())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn receive(&mut self) -> io::Result<()> {
        loop {
            match self.socket.receive(|frame| self.recorder.record(frame)) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.recorder.captured.dropped += u64::from(self.socket.statistics()?.dropped);
        Ok(())
    }
}

impl Recorder {
    fn record(&mut self, frame: ReceivedFrame<'_>) {
        let packet = Packet::decode(LinkType::Ethernet, frame.octets, frame.length).ok();
        let Some(direction) = self.viewpoint.direction(&frame, packet.as_ref()) else { return };
        let ports = packet.as_ref().and_then(|packet| self.fragments.ports(packet));
        let record = FrameRecord::new(frame.at, direction, frame.length, packet, ports);
        self.captured.push(record, self.detail, frame.octets);
    }
}

/// The interval at which frames are moved from the kernel's buffer. The buffer has room for the
/// frames of several hundred milliseconds.
const INTERVAL: Duration = Duration::from_millis(10);
