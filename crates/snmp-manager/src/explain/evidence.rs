//! Facts that a session records to explain later failures.

use portreeve_smi::{ClockReading, EngineId};

use super::Cause;

/// The facts for every kind of session.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    has_any_response: bool,
}

impl Evidence {
    /// Records an accepted Response.
    pub(crate) fn record_response(&mut self) {
        self.has_any_response = true;
    }

    pub(super) fn has_response(&self) -> bool {
        self.has_any_response
    }
}

/// The readings of the agent's clock in its authentic messages (RFC 3414 §2.3).
#[derive(Debug, Default)]
pub(crate) struct ClockHistory {
    /// The clock readings of the last two notInTimeWindow Reports, newest first.
    reported: [Option<ClockReading>; 2],
    /// The last time that the clock went backwards: the expected reading and the received one.
    step: Option<(ClockReading, ClockReading)>,
    /// True if a later message was consistent with the clock before it went backwards.
    resumed: bool,
    /// True if an authentic message has been accepted: the agent knows the user and the
    /// authentication key is correct.
    has_accepted: bool,
}

impl ClockHistory {
    /// Records a Report that corrected the known clock.
    pub(crate) fn record_report(&mut self, reading: ClockReading) {
        self.reported = [Some(reading), self.reported[0]];
    }

    /// Records an authentic message whose clock reading is older than that of an earlier message.
    pub(crate) fn record_step_back(&mut self, expected: ClockReading, found: ClockReading) {
        self.step = Some((expected, found));
    }

    /// Records an authentic message within the time window.
    pub(crate) fn record_in_window(&mut self) {
        self.has_accepted = true;
        self.resumed |= self.step.is_some();
    }

    pub(super) fn has_authentic_message(&self) -> bool {
        self.has_accepted
    }

    /// Returns true if the clock readings of two Reports are too far apart to come from one clock.
    fn has_two_clocks(&self) -> bool {
        let [Some(newest), Some(before)] = self.reported else { return false };
        newest.boots != before.boots || newest.time.abs_diff(before.time) > WINDOW_SECS
    }

    fn is_latched(&self) -> bool {
        self.reported[0].is_some_and(|reported| reported.boots.is_latched())
            || self.step.is_some_and(|(_, found)| found.boots.is_latched())
    }

    /// Returns the cause of messages outside the time window, in either direction.
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

/// The time window in seconds (RFC 3414 §3.2 step 7).
const WINDOW_SECS: u32 = 150;
