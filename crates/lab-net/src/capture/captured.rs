//! The frames that an observer has recorded.

use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use crate::packet::Packet;
use crate::pcap::PcapWriter;

/// Recorded frames, in the order in which the observer received them.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    frames: Vec<FrameRecord>,
    /// The positions of the frames in `octets`; empty if no octets are kept.
    ranges: Vec<Range<usize>>,
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
    /// Records a frame. `octets` is empty if they are not kept.
    pub(super) fn push(&mut self, frame: FrameRecord, octets: &[u8]) {
        if self.frames.len() >= MAX_RECORDS {
            self.not_recorded += 1;
            return;
        }
        self.frames.push(frame);
        if !octets.is_empty() {
            let start = self.octets.len();
            self.octets.extend_from_slice(octets);
            self.ranges.push(start..self.octets.len());
        }
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
        let octets = |index| {
            let range: Option<&Range<usize>> = self.ranges.get(index);
            range.and_then(|range| self.octets.get(range.clone())).unwrap_or_default()
        };
        self.frames.iter().enumerate().map(move |(index, frame)| (frame, octets(index)))
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
pub const MAX_RECORDS: usize = 4_000_000;
