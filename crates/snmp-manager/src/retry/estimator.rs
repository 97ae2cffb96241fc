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
pub(crate) struct RoundTrips {
    /// Smoothed round-trip time and its variation.
    measured: Option<(Duration, Duration)>,
    /// The longest sample of the first turns.
    longest: Duration,
    /// Turns of answers, in parts of [`TURN`].
    turns: u32,
    /// The wait that timeouts have led to; it holds until a round trip is measured.
    backed_off: Duration,
    /// Below this a wait has been proven too short. Fades with every sample.
    proven: Duration,
    /// How many requests have left.
    left: u32,
    /// How many have been answered after they left again.
    unclear: u32,
    /// How many are on their way at once, lately.
    abreast: u32,
}

impl RoundTrips {
    /// A request leaves for the first time; its number.
    pub(crate) fn leaves(&mut self) -> u32 {
        self.left = self.left.wrapping_add(1);
        self.left
    }

    /// How long to wait for the answer to a request that leaves now.
    pub(crate) fn timeout(&self) -> Duration {
        let estimated = match self.measured {
            None => INITIAL,
            Some((smoothed, variation)) => {
                (smoothed + (variation * 4).max(LEAST_MARGIN)).max(self.first_wait())
            }
        };
        estimated.max(self.proven).max(self.backed_off)
    }

    /// How long to wait when a request that waited `before` has left again.
    pub(crate) fn back_off(&mut self, before: Duration) -> Duration {
        // Requests after this one start from the wait that was too short for it, not from the doubled one: a loss now and
        // then must not slow down its neighbours.
        self.backed_off = self.backed_off.max(before).min(LONGEST);
        before.saturating_mul(2).min(LONGEST).max(self.timeout())
    }

    /// The request that left as `number`, and only once, has been answered after `round_trip`.
    pub(crate) fn sample(&mut self, number: u32, round_trip: Duration) {
        // As many as have left since this one did have shared its way.
        let since = self.left.wrapping_sub(number).saturating_add(1);
        let lately = match self.measured {
            None => self.left.wrapping_sub(self.unclear),
            Some(_) => self.abreast - self.abreast.div_ceil(16),
        };
        self.abreast = since.max(lately).clamp(1, MOST_ABREAST);
        self.learn(round_trip);
    }

    /// A request has been answered that left more than once: it says nothing, as nobody knows which time was answered.
    pub(crate) fn no_sample(&mut self) {
        self.unclear = self.unclear.wrapping_add(1);
    }

    /// The request was sent again although its answer, which took `round_trip`, was on its way.
    pub(crate) fn was_needless(&mut self, round_trip: Duration) {
        self.learn(round_trip);
        self.proven = self.proven.max((round_trip + round_trip / 4).min(LONGEST));
    }

    fn learn(&mut self, round_trip: Duration) {
        let share = self.abreast.max(1);
        self.measured = Some(match self.measured {
            None => (round_trip, round_trip / 2),
            Some((smoothed, variation)) => {
                let deviation = smoothed.abs_diff(round_trip);
                (blend(smoothed, round_trip, 8 * share), blend(variation, deviation, 4 * share))
            }
        });
        self.backed_off = Duration::ZERO;
        self.proven -= self.proven / (FADING * share);
        self.turns = self.turns.saturating_add(TURN / share);
        self.longest = self.longest.max(round_trip);
    }

    /// What a wait is at least while few turns of answers have come.
    fn first_wait(&self) -> Duration {
        let Some(past) = (self.turns / TURN).checked_sub(1) else { return INITIAL };
        let multiple = FIRST_WAITS.get(past as usize).copied().unwrap_or_default();
        self.longest.saturating_mul(multiple).min(INITIAL)
    }
}

/// `old` moved towards `new` by one part of `parts`.
fn blend(old: Duration, new: Duration, parts: u32) -> Duration {
    (old * (parts - 1) + new) / parts
}

/// Until anything is measured.
const INITIAL: Duration = Duration::from_millis(250);
/// By how much a wait exceeds the usual round trip at least: the floor of all waits. A peer nearby that is not idle needs
/// longer now and then; the first time it does, that is proven.
const LEAST_MARGIN: Duration = Duration::from_millis(1);
/// Doubling and proofs go no further; only round trips that were measured do.
const LONGEST: Duration = Duration::from_secs(1);
/// A proof loses a share of 1 in so many with each turn: half of it within 350.
const FADING: u32 = 512;
/// What one turn of answers counts.
const TURN: u32 = 1 << 12;
/// More at once are taken for so many.
const MOST_ABREAST: u32 = 256;
/// After 1, 2, 3… turns: of evenly spread times the next exceeds this multiple of the longest in less than 1 % of the
/// cases, as the chance is 1 / ((n + 1) multipleⁿ). A peer nearby has all of them behind it within a few of its own
/// round trips, so that they cost it next to nothing.
const FIRST_WAITS: [u32; 8] = [49, 13, 6, 4, 3, 2, 2, 2];
