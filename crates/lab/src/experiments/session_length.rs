//! `session-length`: sessions with different numbers of GETs of sysName.0 (paper 002 Table 2 and
//! equation 1).

mod draw;

use portreeve_lab_report::sample::Variant;

pub(super) use draw::library;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Sessions of different lengths",
    papers: &["002 Table 2", "002 eq. (1)"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: true,
    prepare,
    draw: draw::draw,
};

struct Lengths {
    ours: Site,
    net_snmp: Option<Site>,
    works: Vec<(Variant, Job)>,
    unavailable: Vec<(Variant, Skipped)>,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let ours = Site::ours(context, SiteOptions::default())?;
    let mut lengths = Lengths { ours, net_snmp: None, works: Vec::new(), unavailable: Vec::new() };
    let messages: &[usize] = context.effort().choose(&QUICK_MESSAGES, &MESSAGES);
    lengths.add(OURS, messages);
    if context.wants(Peer::NetSnmp) {
        match Site::net_snmp(context, SiteOptions::default()) {
            Ok(site) => {
                lengths.net_snmp = Some(site);
                lengths.add(Peer::NetSnmp.name(), messages);
            }
            Err(error) => {
                lengths.unavailable.push((Variant::of([("agent", Peer::NetSnmp.name())]), error.into()));
            }
        }
    }
    Ok(Box::new(lengths))
}

impl Lengths {
    fn add(&mut self, agent: &str, messages: &[usize]) {
        let site = if agent == OURS { Some(&self.ours) } else { self.net_snmp.as_ref() };
        let Some(site) = site else { return };
        for stack in STACKS {
            let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
            if let Err(reason) = site.check(stack) {
                self.unavailable.push((variant, reason));
                continue;
            }
            let get = |count| Operation::Get { names: vec![SYS_NAME.into()], count };
            let mut clients = vec![LIBRARY];
            if agent == Peer::NetSnmp.name() {
                match site.check_library(&Job::new(stack, get(1))) {
                    Ok(()) => clients.push(NET_SNMP),
                    Err(reason) => self.unavailable.push((variant.clone().and("client", NET_SNMP), reason)),
                }
            }
            for client in clients {
                for count in messages {
                    let variant = variant.clone().and("client", client).and("messages", count.to_string());
                    self.works.push((variant, Job::new(stack, get(*count))));
                }
            }
        }
    }
}

impl Prepared for Lengths {
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
        let measured = if variant.get("client") == Some(NET_SNMP) {
            site.run_library(job)?
        } else {
            // The first session is not measured: its caches are cold after the other variants.
            let operation = Operation::Get { names: vec![SYS_NAME.into()], count: 1 };
            site.run(Job { operation, ..job.clone() })?;
            site.run(job.clone())?
        };
        let phases = measured.sessions.first().ok_or("the client has measured nothing")?;
        Ok(Outcome::default()
            .value("time", phases.total)
            .value("open", phases.open)
            .value("first", phases.first)
            .value("rest", phases.rest)
            .value("close", phases.close)
            .value("client_cpu", phases.cpu)
            .known("agent_cpu", measured.agent_cpu))
    }
}

pub(super) const NAME: &str = "session-length";
/// The name of our agent, or of the user's device, in variants.
const OURS: &str = "portreeved";
/// Our client in one process.
const LIBRARY: &str = "library";
/// Net-SNMP's library in a process of its own.
const NET_SNMP: &str = "net-snmp";
/// The numbers of messages of the paper, and one.
const MESSAGES: [usize; 9] = [1, 5, 20, 50, 100, 500, 1000, 1500, 2000];
const QUICK_MESSAGES: [usize; 3] = [1, 5, 20];
const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];

const STACKS: [ProtocolStack; 11] = [
    ProtocolStack::new(Message::V1, Carrier::Udp),
    ProtocolStack::new(Message::V1, Carrier::Tcp),
    ProtocolStack::new(Message::V1, Carrier::Tls),
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_DES, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];
