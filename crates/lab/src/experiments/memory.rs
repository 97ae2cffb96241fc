//! `memory`: the agent's memory for each open session (paper 000 Figure 6, paper 001).
//!
//! Each measurement restarts the agent. Then sessions are opened step by step, and the memory is
//! read after each step, when the agent has all of them open: our agent by its own count, snmpd by
//! the TCP connections that it has accepted. At the end, each session must still answer a request.
//! The kernel's memory for sockets is not part of these figures. Our agent limits the memory of all
//! sessions that have sent no message, so that fewer unused sessions can be open than used ones.

mod draw;

use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_report::sample::Variant;

pub(crate) use draw::of_used_session;

use super::usage::process_memory;
use crate::client::{Carrier, Job, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{OURS, Site, SiteOptions, Sites};

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
    sites: Sites<ProtocolStack>,
    steps: Steps,
}

/// The numbers of sessions at which the memory is read.
struct Steps {
    /// By the carrier, for our agent.
    unused: fn(Carrier) -> &'static [usize],
    used: &'static [usize],
    net_snmp: &'static [usize],
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    for agent in [OURS, Peer::NetSnmp.name()] {
        sites.add(agent, &STACKS, |_, variant, stack| {
            let is_sequential = agent == Peer::NetSnmp.name() && stack.carrier == Carrier::Dtls12;
            let reason =
                || Skipped("it is not tried, because snmpd 5.9.3 serves one DTLS client at a time".into());
            let variants = [UNUSED, USED_ONCE].map(|name| variant.clone().and("use", name));
            variants.map(|variant| (variant, if is_sequential { Err(reason()) } else { Ok(stack) })).into()
        });
    }
    let steps = context.effort().choose(
        Steps { unused: |_| &QUICK_STEPS, used: &QUICK_STEPS, net_snmp: &QUICK_STEPS },
        Steps { unused: unused_steps, used: &USED_STEPS, net_snmp: &NET_SNMP_STEPS },
    );
    Ok(Box::new(Memory { sites, steps }))
}

impl Prepared for Memory {
    fn variants(&self) -> Vec<Variant> {
        self.sites.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.sites.unavailable()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let use_once = variant.get("use") == Some(USED_ONCE);
        let (site, stack) = self.sites.find(variant)?;
        let stack = *stack;
        let steps = match variant.get("agent") {
            Some(OURS) if use_once => self.steps.used,
            Some(OURS) => (self.steps.unused)(stack.carrier),
            _ => self.steps.net_snmp,
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
            await_sessions(site, open)?;
            thread::sleep(SETTLE_TIME);
            let memory = process_memory(agent)?;
            for (series, value) in
                series.iter_mut().zip([memory.size, memory.rss, memory.pss, memory.private])
            {
                series.push(value);
            }
        }
        // A session that the agent has closed does not answer.
        site.client().exchange(open)?;
        await_sessions(site, open)?;
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

/// Waits until the agent has this number of sessions open, neither more nor fewer. The kernel
/// establishes connections before: snmpd accepts those that wait one by one.
fn await_sessions(site: &Site, wanted: usize) -> Result<(), Skipped> {
    let deadline = Instant::now() + ACCEPT_TIME;
    loop {
        let open = site.open_sessions()?;
        if open == wanted {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(Skipped(format!("the agent has {open} sessions open instead of {wanted}")));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) const NAME: &str = "memory";
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
/// Returns the numbers of unused sessions with our agent, which permits 32 MiB for all of them.
/// With the octets that it has received, it counts about 4 KiB for each over TCP, 44 KiB over SSH,
/// 28 KiB over TLS and 100 KiB over DTLS.
fn unused_steps(carrier: Carrier) -> &'static [usize] {
    match carrier {
        Carrier::Tcp => &[1000, 2500, 5000, 8000],
        Carrier::Dtls12 | Carrier::Dtls13 => &[100, 200, 300],
        carrier if carrier.is_ssh() => &[100, 250, 500],
        _ => &[250, 500, 1000],
    }
}

/// snmpd 5.9.3 accepts only about ten connections per second if several arrive at once.
const NET_SNMP_STEPS: [usize; 3] = [25, 50, 100];
const QUICK_STEPS: [usize; 2] = [20, 50];
/// Number of sessions that are opened and closed before the measurement.
const WARM_UP_SESSIONS: usize = 50;
/// The maximum time until the agent has accepted the sessions.
const ACCEPT_TIME: Duration = Duration::from_secs(20);
/// The time after which the agent has freed temporary memory.
const SETTLE_TIME: Duration = Duration::from_millis(300);
const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
