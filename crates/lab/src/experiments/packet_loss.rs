//! `packet-loss`: walks of ifTable over a link that loses frames in both directions and delays
//! them, with different retransmissions (paper 000 Figure 4, §5.4).
//!
//! A walk that fails is a result. All links of the experiment are produced by the same means, so
//! that delays are comparable. Several walks run at the same time if they mostly wait for the
//! link or for timeouts.

mod draw;
mod lines;
mod lossy_site;
mod plan;

use std::time::Duration;

use portreeve_lab_net::{Link, Loss};
use portreeve_lab_report::sample::Variant;

use crate::client::{AttemptJob, Job, Operation, WalkMethod};
use crate::harness::{Context, Effort, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};
pub(crate) use draw::{DelayedLine, delayed_lines};
use lines::{Line, Program};
use lossy_site::{LossySite, Walks};
use plan::Cell;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Walks of ifTable under packet loss",
    papers: &["000 Fig 4"],
    needs: &[Need::Ours("portreeved"), Need::Namespaces],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct PacketLoss {
    ours: LossySite,
    net_snmp: Option<LossySite>,
    works: Vec<Work>,
    unavailable: Vec<(Variant, Skipped)>,
    effort: Effort,
}

/// One variant, and its walks.
struct Work {
    variant: Variant,
    line: Line,
    cell: Cell,
    link: Link,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let effort = context.effort();
    let options = SiteOptions { rows: Some(ROWS), ..SiteOptions::default() };
    let mut ours = LossySite::new(Site::ours(context, options)?);
    let means = ours.probe_link()?;
    let (works, unavailable) = (Vec::new(), Vec::new());
    let mut all = PacketLoss { ours, net_snmp: None, works, unavailable, effort };
    if let Some(reason) = &means.no_delay {
        for delay in plan::delays(effort).iter().filter(|delay| **delay > 0) {
            all.unavailable.push((Variant::of([("delay", delay.to_string())]), reason.clone()));
        }
    }
    if context.wants(Peer::NetSnmp) {
        match Site::net_snmp(context, options) {
            Ok(site) => all.net_snmp = Some(LossySite::new(site)),
            Err(error) => {
                all.unavailable.push((Variant::of([("agent", Peer::NetSnmp.name())]), error.into()));
            }
        }
    }
    for line in lines::all(effort) {
        all.add(line, &means);
    }
    Ok(Box::new(all))
}

impl PacketLoss {
    /// Adds the walks of a line, if its agent supports it.
    fn add(&mut self, line: Line, means: &lossy_site::LinkMeans) {
        let Some(site) = self.site(line.program) else { return };
        if let Err(reason) = site.check(line, &job(line, 1)) {
            self.unavailable.push((line.variant(), reason));
            return;
        }
        for cell in plan::cells(self.effort) {
            if !line.is_walked_at(cell.delay) || (means.no_delay.is_some() && cell.delay > 0) {
                continue;
            }
            let delay = Duration::from_millis(cell.delay);
            let link = Link {
                loss: Loss::both(cell.probability()),
                delay: means.no_delay.is_none().then_some(delay),
                rate: None,
            };
            let variant = line.variant().and("delay", cell.delay.to_string()).and("loss", cell.loss);
            self.works.push(Work { variant: variant.and("link", &*means.description), line, cell, link });
        }
    }

    fn site(&mut self, program: Program) -> Option<&mut LossySite> {
        match program {
            Program::Portreeve => Some(&mut self.ours),
            Program::NetSnmp => self.net_snmp.as_mut(),
        }
    }
}

impl Prepared for PacketLoss {
    fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|work| work.variant.clone()).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let work = self.works.iter().find(|work| work.variant == *variant).ok_or("unknown variant")?;
        let &Work { line, cell, link, .. } = work;
        let job = AttemptJob {
            job: job(line, cell.walks(line.timeout, self.effort)),
            parallel: cell.parallel(line.timeout),
            deadline: DEADLINE,
        };
        let site = self.site(line.program).ok_or("the agent does not run")?;
        outcome(site.walk(line, &link, job)?, cell)
    }
}

/// Checks the walks. Without loss, no walk may fail.
fn outcome(walks: Walks, cell: Cell) -> Result<Outcome, Skipped> {
    let number = walks.attempts.len().max(1) as f64;
    let (mut times, mut exchanges) = (Vec::new(), 0.0);
    for attempt in &walks.attempts {
        match attempt {
            Ok(phases) if phases.variables != VARIABLES => {
                let found = phases.variables;
                return Err(Skipped(format!("the walk found {found} variables instead of {VARIABLES}")));
            }
            Ok(phases) => {
                times.push(phases.total);
                exchanges = phases.exchanges as f64;
            }
            Err(reason) if cell.probability() == 0.0 => return Err(Skipped(reason.clone())),
            Err(_) => {}
        }
    }
    let failures = number - times.len() as f64;
    let mean = (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64);
    let exchanges = (!times.is_empty()).then_some(exchanges);
    Ok(Outcome::default()
        .known("time", mean)
        .known("exchanges", exchanges)
        .value("walks", number)
        .value("failures", failures)
        .value("lost", walks.lost as f64 / number)
        .known("resent", walks.resent.map(|resent| resent as f64 / number))
        .series("times", times))
}

/// Returns the walks of a line.
fn job(line: Line, walks: usize) -> Job {
    let walk = Operation::Walk { root: IF_TABLE.into(), method: WalkMethod::GetBulk(REPETITIONS) };
    Job { retransmission: line.retransmission(), ..Job::new(line.stack, walk).times(walks) }
}

pub(crate) const NAME: &str = "packet-loss";
const IF_TABLE: [u32; 8] = [1, 3, 6, 1, 2, 1, 2, 2];
/// So few rows that a walk with the longest delay and the highest loss takes seconds.
const ROWS: usize = 5;
const COLUMNS: usize = 22;
const VARIABLES: u64 = (ROWS * COLUMNS) as u64;
const REPETITIONS: i32 = 10;
/// The time after which a walk has failed.
const DEADLINE: Duration = Duration::from_secs(30);
