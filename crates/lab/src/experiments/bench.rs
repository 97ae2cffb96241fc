//! `bench`: the figures of the README, in one run.

use portreeve_usage::Flag;

use super::{allocations, codec, jitter, loss, poll, simulate, throughput, walk};
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
    let known: Vec<_> = OPTIONS.iter().filter_map(|flag| flag.long).collect();
    let options = Options::parse(arguments, &known)?;
    let effort = Effort { seconds: options.or("seconds", 1.0)?, rounds: options.or("rounds", 5)? };
    let chosen: Vec<&str> = options.all("only").collect();
    let experiments: Vec<_> = EXPERIMENTS.split('|').collect();
    if let Some(unknown) = chosen.iter().find(|name| !experiments.contains(name)) {
        return Err(format!("no experiment '{unknown}'; there are {}", experiments.join(", ")).into());
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
    if wanted("jitter") {
        figures.extend(jitter::run(&scratch.0, effort)?);
    }
    if wanted("poll") {
        figures.extend(poll::run(&scratch.0, effort)?);
    }
    if wanted("simulate") {
        figures.extend(simulate::run(&scratch.0, effort)?);
    }
    options.all("json").try_for_each(|path| write_json(path, &figures))
}

/// What may be said about a run.
pub(crate) const OPTIONS: &[Flag] = &[
    Flag::long("only", "one experiment; may be repeated").with(EXPERIMENTS),
    Flag::long("seconds", "length of one measurement, default 1").with("S"),
    Flag::long("rounds", "measurements per figure, default 5").with("N"),
    Flag::long("json", "the figures also as JSON").with("FILE"),
];
const EXPERIMENTS: &str = "codec|allocations|throughput|walk|loss|jitter|poll|simulate";
