//! Captures the frames of jobs and commands at the observer of a site.

use portreeve_lab_net::{Captured, Detail};

use super::Site;
use crate::client::{ClientCommand, Phases};
use crate::error::Result;
use crate::peers::Observation;

impl Site {
    /// Runs a job and captures its frames; `None` without an observer. `name` is the name of the
    /// file if captured frames are kept; an existing file is not replaced.
    pub(crate) fn capture(&mut self, job: impl Into<ClientCommand>, name: &str) -> Result<Option<Captured>> {
        Ok(self.observe(job, name)?.map(|(captured, _)| captured))
    }

    /// Like [`Self::capture`], with the phases that the client measured in the same sessions.
    pub(crate) fn observe(
        &mut self,
        job: impl Into<ClientCommand>,
        name: &str,
    ) -> Result<Option<(Captured, Vec<Phases>)>> {
        self.observe_during(name, Detail::Headers, |site| site.client.run(job))
    }

    /// Like [`Self::capture`], with the octets of the frames.
    pub(crate) fn capture_octets(
        &mut self,
        job: impl Into<ClientCommand>,
        name: &str,
    ) -> Result<Option<Captured>> {
        let observed = self.observe_during(name, Detail::Octets, |site| site.client.run(job))?;
        Ok(observed.map(|(captured, _)| captured))
    }

    /// Runs a command in the client's place and captures its frames with their octets; `None`
    /// without an observer.
    pub(crate) fn capture_command(&mut self, words: &[String], name: &str) -> Result<Option<Captured>> {
        let observed = self.observe_during(name, Detail::Octets, |site| site.read_command(words))?;
        Ok(observed.map(|(captured, _)| captured))
    }

    /// Like [`Self::observe`], for everything that `work` does. Frames that are kept in a file have
    /// their octets, too.
    pub(super) fn observe_during<T>(
        &mut self,
        name: &str,
        detail: Detail,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<(Captured, T)>> {
        let started = Observation::start(&self.topology, self.pcap.as_deref(), name, detail)?;
        let Some(observation) = started else { return Ok(None) };
        let result = work(self)?;
        Ok(Some((observation.finish()?, result)))
    }
}
