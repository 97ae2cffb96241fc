//! `traffic`: a session for each message under light and heavy traffic (paper 002 Table 3).
//!
//! Nothing waits for five minutes or a second. Light traffic finds cold caches, so the caches are
//! evicted before each session; heavy traffic finds warm ones, so a session that is not measured
//! precedes it immediately.

mod cold_caches;
mod draw;

use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Message, Operation, Phases, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{OURS, SiteOptions, Sites};
use cold_caches::ColdCaches;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "A session for each message under light and heavy traffic",
    papers: &["002 Table 3"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Traffic {
    sites: Sites<Job>,
    caches: ColdCaches,
    sessions: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    for (agent, stacks) in [(OURS, &STACKS[..]), (Peer::NetSnmp.name(), &CLEAR_STACKS)] {
        sites.add(agent, stacks, |_, variant, stack| {
            let job = Job::new(stack, Operation::Get { names: vec![SYS_NAME.into()], count: 1 });
            [LIGHT, HEAVY].map(|kind| (variant.clone().and("traffic", kind), Ok(job.clone()))).into()
        });
    }
    Ok(Box::new(Traffic { sites, caches: ColdCaches::new(), sessions: context.effort().choose(1, 5) }))
}

impl Prepared for Traffic {
    fn variants(&self) -> Vec<Variant> {
        self.sites.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.sites.unavailable()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let (site, job) = self.sites.find(variant)?;
        let is_light = variant.get("traffic") == Some(LIGHT);
        // The first session is not measured: both kinds of traffic start with the same state.
        site.run(job.clone())?;
        let mut sessions = Vec::with_capacity(self.sessions);
        for _ in 0..self.sessions {
            if is_light {
                self.caches.evict()?;
            }
            sessions.extend(site.run(job.clone())?.sessions);
        }
        let outcome = Outcome::default()
            .value("time", median(&sessions, |phases| phases.total))
            .value("open", median(&sessions, |phases| phases.open))
            .value("message", median(&sessions, |phases| phases.first));
        Ok(if is_light { outcome.value("evicted", self.caches.octets() as f64) } else { outcome })
    }
}

/// Returns the median of one phase.
fn median(sessions: &[Phases], phase: fn(&Phases) -> f64) -> f64 {
    let values: Vec<f64> = sessions.iter().map(phase).collect();
    portreeve_lab_report::statistics::median(&values)
}

const NAME: &str = "traffic";
const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];
/// A message every five minutes.
const LIGHT: &str = "light";
/// A message every second.
const HEAVY: &str = "heavy";

const UDP: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Udp);
const TLS: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Tls);

/// The stacks that Net-SNMP's agent supports, too.
const CLEAR_STACKS: [ProtocolStack; 2] = [UDP, ProtocolStack::new(Message::V1, Carrier::Tcp)];

const STACKS: [ProtocolStack; 6] = [
    CLEAR_STACKS[0],
    CLEAR_STACKS[1],
    TLS,
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Dtls13),
    ProtocolStack::tsm(Carrier::Ssh),
];
