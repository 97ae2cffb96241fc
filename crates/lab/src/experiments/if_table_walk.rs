//! `walk`: walks of ifTable with different numbers of rows, and of the system group, over the
//! protocol stacks of the papers (paper 000 Figures 3 and 5, Table 3, paper 002 Table 6 b).
//!
//! For each number of rows there is an agent of its own, so that all sizes are measured in the same
//! round. The slow agent gets a tenth of a core. Frames are counted in walks of their own.
//!
//! Agents read old tables from the kernel again when a request needs them, which takes them as long
//! as a short walk. So that this happens in no short walk, a walk of one column precedes each
//! measured one. Other programs of the machine can stop a short walk for as long as it takes: it is
//! repeated, and the one with the median time counts.

mod commands;
mod draw;
mod frame_sizes;
mod variants;

use std::thread::sleep;
use std::time::Duration;

use portreeve_lab_net::Captured;
use portreeve_lab_report::sample::Variant;

use crate::client::{Job, Operation, WalkMethod};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{LESS_PROTECTED, Measured, Setting, Site, SiteOptions};
use frame_sizes::dominating_range;
use variants::{Work, WorkKind};
pub(crate) use variants::{ours, stacks};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Walks of ifTable",
    papers: &["000 Fig 3", "000 Fig 5", "000 Table 3", "001 latency", "002 Table 6 b"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: true,
    prepare,
    draw: draw::draw,
};

/// An agent with a number of rows, in one setting.
struct SizedSite {
    agent: &'static str,
    rows: usize,
    setting: Setting,
    site: Site,
}

struct Walks {
    sites: Vec<SizedSite>,
    works: Vec<Work>,
    unavailable: Vec<(Variant, Skipped)>,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut walks = Walks { sites: Vec::new(), works: Vec::new(), unavailable: Vec::new() };
    let sizes: &[usize] = context.effort().choose(&QUICK_ROWS, &ROWS);
    // Without namespaces, the agent has the interfaces of this machine or of the user's device.
    let sizes = if context.has_namespaces() { sizes } else { &[0] };
    for rows in sizes {
        walks.start(context, OURS, *rows, Setting::Pinned)?;
        if context.wants(Peer::NetSnmp) {
            walks.start_or_skip(context, Peer::NetSnmp.name(), *rows, Setting::Pinned);
        }
    }
    if context.has_namespaces() {
        let slow: &[usize] = context.effort().choose(&QUICK_ROWS[1..], &SLOW_ROWS);
        for rows in slow {
            walks.start_or_skip(context, OURS, *rows, Setting::Slow);
        }
        let unpinned = context.effort().choose(QUICK_ROWS[1], PAPER_ROWS);
        walks.start_or_skip(context, OURS, unpinned, Setting::Unpinned);
    }
    for (agent, _) in LESS_PROTECTED {
        walks.start_or_skip(context, agent, sizes[0], Setting::Pinned);
    }
    for (index, site) in walks.sites.iter().enumerate() {
        variants::add(index, site, &mut walks.works, &mut walks.unavailable);
    }
    if context.device().is_none() {
        commands::add(&walks.sites, &mut walks.works, &mut walks.unavailable)?;
    }
    Ok(Box::new(walks))
}

impl Walks {
    fn start(
        &mut self,
        context: &Context,
        agent: &'static str,
        rows: usize,
        setting: Setting,
    ) -> Result<(), Skipped> {
        let options = SiteOptions { rows: (rows > 0).then_some(rows), setting, ..SiteOptions::default() };
        let less = LESS_PROTECTED.into_iter().find(|(name, _)| *name == agent);
        let mut site = match (agent, less) {
            (_, Some((_, protection))) => Site::less_protected(context, options, protection)?,
            (OURS, None) => Site::ours(context, options)?,
            _ => Site::net_snmp(context, options)?,
        };
        let rows = if rows > 0 { rows } else { count_rows(&mut site)? };
        self.sites.push(SizedSite { agent, rows, setting, site });
        Ok(())
    }

    fn start_or_skip(&mut self, context: &Context, agent: &'static str, rows: usize, setting: Setting) {
        if let Err(reason) = self.start(context, agent, rows, setting) {
            let variant = Variant::of([("agent", agent), ("setting", setting.name())]);
            self.unavailable.push((variant.and("rows", rows.to_string()), reason));
        }
    }
}

/// Counts the agent's interfaces by a walk of ifIndex.
fn count_rows(site: &mut Site) -> Result<usize, Skipped> {
    let stack = variants::stacks().into_iter().find(|stack| site.check(*stack).is_ok());
    let stack = stack.ok_or("the credentials allow none of the protocol stacks")?;
    let operation = Operation::Walk { root: IF_INDEX.into(), method: WalkMethod::GetNext };
    let walk = site.run(Job::new(stack, operation))?;
    let rows = walk.sessions.first().map_or(0, |phases| phases.variables);
    if rows == 0 { Err(Skipped("the agent has no interfaces".into())) } else { Ok(rows as usize) }
}

impl Prepared for Walks {
    fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|work| work.variant.clone()).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let work = self.works.iter().find(|work| work.variant == *variant).ok_or("unknown variant")?;
        let sized = self.sites.get_mut(work.site).ok_or("unknown site")?;
        match &work.kind {
            WorkKind::Session(job) => {
                sized.site.run(last_column(job))?;
                sleep(sized.refresh_time());
                let measured = sized.site.run(job.clone().times(sized.walks()))?;
                let count = |site: &mut Site| Ok(site.capture(job.clone(), &file_name(variant))?);
                walk(sized, work, &measured, round, count)
            }
            WorkKind::NetSnmp(job) => {
                sized.site.run_library(&last_column(job))?;
                sleep(sized.refresh_time());
                let measured = sized.site.run_library(&job.clone().times(sized.walks()))?;
                walk(sized, work, &measured, round, |site| site.capture_library(job, &file_name(variant)))
            }
            WorkKind::Command { words, lines } => {
                let times = sized.site.time_checked_command(words, *lines, COMMANDS)?;
                let median = portreeve_lab_report::statistics::Summary::of(&times).map(|times| times.median);
                Ok(Outcome::default().known("time", median).series("times", times))
            }
        }
    }
}

/// Returns a walk of ifTable's last column, over the same stack. It also reads the object after
/// ifTable, at which walks end.
fn last_column(job: &Job) -> Job {
    let operation = Operation::Walk { root: IF_SPECIFIC.into(), method: WalkMethod::GetNext };
    Job { operation, ..job.clone() }
}

impl SizedSite {
    /// Returns the time after a request in which the agent has read all tables again.
    fn refresh_time(&self) -> Duration {
        Duration::from_millis(if self.setting == Setting::Slow { 200 } else { 20 })
    }

    /// Returns the number of walks of which the median counts.
    fn walks(&self) -> usize {
        if self.setting != Setting::Slow && self.rows <= PAPER_ROWS { SHORT_WALKS } else { 1 }
    }
}

/// Checks and returns the cost of a walk. Its frames are counted in the first rounds.
fn walk(
    sized: &mut SizedSite,
    work: &Work,
    measured: &Measured,
    round: usize,
    count: impl FnOnce(&mut Site) -> Result<Option<Captured>, Skipped>,
) -> Result<Outcome, Skipped> {
    let mut walks = measured.sessions.clone();
    walks.sort_by(|one, other| one.total.total_cmp(&other.total));
    let phases = walks.get(walks.len() / 2).ok_or("the client has measured nothing")?;
    if let Some(expected) = work.variables
        && let Some(other) = walks.iter().find(|walk| walk.variables != expected)
    {
        return Err(Skipped(format!("the walk found {} variables instead of {expected}", other.variables)));
    }
    let times: Vec<f64> = walks.iter().map(|walk| walk.total).collect();
    let mut outcome = Outcome::default()
        .value("time", phases.total)
        .value("open", phases.open)
        .value("exchanges", phases.exchanges as f64)
        .value("variables", phases.variables as f64)
        .value("client_cpu", phases.cpu)
        .known("agent_cpu", measured.agent_cpu);
    if times.len() > 1 {
        outcome = outcome.series("times", times);
    }
    // Octets of messages vary with the lengths of counters, so that statements on the walk of the
    // paper need more rounds.
    let counted_rounds = if sized.rows == PAPER_ROWS { COUNTED_ROUNDS_OF_PAPER } else { COUNTED_ROUNDS };
    if round < counted_rounds
        && sized.setting == Setting::Pinned
        && let Some(captured) = count(&mut sized.site)?
    {
        let totals = captured.totals(|_| true);
        let (low, frames) = dominating_range(captured.frames().iter().map(|frame| frame.octets));
        outcome = outcome
            .value("frames", totals.frames() as f64)
            .value("octets", totals.octets() as f64)
            .value("size_low", low as f64)
            .value("size_frames", frames as f64);
    }
    Ok(outcome)
}

/// Returns the name of a file with captured frames.
fn file_name(variant: &Variant) -> String {
    format!("walk {variant}").replace(' ', "_")
}

pub(crate) const NAME: &str = "walk";
/// The name of our agent, or of the user's device, in variants.
const OURS: &str = "portreeved";
/// The numbers of rows. An agent on the network has at least two interfaces.
const ROWS: [usize; 7] = [2, 10, 50, PAPER_ROWS, 200, 400, 1000];
const SLOW_ROWS: [usize; 3] = [10, PAPER_ROWS, 400];
const QUICK_ROWS: [usize; 2] = [2, 10];
/// The table of paper 000 had 107 rows of 22 columns: 2354 objects.
const PAPER_ROWS: usize = 107;
const COLUMNS: u64 = 22;
const IF_TABLE: [u32; 8] = [1, 3, 6, 1, 2, 1, 2, 2];
const IF_INDEX: [u32; 10] = [1, 3, 6, 1, 2, 1, 2, 2, 1, 1];
const IF_SPECIFIC: [u32; 10] = [1, 3, 6, 1, 2, 1, 2, 2, 1, 22];
const SYSTEM: [u32; 7] = [1, 3, 6, 1, 2, 1, 1];
/// The number of times that a short walk runs in a round; odd, so that one is the median.
const SHORT_WALKS: usize = 3;
/// The number of rounds in which frames are counted. Their number hardly varies.
const COUNTED_ROUNDS: usize = 2;
const COUNTED_ROUNDS_OF_PAPER: usize = 8;
/// The number of runs of a command in each round.
const COMMANDS: usize = 3;
