//! What a session remembers for the time when it must say why nothing came.

use portreeve_smi::{ClockReading, EngineId};

use super::Cause;

/// Of any session.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    answered: bool,
}

impl Evidence {
    /// An acceptable answer has come.
    pub(crate) fn note_answer(&mut self) {
        self.answered = true;
    }

    pub(super) fn has_answered(&self) -> bool {
        self.answered
    }
}

/// What the agent's authentic messages have shown of its clock (RFC 3414 §2.3).
#[derive(Debug, Default)]
pub(crate) struct ClockWitness {
    /// The clocks in its last two notInTimeWindows Reports, the newest first.
    told: [Option<ClockReading>; 2],
    /// The last reading that lay before what the clock had shown: what was expected, and what came.
    step: Option<(ClockReading, ClockReading)>,
    /// After such a step back, a message followed the first clock again.
    resumed: bool,
    /// An authentic message has been accepted: who asks is known to the agent, and signs as it wants.
    heard: bool,
}

impl ClockWitness {
    /// A Report has corrected our notion of the clock.
    pub(crate) fn note_told(&mut self, reading: ClockReading) {
        self.told = [Some(reading), self.told[0]];
    }

    /// An authentic message is older than what came before it.
    pub(crate) fn note_step(&mut self, expected: ClockReading, found: ClockReading) {
        self.step = Some((expected, found));
    }

    /// An authentic message fits the clock.
    pub(crate) fn note_fit(&mut self) {
        self.heard = true;
        self.resumed |= self.step.is_some();
    }

    pub(super) fn has_heard(&self) -> bool {
        self.heard
    }

    /// Whether the clocks that two Reports have told are too far apart to be one.
    fn tells_two_clocks(&self) -> bool {
        let [Some(newest), Some(before)] = self.told else { return false };
        newest.boots != before.boots || newest.time.abs_diff(before.time) > WINDOW_SECS
    }

    fn is_latched(&self) -> bool {
        self.told[0].is_some_and(|told| told.boots.is_latched())
            || self.step.is_some_and(|(_, found)| found.boots.is_latched())
    }

    /// What messages outside the time window, ours or the agent's, come from.
    pub(super) fn cause(&self, engine_id: Option<EngineId>) -> Cause {
        match self.step {
            _ if self.is_latched() => Cause::LatchedClock,
            _ if self.resumed => Cause::SharedEngineId { engine_id },
            Some((expected, found)) if expected.boots == found.boots => {
                Cause::ClockMovedBack { seconds: expected.time.saturating_sub(found.time) }
            }
            Some((expected, found)) => {
                Cause::BootsMovedBack { from: expected.boots.get(), to: found.boots.get() }
            }
            None if self.tells_two_clocks() => Cause::SharedEngineId { engine_id },
            None => Cause::ClockRefused,
        }
    }
}

/// RFC 3414 §3.2 step 7.
const WINDOW_SECS: u32 = 150;
