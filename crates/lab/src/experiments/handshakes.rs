//! `handshakes`: full and resumed handshakes of SSH, TLS and DTLS, and their cost for the agent.
//!
//! Sessions are opened, used for one GET and closed, several in parallel, so that the agent's core
//! does not wait for the client. The client reads its keys and certificates before. The rate of one
//! core follows from the agent's CPU time, because the client needs about as much time for a
//! handshake as the agent.
//!
//! OpenSSH's sshd has no SNMP: its sessions get no GET. Our agent is also measured without it.

mod draw;
mod openssl;

use portreeve_lab_net::Topology;
use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Operation, ProtocolStack};
use crate::experiments::usage::cpu;
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions, Sshd};
use crate::requests::SYS_UP_TIME;
use openssl::OpenSslServer;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Handshakes",
    papers: &[],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Handshakes {
    ours: Site,
    net_snmp: Option<Site>,
    openssl: Option<OpenSslServer>,
    sshd: Option<Sshd>,
    variants: Vec<Variant>,
    unavailable: Vec<(Variant, Skipped)>,
    count: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut handshakes = Handshakes {
        ours: Site::ours(context, SiteOptions::default())?,
        net_snmp: None,
        openssl: None,
        sshd: None,
        variants: Vec::new(),
        unavailable: Vec::new(),
        count: context.effort().choose(QUICK_SESSIONS, SESSIONS),
    };
    let agent = |name: &str| Variant::of([("agent", name)]);
    handshakes.add(&agent(OURS), &STACKS, |site, stack| site.check(stack));
    handshakes.add(&agent(OURS).and(WORK, LOGIN), &SSH_STACKS, |site, stack| site.check(stack));
    match Sshd::start(&handshakes.ours) {
        Ok(sshd) => {
            handshakes.add(&agent(SSHD).and(WORK, LOGIN), &SSH_STACKS, |_, stack| sshd.check(stack));
            handshakes.sshd = Some(sshd);
        }
        Err(error) => handshakes.unavailable.push((agent(SSHD), error.into())),
    }
    match OpenSslServer::start(&handshakes.ours) {
        Ok(server) => {
            handshakes.openssl = Some(server);
            let stacks = context.effort().choose(&openssl::QUICK_STACKS[..], &openssl::STACKS);
            handshakes.add(&agent(OPENSSL), stacks, |_, _| Ok(()));
        }
        Err(error) => handshakes.unavailable.push((agent(OPENSSL), error.into())),
    }
    if context.wants(Peer::NetSnmp) {
        let variant = agent(Peer::NetSnmp.name());
        match Site::net_snmp(context, SiteOptions::default()) {
            Ok(site) => {
                handshakes.add(&variant, &STACKS, |_, stack| site.check(stack));
                handshakes.net_snmp = Some(site);
            }
            Err(error) => handshakes.unavailable.push((variant, error.into())),
        }
    }
    Ok(Box::new(handshakes))
}

impl Handshakes {
    fn add(
        &mut self,
        agent: &Variant,
        stacks: &[ProtocolStack],
        check: impl Fn(&Site, ProtocolStack) -> Result<(), Skipped>,
    ) {
        for stack in stacks {
            let variant = agent.clone().and("stack", stack.id());
            match check(&self.ours, *stack) {
                Ok(()) => self.variants.push(variant),
                Err(reason) => self.unavailable.push((variant, reason)),
            }
        }
    }
}

impl Prepared for Handshakes {
    fn variants(&self) -> Vec<Variant> {
        self.variants.clone()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let stack: ProtocolStack = variant.get("stack").unwrap_or_default().parse()?;
        match variant.get("agent") {
            Some(OURS) => in_parallel(&mut self.ours, stack, self.count, variant.get(WORK).is_none()),
            Some(SSHD) => {
                let sshd = self.sshd.as_mut().ok_or("sshd does not run")?;
                of_sshd(sshd, &self.ours.topology, stack, self.count)
            }
            Some(OPENSSL) => {
                let server = self.openssl.as_ref().ok_or("openssl s_server does not run")?;
                Ok(outcome(server.cpu_of_handshake(&self.ours, stack)?))
            }
            // snmpd serves one DTLS client at a time.
            _ => one_by_one(self.net_snmp.as_mut().ok_or("snmpd does not run")?, stack, self.count),
        }
    }
}

/// Measures sessions in parallel, with a GET in each if `use_once` is true.
fn in_parallel(
    site: &mut Site,
    stack: ProtocolStack,
    count: usize,
    use_once: bool,
) -> Result<Outcome, Skipped> {
    let agent = site.agent_id().ok_or("the agent is not a process of this machine")?;
    // The first sessions fill caches, and get the ticket that the others resume.
    site.client().churn(stack, WARM_UP_SESSIONS, use_once)?;
    let before = cpu(agent)?;
    let seconds = site.client().churn(stack, count, use_once)?;
    let spent = cpu(agent)? - before;
    Ok(outcome(spent / count as f64).value("rate", count as f64 / seconds))
}

/// Measures sessions of sshd in parallel, and connections that end before the key exchange.
fn of_sshd(
    sshd: &mut Sshd,
    topology: &Topology,
    stack: ProtocolStack,
    count: usize,
) -> Result<Outcome, Skipped> {
    sshd.open_sessions(stack, WARM_UP_SESSIONS)?;
    let spent = sshd.open_sessions(stack, count)?;
    let connections = sshd.connect(topology, count)? / count as f64;
    let outcome = outcome(spent.cpu / count as f64).value("rate", count as f64 / spent.seconds);
    Ok(outcome.value("connection_cpu", connections))
}

/// Measures one session after the other.
fn one_by_one(site: &mut Site, stack: ProtocolStack, count: usize) -> Result<Outcome, Skipped> {
    let operation = Operation::Get { names: vec![SYS_UP_TIME.into()], count: 1 };
    let job = Job::new(stack, operation);
    site.run(job.clone().times(WARM_UP_SESSIONS))?;
    let measured = site.run(job.times(count))?;
    let seconds: f64 = measured.sessions.iter().map(|phases| phases.total).sum();
    let spent = measured.agent_cpu.ok_or("the agent is not a process of this machine")?;
    Ok(outcome(spent).value("rate", measured.sessions.len() as f64 / seconds))
}

/// Returns the CPU time of the agent for each session, and the rate that one core can sustain.
fn outcome(agent_cpu: f64) -> Outcome {
    Outcome::default().value("agent_cpu", agent_cpu).value("core_rate", 1.0 / agent_cpu)
}

const NAME: &str = "handshakes";
const OURS: &str = "portreeved";
/// OpenSSL's server, in variants.
const OPENSSL: &str = "openssl";
/// OpenSSH's server, in variants.
const SSHD: &str = "sshd";
/// The axis of sessions that are only opened and closed, and its value.
const WORK: &str = "work";
const LOGIN: &str = "login";

const STACKS: [ProtocolStack; 9] = [
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::SshMlKem),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::TlsMlKem),
    ProtocolStack::tsm(Carrier::TlsResumed),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// The stacks of sshd.
const SSH_STACKS: [ProtocolStack; 2] =
    [ProtocolStack::tsm(Carrier::Ssh), ProtocolStack::tsm(Carrier::SshMlKem)];

const SESSIONS: usize = 300;
const QUICK_SESSIONS: usize = 10;
/// At least as many as the client keeps tickets for.
const WARM_UP_SESSIONS: usize = 16;
