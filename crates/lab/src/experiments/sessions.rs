//! The costs of sessions over SSH, TLS and DTLS: opening a session, a request, the memory of an
//! idle session, and ten thousand sessions at the same time.
//!
//! ```text
//! session-client, core 0 ──veth── portreeved, core 1
//! ```
//! One file per kind of cost. The client gets its commands line by line, so that rounds of all
//! subjects can be interleaved and the CPU time of both processes read in between. CPU time is
//! reported in addition to elapsed time, because other load disturbs it less.

mod agent_setup;
mod broker;
mod exchange;
mod many;
mod memory;
mod one_shot;
mod peers;
mod rate;
mod window;

use std::fs;
use std::path::Path;

use portreeve_lab_report::statistics::Summary;

use super::Effort;
use crate::client::{Carrier, ClientProcess, ProtocolStack};
use crate::error::{Context, Result};
use crate::namespaces::Namespaces;
use crate::process::own_program;
use crate::skips::skip;
use crate::table::Figure;
use agent_setup::AgentSetup;

/// The experiments that measure sessions.
#[derive(Clone, Copy)]
pub(super) enum SessionExperiment {
    OneShot,
    Broker,
    Exchange,
    Memory,
    Rate,
    Window,
    Many,
}

/// Runs one experiment with its own agent.
pub(super) fn run(experiment: SessionExperiment, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if let Err(error) = own_program("portreeved") {
        skip("sessions", error.message());
        return Ok(Vec::new());
    }
    let namespaces = Namespaces::new(0)?;
    // Packets are counted as on a real link, which carries no segments larger than a frame.
    namespaces.send_segments_one_by_one()?;
    let directory = scratch.join("sessions");
    let setup = AgentSetup::new(&namespaces, &directory)?;
    let figures = match experiment {
        SessionExperiment::OneShot => one_shot::run(&setup, scratch, effort),
        SessionExperiment::Broker => broker::run(&setup, scratch, effort),
        SessionExperiment::Exchange => exchange::run(&setup, effort),
        SessionExperiment::Memory => memory::run(&setup),
        SessionExperiment::Rate => rate::run(&setup, effort),
        SessionExperiment::Window => window::run(&setup, effort),
        SessionExperiment::Many => {
            many::run(&setup, &AgentSetup::new(&namespaces, &scratch.join("many"))?, effort)
        }
    };
    fs::remove_dir_all(&directory).context(directory.display())?;
    figures
}

/// Returns a figure for which less is better.
fn min_figure(
    work: &str,
    setting: &'static str,
    subject: String,
    unit: &'static str,
    samples: &[f64],
) -> Figure {
    let (best, median) = Summary::of(samples).map_or((0.0, 0.0), |summary| (summary.minimum, summary.median));
    Figure {
        experiment: "sessions",
        work: work.into(),
        setting,
        subject,
        unit,
        best,
        median,
        n: samples.len(),
        ratios: Vec::new(),
        goal: None,
    }
}
