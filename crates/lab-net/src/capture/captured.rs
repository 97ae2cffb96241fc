//! The frames that an observer has recorded.

use std::io::{self, Read, Write};
use std::time::Duration;

use super::{Detail, FragmentPorts};
use crate::packet::Packet;
use crate::pcap::{PcapError, PcapReader, PcapWriter};

/// Recorded frames, in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    frames: Vec<FrameRecord>,
    /// The octets of all frames, if they are kept.
    octets: Vec<u8>,
    /// The number of frames that the kernel dropped because the capture was too slow. If it is not
    /// zero, the numbers of frames and octets are too low.
    pub dropped: u64,
    /// The number of frames that were not recorded because [`MAX_RECORDS`] were recorded already.
    pub not_recorded: u64,
}

/// One recorded frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRecord {
    /// The time at which the frame reached the observer, since the Unix epoch.
    pub at: Duration,
    /// The direction.
    pub direction: Direction,
    /// The length of the frame in octets, with the Ethernet header and without the checksum.
    pub octets: usize,
    /// The headers; `None` if the frame contains no complete IP packet.
    pub packet: Option<Packet>,
    /// The source and destination port, also for fragments without a transport header.
    pub ports: Option<(u16, u16)>,
    /// The position and number of the octets that are kept.
    kept: (usize, usize),
}

/// The direction of a frame.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Direction {
    /// From the manager to the agent.
    ToAgent,
    /// From the agent to the manager.
    ToManager,
}

/// Numbers of frames and octets in both directions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Totals {
    /// Frames from the manager to the agent.
    pub frames_to_agent: u64,
    /// Octets from the manager to the agent, with Ethernet headers.
    pub octets_to_agent: u64,
    /// Frames from the agent to the manager.
    pub frames_to_manager: u64,
    /// Octets from the agent to the manager, with Ethernet headers.
    pub octets_to_manager: u64,
}

impl FrameRecord {
    /// Creates a record of a frame whose octets are not kept yet.
    pub(super) fn new(
        at: Duration,
        direction: Direction,
        octets: usize,
        packet: Option<Packet>,
        ports: Option<(u16, u16)>,
    ) -> Self {
        Self { at, direction, octets, packet, ports, kept: (0, 0) }
    }

    /// Returns true if one of the ports is `port`.
    #[must_use]
    pub fn has_port(&self, port: u16) -> bool {
        self.ports.is_some_and(|(source, destination)| source == port || destination == port)
    }
}

impl Totals {
    /// Adds a frame.
    pub fn add(&mut self, frame: &FrameRecord) {
        let (frames, octets) = match frame.direction {
            Direction::ToAgent => (&mut self.frames_to_agent, &mut self.octets_to_agent),
            Direction::ToManager => (&mut self.frames_to_manager, &mut self.octets_to_manager),
        };
        *frames += 1;
        *octets += frame.octets as u64;
    }

    /// Returns the number of frames in both directions.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames_to_agent + self.frames_to_manager
    }

    /// Returns the number of octets in both directions.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.octets_to_agent + self.octets_to_manager
    }
}

impl Captured {
    /// Reads the frames of a capture file. `direction` returns the direction of a packet with its
    /// ports, or `None` if it is not to be recorded. Frames without a complete IP packet are not
    /// recorded.
    ///
    /// # Errors
    /// The file is incomplete or malformed.
    pub fn read(
        file: &mut PcapReader<impl Read>,
        detail: Detail,
        mut direction: impl FnMut(&Packet, Option<(u16, u16)>) -> Option<Direction>,
    ) -> Result<Self, PcapError> {
        let mut captured = Self::default();
        let mut fragments = FragmentPorts::default();
        while let Some(frame) = file.next_frame()? {
            let Ok(packet) = frame.decode() else { continue };
            let ports = fragments.ports(&packet);
            let Some(direction) = direction(&packet, ports) else { continue };
            let record = FrameRecord::new(frame.at, direction, frame.length, Some(packet), ports);
            captured.push(record, detail, frame.octets);
        }
        captured.sort();
        Ok(captured)
    }

    /// Records a frame, and its octets if `detail` demands it.
    pub(super) fn push(&mut self, mut frame: FrameRecord, detail: Detail, octets: &[u8]) {
        if self.frames.len() >= MAX_RECORDS {
            self.not_recorded += 1;
            return;
        }
        if detail == Detail::Octets {
            frame.kept = (self.octets.len(), octets.len());
            self.octets.extend_from_slice(octets);
        }
        self.frames.push(frame);
    }

    /// Restores the order of time: two processors may deliver frames in another order.
    pub(super) fn sort(&mut self) {
        self.frames.sort_by_key(|frame| frame.at);
    }

    /// Returns true if no frame is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.dropped == 0 && self.not_recorded == 0
    }

    /// Returns the number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns true if no frame was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the frames.
    #[must_use]
    pub fn frames(&self) -> &[FrameRecord] {
        &self.frames
    }

    /// Returns the frames with their octets, which are empty unless the capture keeps them.
    pub fn with_octets(&self) -> impl Iterator<Item = (&FrameRecord, &[u8])> {
        self.frames.iter().map(|frame| (frame, self.octets(frame)))
    }

    /// Returns the octets of one of the frames, which are empty unless the capture keeps them.
    #[must_use]
    pub fn octets(&self, frame: &FrameRecord) -> &[u8] {
        let (start, length) = frame.kept;
        self.octets.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    /// Counts the frames for which `include` returns true.
    pub fn totals(&self, include: impl Fn(&FrameRecord) -> bool) -> Totals {
        let mut totals = Totals::default();
        self.frames.iter().filter(|frame| include(frame)).for_each(|frame| totals.add(frame));
        totals
    }

    /// Counts the frames from and to a TCP or UDP port, including all fragments.
    #[must_use]
    pub fn totals_of_port(&self, port: u16) -> Totals {
        self.totals(|frame| frame.has_port(port))
    }

    /// Appends the frames to a file, if their octets were kept.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&self, file: &mut PcapWriter<impl Write>) -> io::Result<()> {
        for (frame, octets) in self.with_octets().filter(|(_, octets)| !octets.is_empty()) {
            file.write(frame.at, octets, frame.octets)?;
        }
        Ok(())
    }
}

/// The maximum number of frames that are recorded between two calls of `take`.
pub const MAX_RECORDS: usize = 2_000_000;

#[cfg(test)]
mod tests;
