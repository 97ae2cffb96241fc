//! A running agent, its rows, and the last SET on each of them.

use std::time::{Duration, Instant};

use portreeve_snmp_manager::{Client, Request};

use super::agent::SetAgent;
use super::{Version, client, rows};
use crate::error::{Context, Result};
use crate::experiments::usage::octets_written;
use crate::process::Server;

/// A running agent whose rows have been created.
pub(super) struct Subject {
    agent: SetAgent,
    server: Server,
    /// The serial number of the last SET on each block of rows.
    last_serials: Vec<u32>,
    /// The serial number of the next SET.
    serial: u32,
}

/// One measurement.
pub(super) struct Timing {
    /// The time from the first request to the last response.
    pub(super) elapsed: Duration,
    /// The time from each SET to its response.
    pub(super) latencies: Vec<Duration>,
    /// The number of octets that the agent has written to files, divided by the number of SETs.
    pub(super) octets_per_set: usize,
}

impl Subject {
    /// Starts the agent with a command prefix, and creates the rows of `blocks` blocks.
    pub(super) fn start(agent: SetAgent, blocks: usize, prefix: &[String]) -> Result<Self> {
        let server = agent.start(prefix)?;
        let mut client = client::open(agent.address, Version::V2c, TIMEOUT)?;
        let creations: Vec<Request> = (0..blocks).map(rows::creation).collect();
        client::exchange(&mut client, &creations, 1).context("cannot create the rows")?;
        Ok(Self { agent, server, last_serials: vec![0; blocks], serial: 1 })
    }

    /// Executes `sets` SETs on the blocks in turn.
    pub(super) fn execute(&mut self, sets: usize, version: Version, outstanding: usize) -> Result<Timing> {
        let mut client = self.client(version)?;
        // Performs the discovery of USM before the measurement.
        client::request(&mut client, &rows::reading(0))?;
        let blocks = self.last_serials.len();
        let requests: Vec<Request> = (self.serial..)
            .zip(0..sets)
            .map(|(serial, number)| rows::change(number % blocks, serial))
            .collect();
        let before = octets_written(self.server.id())?;
        let started = Instant::now();
        let latencies = client::exchange(&mut client, &requests, outstanding)?;
        let elapsed = started.elapsed();
        let octets_per_set = (octets_written(self.server.id())? - before) / sets;
        for number in 0..sets {
            if let Some(last) = self.last_serials.get_mut(number % blocks) {
                *last = self.serial;
            }
            self.serial += 1;
        }
        Ok(Timing { elapsed, latencies, octets_per_set })
    }

    /// Kills the agent, starts it again, and checks the last value of each variable. Returns their
    /// number.
    pub(super) fn kill_and_check(self) -> Result<usize> {
        self.server.kill()?;
        let _restarted = self.agent.start(&[])?;
        let mut client = client::open(self.agent.address, Version::V2c, TIMEOUT)?;
        for (block, serial) in self.last_serials.iter().enumerate() {
            let response = client::request(&mut client, &rows::reading(block))?;
            rows::check(block, *serial, &response).context("after SIGKILL and a new start")?;
        }
        Ok(self.last_serials.len() * rows::VARIABLES)
    }

    fn client(&self, version: Version) -> Result<Client> {
        client::open(self.agent.address, version, TIMEOUT)
    }
}

/// The time after which a request counts as lost. Requests are not repeated.
const TIMEOUT: Duration = Duration::from_secs(20);
