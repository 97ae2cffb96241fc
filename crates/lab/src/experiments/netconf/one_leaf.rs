//! Edits of one leaf in an open session, among 100 000 leafs, on the disk and in memory.

use std::path::Path;
use std::time::Instant;

use super::report::{Report, quantile};
use super::setup::{Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS};
use crate::error::Result;
use crate::experiments::stair;
use crate::skips::skip;

/// Measures the state on the disk, and in memory if the system has a file system for that.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    measure(setup, effort, report, &setup.state(), "on the disk", None)?;
    let memory = Path::new(MEMORY).join(format!("portreeve-lab-{}", std::process::id()));
    if std::fs::create_dir(&memory).is_ok() {
        let done = measure(setup, effort, report, &memory.join("state"), "in memory", Some((1.0, 0.2)));
        let _ = std::fs::remove_dir_all(&memory);
        done?;
    } else {
        skip("edits with the state in memory", format!("{MEMORY} is not writable"));
    }
    Ok(())
}

fn measure(
    setup: &Setup,
    effort: Effort,
    report: &mut Report,
    state: &Path,
    place: &str,
    goal: Option<(f64, f64)>,
) -> Result<()> {
    let server = setup.start(Modules::Stair, state)?;
    let mut client = setup.connect()?;
    client.send(&stair::edit("running", 1..=ENTRIES, 0))?;
    let (mut half, mut most) = (Vec::new(), Vec::new());
    for round in 1..=effort.rounds {
        let mut times = Vec::with_capacity(EDITS);
        for edit in 0..EDITS {
            let request = stair::edit_one("running", 1 + edit * ENTRIES / EDITS, round);
            let started = Instant::now();
            client.send(&request)?;
            times.push(started.elapsed().as_secs_f64() * 1000.0);
        }
        half.push(quantile(&mut times, 0.5));
        most.push(quantile(&mut times, 0.99));
    }
    client.close()?;
    server.stop()?;
    let work = format!("edit of one leaf among {LEAFS}, state {place}, 50th percentile");
    report.add(work, AGENT, "ms", half, goal);
    report.add("the same, 99th percentile", AGENT, "ms", most, None);
    Ok(())
}

const EDITS: usize = 200;
/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";
