//! `bench`: the figures of the README, in one run.

use super::{allocations, codec, loss, throughput, walk};
use crate::failure::Result;
use crate::options::Options;
use crate::scratch::Scratch;
use crate::table::write_json;

/// How long and how often each figure is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Length of one round.
    pub(crate) seconds: f64,
    /// Rounds per figure.
    pub(crate) rounds: usize,
}

/// Runs the chosen experiments, all by default.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments, &["only", "seconds", "rounds", "json"])?;
    let effort = Effort { seconds: options.or("seconds", 1.0)?, rounds: options.or("rounds", 5)? };
    let chosen: Vec<&str> = options.all("only").collect();
    if let Some(unknown) = chosen.iter().find(|name| !EXPERIMENTS.contains(name)) {
        return Err(format!("no experiment '{unknown}'; there are {}", EXPERIMENTS.join(", ")).into());
    }
    let wanted = |name| chosen.is_empty() || chosen.contains(&name);
    let scratch = Scratch::new()?;

    let mut figures = Vec::new();
    if wanted("codec") {
        figures.extend(codec::run(effort)?);
    }
    if wanted("allocations") {
        figures.extend(allocations::run(&scratch.0, effort)?);
    }
    if wanted("throughput") {
        figures.extend(throughput::run(&scratch.0, effort)?);
    }
    if wanted("walk") {
        figures.extend(walk::run(&scratch.0, effort)?);
    }
    if wanted("loss") {
        figures.extend(loss::run(&scratch.0, effort)?);
    }
    options.all("json").try_for_each(|path| write_json(path, &figures))
}

const EXPERIMENTS: [&str; 5] = ["codec", "allocations", "throughput", "walk", "loss"];
