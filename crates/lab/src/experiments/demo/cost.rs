//! What one way costs: the least of some rounds, because whatever else the machine does only adds to them.

use std::fs;
use std::path::Path;

use super::walk::{first_answer, walk};
use super::ways::Way;
use crate::failure::Result;

/// The quickest round's times, and the fewest frames.
pub(super) struct Cost {
    pub(super) objects: f64,
    /// Seconds until a command has its first answer and has ended.
    pub(super) first: f64,
    /// Seconds that a walk takes once its session is there.
    pub(super) walk: f64,
    /// Of a walk; `None` where nobody counts them.
    pub(super) frames: Option<Frames>,
    /// What was spoken, where it was a session.
    pub(super) protocol: Option<String>,
}

impl Cost {
    pub(super) fn of(portreeve: &Path, way: &Way) -> Result<Self> {
        let mut least = Self { objects: 1.0, first: f64::MAX, walk: f64::MAX, frames: None, protocol: None };
        for _ in 0..ROUNDS {
            let first = first_answer(portreeve, way)?;
            let before = Frames::on_loopback();
            let walk = walk(portreeve, way)?;
            let frames = before.zip(Frames::on_loopback()).map(|(before, after)| after.since(&before));
            least = Self {
                objects: walk.objects.len().max(1) as f64,
                first: least.first.min(first),
                walk: least.walk.min(walk.seconds),
                frames: match (least.frames, frames) {
                    (Some(least), Some(frames)) => Some(least.least(frames)),
                    (least, frames) => least.or(frames),
                },
                protocol: walk.protocol,
            };
        }
        Ok(least)
    }
}

/// Frames that an interface has sent, and their octets.
pub(super) struct Frames {
    pub(super) packets: f64,
    pub(super) octets: f64,
}

impl Frames {
    /// Since the system's start; `None` where it does not tell.
    fn on_loopback() -> Option<Self> {
        let read = |counter: &str| -> Option<f64> {
            let text = fs::read_to_string(format!("/sys/class/net/lo/statistics/{counter}")).ok()?;
            text.trim().parse().ok()
        };
        Some(Self { packets: read("tx_packets")?, octets: read("tx_bytes")? })
    }

    fn since(&self, before: &Self) -> Self {
        Self { packets: self.packets - before.packets, octets: self.octets - before.octets }
    }

    fn least(self, other: Self) -> Self {
        Self { packets: self.packets.min(other.packets), octets: self.octets.min(other.octets) }
    }
}

/// A busy machine disturbs some of them.
pub(super) const ROUNDS: usize = 5;
