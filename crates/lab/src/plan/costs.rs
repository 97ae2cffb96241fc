//! The costs of each option, fitted to the samples of a run.
//!
//! ```text
//! walk         ─▶ set-up, exchange and variable: time, frames, octets, CPU time of both ends
//! packet-loss  ─▶ round trips of the set-up, and the time that a lost frame costs
//! memory       ─▶ the agent's memory for an open session
//! ```

use std::collections::BTreeMap;

use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Line;
use serde::{Deserialize, Serialize};

use super::fit::{Cost, Point, fit};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::{if_table_walk, memory, one_shot, packet_loss};

/// The costs of all options, with the run that they were measured in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct CostTable {
    /// The time and the command of the run.
    pub(super) run: String,
    pub(super) options: Vec<OptionCosts>,
}

/// The costs of one protocol stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OptionCosts {
    /// The identifier of the stack.
    pub(super) stack: String,
    /// Seconds of a session without delay.
    pub(super) time: Cost,
    pub(super) frames: Option<Cost>,
    pub(super) octets: Option<Cost>,
    /// Seconds of CPU time.
    pub(super) manager_cpu: Cost,
    pub(super) agent_cpu: Option<Cost>,
    /// The round trips before the first request can be sent and after the last response; `None` if
    /// no walk with a delay was measured for the carrier.
    pub(super) setup_round_trips: Option<f64>,
    /// The seconds that a lost frame adds: without delay, and for each second of a round trip.
    pub(super) lost_frame: Option<(f64, f64)>,
    /// The agent's bytes for an open session.
    pub(super) memory: Option<f64>,
}

impl OptionCosts {
    pub(super) fn stack(&self) -> Option<ProtocolStack> {
        self.stack.parse().ok()
    }

    /// Returns the name for texts.
    pub(super) fn label(&self) -> String {
        self.stack().map_or_else(|| self.stack.clone(), ProtocolStack::label)
    }

    /// Returns true if messages are authenticated and encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.stack().is_some_and(|stack| {
            stack.carrier.is_secure() || matches!(stack.message, Message::Usm(Some(_), Some(_)))
        })
    }

    /// Returns true for algorithms that are only measured because papers used them.
    pub(super) fn is_outdated(&self) -> bool {
        self.stack.contains("md5") || self.stack.contains("des")
    }
}

impl CostTable {
    /// Fits the costs of all stacks that the run has measured.
    pub(super) fn of(run: &str, samples: &Samples) -> Self {
        let round_trips = RoundTrips::of(samples);
        let options = if_table_walk::stacks().into_iter().filter_map(|stack| {
            let walks = samples.experiment(if_table_walk::NAME);
            let walks = if_table_walk::ours(&walks, stack);
            let cost = |value: &str| fit(&points(&walks, value));
            Some(OptionCosts {
                stack: stack.id(),
                time: cost("time")?,
                frames: cost("frames"),
                octets: cost("octets"),
                manager_cpu: cost("client_cpu")?,
                agent_cpu: cost("agent_cpu"),
                setup_round_trips: round_trips.of_setup(stack),
                lost_frame: round_trips.lost_frame(stack.carrier),
                memory: memory::of_used_session(&samples.experiment(memory::NAME), stack)
                    .map(|memory| memory.median)
                    .filter(|memory| *memory > 0.0),
            })
        });
        Self { run: run.to_owned(), options: options.collect() }
    }
}

/// Returns the walks of a selection as points of a fit.
pub(super) fn points(walks: &Selection<'_>, value: &str) -> Vec<Point> {
    let point = |sample: &portreeve_lab_report::sample::Sample| {
        let of = |name: &str| sample.values.get(name).copied();
        Some(Point { exchanges: of("exchanges")?, variables: of("variables")?, cost: of(value)? })
    };
    walks.samples().filter_map(point).collect()
}

/// The parts that depend on the network: fitted to walks over links with delay and loss.
struct RoundTrips {
    /// The round trips of a session besides its exchanges, by carrier.
    setups: BTreeMap<String, f64>,
    lost_frames: BTreeMap<String, (f64, f64)>,
    /// The round trips of the discovery of an engine.
    discovery: Option<f64>,
}

impl RoundTrips {
    fn of(samples: &Samples) -> Self {
        let (mut setups, mut lost_frames) = (BTreeMap::new(), BTreeMap::new());
        for line in packet_loss::delayed_lines(samples) {
            if let Some(fitted) = Line::fit(&line.round_trips) {
                setups.insert(line.carrier.id().to_owned(), (fitted.slope.value - line.exchanges).max(0.0));
            }
            if let Some(cost) = lost_frame(&line.lost_frames) {
                lost_frames.insert(line.carrier.id().to_owned(), cost);
            }
        }
        let all = samples.experiment(one_shot::NAME);
        let frames = |stack| one_shot::library(&all, stack).summary("frames").map(|frames| frames.median);
        let discovery = frames(USM_UDP).zip(frames(ProtocolStack::v2c(Carrier::Udp)));
        let discovery = discovery.map(|(usm, v2c)| (usm - v2c) / 2.0);
        Self { setups, lost_frames, discovery }
    }

    fn of_setup(&self, stack: ProtocolStack) -> Option<f64> {
        let carrier = *self.setups.get(stack.carrier.id())?;
        match stack.message {
            Message::Usm(..) => Some(carrier + self.discovery?),
            _ => Some(carrier),
        }
    }

    /// Returns the cost of a lost frame. TCP repeats the segments of all sessions over it alike.
    fn lost_frame(&self, carrier: Carrier) -> Option<(f64, f64)> {
        let base = match carrier {
            Carrier::Udp => Carrier::Udp,
            Carrier::Dtls12 | Carrier::Dtls13 => Carrier::Dtls13,
            _ => Carrier::Tcp,
        };
        let cost = self.lost_frames.get(carrier.id()).or_else(|| self.lost_frames.get(base.id()));
        cost.copied()
    }
}

/// Fits the cost of a lost frame to pairs of round-trip time and cost, or returns its mean.
fn lost_frame(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    if let Some(line) = Line::fit(points)
        && line.intercept.value > 0.0
        && line.slope.value > 0.0
    {
        return Some((line.intercept.value, line.slope.value));
    }
    let sum: f64 = points.iter().map(|(_, cost)| cost).sum();
    (!points.is_empty()).then(|| (sum / points.len() as f64, 0.0))
}

const USM_UDP: ProtocolStack = ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp);
