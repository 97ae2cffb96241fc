//! `one-shot`: one GET of sysDescr.0 from opening a session to closing it, over every protocol
//! stack (paper 000 Table 2, paper 001, paper 002 Table 6 a).
//!
//! The time is measured inside the client, as in the papers. Whole commands are measured from
//! outside. Frames are counted in sessions of their own, so that the capture does not disturb the
//! measurement of time.
//!
//! Our client reads its keys and certificates before the time begins. Net-SNMP's library does so in
//! each session; with Net-SNMP's agent, our client does the same.

mod commands;
mod draw;
mod frames;
mod variants;

use portreeve_lab_net::{Captured, Totals};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::statistics::median;

pub(crate) use draw::library;

use super::security_levels;
use crate::client::{ClientSetup, Job, Opener, Phases};
use crate::harness::{Context, Effort, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{LESS_PROTECTED, Measured, OURS, SLOW, Site, SiteOptions, Sites};
use frames::by_session;
use variants::Work;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "One GET in a session of its own",
    papers: &["000 Table 1", "000 Table 2", "001 table", "002 Table 6 a"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: true,
    prepare,
    draw: draw::draw,
};

struct OneShot {
    sites: Sites<Work>,
    sessions: usize,
    /// The number of sessions in a capture.
    counted: usize,
    commands: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    for (variant, reason) in variants::never_available() {
        sites.push(variant, Err(reason));
    }
    for agent in [OURS, Peer::NetSnmp.name()] {
        sites.add(agent, &variants::stacks(), variants::of_stack);
    }
    sites.start_slow(context, SiteOptions::default());
    sites.add(SLOW, &draw::PAPER_STACKS, variants::in_library);
    sites.start_less_protected(context, SiteOptions::default());
    for (agent, _) in LESS_PROTECTED {
        sites.add(agent, &security_levels::TLS_STACKS, variants::in_library);
    }
    if context.device().is_none() {
        commands::add(&mut sites)?;
    }
    Ok(Box::new(OneShot {
        sites,
        sessions: context.effort().choose(2, 4),
        counted: context.effort().choose(2, 7),
        commands: match context.effort() {
            Effort::Quick => 1,
            Effort::Full => 3,
        },
    }))
}

impl Prepared for OneShot {
    fn variants(&self) -> Vec<Variant> {
        self.sites.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.sites.unavailable()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let (site, work) = self.sites.find(variant)?;
        match work {
            Work::Session(job) => {
                // The first session is not measured: its caches are cold after the other variants.
                site.run(job.clone())?;
                let measured = site.run(job.clone().times(self.sessions))?;
                let setup = setup_time(site, job, &measured, self.sessions)?;
                // All sessions of the broker's clients share one connection.
                let counted = if job.opener == Opener::Broker { 1 } else { self.counted };
                let count =
                    || site.capture(job.clone().times(counted), &file_name(variant)).map_err(Skipped::from);
                Ok(outcome(&measured, round, count)?.known("setup", setup))
            }
            Work::NetSnmp(job) => {
                let measured = site.run_library(&job.clone().times(self.sessions))?;
                let job = job.clone().times(self.counted);
                outcome(&measured, round, || site.capture_library(&job, &file_name(variant)))
            }
            Work::Command { words, environment, session } => {
                let environment = [environment.as_slice(), &[session.variable()?]].concat();
                // The first run is not measured: it fills caches, and with `--persist` it opens the
                // session.
                let times = site.time_command(words, &environment, self.commands + 1)?.split_off(1);
                session.check()?;
                Ok(Outcome::default().value("time", median(&times)).series("times", times))
            }
        }
    }
}

/// Returns the medians of several sessions. Their frames are counted in the first rounds.
fn outcome(
    measured: &Measured,
    round: usize,
    count: impl FnOnce() -> Result<Option<Captured>, Skipped>,
) -> Result<Outcome, Skipped> {
    let of = |phase: fn(&Phases) -> f64| measured.sessions.iter().map(phase).collect::<Vec<f64>>();
    let total = of(|phases| phases.total);
    let outcome = Outcome::default()
        .value("time", median(&total))
        .value("open", median(&of(|phases| phases.open)))
        .value("first", median(&of(|phases| phases.first)))
        .value("close", median(&of(|phases| phases.close)))
        .value("client_cpu", median(&of(|phases| phases.cpu)))
        .known("agent_cpu", measured.agent_cpu)
        .series("times", total);
    let captured = if round < COUNTED_ROUNDS { count()? } else { None };
    let Some(sessions) = captured.map(|captured| by_session(&captured)) else { return Ok(outcome) };
    let of = |total: fn(&Totals) -> u64| -> Vec<f64> {
        sessions.iter().map(|session| total(session) as f64).collect()
    };
    let (frames, octets) = (of(Totals::frames), of(Totals::octets));
    Ok(outcome
        .value("frames", median(&frames))
        .value("octets", median(&octets))
        .series("frames_of_sessions", frames)
        .series("octets_of_sessions", octets))
}

/// Returns the time in which our client sets up its end of a secure carrier. If it does not do so
/// in the measured sessions, it opens others.
fn setup_time(
    site: &mut Site,
    job: &Job,
    measured: &Measured,
    sessions: usize,
) -> Result<Option<f64>, Skipped> {
    let carrier = job.stack()?.carrier;
    // A session is resumed only by a client that exists already.
    if !carrier.is_secure() || carrier.is_resumed() || job.opener == Opener::Broker {
        return Ok(None);
    }
    let others = match job.setup {
        ClientSetup::InSession => None,
        ClientSetup::Before => {
            Some(site.run(Job { setup: ClientSetup::InSession, ..job.clone().times(sessions) })?)
        }
    };
    let times: Vec<f64> =
        others.as_ref().unwrap_or(measured).sessions.iter().map(|phases| phases.setup).collect();
    Ok(Some(median(&times)))
}

/// Returns the name of a file with captured frames.
fn file_name(variant: &Variant) -> String {
    format!("one-shot {variant}").replace(' ', "_")
}

pub(crate) const NAME: &str = "one-shot";
/// The number of rounds in which frames are counted, each time in several sessions: the number of
/// acknowledgements of TCP depends on the scheduling of both ends.
const COUNTED_ROUNDS: usize = 3;
