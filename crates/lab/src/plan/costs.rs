//! The costs of each option, fitted to the samples of a run.
//!
//! ```text
//! walk         ─▶ set-up, exchange and variable: time, frames, octets, CPU time of both ends
//! packet-loss  ─▶ round trips of the set-up, and the time that a lost frame costs
//! memory       ─▶ the agent's memory for an open session
//! ```

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
    /// The stack whose lost frames were measured, if those of this one were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_frame_of: Option<String>,
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

    /// Returns the name of the stack whose lost frames were measured instead of its own.
    pub(super) fn lost_frame_label(&self) -> Option<String> {
        let other = self.lost_frame_of.as_ref()?;
        Some(other.parse().map_or_else(|_| other.clone(), ProtocolStack::label))
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
            let (lost_frame, of) = round_trips.lost_frame(stack).unzip();
            Some(OptionCosts {
                stack: stack.id(),
                time: cost("time")?,
                frames: cost("frames"),
                octets: cost("octets"),
                manager_cpu: cost("client_cpu")?,
                agent_cpu: cost("agent_cpu"),
                setup_round_trips: round_trips.of_setup(stack),
                lost_frame,
                lost_frame_of: of.filter(|of| *of != stack).map(ProtocolStack::id),
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
    lines: Vec<FittedLine>,
    /// The round trips before the first request that USM and TSM need, and communities do not.
    usm_discovery: Option<f64>,
    tsm_discovery: Option<f64>,
}

/// The walks of one stack.
struct FittedLine {
    stack: ProtocolStack,
    /// The round trips of a session besides its exchanges.
    setup: Option<f64>,
    lost_frame: Option<(f64, f64)>,
}

impl RoundTrips {
    fn of(samples: &Samples) -> Self {
        let fitted = |line: packet_loss::DelayedLine| FittedLine {
            stack: line.stack,
            setup: Line::fit(&line.round_trips).map(|fit| (fit.slope.value - line.exchanges).max(0.0)),
            lost_frame: lost_frame(&line.lost_frames),
        };
        let all = samples.experiment(one_shot::NAME);
        let frames = |stack| one_shot::library(&all, stack).summary("frames").map(|frames| frames.median);
        // A round trip is a frame in each direction.
        let more =
            |stack: ProtocolStack| Some((frames(stack)? - frames(ProtocolStack::v2c(stack.carrier))?) / 2.0);
        Self {
            lines: packet_loss::delayed_lines(samples).into_iter().map(fitted).collect(),
            usm_discovery: more(USM_UDP),
            tsm_discovery: more(ProtocolStack::tsm(Carrier::Ssh)),
        }
    }

    /// Returns the round trips of a stack, or those of its carrier with another message.
    fn of_setup(&self, stack: ProtocolStack) -> Option<f64> {
        let of = |matches: &dyn Fn(Message) -> bool| {
            let mut lines = self.lines.iter().filter(|line| line.stack.carrier == stack.carrier);
            lines.find(|line| matches(line.stack.message))?.setup
        };
        let has_community = |message| matches!(message, Message::V1 | Message::V2c);
        match stack.message {
            Message::V1 | Message::V2c => of(&has_community),
            // The algorithms make no difference.
            Message::Usm(..) => of(&|message| matches!(message, Message::Usm(Some(_), _)))
                .or_else(|| Some(of(&has_community)? + self.usm_discovery?)),
            Message::Tsm => of(&|message| message == Message::Tsm)
                .or_else(|| Some(of(&has_community)? + self.tsm_discovery?)),
        }
    }

    /// Returns the cost of a lost frame, and the stack that it was measured with. TCP repeats the
    /// segments of all sessions over it alike.
    fn lost_frame(&self, stack: ProtocolStack) -> Option<((f64, f64), ProtocolStack)> {
        let base = match stack.carrier {
            Carrier::Udp => Carrier::Udp,
            Carrier::Dtls12 | Carrier::Dtls13 => Carrier::Dtls13,
            _ => Carrier::Tcp,
        };
        let of = |matches: &dyn Fn(ProtocolStack) -> bool| {
            let mut lines = self.lines.iter().filter(|line| matches(line.stack));
            lines.find_map(|line| Some((line.lost_frame?, line.stack)))
        };
        of(&|known| known == stack)
            .or_else(|| of(&|known| known.carrier == stack.carrier))
            .or_else(|| of(&|known| known.carrier == base))
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
