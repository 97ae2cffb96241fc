//! Captures the frames of jobs and commands at the observer of a site.

use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use portreeve_lab_net::pcap::PcapWriter;
use portreeve_lab_net::{Capture, Captured, Detail};

use super::Site;
use crate::client::{ClientCommand, Phases};
use crate::error::{Context as _, Result};

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
        if !self.topology.has_observer() {
            return Ok(None);
        }
        let file = self.pcap.as_ref().map(|pcap| pcap.join(format!("{}.pcap", name.replace('/', "-"))));
        let file = file.filter(|file| !file.exists());
        let detail = if file.is_some() { Detail::Octets } else { detail };
        let capture = Capture::start(&self.topology, detail)?;
        let result = work(self)?;
        let captured = capture.take_when_quiet(QUIET, QUIET_LIMIT)?;
        if !captured.is_complete() {
            return Err("the capture has lost frames".into());
        }
        if let Some(file) = file {
            let writer = BufWriter::new(File::create(&file).context(file.display())?);
            let mut writer = PcapWriter::new(writer)?;
            captured.write(&mut writer)?;
            writer.finish()?;
        }
        Ok(Some((captured, result)))
    }
}

/// The time without frames after which a session has ended, and the maximum time to wait for that.
const QUIET: Duration = Duration::from_millis(20);
const QUIET_LIMIT: Duration = Duration::from_secs(2);
