//! `sequence`: every frame of one GET of sysDescr.0 in its order, as in the time sequence diagrams
//! of paper 001.
//!
//! Round trips are measured in a session of its own over a slow link: in a capture,
//! messages that both sides send at the same time look like a round trip.

mod conversation;
mod decode;
mod draw;

use std::time::Duration;

use portreeve_lab_net::{Captured, Link};
use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Message, Operation, ProtocolStack};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{OURS, Site, SiteOptions, Sites, net_snmp};
use crate::requests::SYS_DESCR;
use conversation::Conversation;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Every frame of one GET in its order",
    papers: &["001 time sequence diagrams", "000 Table 2"],
    needs: &[Need::Ours("portreeved"), Need::Namespaces],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

/// The work of a variant: one GET in a session of its own.
enum Work {
    /// Our client.
    Client(Job),
    /// The words of a command.
    Command(Vec<String>),
}

struct Sequences(Sites<Work>);

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut sites = Sites::start(context, SiteOptions::default())?;
    sites.add(OURS, &STACKS, |_, variant, stack| {
        let get = Operation::Get { names: vec![[SYS_DESCR, &[0]].concat()], count: 1 };
        vec![(variant, Ok(Work::Client(Job::new(stack, get))))]
    });
    sites.add(Peer::NetSnmp.name(), &STACKS, |site, variant, stack| {
        let words = net_snmp::command("snmpget", stack, site.credentials(), SYS_DESCR_NAME);
        vec![(variant, words.map(Work::Command))]
    });
    Ok(Box::new(Sequences(sites)))
}

impl Prepared for Sequences {
    fn variants(&self) -> Vec<Variant> {
        self.0.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.0.unavailable()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let (site, work) = self.0.find(variant)?;
        let name = format!("{NAME} {variant}").replace(' ', "_");
        // The first session is not measured: its caches are cold after the other variants.
        work.capture(site, &format!("{name}_first"))?;
        let conversation = Conversation::of(&work.capture(site, &name)?)?;
        let mut outcome = conversation.outcome();
        if round == 0 {
            site.topology.set_link(&Link { delay: Some(DELAY), ..Link::default() })?;
            let slow = work.capture(site, &format!("{name}_slow"));
            site.topology.set_link(&Link::default())?;
            let slow = Conversation::of(&slow?)?;
            outcome = outcome
                .value("round_trips", round_trips(conversation.response_time(), slow.response_time()))
                .trace(conversation.into_messages());
        }
        Ok(outcome)
    }
}

impl Work {
    /// Runs the session and captures its frames with their octets.
    fn capture(&self, site: &mut Site, name: &str) -> Result<Captured, Skipped> {
        let captured = match self {
            Self::Client(job) => site.capture_octets(job.clone(), name)?,
            Self::Command(words) => site.capture_command(words, name)?,
        };
        Ok(captured.ok_or("there is no observer")?)
    }
}

/// Returns the round trips from the first frame until the manager has the response, from the times
/// at the observer without and with the delay. The observer sees the response before its delay.
fn round_trips(direct: Duration, slow: Duration) -> f64 {
    ((slow.saturating_sub(direct) + DELAY).as_secs_f64() / (2 * DELAY).as_secs_f64()).round()
}

const NAME: &str = "sequence";

const SYS_DESCR_NAME: &str = ".1.3.6.1.2.1.1.1.0";

/// The delay in each direction for the measurement of round trips. It is longer than all
/// computations of a session vary.
const DELAY: Duration = Duration::from_millis(20);

/// The stacks of the papers, and those that did not exist then.
const STACKS: [ProtocolStack; 13] = [
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::new(Message::V1, Carrier::Udp),
    ProtocolStack::new(Message::V1, Carrier::Tcp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Tcp),
    ProtocolStack::v2c(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::v2c(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

#[cfg(test)]
mod tests;
