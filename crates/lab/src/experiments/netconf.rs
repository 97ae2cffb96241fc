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
mod memory;
mod netconfd;
mod one_leaf;
mod poller;
mod reads;
mod report;
mod sets;
mod setup;
mod start;

use std::path::Path;

use super::{Effort, stair};
use crate::error::{Context, Result};
use crate::process::own_program;
use crate::skips::skip;
use crate::table::Figure;
use report::Report;
use setup::Setup;

/// Runs all measurements.
pub(super) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if let Err(error) = own_program("portreeved") {
        skip("NETCONF", error.message());
        return Ok(Vec::new());
    }
    let setup = Setup::new(&scratch.join("netconf"))?;
    println!(
        "NETCONF over SSH: edits of up to {LEAFS} leafs of {} characters; the state is in {}",
        stair::TEXT_LENGTH,
        setup.state().display()
    );
    let mut report = Report::default();
    let result = PARTS.iter().try_for_each(|(name, part)| part(&setup, effort, &mut report).context(name));
    // What was measured before an error is worth minutes.
    report.print();
    result?;
    Ok(report.figures())
}

/// A part of the experiment.
type Part = fn(&Setup, Effort, &mut Report) -> Result<()>;
const PARTS: [(&str, Part); 8] = [
    ("starts", start::run),
    ("edits of many leafs", edits::run),
    ("memory", memory::run),
    ("get-config", reads::run),
    ("edits of one leaf", one_leaf::run),
    ("SETs of the same objects", sets::run),
    ("libyang", libyang::run),
    ("netconfd", netconfd::run),
];
/// Leafs of the largest edit, as in the measurements of 2011.
const LEAFS: usize = 100_000;
/// Entries with that many leafs.
const ENTRIES: usize = LEAFS / stair::TEXTS;
/// The name of our agent in the table.
const AGENT: &str = "portreeved";
