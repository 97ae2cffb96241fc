//! How long an answer takes, judged by those that came (RFC 6298 §2, §5).
//!
//! What differs from the RFC does so because a request here is small and its peer near, and because sessions are short:
//!
//! - The wait has a floor of milliseconds instead of a second.
//! - An answer that turns out to have been on its way when the request was sent again keeps the wait above that answer's
//!   time, for as long as it takes the memory of it to fade.
//! - Of many requests on their way the quickest are answered first, so that it takes a whole turn of answers to learn as
//!   much as one tells where nothing else is on its way (RFC 7323 appendix G).
//! - A few samples say little of how long the next may take, so that the first waits are a multiple of the longest.

use std::time::Duration;

/// What a session has learned about its peer's answers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RttEstimator {
    /// Smoothed round-trip time and its variation.
    measured: Option<(Duration, Duration)>,
    /// The longest sample of the first turns.
    max_rtt: Duration,
    /// Turns of answers, in parts of [`ROUND`].
    rounds: u32,
    /// The wait that timeouts have led to; it holds until a round trip is measured.
    backed_off: Duration,
    /// Below this a wait has been proven too short. Fades with every sample.
    proven_floor: Duration,
    /// How many requests have left.
    sent_count: u32,
    /// How many have been answered after they left again.
    ambiguous: u32,
    /// How many are on their way at once, lately.
    in_flight: u32,
}

impl RttEstimator {
    /// A request leaves for the first time; its number.
    pub(crate) fn on_first_send(&mut self) -> u32 {
        self.sent_count = self.sent_count.wrapping_add(1);
        self.sent_count
    }

    /// How long to wait for the answer to a request that leaves now.
    pub(crate) fn timeout(&self) -> Duration {
        let estimated = match self.measured {
            None => INITIAL_TIMEOUT,
            Some((smoothed, variation)) => {
                (smoothed + (variation * 4).max(MIN_MARGIN)).max(self.min_timeout())
            }
        };
        estimated.max(self.proven_floor).max(self.backed_off)
    }

    /// How long to wait when a request that waited `before` has left again.
    pub(crate) fn back_off(&mut self, before: Duration) -> Duration {
        // Requests after this one start from the wait that was too short for it, not from the doubled one: a loss now and
        // then must not slow down its neighbours.
        self.backed_off = self.backed_off.max(before).min(MAX_TIMEOUT);
        before.saturating_mul(2).min(MAX_TIMEOUT).max(self.timeout())
    }

    /// The request that left as `number`, and only once, has been answered after `round_trip`.
    pub(crate) fn sample(&mut self, number: u32, round_trip: Duration) {
        // As many as have left since this one did have shared its way.
        let since = self.sent_count.wrapping_sub(number).saturating_add(1);
        let lately = match self.measured {
            None => self.sent_count.wrapping_sub(self.ambiguous),
            Some(_) => self.in_flight - self.in_flight.div_ceil(16),
        };
        self.in_flight = since.max(lately).clamp(1, MAX_IN_FLIGHT);
        self.learn(round_trip);
    }

    /// A request has been answered that left more than once: it says nothing, as nobody knows which time was answered.
    pub(crate) fn on_ambiguous_response(&mut self) {
        self.ambiguous = self.ambiguous.wrapping_add(1);
    }

    /// The request was sent again although its answer, which took `round_trip`, was on its way.
    pub(crate) fn on_needless_retransmission(&mut self, round_trip: Duration) {
        self.learn(round_trip);
        self.proven_floor = self.proven_floor.max((round_trip + round_trip / 4).min(MAX_TIMEOUT));
    }

    fn learn(&mut self, round_trip: Duration) {
        let share = self.in_flight.max(1);
        self.measured = Some(match self.measured {
            None => (round_trip, round_trip / 2),
            Some((smoothed, variation)) => {
                let deviation = smoothed.abs_diff(round_trip);
                (blend(smoothed, round_trip, 8 * share), blend(variation, deviation, 4 * share))
            }
        });
        self.backed_off = Duration::ZERO;
        self.proven_floor -= self.proven_floor / (DECAY_ROUNDS * share);
        self.rounds = self.rounds.saturating_add(ROUND / share);
        self.max_rtt = self.max_rtt.max(round_trip);
    }

    /// What a wait is at least while few turns of answers have come.
    fn min_timeout(&self) -> Duration {
        let Some(past) = (self.rounds / ROUND).checked_sub(1) else { return INITIAL_TIMEOUT };
        let multiple = FIRST_TIMEOUT_MULTIPLES.get(past as usize).copied().unwrap_or_default();
        self.max_rtt.saturating_mul(multiple).min(INITIAL_TIMEOUT)
    }
}

/// `old` moved towards `new` by one part of `parts`.
fn blend(old: Duration, new: Duration, parts: u32) -> Duration {
    (old * (parts - 1) + new) / parts
}

/// Until anything is measured.
const INITIAL_TIMEOUT: Duration = Duration::from_millis(250);
/// By how much a wait exceeds the usual round trip at least: the floor of all waits. A peer nearby that is not idle needs
/// longer now and then; the first time it does, that is proven.
const MIN_MARGIN: Duration = Duration::from_millis(1);
/// Doubling and proofs go no further; only round trips that were measured do.
const MAX_TIMEOUT: Duration = Duration::from_secs(1);
/// A proof loses a share of 1 in so many with each turn: half of it within 350.
const DECAY_ROUNDS: u32 = 512;
/// What one turn of answers counts.
const ROUND: u32 = 1 << 12;
/// More at once are taken for so many.
const MAX_IN_FLIGHT: u32 = 256;
/// After 1, 2, 3… turns: of evenly spread times the next exceeds this multiple of the longest in less than 1 % of the
/// cases, as the chance is 1 / ((n + 1) multipleⁿ). A peer nearby has all of them behind it within a few of its own
/// round trips, so that they cost it next to nothing.
const FIRST_TIMEOUT_MULTIPLES: [u32; 8] = [49, 13, 6, 4, 3, 2, 2, 2];
