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
use crate::peers::{Site, SiteOptions};
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
    ours: Site,
    net_snmp: Option<Site>,
    works: Vec<(Variant, Job)>,
    unavailable: Vec<(Variant, Skipped)>,
    caches: ColdCaches,
    sessions: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut traffic = Traffic {
        ours: Site::ours(context, SiteOptions::default())?,
        net_snmp: None,
        works: Vec::new(),
        unavailable: Vec::new(),
        caches: ColdCaches::new(),
        sessions: context.effort().choose(1, 5),
    };
    traffic.add(OURS, &STACKS);
    if context.wants(Peer::NetSnmp) {
        match Site::net_snmp(context, SiteOptions::default()) {
            Ok(site) => {
                traffic.net_snmp = Some(site);
                traffic.add(Peer::NetSnmp.name(), &CLEAR_STACKS);
            }
            Err(error) => {
                traffic.unavailable.push((Variant::of([("agent", Peer::NetSnmp.name())]), error.into()));
            }
        }
    }
    Ok(Box::new(traffic))
}

impl Traffic {
    fn add(&mut self, agent: &str, stacks: &[ProtocolStack]) {
        let site = if agent == OURS { Some(&self.ours) } else { self.net_snmp.as_ref() };
        let Some(site) = site else { return };
        for stack in stacks {
            let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
            if let Err(reason) = site.check(*stack) {
                self.unavailable.push((variant, reason));
                continue;
            }
            let job = Job::new(*stack, Operation::Get { names: vec![SYS_NAME.into()], count: 1 });
            for kind in [LIGHT, HEAVY] {
                self.works.push((variant.clone().and("traffic", kind), job.clone()));
            }
        }
    }
}

impl Prepared for Traffic {
    fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|(variant, _)| variant.clone()).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let (_, job) = self.works.iter().find(|(known, _)| known == variant).ok_or("unknown variant")?;
        let site = match variant.get("agent") {
            Some(OURS) => &mut self.ours,
            _ => self.net_snmp.as_mut().ok_or("snmpd does not run")?,
        };
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
    portreeve_lab_report::statistics::Summary::of(&values).map_or(f64::NAN, |summary| summary.median)
}

const NAME: &str = "traffic";
/// The name of our agent in variants.
const OURS: &str = "portreeved";
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
