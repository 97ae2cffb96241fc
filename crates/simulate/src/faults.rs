//! What happens to a message on its way: lost, late, overtaken, doubled.
//!
//! Pure: the time is handed in, and chance comes from a seed, so that a bad day can be lived through again.

use std::time::Duration;

use portreeve_smi::{Timestamp, TransportDomain};

/// How bad the way is. All is well by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkConditions {
    /// The share of datagrams that are lost, each way.
    pub loss: Percentage,
    /// The share of answers that arrive twice.
    pub duplicate: Percentage,
    /// The share of answers that later ones overtake.
    pub reorder: Percentage,
    /// How long every answer takes.
    pub delay: Duration,
    /// How much longer an answer may take, evenly spread.
    pub jitter: Duration,
}

impl NetworkConditions {
    /// What of this cannot befall messages over `domain`, in a clause; `None` where everything can.
    pub(crate) fn unsupported_over(&self, domain: TransportDomain) -> Option<&'static str> {
        let lossy = self.loss != Percentage::default() || self.reorder != Percentage::default();
        let doubled = self.duplicate != Percentage::default();
        match Carrier::from(domain) {
            Carrier::Stream if lossy || doubled => {
                Some("nothing is lost, overtaken or doubled, because a stream delivers all in order")
            }
            Carrier::Record if doubled => {
                Some("nothing is doubled, because a session takes each datagram once")
            }
            _ => None,
        }
    }
}

/// A share of all messages, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentage(u32);

impl Percentage {
    /// From a percentage of 0 to 100; `None` for anything else.
    pub fn from_percent(from_percent: f64) -> Option<Self> {
        // No truncation: at most a million.
        (0.0..=100.0).contains(&from_percent).then(|| Self((from_percent * 10_000.0).round() as u32))
    }
}

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// Alone: everything can happen to it.
    Datagram,
    /// Alone, in a session that takes each datagram once.
    Record,
    /// In a stream: it can only be late, and those behind it with it.
    Stream,
}

impl From<TransportDomain> for Carrier {
    fn from(domain: TransportDomain) -> Self {
        match domain {
            TransportDomain::Udp => Self::Datagram,
            TransportDomain::Dtls => Self::Record,
            TransportDomain::Tcp | TransportDomain::Ssh | TransportDomain::Tls | TransportDomain::Unix => {
                Self::Stream
            }
        }
    }
}

/// Decides the fate of messages.
#[derive(Clone, Debug)]
pub(crate) struct FaultInjector {
    conditions: NetworkConditions,
    random: SplitMix64,
    /// When the last answer of any stream leaves.
    last_in_stream: Timestamp,
}

impl FaultInjector {
    pub(crate) fn new(conditions: NetworkConditions, seed: u64) -> Self {
        Self { conditions, random: SplitMix64(seed), last_in_stream: Timestamp::ZERO }
    }

    /// Whether a request arrives.
    pub(crate) fn accepts_request(&mut self, carrier: Carrier) -> bool {
        carrier == Carrier::Stream || !self.random.occurs(self.conditions.loss)
    }

    /// When an answer that is ready `now` leaves, once or twice; never, if it is lost.
    pub(crate) fn schedule_response(&mut self, carrier: Carrier, now: Timestamp) -> SendTimes {
        if carrier == Carrier::Stream {
            self.last_in_stream = self.last_in_stream.max(self.delayed(now));
            return SendTimes([Some(self.last_in_stream), None]);
        }
        if self.random.occurs(self.conditions.loss) {
            return SendTimes([None, None]);
        }
        let is_reordered = self.random.occurs(self.conditions.reorder);
        let ready = if is_reordered { now + REORDER_DELAY } else { now };
        let first = self.delayed(ready);
        let twice = carrier == Carrier::Datagram && self.random.occurs(self.conditions.duplicate);
        let second = twice.then(|| self.delayed(ready));
        SendTimes([Some(first), second])
    }

    fn delayed(&mut self, now: Timestamp) -> Timestamp {
        let NetworkConditions { delay, jitter, .. } = self.conditions;
        now + delay + self.random.random_up_to(jitter)
    }
}

/// The times at which one answer leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SendTimes([Option<Timestamp>; 2]);

impl IntoIterator for SendTimes {
    type Item = Timestamp;
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<Timestamp>, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

/// Chance out of a seed (the generator is SplitMix64).
#[derive(Clone, Debug)]
struct SplitMix64(u64);

impl SplitMix64 {
    fn occurs(&mut self, percentage: Percentage) -> bool {
        // Where nothing is to happen, none is used up: conditions do not disturb each other's chances.
        percentage.0 > 0 && self.next() % u64::from(MILLION) < u64::from(percentage.0)
    }

    fn random_up_to(&mut self, most: Duration) -> Duration {
        let micros = u64::try_from(most.as_micros()).unwrap_or(u64::MAX - 1);
        if micros == 0 {
            return Duration::ZERO;
        }
        Duration::from_micros(self.next() % (micros + 1))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

const MILLION: u32 = 1_000_000;
/// How long an answer waits for later ones to overtake it: longer than a request behind it takes on any network here.
const REORDER_DELAY: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests;
