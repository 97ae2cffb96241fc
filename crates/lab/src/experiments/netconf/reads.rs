//! `get-config` of all entries: time, and the memory that the agent needs in addition.

use std::time::Instant;

use super::report::Report;
use super::setup::{Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS};
use crate::error::Result;
use crate::experiments::stair;
use crate::experiments::usage::{peak, reset_peak};

/// Reads all entries several times.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let server = setup.start(Modules::Stair, &setup.state())?;
    let mut client = setup.connect()?;
    client.send(&stair::edit("running", 1..=ENTRIES, 0))?;
    client.close()?;
    server.stop()?;
    // A new process does not have the memory that the edit needed.
    let server = setup.restart(Modules::Stair, &setup.state())?;
    let mut client = setup.connect()?;
    let request = stair::get_config();
    let (mut seconds, mut megabytes) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        let resident = reset_peak(server.id())?;
        let started = Instant::now();
        let octets = client.send_and_read(&request, |_| {})?;
        seconds.push(started.elapsed().as_secs_f64());
        megabytes.push((peak(server.id())? - resident) / 1e6);
        if octets < LEAFS * stair::TEXT_LENGTH {
            return Err(format!("get-config returned only {octets} octets").into());
        }
    }
    client.close()?;
    server.stop()?;
    report.add(format!("get-config of {LEAFS} leafs"), AGENT, "s", seconds, Some((0.5, 0.25)));
    report.add("memory of the agent during that", AGENT, "MB", megabytes, Some((8.0, 2.0)));
    Ok(())
}
