//! `phases`: the phases of a session with 34 messages, and the time of each message, as a third
//! party on the network observes them (paper 002 Tables 4 and 5, Figure 5).
//!
//! The client measures the same sessions with its own clock, so that both can be compared.

mod draw;
mod frames;

use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{OURS, SiteOptions, Sites};
use frames::Observed;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "The phases of a session and each of its messages, as an observer sees them",
    papers: &["002 Table 4", "002 Table 5", "002 Fig 5"],
    needs: &[Need::Ours("portreeved"), Need::Namespaces],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Sessions(Sites<Job>);

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    for (agent, stacks) in [(OURS, &STACKS[..]), (Peer::NetSnmp.name(), &CLEAR_STACKS)] {
        sites.add(agent, stacks, |_, variant, stack| {
            let operation = Operation::Get { names: vec![SYS_NAME.into()], count: MESSAGES };
            vec![(variant, Ok(Job { exchange_times: true, ..Job::new(stack, operation) }))]
        });
    }
    Ok(Box::new(Sessions(sites)))
}

impl Prepared for Sessions {
    fn variants(&self) -> Vec<Variant> {
        self.0.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.0.unavailable()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let (site, job) = self.0.find(variant)?;
        // The first session is not measured: its caches are cold after the other variants. Both are
        // sessions of one job: a pause or the start of the capture would cool the caches again.
        let job = job.clone().times(2);
        let name = format!("{NAME} {variant}").replace(' ', "_");
        let (captured, phases) = site.observe(job, &name)?.ok_or("there is no observer")?;
        let phases = phases.last().ok_or("the client has measured nothing")?;
        let observed = Observed::of(&frames::of_last_session(captured.frames()), MESSAGES)?;
        Ok(Outcome::default()
            .known("transport_setup", observed.transport_setup)
            .known("snmp_setup", observed.snmp_setup)
            .value("messages", observed.messages.iter().sum())
            .known("close", observed.close)
            .value("time", observed.total)
            .value("client_open", phases.open)
            .value("client_messages", phases.first + phases.rest)
            .value("client_close", phases.close)
            .value("client_time", phases.total)
            .series("messages", observed.messages)
            .series("responses", observed.responses)
            .series("client_messages", phases.exchange_times.clone()))
    }
}

const NAME: &str = "phases";
/// The number of messages in the paper's walk.
const MESSAGES: usize = portreeve_lab_report::papers::paper_002::WALK_MESSAGES;
const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];

const UDP: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Udp);
const TLS: ProtocolStack = ProtocolStack::new(Message::V1, Carrier::Tls);

/// The stacks that Net-SNMP's agent supports, too.
const CLEAR_STACKS: [ProtocolStack; 2] = [UDP, ProtocolStack::new(Message::V1, Carrier::Tcp)];

/// Without USM or TSM, so that no discovery of the agent's engine precedes the messages.
const STACKS: [ProtocolStack; 7] = [
    CLEAR_STACKS[0],
    CLEAR_STACKS[1],
    ProtocolStack::v2c(Carrier::Tls12),
    TLS,
    ProtocolStack::v2c(Carrier::Dtls12),
    ProtocolStack::v2c(Carrier::Dtls13),
    ProtocolStack::v2c(Carrier::Ssh),
];
