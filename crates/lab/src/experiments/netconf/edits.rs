//! Edits of different sizes: time, and the delay of GETs during an edit.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::report::{Report, quantile};
use super::setup::{Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS, poller, poller::Poller};
use crate::error::Result;
use crate::experiments::sets::{agent::SetAgent, bare_disk};
use crate::experiments::stair;
use crate::experiments::usage::octets_written;
use crate::netconf_client::NetconfClient;

/// The measurements of one number of leafs.
#[derive(Default)]
struct Samples {
    created: Vec<f64>,
    changed: Vec<f64>,
    bare: Vec<f64>,
    octets: usize,
    compactions: usize,
}

/// Measures each number of leafs in turn, so that other load affects all of them.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let server = setup.start(Modules::Stair, &setup.state())?;
    let mut client = setup.connect()?;
    let mut samples = SIZES.map(|_| Samples::default());
    // An agent without edits: what the edits cost every program on the same cores.
    let other = SetAgent::new(&setup.directory.join("other"))?;
    let other_server = other.start(&[])?;
    let (mut idle, mut during, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        for (leafs, samples) in SIZES.iter().zip(&mut samples) {
            // A small edit is repeated, so that each size writes as much and compactions take
            // their share of it.
            for repetition in 0..(LEAFS / leafs).min(MAX_REPETITIONS) {
                let serial = 2 * (round * MAX_REPETITIONS + repetition);
                measure(setup, server.id(), &mut client, *leafs, serial, samples)?;
            }
        }
        idle.extend(poller::measure(setup.udp, IDLE_TIME)?);
        for edit in 0..POLLED_EDITS {
            let serial = usize::MAX / 2 + 2 * (round * POLLED_EDITS + edit);
            for (agent, times, serial) in
                [(setup.udp, &mut during, serial), (other.address, &mut others, serial + 1)]
            {
                let request = stair::edit("running", 1..=ENTRIES, serial);
                let poller = Poller::start(agent)?;
                client.send(&request)?;
                times.extend(poller.stop()?);
            }
        }
    }
    client.close()?;
    server.stop()?;
    other_server.stop()?;
    print_rows(&samples, report);
    let [quiet, busy, control] =
        [&mut idle, &mut during, &mut others].map(|times| (times.len(), quantile(times, 0.99)));
    for (work, (count, time)) in [
        ("v2c GET, 99th percentile", quiet),
        ("the same during such edits", busy),
        ("a GET of another agent during such edits", control),
    ] {
        report.add(format!("{work}, n={count}"), AGENT, "ms", vec![time], None);
    }
    report.add("GET during edits / idle", AGENT, "times", vec![busy.1 / quiet.1], Some((2.0, 1.2)));
    report.add("GET during edits / GET of the other agent", AGENT, "times", vec![busy.1 / control.1], None);
    Ok(())
}

fn measure(
    setup: &Setup,
    server: u32,
    client: &mut NetconfClient,
    leafs: usize,
    serial: usize,
    samples: &mut Samples,
) -> Result<()> {
    let entries = 1..=leafs / stair::TEXTS;
    let creation = stair::edit("running", entries.clone(), serial);
    let change = stair::edit("running", entries, serial + 1);
    client.send(&stair::removal("running"))?;
    thread::sleep(SETTLE_TIME);
    let (written, snapshot) = (octets_written(server)?, snapshot_inode(&setup.state()));
    let started = Instant::now();
    client.send(&creation)?;
    samples.created.push(started.elapsed().as_secs_f64());
    samples.octets = octets_written(server)? - written;
    let started = Instant::now();
    client.send(&change)?;
    samples.changed.push(started.elapsed().as_secs_f64());
    samples.compactions += usize::from(snapshot_inode(&setup.state()) != snapshot);
    samples.bare.push(bare_disk::append(&setup.directory, 1, 1, samples.octets)?.as_secs_f64());
    Ok(())
}

fn print_rows(samples: &[Samples; SIZES.len()], report: &mut Report) {
    for (leafs, samples) in SIZES.iter().zip(samples) {
        let is_largest = *leafs == LEAFS;
        let goal = |goal| is_largest.then_some(goal);
        let work = format!("create {leafs} leafs in one edit-config");
        report.add(&work, AGENT, "s", samples.created.clone(), goal((0.6, 0.35)));
        report.add(
            format!("change {leafs} leafs in one edit-config"),
            AGENT,
            "s",
            samples.changed.clone(),
            None,
        );
        let work = format!("write {} octets and call fdatasync", samples.octets);
        report.add(work, "bare loop", "s", samples.bare.clone(), None);
    }
    let [first, .., last] = samples;
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len().max(1) as f64;
    let slope = |times: fn(&Samples) -> &[f64]| {
        (mean(times(last)) / mean(times(first))).ln() / (LEAFS as f64 / SIZES[0] as f64).ln()
    };
    let work = format!("slope from {} to {LEAFS} leafs, with {} compactions", SIZES[0], last.compactions);
    report.add(work, AGENT, "exponent", vec![slope(|samples| &samples.created)], Some((1.1, 1.05)));
    report.add("the same for changes", AGENT, "exponent", vec![slope(|samples| &samples.changed)], None);
}

/// Identifies the snapshot that a compaction replaces; 0 if there is none.
fn snapshot_inode(state: &Path) -> u64 {
    fs::metadata(state.join("state.snapshot")).map_or(0, |found| found.ino())
}

const SIZES: [usize; 3] = [1000, 10_000, LEAFS];
const MAX_REPETITIONS: usize = 10;
/// Edits of each round during which GETs are measured.
const POLLED_EDITS: usize = 5;
/// Time in which the agent frees what an edit has replaced.
const SETTLE_TIME: Duration = Duration::from_millis(100);
const IDLE_TIME: Duration = Duration::from_secs(1);
