//! `concurrency`: the rate of GETs and the agent's CPU time for each, with different numbers of
//! open sessions.
//!
//! The client sends requests in all sessions in turn, so that the agent cannot keep one of them in
//! its caches. At most [`MAX_IN_FLIGHT`](crate::client::MAX_IN_FLIGHT) requests are in flight.

mod draw;

use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::usage::cpu;
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Concurrent sessions",
    papers: &[],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Concurrency {
    ours: Site,
    net_snmp: Option<Site>,
    variants: Vec<Variant>,
    unavailable: Vec<(Variant, Skipped)>,
    requests: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut concurrency = Concurrency {
        ours: Site::ours(context, SiteOptions::default())?,
        net_snmp: None,
        variants: Vec::new(),
        unavailable: Vec::new(),
        requests: context.effort().choose(QUICK_REQUESTS, REQUESTS),
    };
    let numbers: &[usize] = context.effort().choose(&QUICK_SESSIONS, &SESSIONS);
    concurrency.add(OURS, numbers);
    if context.wants(Peer::NetSnmp) {
        match Site::net_snmp(context, SiteOptions::default()) {
            Ok(site) => {
                concurrency.net_snmp = Some(site);
                concurrency.add(Peer::NetSnmp.name(), numbers);
            }
            Err(error) => {
                let variant = Variant::of([("agent", Peer::NetSnmp.name())]);
                concurrency.unavailable.push((variant, error.into()));
            }
        }
    }
    Ok(Box::new(concurrency))
}

impl Concurrency {
    fn add(&mut self, agent: &str, numbers: &[usize]) {
        let site = if agent == OURS { Some(&self.ours) } else { self.net_snmp.as_ref() };
        let Some(site) = site else { return };
        for stack in STACKS {
            let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
            if let Err(reason) = site.check(stack) {
                self.unavailable.push((variant, reason));
                continue;
            }
            for sessions in numbers {
                let variant = variant.clone().and("sessions", sessions.to_string());
                match limit(agent, stack).filter(|(maximum, _)| sessions > maximum) {
                    None => self.variants.push(variant),
                    Some((_, reason)) => self.unavailable.push((variant, Skipped(reason.into()))),
                }
            }
        }
    }
}

/// Returns the maximum number of sessions that can be measured with an agent, and the reason.
fn limit(agent: &str, stack: ProtocolStack) -> Option<(usize, &'static str)> {
    match stack.carrier {
        _ if agent == OURS => None,
        Carrier::Dtls12 => Some((1, "it is not tried, because snmpd 5.9.3 serves one DTLS client at a time")),
        Carrier::Tcp => {
            Some((100, "it is not tried, because snmpd 5.9.3 accepts only about ten connections per second"))
        }
        _ => None,
    }
}

impl Prepared for Concurrency {
    fn variants(&self) -> Vec<Variant> {
        self.variants.clone()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let stack: ProtocolStack = variant.get("stack").unwrap_or_default().parse()?;
        let sessions: usize = variant.get("sessions").unwrap_or_default().parse()?;
        let site = match variant.get("agent") {
            Some(OURS) => &mut self.ours,
            _ => self.net_snmp.as_mut().ok_or("snmpd does not run")?,
        };
        let result = exchange(site, stack, sessions, self.requests);
        let released = site.client().release();
        let outcome = result?;
        released?;
        Ok(outcome)
    }
}

/// Opens sessions, and measures GETs in all of them.
fn exchange(
    site: &mut Site,
    stack: ProtocolStack,
    sessions: usize,
    requests: usize,
) -> Result<Outcome, Skipped> {
    let agent = site.agent_id().ok_or("the agent is not a process of this machine")?;
    let open = site.client().hold(stack, sessions, true)?;
    if open != sessions {
        return Err(Skipped(format!("{open} of {sessions} sessions are open")));
    }
    // One more request in each session is not measured: it fills caches.
    site.client().exchange(sessions)?;
    let before = cpu(agent)?;
    let seconds = site.client().exchange(requests)?;
    let spent = cpu(agent)? - before;
    let requests = requests as f64;
    Ok(Outcome::default().value("rate", requests / seconds).value("agent_cpu", spent / requests))
}

const NAME: &str = "concurrency";
const OURS: &str = "portreeved";
const SESSIONS: [usize; 4] = [1, 10, 100, 1000];
const QUICK_SESSIONS: [usize; 2] = [1, 10];
const REQUESTS: usize = 10_000;
const QUICK_REQUESTS: usize = 100;

const STACKS: [ProtocolStack; 7] = [
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];
