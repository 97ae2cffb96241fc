//! `memory`: the agent's memory for each open session (paper 000 Figure 6, paper 001).
//!
//! Each measurement restarts the agent. Then sessions are opened step by step, and the memory is
//! read after each step. The kernel's memory for sockets is not part of these figures. Our agent
//! limits the memory of all sessions that have sent no message, so that fewer unused sessions can
//! be open than used ones.

mod draw;

use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_report::sample::Variant;

pub(crate) use draw::of_used_session;

use super::usage::{established_connections, process_memory};
use crate::client::{Carrier, Job, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Memory of open sessions",
    papers: &["000 Fig 6", "001 memory"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Memory {
    ours: Site,
    net_snmp: Option<Site>,
    variants: Vec<Variant>,
    unavailable: Vec<(Variant, Skipped)>,
    steps: Steps,
}

/// The numbers of sessions at which the memory is read.
struct Steps {
    unused: &'static [usize],
    used: &'static [usize],
    net_snmp: &'static [usize],
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut memory = Memory {
        ours: Site::ours(context, SiteOptions::default())?,
        net_snmp: None,
        variants: Vec::new(),
        unavailable: Vec::new(),
        steps: context.effort().choose(
            Steps { unused: &QUICK_STEPS, used: &QUICK_STEPS, net_snmp: &QUICK_STEPS },
            Steps { unused: &UNUSED_STEPS, used: &USED_STEPS, net_snmp: &NET_SNMP_STEPS },
        ),
    };
    memory.add(OURS);
    if context.wants(Peer::NetSnmp) {
        match Site::net_snmp(context, SiteOptions::default()) {
            Ok(site) => {
                memory.net_snmp = Some(site);
                memory.add(Peer::NetSnmp.name());
            }
            Err(error) => {
                memory.unavailable.push((Variant::of([("agent", Peer::NetSnmp.name())]), error.into()));
            }
        }
    }
    Ok(Box::new(memory))
}

impl Memory {
    fn add(&mut self, agent: &str) {
        let site = if agent == OURS { Some(&self.ours) } else { self.net_snmp.as_ref() };
        let Some(site) = site else { return };
        for stack in STACKS {
            for use_name in [UNUSED, USED_ONCE] {
                let variant = Variant::of([("agent", agent), ("use", use_name)]).and("stack", stack.id());
                let is_sequential = agent == Peer::NetSnmp.name() && stack.carrier == Carrier::Dtls12;
                match site.check(stack) {
                    Ok(()) if is_sequential => {
                        let reason = "snmpd serves one DTLS client at a time";
                        self.unavailable.push((variant, Skipped(reason.into())));
                    }
                    Ok(()) => self.variants.push(variant),
                    Err(reason) => self.unavailable.push((variant, reason)),
                }
            }
        }
    }
}

impl Prepared for Memory {
    fn variants(&self) -> Vec<Variant> {
        self.variants.clone()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let stack: ProtocolStack = variant.get("stack").unwrap_or_default().parse()?;
        let use_once = variant.get("use") == Some(USED_ONCE);
        let (site, steps) = match variant.get("agent") {
            Some(OURS) if use_once => (&mut self.ours, self.steps.used),
            Some(OURS) => (&mut self.ours, self.steps.unused),
            _ => (self.net_snmp.as_mut().ok_or("snmpd does not run")?, self.steps.net_snmp),
        };
        site.restart()?;
        // Memory that the first sessions allocate for all is not counted.
        let get = Operation::Get { names: vec![SYS_UP_TIME.into()], count: 1 };
        site.run(Job::new(stack, get).times(WARM_UP_SESSIONS))?;
        let agent = site.agent_id().ok_or("the agent is not a process of this machine")?;
        let mut series: [Vec<f64>; 4] = Default::default();
        let mut open = 0;
        for step in [0].iter().chain(steps) {
            if *step > open {
                open = site.client().hold(stack, step - open, use_once)?;
            }
            if !stack.carrier.is_datagram() {
                await_connections(agent, open)?;
            }
            thread::sleep(SETTLE_TIME);
            let memory = process_memory(agent)?;
            for (series, value) in
                series.iter_mut().zip([memory.size, memory.rss, memory.pss, memory.private])
            {
                series.push(value);
            }
        }
        if !stack.carrier.is_datagram() {
            let left = established_connections(agent)?;
            if left < open {
                return Err(Skipped(format!("the agent has closed {} of {open} sessions", open - left)));
            }
        }
        site.client().release()?;
        let [size, rss, pss, private] = series;
        let each = |series: &[f64]| {
            let grown =
                series.last().copied().unwrap_or_default() - series.first().copied().unwrap_or_default();
            grown / open.max(1) as f64
        };
        let values =
            [("size", each(&size)), ("rss", each(&rss)), ("pss", each(&pss)), ("private", each(&private))];
        let outcome =
            values.into_iter().fold(Outcome::default(), |outcome, (name, value)| outcome.value(name, value));
        let sessions = [0].iter().chain(steps).map(|step| *step as f64).collect();
        Ok(outcome
            .value("sessions", open as f64)
            .series("sessions", sessions)
            .series("size", size)
            .series("rss", rss)
            .series("pss", pss)
            .series("private", private))
    }
}

/// Waits until the agent has accepted this number of connections. The kernel establishes them
/// before: snmpd accepts those that wait one by one.
fn await_connections(agent: u32, wanted: usize) -> Result<(), Skipped> {
    let deadline = Instant::now() + ACCEPT_TIME;
    while established_connections(agent)? < wanted && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

pub(crate) const NAME: &str = "memory";
const OURS: &str = "portreeved";
const UNUSED: &str = "unused";
const USED_ONCE: &str = "used once";

const STACKS: [ProtocolStack; 5] = [
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// The numbers of used sessions. With usual limits of open files, a process can have little more
/// than ten thousand.
const USED_STEPS: [usize; 4] = [1000, 2500, 5000, 10_000];
/// The numbers of unused sessions: with every carrier, they need less than the 32 MiB that our
/// agent permits.
const UNUSED_STEPS: [usize; 3] = [100, 250, 500];
/// snmpd accepts only about ten connections per second if several arrive at once.
const NET_SNMP_STEPS: [usize; 3] = [25, 50, 100];
const QUICK_STEPS: [usize; 2] = [20, 50];
/// Number of sessions that are opened and closed before the measurement.
const WARM_UP_SESSIONS: usize = 50;
/// The time after which connections that the agent has not accepted count as closed.
const ACCEPT_TIME: Duration = Duration::from_secs(20);
/// The time after which the agent has freed temporary memory.
const SETTLE_TIME: Duration = Duration::from_millis(300);
const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
