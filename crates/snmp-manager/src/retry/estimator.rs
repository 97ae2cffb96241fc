//! Estimates the round-trip time from earlier responses (RFC 6298 §2, §5).
//!
//! It differs from the RFC because SNMP requests are small, agents are near and sessions are short:
//!
//! - The minimum timeout is milliseconds instead of one second.
//! - If a request was retransmitted although its response was already in flight, the timeout was
//!   too short. It then stays above the round-trip time of that response, and decreases only
//!   slowly.
//! - With many requests in flight, the fastest responses arrive first. So the weight of each
//!   response is divided by the number of requests in flight (RFC 7323 appendix G).
//! - A few samples are not enough to predict the next round trip, so the first timeouts are a
//!   multiple of the longest sample.

use std::time::Duration;

/// The state of the round-trip estimation for one peer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RttEstimator {
    /// The smoothed round-trip time and its variation.
    measured: Option<(Duration, Duration)>,
    /// The longest sample of the first rounds.
    max_rtt: Duration,
    /// Rounds of responses so far, in fractions of [`ROUND`].
    rounds: u32,
    /// The timeout after retransmissions; reset by the next sample.
    backed_off: Duration,
    /// A timeout below this value has been too short. The value decays with each sample.
    proven_floor: Duration,
    /// Number of requests sent to the peer.
    sent_count: u32,
    /// Number of responses to retransmitted requests.
    ambiguous: u32,
    /// The recent maximum number of requests in flight. It decays with each sample.
    in_flight: u32,
}

impl RttEstimator {
    /// Records the first transmission of a request and returns its number.
    pub(crate) fn on_first_send(&mut self) -> u32 {
        self.sent_count = self.sent_count.wrapping_add(1);
        self.sent_count
    }

    /// Returns the timeout of a request that is sent now.
    pub(crate) fn timeout(&self) -> Duration {
        let estimated = match self.measured {
            None => INITIAL_TIMEOUT,
            Some((smoothed, variation)) => {
                (smoothed + (variation * 4).max(MIN_MARGIN)).max(self.min_timeout())
            }
        };
        estimated.max(self.proven_floor).max(self.backed_off)
    }

    /// Returns the timeout of a retransmitted request whose last timeout was `before`.
    pub(crate) fn back_off(&mut self, before: Duration) -> Duration {
        // Later requests start with the timeout that was too short for this request. They do not
        // start with the doubled timeout, because an occasional loss must not slow down other
        // requests.
        self.backed_off = self.backed_off.max(before).min(MAX_TIMEOUT);
        before.saturating_mul(2).min(MAX_TIMEOUT).max(self.timeout())
    }

    /// Records the round-trip time of request `number`, which was sent only once.
    pub(crate) fn sample(&mut self, number: u32, round_trip: Duration) {
        // The requests sent since this one were in flight together with it.
        let since = self.sent_count.wrapping_sub(number).saturating_add(1);
        let recent_in_flight = match self.measured {
            None => self.sent_count.wrapping_sub(self.ambiguous),
            Some(_) => self.in_flight - self.in_flight.div_ceil(16),
        };
        self.in_flight = since.max(recent_in_flight).clamp(1, MAX_IN_FLIGHT);
        self.learn(round_trip);
    }

    /// Records a response to a retransmitted request. It gives no sample, because it may answer any
    /// of the transmissions.
    pub(crate) fn on_ambiguous_response(&mut self) {
        self.ambiguous = self.ambiguous.wrapping_add(1);
    }

    /// Records that a request was retransmitted although its response, with this `round_trip`, was
    /// already in flight.
    pub(crate) fn on_needless_retransmission(&mut self, round_trip: Duration) {
        self.learn(round_trip);
        self.proven_floor = self.proven_floor.max((round_trip + round_trip / 4).min(MAX_TIMEOUT));
    }

    fn learn(&mut self, round_trip: Duration) {
        let divisor = self.in_flight.max(1);
        self.measured = Some(match self.measured {
            None => (round_trip, round_trip / 2),
            Some((smoothed, variation)) => {
                let deviation = smoothed.abs_diff(round_trip);
                (blend(smoothed, round_trip, 8 * divisor), blend(variation, deviation, 4 * divisor))
            }
        });
        self.backed_off = Duration::ZERO;
        self.proven_floor -= self.proven_floor / (DECAY_ROUNDS * divisor);
        self.rounds = self.rounds.saturating_add(ROUND / divisor);
        self.max_rtt = self.max_rtt.max(round_trip);
    }

    /// Returns the minimum timeout while only a few rounds of responses have been measured.
    fn min_timeout(&self) -> Duration {
        let Some(past) = (self.rounds / ROUND).checked_sub(1) else { return INITIAL_TIMEOUT };
        let multiple = FIRST_TIMEOUT_MULTIPLES.get(past as usize).copied().unwrap_or_default();
        self.max_rtt.saturating_mul(multiple).min(INITIAL_TIMEOUT)
    }
}

/// Moves `old` towards `new` by 1/`parts` of the difference.
fn blend(old: Duration, new: Duration, parts: u32) -> Duration {
    (old * (parts - 1) + new) / parts
}

/// The timeout before the first sample.
const INITIAL_TIMEOUT: Duration = Duration::from_millis(250);
/// The minimum margin of a timeout above the usual round trip. A nearby agent that is busy
/// sometimes needs longer; after the first such response the floor rises.
const MIN_MARGIN: Duration = Duration::from_millis(1);
/// The limit of doubled timeouts and of the floor. Only a timeout derived from measured round trips
/// can exceed this limit.
const MAX_TIMEOUT: Duration = Duration::from_secs(1);
/// In each round, the floor decreases by its value divided by this number, so that it halves within
/// about 350 rounds.
const DECAY_ROUNDS: u32 = 512;
/// The fixed-point value of one round of responses.
const ROUND: u32 = 1 << 12;
/// Higher numbers of requests in flight count as this number.
const MAX_IN_FLIGHT: u32 = 256;
/// The minimum timeout after 1, 2, 3… rounds, as a multiple of the longest sample. If round trips
/// are uniformly distributed, the next round trip after n rounds exceeds this timeout with the
/// probability 1 / ((n + 1) multipleⁿ), which is about 1 % or less. With a nearby peer, these eight
/// rounds pass quickly, so the long timeouts cost almost nothing.
const FIRST_TIMEOUT_MULTIPLES: [u32; 8] = [49, 13, 6, 4, 3, 2, 2, 2];
