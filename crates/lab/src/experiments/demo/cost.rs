//! The cost of one access method: the minimum of several rounds, because other load only adds to
//! it.

use std::fs;
use std::path::Path;

use super::access_methods::AccessMethod;
use super::walk::{first_answer, walk};
use crate::error::Result;

/// The times and frames of one round, or their minimums of all rounds.
pub(super) struct Cost {
    pub(super) objects: f64,
    /// Seconds of a command that reads one value, from start to exit.
    pub(super) first: f64,
    /// Seconds of a walk in a session that is already open.
    pub(super) walk: f64,
    /// Frames of a walk; `None` if the system does not count them.
    pub(super) frames: Option<Frames>,
    /// The protocol that the session negotiated.
    pub(super) protocol: Option<String>,
}

impl Cost {
    /// Measures all rounds.
    pub(super) fn of(portreeve: &Path, method: &AccessMethod) -> Result<Self> {
        let mut min = Self::of_round(portreeve, method)?;
        for _ in 1..ROUNDS {
            let round = Self::of_round(portreeve, method)?;
            min = Self {
                first: min.first.min(round.first),
                walk: min.walk.min(round.walk),
                frames: match (min.frames, round.frames) {
                    (Some(min), Some(frames)) => Some(min.min(frames)),
                    (min, frames) => min.or(frames),
                },
                ..round
            };
        }
        Ok(min)
    }

    /// Measures one command and one walk.
    pub(super) fn of_round(portreeve: &Path, method: &AccessMethod) -> Result<Self> {
        let first = first_answer(portreeve, method)?;
        let before = Frames::on_loopback();
        let walk = walk(portreeve, method)?;
        Ok(Self {
            objects: walk.objects.len().max(1) as f64,
            first,
            walk: walk.seconds,
            frames: before.zip(Frames::on_loopback()).map(|(before, after)| after.since(&before)),
            protocol: walk.protocol,
        })
    }
}

/// Frames sent by an interface, and their octets.
pub(super) struct Frames {
    pub(super) packets: f64,
    pub(super) octets: f64,
}

impl Frames {
    /// Returns the counters since system start; `None` if they cannot be read.
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

    fn min(self, other: Self) -> Self {
        Self { packets: self.packets.min(other.packets), octets: self.octets.min(other.octets) }
    }
}

/// The number of rounds. Several are needed, because other load disturbs some of them.
pub(super) const ROUNDS: usize = 5;
