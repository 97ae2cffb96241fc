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
    pub(crate) fn record_response(&mut self) {
        self.answered = true;
    }

    pub(super) fn has_response(&self) -> bool {
        self.answered
    }
}

/// What the agent's authentic messages have shown of its clock (RFC 3414 §2.3).
#[derive(Debug, Default)]
pub(crate) struct ClockHistory {
    /// The clocks in its last two notInTimeWindows Reports, the newest first.
    reported: [Option<ClockReading>; 2],
    /// The last reading that lay before what the clock had shown: what was expected, and what came.
    step: Option<(ClockReading, ClockReading)>,
    /// After such a step back, a message followed the first clock again.
    resumed: bool,
    /// An authentic message has been accepted: who asks is known to the agent, and signs as it wants.
    has_accepted: bool,
}

impl ClockHistory {
    /// A Report has corrected our notion of the clock.
    pub(crate) fn record_report(&mut self, reading: ClockReading) {
        self.reported = [Some(reading), self.reported[0]];
    }

    /// An authentic message is older than what came before it.
    pub(crate) fn record_step_back(&mut self, expected: ClockReading, found: ClockReading) {
        self.step = Some((expected, found));
    }

    /// An authentic message fits the clock.
    pub(crate) fn record_in_window(&mut self) {
        self.has_accepted = true;
        self.resumed |= self.step.is_some();
    }

    pub(super) fn has_authentic_message(&self) -> bool {
        self.has_accepted
    }

    /// Whether the clocks that two Reports have told are too far apart to be one.
    fn has_two_clocks(&self) -> bool {
        let [Some(newest), Some(before)] = self.reported else { return false };
        newest.boots != before.boots || newest.time.abs_diff(before.time) > WINDOW_SECS
    }

    fn is_latched(&self) -> bool {
        self.reported[0].is_some_and(|reported| reported.boots.is_latched())
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
            None if self.has_two_clocks() => Cause::SharedEngineId { engine_id },
            None => Cause::ClockRejected,
        }
    }
}

/// RFC 3414 §3.2 step 7.
const WINDOW_SECS: u32 = 150;
