//! `notification-cost`: one trap and one inform over each transport: time, packets and octets.
//!
//! ```text
//! notification-client or snmptrap, core 0 ──── observer ──── receiver, core 1 ── file
//! ```
//! The frames of a new session are those of a session with one notification. Those of one more
//! notification in an open session follow from a session with several.

mod draw;
mod receivers;
mod senders;

use std::path::PathBuf;
use std::time::Duration;

use portreeve_lab_net::{Detail, Topology};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::statistics::median;

use super::notifications::inform_client::Carrier;
use super::notifications::notification_client::{INFORM, TRAP};
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::Observation;
use receivers::Receiver;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "One notification over each transport",
    papers: &[],
    needs: &[Need::Ours("portreeved"), Need::Ours("portreeve-trapd")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct NotificationCost {
    subjects: Vec<Subject>,
    variants: Vec<Variant>,
    unavailable: Vec<(Variant, Skipped)>,
    pcap: Option<PathBuf>,
    sessions: usize,
    /// The number of rounds in which frames are counted. Their number hardly varies.
    counted_rounds: usize,
}

/// A receiver, and the network between it and the sender. Parts are dropped in this order.
struct Subject {
    receiver: Receiver,
    topology: Topology,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let mut cost = NotificationCost {
        subjects: Vec::new(),
        variants: Vec::new(),
        unavailable: Vec::new(),
        pcap: context.pcap_directory().map(Into::into),
        sessions: context.effort().choose(2, 20),
        counted_rounds: context.effort().choose(1, 3),
    };
    let topology = context.topology()?;
    let receiver = Receiver::ours(&topology, &context.directory("portreeve-trapd")?)?;
    cost.add(context, Subject { receiver, topology });
    if context.wants(Peer::NetSnmp) {
        let topology = context.topology()?;
        match Receiver::net_snmp(&topology, &context.directory("snmptrapd")?) {
            Ok(receiver) => cost.add(context, Subject { receiver, topology }),
            Err(error) => cost.unavailable.push((Variant::of([("receiver", SNMPTRAPD)]), error.into())),
        }
    }
    Ok(Box::new(cost))
}

impl NotificationCost {
    fn add(&mut self, context: &Context, subject: Subject) {
        let receiver = subject.receiver.name;
        for carrier in Carrier::ALL {
            let variant = Variant::of([("receiver", receiver)]).and("stack", carrier.id());
            if let Err(reason) = subject.receiver.check(carrier) {
                self.unavailable.push((variant, reason));
                continue;
            }
            for kind in [TRAP, INFORM] {
                let variant = variant.clone().and("kind", kind);
                self.variants.push(variant.clone().and("sender", LIBRARY));
                if !context.wants(Peer::NetSnmp) || !senders::is_for_command(carrier) {
                    continue;
                }
                let variant = variant.and("sender", COMMAND);
                match senders::program(kind) {
                    Ok(_) => self.variants.push(variant),
                    Err(reason) => self.unavailable.push((variant, reason)),
                }
            }
        }
        self.subjects.push(subject);
    }
}

impl Prepared for NotificationCost {
    fn variants(&self) -> Vec<Variant> {
        self.variants.clone()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let subject = self.subjects.iter().find(|one| variant.get("receiver") == Some(one.receiver.name));
        let subject = subject.ok_or("unknown receiver")?;
        let carrier = Carrier::ALL.into_iter().find(|carrier| variant.get("stack") == Some(carrier.id()));
        let carrier = carrier.ok_or("unknown stack")?;
        let kind = variant.get("kind").unwrap_or_default();
        let name = format!("{NAME} {variant}").replace(' ', "_");
        if variant.get("sender") == Some(COMMAND) {
            let before = subject.receiver.count()?;
            let times = senders::time_command(subject, carrier, kind, self.sessions)?;
            subject.receiver.wait_for(before + self.sessions)?;
            let outcome = Outcome::default().value("new", median(&times)).series("times", times);
            if round >= self.counted_rounds {
                return Ok(outcome);
            }
            let send = || senders::run_command(subject, carrier, kind);
            let Some((frames, octets)) = self.count(subject, &name, 1, send)? else { return Ok(outcome) };
            return Ok(counted(outcome, "new", frames, octets));
        }
        // The first session is not measured: its caches are cold after the other variants.
        let before = subject.receiver.count()?;
        let times = senders::run_client(subject, carrier, kind, self.sessions + 1, IN_SESSION, SHORT_PAUSE)?;
        subject.receiver.wait_for(before + (self.sessions + 1) * IN_SESSION)?;
        let sessions = times.get(1..).unwrap_or_default();
        let new: Vec<f64> = sessions.iter().filter_map(|session| session.first().copied()).collect();
        let open: Vec<f64> = sessions.iter().flat_map(|session| session.iter().skip(1)).copied().collect();
        let outcome = Outcome::default().value("new", median(&new)).value("open", median(&open));
        if round >= self.counted_rounds {
            return Ok(outcome);
        }
        let count = |number: usize| {
            let send = || senders::run_client(subject, carrier, kind, 1, number, LONG_PAUSE).map(drop);
            self.count(subject, &format!("{name}_{number}"), number, send)
        };
        let (Some(one), Some(several)) = (count(1)?, count(COUNTED)?) else { return Ok(outcome) };
        let each = |several: f64, one: f64| (several - one) / (COUNTED - 1) as f64;
        let outcome = counted(outcome, "new", one.0, one.1);
        Ok(counted(outcome, "open", each(several.0, one.0), each(several.1, one.1)))
    }
}

impl NotificationCost {
    /// Returns the frames and octets of the notifications that `send` sends; `None` without an
    /// observer.
    fn count(
        &self,
        subject: &Subject,
        name: &str,
        number: usize,
        send: impl Fn() -> Result<(), Skipped>,
    ) -> Result<Option<(f64, f64)>, Skipped> {
        let before = subject.receiver.count()?;
        let observation = Observation::start(&subject.topology, self.pcap.as_deref(), name, Detail::Headers)?;
        let Some(observation) = observation else { return Ok(None) };
        send()?;
        subject.receiver.wait_for(before + number)?;
        let totals = observation.finish()?.totals(|_| true);
        Ok(Some((totals.frames() as f64, totals.octets() as f64)))
    }
}

fn counted(outcome: Outcome, session: &str, frames: f64, octets: f64) -> Outcome {
    outcome.value(&format!("{session}_frames"), frames).value(&format!("{session}_octets"), octets)
}

const NAME: &str = "notification-cost";
const TRAPD: &str = "portreeve-trapd";
const SNMPTRAPD: &str = "snmptrapd";
/// Our library in one process.
const LIBRARY: &str = "library";
/// Net-SNMP's commands.
const COMMAND: &str = "net-snmp";
/// The number of notifications in a session whose time is measured.
const IN_SESSION: usize = 6;
/// The number of notifications in a session whose frames are counted.
const COUNTED: usize = 3;
const SHORT_PAUSE: Duration = Duration::from_millis(1);
/// Longer than the kernel delays an acknowledgement of TCP, so that each notification has its own.
const LONG_PAUSE: Duration = Duration::from_millis(50);
