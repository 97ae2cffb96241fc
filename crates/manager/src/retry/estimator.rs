//! How long an answer takes, judged by those that came (RFC 6298 §2, §5).
//!
//! Two things differ from the RFC, both because a request here is small and its peer near: the wait has a floor of
//! milliseconds instead of a second, and an answer that turns out to have been on its way when the request was sent
//! again keeps the wait above that answer's time, for as long as it takes the memory of it to fade.

use std::time::Duration;

/// What a session has learned about its peer's answers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RoundTrips {
    /// Smoothed round-trip time and its variation.
    measured: Option<(Duration, Duration)>,
    /// The wait that timeouts have led to; it holds until a round trip is measured.
    backed_off: Duration,
    /// Below this a wait has been proven too short. Fades with every sample.
    proven: Duration,
}

impl RoundTrips {
    /// How long to wait for the answer to a request that leaves now.
    pub(crate) fn timeout(&self) -> Duration {
        let estimated = match self.measured {
            None => INITIAL,
            Some((smoothed, variation)) => smoothed + (variation * 4).max(LEAST_MARGIN),
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

    /// A request that was sent once has been answered after `round_trip`.
    pub(crate) fn sample(&mut self, round_trip: Duration) {
        self.measured = Some(match self.measured {
            None => (round_trip, round_trip / 2),
            Some((smoothed, variation)) => {
                let deviation = smoothed.abs_diff(round_trip);
                ((smoothed * 7 + round_trip) / 8, (variation * 3 + deviation) / 4)
            }
        });
        self.backed_off = Duration::ZERO;
        self.proven -= self.proven / FADING;
    }

    /// The request was sent again although its answer, which took `round_trip`, was on its way.
    pub(crate) fn was_needless(&mut self, round_trip: Duration) {
        self.sample(round_trip);
        self.proven = self.proven.max((round_trip + round_trip / 4).min(LONGEST));
    }
}

/// Until anything is measured.
const INITIAL: Duration = Duration::from_millis(250);
/// By how much a wait exceeds the usual round trip at least: the floor of all waits. A peer nearby that is not idle needs
/// longer now and then; the first time it does, that is proven.
const LEAST_MARGIN: Duration = Duration::from_millis(1);
/// Doubling and proofs go no further; only round trips that were measured do.
const LONGEST: Duration = Duration::from_secs(1);
/// A proof loses a share of 1 in so many with each sample: half of it within 350 samples.
const FADING: u32 = 512;
