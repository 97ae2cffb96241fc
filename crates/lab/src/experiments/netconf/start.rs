//! The time from the start of the agent to its readiness, with and without YANG modules.

use std::time::Instant;

use super::report::Report;
use super::setup::{Modules, Setup};
use super::{AGENT, Effort};
use crate::error::Result;

/// Measures each configuration in turn.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for modules in WORKS {
        // The first start creates the state, and may compile modules.
        setup.start(modules, &setup.state())?.stop()?;
        for _ in 0..effort.rounds.max(MIN_ROUNDS) {
            let started = Instant::now();
            let server = setup.restart(modules, &setup.state())?;
            if let Some(times) = times.get_mut(modules as usize) {
                times.push(started.elapsed().as_secs_f64() * 1000.0);
            }
            server.stop()?;
        }
    }
    let [none, shipped, stair] = times;
    let base = none.iter().copied().fold(f64::INFINITY, f64::min);
    let beyond = |times: Vec<f64>| times.into_iter().map(|time| time - base).collect();
    report.add("start without NETCONF", AGENT, "ms", none, None);
    report.add(
        "start with the shipped modules, beyond that",
        AGENT,
        "ms",
        beyond(shipped),
        Some((20.0, 5.0)),
    );
    report.add("start with stair, beyond that", AGENT, "ms", beyond(stair), None);
    Ok(())
}

const WORKS: [Modules; 3] = [Modules::None, Modules::Shipped, Modules::Stair];
/// Starts differ more than other measurements.
const MIN_ROUNDS: usize = 10;
