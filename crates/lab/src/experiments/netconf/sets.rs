//! The same objects by SNMP: SETs of 36 texts each, all of them durable.

use std::time::{Duration, Instant};

use portreeve_snmp_manager::{Operation, Request};

use super::report::Report;
use super::setup::{COMMUNITY, Modules, Setup};
use super::{AGENT, ENTRIES, Effort, LEAFS, stair};
use crate::error::Result;
use crate::experiments::sets::client;

/// Measures 1 and 16 outstanding SETs.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let server = setup.start(Modules::Stair, &setup.state())?;
    let mut netconf = setup.connect()?;
    netconf.send(&stair::edit("running", 1..=ENTRIES, 0))?;
    let mut times = OUTSTANDING.map(|_| Vec::new());
    for round in 0..effort.rounds {
        for (outstanding, times) in OUTSTANDING.iter().zip(&mut times) {
            let requests = requests(2 * round + usize::from(*outstanding > 1) + 1);
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

/// Returns SETs of all texts, with values that belong to `serial`.
fn requests(serial: usize) -> Vec<Request> {
    (0..LEAFS)
        .step_by(VARIABLES)
        .map(|first| {
            let mut request = Request::new(Operation::Set);
            for number in first..(first + VARIABLES).min(LEAFS) {
                let (name, value) = stair::variable(number, serial);
                request.push(&name, value.as_value());
            }
            request
        })
        .collect()
}

const OUTSTANDING: [usize; 2] = [1, 16];
/// Variables of a SET.
const VARIABLES: usize = 36;
/// The time after which a request counts as lost. Requests are not repeated.
const TIMEOUT: Duration = Duration::from_secs(20);
