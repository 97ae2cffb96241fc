//! Jobs that Net-SNMP's library does instead of our client.

use portreeve_lab_net::{Captured, Detail};

use super::{Measured, Site};
use crate::client::{Job, Phases};
use crate::error::Result;
use crate::experiments::usage::cpu;
use crate::harness::Skipped;
use crate::peers::net_snmp;

impl Site {
    /// Checks that Net-SNMP's library can do a job.
    pub(crate) fn check_library(&self, job: &Job) -> std::result::Result<(), Skipped> {
        self.library_words(job, 0).map(drop)
    }

    /// Runs a job with Net-SNMP's library instead of our client, in a process of its own, after a
    /// session that is not measured.
    pub(crate) fn run_library(&mut self, job: &Job) -> std::result::Result<Measured, Skipped> {
        let (sessions, spent) = self.library_cpu(&self.library_words(job, WARM_UPS)?)?;
        // The agent's work for the session before is the same.
        let agent_cpu = spent.map(|spent| spent / (sessions.len() + WARM_UPS) as f64);
        Ok(Measured { sessions, agent_cpu })
    }

    /// Runs one session of a job with Net-SNMP's library and captures its frames, like
    /// [`Self::capture`].
    pub(crate) fn capture_library(
        &mut self,
        job: &Job,
        name: &str,
    ) -> std::result::Result<Option<Captured>, Skipped> {
        let words = self.library_words(job, 0)?;
        let observed = self.observe_during(name, Detail::Headers, |site| site.read_command(&words))?;
        Ok(observed.map(|(captured, _)| captured))
    }

    pub(super) fn library_words(
        &self,
        job: &Job,
        warm_up: usize,
    ) -> std::result::Result<Vec<String>, Skipped> {
        let library = self.library.as_ref().map_err(Clone::clone)?;
        library.words(job, &self.credentials, warm_up)
    }

    /// Runs Net-SNMP's library; returns the phases of its sessions and the agent's CPU time.
    fn library_cpu(&self, words: &[String]) -> Result<(Vec<Phases>, Option<f64>)> {
        let agent = self.agent_id();
        let before = agent.map(cpu).transpose()?;
        let sessions = net_snmp::parse(&self.read_command(words)?)?;
        let after = agent.map(cpu).transpose()?;
        Ok((sessions, before.zip(after).map(|(before, after)| after - before)))
    }
}

/// The sessions in which Net-SNMP's library prepares what it needs only once.
const WARM_UPS: usize = 1;
