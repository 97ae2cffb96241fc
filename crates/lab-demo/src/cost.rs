//! The cost of one access method: the minimum of several rounds, because other load only adds to
//! it.

use std::path::Path;

use crate::access_methods::AccessMethod;
use crate::error::Result;
use crate::frames::{FrameCounter, Frames};
use crate::walk::{first_answer, walk};

/// The times and frames of one round, or their minimums of all rounds.
pub struct Cost {
    /// The number of objects that the walk returned.
    pub objects: f64,
    /// Seconds of a command that reads one value, from start to exit.
    pub first: f64,
    /// Seconds of a walk in a session that is already open.
    pub walk: f64,
    /// Frames of a walk; `None` if the system does not count them.
    pub frames: Option<Frames>,
    /// The protocol that the session negotiated.
    pub protocol: Option<String>,
}

impl Cost {
    /// Measures all rounds.
    pub fn of(portreeve: &Path, method: &AccessMethod) -> Result<Self> {
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
    pub fn of_round(portreeve: &Path, method: &AccessMethod) -> Result<Self> {
        let first = first_answer(portreeve, method)?;
        let counter = method.port().and_then(FrameCounter::start);
        let walk = walk(portreeve, method)?;
        Ok(Self {
            objects: walk.objects.len().max(1) as f64,
            first,
            walk: walk.seconds,
            frames: counter.map(FrameCounter::finish).transpose()?.flatten(),
            protocol: walk.protocol,
        })
    }
}

/// The number of rounds. Several are needed, because other load disturbs some of them.
pub const ROUNDS: usize = 5;
