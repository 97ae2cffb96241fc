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
        // The CPU time of the agent for the other session must not be counted.
        let idle = self.library_cpu(&self.library_words(&job.clone().times(0), 1)?)?.1;
        let (sessions, spent) = self.library_cpu(&self.library_words(job, 1)?)?;
        let count = sessions.len().max(1) as f64;
        let agent_cpu = spent.zip(idle).map(|(spent, idle)| (spent - idle) / count);
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
