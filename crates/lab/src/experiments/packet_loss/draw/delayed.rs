//! The effects of round trips and of lost frames on the walks of each stack, for predictions.

use portreeve_lab_report::samples::Samples;

use super::super::VARIABLES;
use super::super::lines::{LINES, Program, Timeout};
use super::cost::LossEffect;
use super::{NAME, of};
use crate::client::ProtocolStack;

/// The walks of one protocol stack over links with different delays.
pub(crate) struct DelayedLine {
    pub(crate) stack: ProtocolStack,
    /// The exchanges and the variables of a walk.
    pub(crate) exchanges: f64,
    pub(crate) variables: f64,
    /// Round-trip times of the links, and times of walks without loss, in seconds.
    pub(crate) round_trips: Vec<(f64, f64)>,
    /// Round-trip times of the links, and the cost of a lost frame, in seconds.
    pub(crate) lost_frames: Vec<(f64, f64)>,
}

/// Returns the walks of our programs with each stack. Over datagrams, they have our measured
/// timeout.
pub(crate) fn delayed_lines(samples: &Samples) -> Vec<DelayedLine> {
    let all = samples.experiment(NAME);
    let lines =
        LINES.into_iter().filter(|line| line.program == Program::Portreeve && line.timeout != Timeout::Fixed);
    let lines = lines.filter_map(|line| {
        let exchanges = all.with_all(&line.variant()).summary("exchanges")?.median;
        let (mut round_trips, mut lost_frames) = (Vec::new(), Vec::new());
        for delay in all.axis("delay") {
            let Some(round_trip) = delay.parse().ok().map(|delay: f64| 2.0 * delay * 1e-3) else { continue };
            let quiet = of(&all, line, delay).with("loss", "0");
            round_trips.extend(quiet.lists("times").into_iter().flatten().map(|time| (round_trip, *time)));
            if let Some(effect) = LossEffect::of(&all, line, delay) {
                lost_frames.push((round_trip, effect.cost().value));
            }
        }
        let (stack, variables) = (line.stack, VARIABLES as f64);
        Some(DelayedLine { stack, exchanges, variables, round_trips, lost_frames })
    });
    lines.collect()
}
