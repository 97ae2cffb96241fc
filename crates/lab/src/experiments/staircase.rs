//! `staircase`: the configuration of 1 to 100 000 objects by SNMP SET and by NETCONF `edit-config`
//! (paper 003).
//!
//! ```text
//! unmeasured: remove all entries, create those of the M objects
//! measured:   change the M objects: SETs one after the other, or one edit-config
//! ```
//! Requests are built before the session is opened. Frames are counted in operations of their own,
//! so that the capture does not disturb the measurement of time.

mod draw;
mod variants;

use portreeve_lab_report::sample::Variant;

use crate::client::{EditJob, EditKind, Phases};
use crate::frame_counts::FrameCounts;
use crate::harness::{Context, Experiment, Need, Outcome, Peer, Prepared, Skipped};
use crate::peers::{Site, SiteOptions};
use variants::Work;

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Configuration of 1 to 100 000 objects",
    papers: &["003 Tables 1-5", "003 Figs 4-7"],
    needs: &[Need::Ours("portreeved")],
    accepts_target: false,
    prepare,
    draw: draw::draw,
};

struct Staircase {
    ours: Site,
    netconfd: Option<Site>,
    works: Vec<Work>,
    unavailable: Vec<(Variant, Skipped)>,
    /// The serial number of the last values.
    serial: usize,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    let options = SiteOptions { stair: true, ..SiteOptions::default() };
    let mut ours = Site::ours(context, options)?;
    // Without NETCONF, there is nothing to compare, and no way to create the entries.
    ours.run(EditJob { kind: EditKind::Reset, objects: 1, serial: 0 })?;
    let (mut works, mut unavailable) = (Vec::new(), Vec::new());
    variants::add_snmp(&ours, context.effort(), &mut works, &mut unavailable);
    variants::add_netconf(OURS, context.effort(), &mut works);
    let mut netconfd = None;
    if context.wants(Peer::Netconfd) {
        match Site::netconfd(context, options) {
            Ok(site) => {
                netconfd = Some(site);
                variants::add_netconf(Peer::Netconfd.name(), context.effort(), &mut works);
            }
            Err(error) => unavailable.push((Variant::of([("agent", Peer::Netconfd.name())]), error.into())),
        }
    }
    Ok(Box::new(Staircase { ours, netconfd, works, unavailable, serial: 0 }))
}

impl Prepared for Staircase {
    fn variants(&self) -> Vec<Variant> {
        self.works.iter().map(|work| work.variant.clone()).collect()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        self.unavailable.clone()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let work = self.works.iter().find(|work| work.variant == *variant).ok_or("unknown variant")?;
        let site = match variant.get("agent") {
            Some(OURS) => &mut self.ours,
            _ => self.netconfd.as_mut().ok_or("netconfd does not run")?,
        };
        let outcome = measure(site, work, &mut self.serial, round);
        if outcome.is_err() {
            // A server that has refused or ended a session may not be usable any more.
            site.restart()?;
        }
        outcome
    }
}

fn measure(site: &mut Site, work: &Work, serial: &mut usize, round: usize) -> Result<Outcome, Skipped> {
    let mut next_serial = || {
        *serial += 1;
        *serial
    };
    let reset = EditJob { kind: EditKind::Reset, objects: work.objects, serial: next_serial() };
    site.run(reset)?;
    site.settle()?;
    let measured = site.run(work.command(next_serial()))?;
    let phases = measured.sessions.first().ok_or("the client has measured nothing")?;
    let mut outcome = Outcome::default()
        .value("time", operation_time(phases))
        .value("total", phases.total)
        .value("open", phases.open)
        .value("transactions", phases.exchanges as f64)
        .known("agent_cpu", measured.agent_cpu);
    if round < COUNTED_ROUNDS {
        let name = format!("staircase {}", work.variant).replace(' ', "_");
        if let Some(captured) = site.capture(work.command(next_serial()), &name)? {
            let mut counts = FrameCounts::default();
            captured.frames().iter().for_each(|frame| counts.add(frame.packet.as_ref(), frame.octets));
            outcome = outcome
                .value("frames", counts.frames as f64)
                .value("octets", counts.octets as f64)
                .value("transport_octets", counts.transport_octets as f64)
                .value("frames_with_ports", counts.frames_with_ports as f64)
                .value("transport_octets_with_ports", counts.transport_octets_with_ports as f64);
        }
    }
    Ok(outcome)
}

/// Returns the time from the first request to the last response, as the paper defines it.
fn operation_time(phases: &Phases) -> f64 {
    phases.first + phases.rest
}

const NAME: &str = "staircase";
/// The name of our agent in variants.
const OURS: &str = "portreeved";
/// The number of rounds in which frames are counted. Their number hardly varies.
const COUNTED_ROUNDS: usize = 3;
