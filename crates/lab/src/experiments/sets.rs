//! Durable SETs: the time until as many variables as in the 2011 measurements are changed and on
//! the disk, compared with a loop that only writes and synchronizes.
//!
//! ```text
//! client (1 or 16 outstanding SETs of 36 variables) ──loopback── portreeved ── state directory
//!                                    write + fdatasync for each 1 or 16 SETs ── same file system
//! ```
//! Client, agent and kernel share all cores. Rounds of all subjects are interleaved. Afterwards the
//! agent is killed, started again, and must return the last value of each variable. This shows that
//! an answered SET is in the file, but not that it is on the disk, which the tests of the store
//! show.

pub(super) mod agent;
pub(super) mod bare_disk;
pub(super) mod client;
mod rows;
mod samples;
mod subject;
mod sync_count;

use std::fmt;
use std::path::Path;

use super::Effort;
use crate::error::Result;
use crate::process::own_program;
use crate::skips::skip;
use crate::table::Figure;
use agent::SetAgent;
use samples::Samples;
use subject::{Subject, Timing};

/// Changes few rows repeatedly, and counts the synchronizations.
pub(super) fn run_few_rows(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let mut figures = FEW_ROWS.run(&scratch.join("sets-few-rows"), effort)?;
    if !figures.is_empty() {
        figures.extend(sync_count::run(&scratch.join("sets-strace"), FEW_ROWS.blocks)?);
    }
    Ok(figures)
}

/// Changes as many different variables as there are in all SETs together.
pub(super) fn run_many_rows(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    MANY_ROWS.run(&scratch.join("sets-many-rows"), effort)
}

/// The rows that the SETs change, and the way in which they are changed.
struct Workload {
    /// The number of blocks of rows: a multiple of the number of outstanding SETs, or at least the
    /// number of SETs, so that two outstanding SETs never change the same row.
    blocks: usize,
    versions: &'static [Version],
    /// Required and target seconds with 16 outstanding SETs over v2c.
    goal: Option<(f64, f64)>,
}

impl Workload {
    fn rows(&self) -> usize {
        self.blocks * rows::ROWS_PER_BLOCK
    }

    fn run(&self, directory: &Path, effort: Effort) -> Result<Vec<Figure>> {
        if let Err(error) = own_program("portreeved") {
            skip("durable SETs", error.message());
            return Ok(Vec::new());
        }
        println!(
            "Durable SETs: {SETS} SETs of {} variables each on {} rows; the state is in {}",
            rows::VARIABLES,
            self.rows(),
            directory.display()
        );
        let mut samples = Samples::default();
        let mut agent = Subject::start(SetAgent::new(directory)?, self.blocks, &[])?;
        for _ in 0..effort.rounds {
            for outstanding in OUTSTANDING {
                self.measure(&mut agent, directory, outstanding, &mut samples)?;
            }
        }
        samples.print(self);
        let variables = agent.kill_and_check()?;
        println!(
            "Killed with SIGKILL and started again, portreeved returned the last values of all {variables} variables.\n"
        );
        Ok(samples.figures(self))
    }

    /// Measures the agent with each version, and then the bare loop with as many octets.
    fn measure(
        &self,
        agent: &mut Subject,
        directory: &Path,
        outstanding: usize,
        samples: &mut Samples,
    ) -> Result<()> {
        let mut octets = 0;
        for version in self.versions {
            let timing = agent.execute(SETS, *version, outstanding)?;
            octets = timing.octets_per_set;
            samples.add(SubjectName::Agent(*version), outstanding, timing);
        }
        let elapsed = bare_disk::append(directory, SETS, outstanding, octets)?;
        let timing = Timing { elapsed, latencies: Vec::new(), octets_per_set: octets };
        samples.add(SubjectName::BareDisk, outstanding, timing);
        Ok(())
    }

    /// Returns the required and the target seconds of a subject.
    fn goal(&self, subject: SubjectName, outstanding: usize) -> Option<(f64, f64)> {
        self.goal.filter(|_| subject == SubjectName::Agent(Version::V2c) && outstanding > 1)
    }
}

/// A subject of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SubjectName {
    /// The agent, with SETs of this version.
    Agent(Version),
    /// The loop that writes as many octets.
    BareDisk,
}

impl fmt::Display for SubjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agent(Version::V2c) => "portreeved, v2c",
            Self::Agent(Version::Usm) => "portreeved, USM SHA-256 AES-128",
            Self::BareDisk => "bare fdatasync loop",
        })
    }
}

/// The version and the security of the SETs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V2c,
    Usm,
}

const FEW_ROWS: Workload =
    Workload { blocks: 64, versions: &[Version::V2c, Version::Usm], goal: Some((1.0, 0.5)) };

const MANY_ROWS: Workload = Workload { blocks: SETS, versions: &[Version::V2c], goal: None };

/// 100 008 variables. The transaction of the 2011 measurements had 100 000.
const SETS: usize = 2778;

const OUTSTANDING: [usize; 2] = [1, 16];
