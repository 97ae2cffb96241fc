//! Heap allocations of the whole daemon per request, in steady state.
//!
//! The daemon is built with a counting allocator (feature `count-allocations`) and prints its count
//! on SIGUSR1. The difference between the counts for 20 000 and for 10 000 requests is the count
//! for 10 000 requests in steady state, without startup and first use. The whole daemon is counted,
//! so the count of a round includes any refresh of the interfaces.

use std::net::IpAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use portreeve_lab_report::statistics::median;

use super::Effort;
use crate::daemon::{self, Agent};
use crate::error::{Context, Result};
use crate::load::Load;
use crate::process::{Server, own_program, signal};
use crate::requests;
use crate::skips::skip;
use crate::table::{Figure, Table};

/// Measures GET, GETNEXT and GETBULK on loopback.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let program = own_program("portreeved")?.with_file_name("../counting/release/portreeved");
    if !program.is_file() {
        skip("allocations", "this build does not count allocations; `make bench` builds one that does");
        return Ok(Vec::new());
    }
    let agent = daemon::portreeved(&program, &scratch.join("counting"), IpAddr::from([127, 0, 0, 1]))?;
    let server = agent.start(|program| Ok(Command::new(program)))?;
    wait_for(&agent)?;

    println!(
        "Heap allocations of the whole daemon per request, from the difference between {LARGE_RUN} and {SMALL_RUN} requests"
    );
    let mut table = Table::new(1, &["work", "min", "median", "n", "required"]);
    let mut figures = Vec::new();
    for (name, request) in [
        ("v2c GET sysUpTime.0", requests::get(&agent.community, requests::SYS_UP_TIME)?),
        ("v2c GETNEXT sysDescr", requests::get_next(&agent.community, requests::SYS_DESCR)?),
        ("v2c GETBULK 50 ifDescr", requests::get_bulk(&agent.community, 50, requests::IF_DESCR)?),
    ] {
        let mut load = Load::new(agent.address, request, WINDOW, 1)?;
        let mut spent = |requests| -> Result<f64> {
            let before = count(&agent, &server)?;
            load.exchange(requests)?;
            Ok(count(&agent, &server)? - before)
        };
        let mut samples = Vec::new();
        for _ in 0..effort.rounds {
            // A sample is negative if the smaller run happened to include more background work.
            samples.push((spent(LARGE_RUN)? - spent(SMALL_RUN)?) / (LARGE_RUN - SMALL_RUN) as f64);
        }
        samples.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let least = samples.first().copied().unwrap_or_default();
        let median = median(&samples);
        table.add_row(vec![
            name.into(),
            format!("{least:.4}"),
            format!("{median:.4}"),
            samples.len().to_string(),
            "0".into(),
        ]);
        figures.push(Figure {
            experiment: "allocations",
            work: name.into(),
            setting: "",
            subject: agent.name.into(),
            unit: "allocations per request",
            best: least,
            median,
            n: samples.len(),
            ratios: Vec::new(),
            goal: Some((0.0, 0.0)),
        });
    }
    println!("{}", table.unwrapped());
    server.stop()?;
    Ok(figures)
}

fn wait_for(agent: &Agent) -> Result<()> {
    let request = requests::get(&agent.community, requests::SYS_UP_TIME)?;
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match Load::new(agent.address, request.clone(), 1, 1).and_then(|mut load| load.single()) {
            Err(error) if Instant::now() > deadline => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
            Ok(_) => return Ok(()),
        }
    }
}

/// Returns the number of allocations that the daemon prints on SIGUSR1.
fn count(agent: &Agent, server: &Server) -> Result<f64> {
    let counts = |log: &str| -> Vec<f64> {
        log.lines().filter_map(|line| line.trim().strip_prefix("allocations: ")?.parse().ok()).collect()
    };
    let before = counts(&agent.log()?).len();
    signal(server.id(), "USR1")?;
    let deadline = Instant::now() + TIMEOUT;
    while Instant::now() < deadline {
        if let Some(count) = counts(&agent.log()?).get(before) {
            return Ok(*count);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err("the agent printed no number of allocations after SIGUSR1").context(agent.name)
}

const SMALL_RUN: u64 = 10_000;
const LARGE_RUN: u64 = 20_000;

/// The number of outstanding requests: small, so that no datagram is lost and the number of
/// requests is exact.
const WINDOW: u64 = 8;

const TIMEOUT: Duration = Duration::from_secs(30);
