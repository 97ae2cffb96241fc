//! Network faults: messages are lost, delayed, reordered or duplicated.
//!
//! Faults depend only on a random seed and on the order and times of the messages, so that they can
//! be reproduced.

use std::time::Duration;

use portreeve_smi::{Timestamp, TransportDomain};

/// The faults of the network; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkConditions {
    /// The percentage of lost datagrams, in each direction.
    pub loss: Percentage,
    /// The percentage of duplicated responses.
    pub duplicate: Percentage,
    /// The percentage of reordered responses.
    pub reorder: Percentage,
    /// The delay of every response.
    pub delay: Duration,
    /// The maximum additional delay. The actual delay is uniformly distributed.
    pub jitter: Duration,
}

impl NetworkConditions {
    /// Returns a clause that explains which of these faults cannot happen over `domain`, or `None`
    /// if all of them can happen.
    pub(crate) fn unsupported_over(&self, domain: TransportDomain) -> Option<&'static str> {
        let lossy = self.loss != Percentage::default() || self.reorder != Percentage::default();
        let doubled = self.duplicate != Percentage::default();
        match Carrier::from(domain) {
            Carrier::Stream if lossy || doubled => Some(
                "no messages are lost, reordered or duplicated, because a stream delivers every message once and in order",
            ),
            Carrier::Record if doubled => {
                Some("no messages are duplicated, because a session accepts each datagram once")
            }
            _ => None,
        }
    }
}

/// A percentage of messages, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentage(u32);

impl Percentage {
    /// Creates a percentage; `None` unless it is within 0 to 100.
    pub fn from_percent(percent: f64) -> Option<Self> {
        // The conversion does not truncate, because the result is at most one million.
        (0.0..=100.0).contains(&percent).then(|| Self((percent * 10_000.0).round() as u32))
    }
}

/// The properties of a transport that determine which faults are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// Datagrams: all faults are possible.
    Datagram,
    /// Datagrams in a session, which drops duplicates.
    Record,
    /// A stream. The only possible fault is a delay, which also delays all later messages.
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

/// Decides at random which faults happen to each message.
#[derive(Clone, Debug)]
pub(crate) struct FaultInjector {
    conditions: NetworkConditions,
    random: SplitMix64,
    /// The latest time at which a response over a stream is sent.
    last_in_stream: Timestamp,
}

impl FaultInjector {
    pub(crate) fn new(conditions: NetworkConditions, seed: u64) -> Self {
        Self { conditions, random: SplitMix64(seed), last_in_stream: Timestamp::ZERO }
    }

    /// Returns true if a request arrives.
    pub(crate) fn accepts_request(&mut self, carrier: Carrier) -> bool {
        carrier == Carrier::Stream || !self.random.occurs(self.conditions.loss)
    }

    /// Returns the times at which a response that is ready `now` is sent: one, two if it is
    /// duplicated, or none if it is lost.
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

/// The times at which one response is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SendTimes([Option<Timestamp>; 2]);

impl IntoIterator for SendTimes {
    type Item = Timestamp;
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<Timestamp>, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

/// A pseudo-random generator (SplitMix64).
#[derive(Clone, Debug)]
struct SplitMix64(u64);

impl SplitMix64 {
    fn occurs(&mut self, percentage: Percentage) -> bool {
        // A fault with probability zero uses no random number, so that it does not change the
        // sequence for other faults.
        percentage.0 > 0 && self.next() % u64::from(MILLION) < u64::from(percentage.0)
    }

    fn random_up_to(&mut self, max: Duration) -> Duration {
        let micros = u64::try_from(max.as_micros()).unwrap_or(u64::MAX - 1);
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
/// The additional delay of a reordered response. On a local network it is longer than the round
/// trip of a later request.
const REORDER_DELAY: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests;
