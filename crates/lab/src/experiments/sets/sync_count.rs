//! The number of calls of fdatasync and fsync for each SET. Strace counts them in a run of its own,
//! because it makes them slower.

use std::fs;
use std::path::Path;

use super::agent::SetAgent;
use super::subject::Subject;
use super::{OUTSTANDING, SETS, Version};
use crate::error::{Context, Result};
use crate::process::is_installed;
use crate::skips::skip;
use crate::table::Figure;

/// Prints the number for each number of outstanding SETs.
pub(super) fn run(directory: &Path, blocks: usize) -> Result<Vec<Figure>> {
    if !is_installed("strace") {
        skip("calls of fdatasync", "strace is not installed (Debian: strace)");
        return Ok(Vec::new());
    }
    let agent = SetAgent::new(directory)?;
    let trace = directory.join("syncs.strace");
    // Strace is not the parent of the agent, so that the agent is stopped as without strace.
    let words =
        ["strace", "--daemonize", "--follow-forks", "--seccomp-bpf", "--trace=fdatasync,fsync", "--output"];
    let prefix: Vec<_> = words.map(String::from).into_iter().chain([trace.display().to_string()]).collect();
    let mut traced = Subject::start(agent, blocks, &prefix)?;
    let mut figures = Vec::new();
    for outstanding in OUTSTANDING {
        let before = count(&trace)?;
        traced.execute(SETS, Version::V2c, outstanding)?;
        let each = (count(&trace)? - before) as f64 / SETS as f64;
        println!(
            "{outstanding} outstanding: {each:.3} calls of fdatasync or fsync for each SET, under strace"
        );
        figures.push(Figure {
            experiment: "sets",
            work: format!("v2c, {outstanding} outstanding, under strace"),
            setting: "",
            subject: "portreeved".into(),
            unit: "calls of fdatasync or fsync per SET",
            best: each,
            median: each,
            n: 1,
            ratios: Vec::new(),
            goal: None,
        });
    }
    println!();
    Ok(figures)
}

/// Returns the number of calls so far. Strace prints a call that another thread interrupts in two
/// lines, of which only the first contains the name before a parenthesis.
fn count(trace: &Path) -> Result<usize> {
    let text = fs::read_to_string(trace).context(trace.display())?;
    Ok(text.lines().filter(|line| line.contains("sync(")).count())
}
