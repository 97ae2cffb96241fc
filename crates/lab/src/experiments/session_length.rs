//! `session-length`: sessions with different numbers of GETs of sysName.0 (paper 002 Table 2 and
//! equation 1).

mod draw;

use portreeve_lab_report::sample::Variant;

pub(super) use draw::library;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{LESS_PROTECTED, OURS, SiteOptions, Sites};

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

struct Lengths(Sites<Job>);

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    let messages: &[usize] = context.effort().choose(&QUICK_MESSAGES, &MESSAGES);
    for agent in [OURS, Peer::NetSnmp.name()] {
        sites.add(agent, &STACKS, |site, variant, stack| {
            let clients = if agent == OURS { &[LIBRARY][..] } else { &[LIBRARY, NET_SNMP] };
            let each = clients.iter().flat_map(|client| messages.iter().map(move |count| (*client, *count)));
            each.map(|(client, count)| {
                let job = Job::new(stack, Operation::Get { names: vec![SYS_NAME.into()], count });
                let checked = if client == NET_SNMP { site.check_library(&job) } else { Ok(()) };
                let variant = variant.clone().and("client", client).and("messages", count.to_string());
                (variant, checked.map(|()| job))
            })
            .collect()
        });
    }
    sites.start_less_protected(context, SiteOptions::default());
    for (agent, _) in LESS_PROTECTED {
        sites.add(agent, &[V1_TLS], |_, variant, stack| {
            let variant = variant.and("client", LIBRARY);
            let job = |count| Job::new(stack, Operation::Get { names: vec![SYS_NAME.into()], count });
            messages
                .iter()
                .map(|count| (variant.clone().and("messages", count.to_string()), Ok(job(*count))))
                .collect()
        });
    }
    Ok(Box::new(Lengths(sites)))
}

impl Prepared for Lengths {
    fn variants(&self) -> Vec<Variant> {
        self.0.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.0.unavailable()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let (site, job) = self.0.find(variant)?;
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
/// Our client in one process.
const LIBRARY: &str = "library";
/// Net-SNMP's library in a process of its own.
const NET_SNMP: &str = "net-snmp";
/// The numbers of messages of the paper, and one.
const MESSAGES: [usize; 9] = [1, 5, 20, 50, 100, 500, 1000, 1500, 2000];
const QUICK_MESSAGES: [usize; 3] = [1, 5, 20];
const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];

/// The stack of Table 2, which is also measured with less protection.
const V1_TLS: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Tls);

const STACKS: [ProtocolStack; 11] = [
    ProtocolStack::new(Message::V1, Carrier::Udp),
    ProtocolStack::new(Message::V1, Carrier::Tcp),
    V1_TLS,
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_DES, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];
