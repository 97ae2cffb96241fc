//! Memory of the agent for its entries, and at most while it creates them.

use std::thread;
use std::time::Duration;

use super::report::Report;
use super::setup::{Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS};
use crate::error::Result;
use crate::experiments::stair;
use crate::experiments::usage::{memory, peak, reset_peak};

/// Creates all entries in a new agent, because one that has removed them keeps some of their
/// memory for later.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let text = (LEAFS * stair::TEXT_LENGTH) as f64;
    let (mut each, mut peaks) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        let server = setup.start(Modules::Stair, &setup.state())?;
        let mut client = setup.connect()?;
        client.send(&stair::edit_one("running", 1, round))?;
        let (before, resident) = (memory(server.id())?, reset_peak(server.id())?);
        client.send(&stair::edit("running", 1..=ENTRIES, round))?;
        peaks.push((peak(server.id())? - resident) / text);
        thread::sleep(SETTLE_TIME);
        each.push((memory(server.id())? - before - text) / LEAFS as f64);
        client.close()?;
        server.stop()?;
    }
    let work = format!("memory of {LEAFS} leafs beyond their text");
    report.add(work, AGENT, "bytes each", each, Some((100.0, 40.0)));
    let work = format!("peak of resident memory while {LEAFS} leafs are created");
    report.add(work, AGENT, "times the text", peaks, Some((3.0, 2.0)));
    Ok(())
}

/// Time in which the agent frees what it needed for the edit.
const SETTLE_TIME: Duration = Duration::from_secs(1);
