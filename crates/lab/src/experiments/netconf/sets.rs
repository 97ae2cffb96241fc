//! The same objects by SNMP: SETs of 36 texts each, all of them durable.

use std::time::{Duration, Instant};

use super::report::Report;
use super::setup::{COMMUNITY, Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS};
use crate::error::Result;
use crate::experiments::sets::client;
use crate::experiments::stair;

/// Measures 1 and 16 outstanding SETs.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let server = setup.start(Modules::Stair, &setup.state())?;
    let mut netconf = setup.connect()?;
    netconf.send(&stair::edit("running", 1..=ENTRIES, 0))?;
    let mut times = OUTSTANDING.map(|_| Vec::new());
    for round in 0..effort.rounds {
        for (outstanding, times) in OUTSTANDING.iter().zip(&mut times) {
            let serial = 2 * round + usize::from(*outstanding > 1) + 1;
            let requests = stair::sets(LEAFS, VARIABLES, serial);
            let mut client = client::open_v2c(setup.udp, COMMUNITY, TIMEOUT)?;
            let started = Instant::now();
            client::exchange(&mut client, &requests, *outstanding)?;
            times.push(started.elapsed().as_secs_f64());
        }
    }
    // The SETs are in the tree.
    let mut octets = 0;
    netconf.send_and_read(&stair::get_config(), |part| octets += part.len())?;
    if octets < LEAFS * stair::TEXT_LENGTH {
        return Err("the entries are not complete after the SETs".into());
    }
    netconf.close()?;
    server.stop()?;
    for (outstanding, times) in OUTSTANDING.iter().zip(times) {
        let work = format!("the same {LEAFS} objects by SET, {VARIABLES} each, {outstanding} outstanding");
        report.add(work, AGENT, "s", times, (*outstanding > 1).then_some((1.0, 0.5)));
    }
    Ok(())
}

const OUTSTANDING: [usize; 2] = [1, 16];
/// Variables of a SET.
const VARIABLES: usize = 36;
/// The time after which a request counts as lost. Requests are not repeated.
const TIMEOUT: Duration = Duration::from_secs(20);
