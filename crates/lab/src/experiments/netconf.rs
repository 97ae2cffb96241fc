//! Edits over NETCONF: 1000 to 100 000 texts of 255 characters in one `edit-config` over SSH, all
//! of them durable, and what they cost the agent and its other clients.
//!
//! ```text
//! client ── SSH, one request of 28 MB ──▶ portreeved ── state directory
//! v2c client ── a GET each millisecond ──▶ ┘        write + fdatasync of as many octets
//! ```
//! Client, agent and kernel share all cores. Requests are encoded before the measurement. netconfd
//! gets the same edits in parts, because it refuses larger ones.

mod edits;
mod libyang;
mod netconfd;
mod one_leaf;
mod poller;
mod reads;
mod report;
mod sets;
mod setup;
mod stair;
mod start;

use std::path::Path;

use super::Effort;
use crate::error::Result;
use crate::process::sibling;
use crate::table::Figure;
use report::Report;
use setup::Setup;

/// Runs all measurements.
pub(super) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if let Err(error) = sibling("portreeved") {
        println!("NETCONF is not measured: {}", error.message());
        return Ok(Vec::new());
    }
    let setup = Setup::new(&scratch.join("netconf"))?;
    println!(
        "NETCONF over SSH: edits of up to {LEAFS} leafs of {} characters; the state is in {}",
        stair::TEXT_LENGTH,
        setup.state().display()
    );
    let mut report = Report::default();
    start::run(&setup, effort, &mut report)?;
    edits::run(&setup, effort, &mut report)?;
    reads::run(&setup, effort, &mut report)?;
    one_leaf::run(&setup, effort, &mut report)?;
    sets::run(&setup, effort, &mut report)?;
    libyang::run(&setup, effort, &mut report)?;
    netconfd::run(&setup, effort, &mut report)?;
    report.print();
    Ok(report.figures())
}

/// Leafs of the largest edit, as in the measurements of 2011.
const LEAFS: usize = 100_000;
/// Entries with that many leafs.
const ENTRIES: usize = LEAFS / stair::TEXTS;
/// The name of our agent in the table.
const AGENT: &str = "portreeved";
