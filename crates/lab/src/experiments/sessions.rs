//! What sessions over SSH, TLS and DTLS cost: to open, to ask in, to keep, and to have many of.
//!
//! ```text
//! session-client, core 0 ──veth── portreeved, core 1
//! ```
//! One file per kind of cost. The client is told what to do line by line, so that rounds of all subjects are
//! interleaved and both ends' CPU time can be read between them. That is told beside the time on the clock, because a
//! busy machine disturbs it less.

mod broker;
mod client;
mod crowd;
mod exchange;
mod memory;
mod one_shot;
mod peers;
mod rate;
mod site;
mod usage;
mod window;

use std::fs;
use std::path::Path;

use super::Effort;
use crate::failure::{Context, Result};
use crate::namespaces::Namespaces;
use crate::process::sibling;
use crate::session_client::{Carrier, Way};
use crate::table::Figure;
use client::Client;
use site::Site;

/// What there is to measure.
#[derive(Clone, Copy)]
pub(super) enum Cost {
    OneShot,
    Broker,
    Exchange,
    Memory,
    Rate,
    Window,
    Crowd,
}

/// Measures one kind of cost, with an agent of its own.
pub(super) fn run(cost: Cost, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    if let Err(failure) = sibling("portreeved") {
        println!("sessions are not measured: {}", failure.sentence());
        return Ok(Vec::new());
    }
    let namespaces = Namespaces::new(0)?;
    // Packets are counted as a wire would carry them.
    namespaces.send_segments_one_by_one()?;
    let directory = scratch.join("sessions");
    let site = Site::new(&namespaces, &directory)?;
    let figures = match cost {
        Cost::OneShot => one_shot::run(&site, scratch, effort),
        Cost::Broker => broker::run(&site, scratch, effort),
        Cost::Exchange => exchange::run(&site, effort),
        Cost::Memory => memory::run(&site),
        Cost::Rate => rate::run(&site, effort),
        Cost::Window => window::run(&site, effort),
        Cost::Crowd => crowd::run(&site, &Site::new(&namespaces, &scratch.join("crowd"))?, effort),
    };
    fs::remove_dir_all(&directory).context(directory.display())?;
    figures
}

/// A figure of which less is better.
fn least(work: &str, setting: &'static str, subject: String, unit: &'static str, samples: &[f64]) -> Figure {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    Figure {
        experiment: "sessions",
        work: work.into(),
        setting,
        subject,
        unit,
        best: sorted.first().copied().unwrap_or_default(),
        median: sorted.get(sorted.len() / 2).copied().unwrap_or_default(),
        n: samples.len(),
        ratios: Vec::new(),
        goal: None,
    }
}
