//! Adaptive retransmission over lossy links and with slow agents; each run is determined by its
//! seed.

use std::{cmp::Reverse, collections::BinaryHeap};

use portreeve_secret::Secret;
use portreeve_smi::MessageProcessingModel;

use super::{agent::community_message, *};

/// An agent, and a network link to it that loses datagrams.
struct LossyLink {
    chance: Chance,
    /// The probability that a datagram is lost, in each direction.
    loss: f64,
    /// The round-trip time of the link.
    round_trip: Duration,
    /// The agent's maximum additional delay.
    jitter: Duration,
    in_flight: BinaryHeap<Reverse<(Timestamp, Vec<u8>)>>,
}

/// The statistics of a run.
#[derive(Clone, Copy, Debug, Default)]
struct RunCost {
    exchanges: u32,
    failed: u32,
    lost: u32,
    /// Requests retransmitted although neither request nor response was lost.
    needless: u32,
    /// The time in excess of the round-trip time and the agent's delay.
    added: Duration,
}

impl std::ops::AddAssign for RunCost {
    fn add_assign(&mut self, other: Self) {
        self.exchanges += other.exchanges;
        self.failed += other.failed;
        self.lost += other.lost;
        self.needless += other.needless;
        self.added += other.added;
    }
}

impl RunCost {
    fn added_ms_per_lost(&self) -> f64 {
        self.added.as_secs_f64() * 1000.0 / f64::from(self.lost.max(1))
    }

    fn needless_share(&self) -> f64 {
        f64::from(self.needless) / f64::from(self.exchanges)
    }
}

impl LossyLink {
    fn new(seed: u64, loss: f64, round_trip: Duration, jitter: Duration) -> Self {
        Self { chance: Chance(seed), loss, round_trip, jitter, in_flight: BinaryHeap::new() }
    }

    /// Runs this number of `exchanges`, one after the other.
    fn run(&mut self, exchanges: u32) -> RunCost {
        let retry = RetryPolicy::adaptive(Duration::from_secs(6));
        let options = SessionOptions { retry, ..SessionOptions::default() };
        let mut session = TestSession::with_options(Credentials::V2c(Secret::from("public")), options);
        let mut cost = RunCost { exchanges, ..RunCost::default() };
        for _ in 0..exchanges {
            self.exchange(&mut session, &mut cost);
        }
        cost
    }

    fn exchange(&mut self, session: &mut TestSession, cost: &mut RunCost) {
        let started = session.now;
        let (mut lost, mut transmissions, mut quickest) = (0, 0, None);
        session.request(Operation::Get);
        loop {
            while let Some(message) = session.session.poll_output(session.now) {
                transmissions += 1;
                if self.chance.below(self.loss) || self.chance.below(self.loss) {
                    lost += 1;
                    continue;
                }
                let took = self.round_trip + self.jitter.mul_f64(self.chance.next());
                quickest = Some(quickest.map_or(took, |quickest: Duration| quickest.min(took)));
                let response = FakeResponse::to(&ReceivedRequest::of_community(message));
                let response = community_message(MessageProcessingModel::V2c, "public", &response);
                self.in_flight.push(Reverse((session.now + took, response)));
            }
            if let Some(result) = session.result() {
                cost.failed += u32::from(result.is_err());
                break;
            }
            let timeout = session.session.next_timeout().unwrap();
            match self.in_flight.peek() {
                Some(Reverse((arrival, _))) if *arrival <= timeout => {
                    let Reverse((arrival, mut response)) = self.in_flight.pop().unwrap();
                    session.now = session.now.max(arrival);
                    session.session.handle_input(session.now, &mut response);
                }
                _ => {
                    session.now = timeout;
                    session.session.handle_timeout(timeout);
                }
            }
        }
        cost.lost += lost;
        cost.needless += u32::from(lost == 0 && transmissions > 1);
        cost.added += session.now.since(started).saturating_sub(quickest.unwrap_or_default());
    }
}

/// Marsaglia's xorshift generator, which is random enough to simulate packet loss.
struct Chance(u64);

impl Chance {
    /// Returns a number that is at least 0 and less than 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, share: f64) -> bool {
        self.next() < share
    }
}

/// Runs the simulation once with each seed and prints the statistics.
fn runs(seeds: u64, exchanges: u32, what: &str, link: impl Fn(u64) -> LossyLink) -> RunCost {
    let mut total = RunCost::default();
    for seed in 1..=seeds {
        total += link(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).run(exchanges);
    }
    println!(
        "{what}: {} exchanges, {} failed, {} lost, {:.2} ms per lost datagram, {:.3} % needless",
        total.exchanges,
        total.failed,
        total.lost,
        total.added_ms_per_lost(),
        total.needless_share() * 100.0
    );
    total
}

const NEAR: Duration = Duration::from_micros(40);

#[test]
fn lost_datagram_delays_exchange_by_few_milliseconds_on_average() {
    for (loss, at_most) in [(0.005, 3.0), (0.02, 3.0), (0.05, 3.5)] {
        let what = format!("loss {} %", loss * 100.0);
        let cost = runs(200, 221, &what, |seed| LossyLink::new(seed, loss, NEAR, Duration::ZERO));
        assert_eq!((cost.failed, cost.needless), (0, 0));
        assert!(cost.added_ms_per_lost() <= at_most, "{cost:?}");
    }
}

#[test]
fn varying_response_time_rarely_causes_needless_retransmission() {
    let jitter = Duration::from_millis(200);
    for (sessions, exchanges) in [(100, 500), (5000, 10)] {
        let cost = runs(sessions, exchanges, "jitter 200 ms", |seed| LossyLink::new(seed, 0.0, NEAR, jitter));
        assert_eq!(cost.failed, 0);
        assert!(cost.needless_share() < 0.01, "{cost:?}");
    }
}

#[test]
fn timeout_estimator_adapts_when_agent_becomes_slow() {
    let mut needless = 0;
    for seed in 1..=100 {
        let mut link = LossyLink::new(seed, 0.0, NEAR, Duration::ZERO);
        let retry = RetryPolicy::adaptive(Duration::from_secs(6));
        let options = SessionOptions { retry, ..SessionOptions::default() };
        let mut session = TestSession::with_options(Credentials::V2c(Secret::from("public")), options);
        let mut cost = RunCost::default();
        (0..100).for_each(|_| link.exchange(&mut session, &mut cost));
        link.jitter = Duration::from_millis(50);
        (0..1000).for_each(|_| link.exchange(&mut session, &mut cost));
        needless += cost.needless;
    }
    println!("jitter from 0 to 50 ms: {:.2} of 1000 requests sent needlessly", f64::from(needless) / 100.0);
    assert!(needless < 1000, "{needless}");
}

#[test]
fn exchanges_over_lossy_links_succeed_before_deadline() {
    let mixed = |seed: u64| {
        let jitter = Duration::from_millis(seed % 20);
        LossyLink::new(seed, 0.1, NEAR * (1 + seed as u32 % 1000), jitter)
    };
    let cost = runs(10_000, 10, "loss 10 %, round trips to 40 ms, jitter to 20 ms", mixed);
    assert_eq!(cost.failed, 0);
}
