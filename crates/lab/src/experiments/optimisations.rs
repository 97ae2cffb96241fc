//! `optimisations`: the two optimisations of paper 000, TCP_NODELAY (§4.1) and window adjustments
//! only when needed (§4.2), at either end of a session over SSH.
//!
//! Each setting of the agent has an agent of its own, so that all settings are measured in the same
//! round. Frames of an exchange are the difference between a session with many exchanges and one
//! with a single exchange.

mod draw;
mod policy;

use portreeve_channel_ssh::TrafficSettings;
use portreeve_lab_net::Totals;
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::statistics::Summary;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};
use crate::requests::SYS_DESCR;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "TCP_NODELAY and window adjustments over SSH",
    papers: &["000 §4.1", "000 §4.2", "001 Nagle"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Optimisations {
    sites: Vec<(TrafficSettings, Site)>,
    works: Vec<Work>,
    unavailable: Vec<(Variant, Skipped)>,
    exchanges: usize,
    sessions: usize,
}

/// One variant, the index of its site, and its protocol stack.
struct Work {
    variant: Variant,
    site: usize,
    stack: ProtocolStack,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let effort = context.effort();
    let mut all = Optimisations {
        sites: Vec::new(),
        works: Vec::new(),
        unavailable: Vec::new(),
        exchanges: effort.choose(10, 100),
        sessions: effort.choose(1, 4),
    };
    for policy in policy::all() {
        let variant = policy.variant();
        match (policy.carrier(), policy.agent()) {
            (Ok(carrier), Ok(settings)) => {
                let site = all.site(context, settings)?;
                all.works.push(Work { variant, site, stack: ProtocolStack::v2c(carrier) });
            }
            (Err(reason), _) | (_, Err(reason)) => all.unavailable.push((variant, Skipped(reason.into()))),
        }
    }
    let site = all.site(context, TrafficSettings::default())?;
    for stack in USM {
        all.works.push(Work { variant: Variant::of([("stack", stack.id())]), site, stack });
    }
    Ok(Box::new(all))
}

impl Optimisations {
    /// Returns the index of the site whose agent has these settings, and starts it if necessary.
    fn site(&mut self, context: &Context, ssh: TrafficSettings) -> Result<usize, Skipped> {
        if let Some(index) = self.sites.iter().position(|(known, _)| *known == ssh) {
            return Ok(index);
        }
        let site = Site::ours(context, SiteOptions { ssh, ..SiteOptions::default() })?;
        self.sites.push((ssh, site));
        Ok(self.sites.len() - 1)
    }
}

impl Prepared for Optimisations {
    fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|work| work.variant.clone()).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let work = self.works.iter().find(|work| work.variant == *variant).ok_or("unknown variant")?;
        let (_, site) = self.sites.get_mut(work.site).ok_or("unknown site")?;
        let job = |count| {
            let names = vec![[SYS_DESCR, &[0]].concat()];
            Job::new(work.stack, Operation::Get { names, count })
        };
        let (single, long) = (job(1), job(1 + self.exchanges));
        // The first session is not measured: its caches are cold after the other variants.
        let sessions = site.run(single.clone().times(1 + self.sessions))?.sessions;
        let times: Vec<f64> = sessions.iter().skip(1).map(|phases| phases.total).collect();
        let in_session = site.run(long.clone())?.sessions;
        let rest = in_session.first().ok_or("the client has measured nothing")?.rest;
        let outcome = Outcome::default()
            .known("time", Summary::of(&times).map(|times| times.median))
            .value("exchange_time", rest / self.exchanges as f64)
            .series("times", times);
        if round >= COUNTED_ROUNDS {
            return Ok(outcome);
        }
        let name = |kind: &str| format!("{NAME} {kind} {variant}").replace(' ', "_");
        let one = site.capture(single, &name("one-shot"))?.map(|captured| captured.totals(|_| true));
        let many = site.capture(long, &name("exchanges"))?.map(|captured| captured.totals(|_| true));
        let each = |total: fn(&Totals) -> u64| {
            let (one, many) = (one.as_ref().map(total)?, many.as_ref().map(total)?);
            Some(many.saturating_sub(one) as f64 / self.exchanges as f64)
        };
        Ok(outcome
            .known("frames", one.map(|one| one.frames() as f64))
            .known("octets", one.map(|one| one.octets() as f64))
            .known("exchange_frames", each(Totals::frames))
            .known("exchange_octets", each(Totals::octets)))
    }
}

const NAME: &str = "optimisations";
/// The number of rounds in which frames are counted. Their number hardly varies.
const COUNTED_ROUNDS: usize = 2;

/// The paper compares SSH with USM, which had these algorithms.
const USM: [ProtocolStack; 2] = [
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Tcp),
];
