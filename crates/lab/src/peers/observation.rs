//! The frames that the observer captures during a measurement.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portreeve_lab_net::pcap::PcapWriter;
use portreeve_lab_net::{Capture, Captured, Detail, Topology};

use crate::error::{Context as _, Result};
use crate::private_file;

/// A capture that runs.
pub(crate) struct Observation {
    capture: Capture,
    /// The file for captured frames, if they are kept.
    file: Option<PathBuf>,
}

impl Observation {
    /// Starts a capture; `None` without an observer. `name` is the name of the file if captured
    /// frames are kept; an existing file is not replaced. Frames that are kept have their octets,
    /// whatever `detail` is.
    pub(crate) fn start(
        topology: &Topology,
        pcap: Option<&Path>,
        name: &str,
        detail: Detail,
    ) -> Result<Option<Self>> {
        if !topology.has_observer() {
            return Ok(None);
        }
        let file = pcap.map(|pcap| pcap.join(format!("{}.pcap", name.replace('/', "-"))));
        let file = file.filter(|file| !file.exists());
        let detail = if file.is_some() { Detail::Octets } else { detail };
        Ok(Some(Self { capture: Capture::start(topology, detail)?, file }))
    }

    /// Returns the captured frames when no more of them arrive.
    pub(crate) fn finish(self) -> Result<Captured> {
        let captured = self.capture.take_when_quiet(QUIET, QUIET_LIMIT)?;
        if !captured.is_complete() {
            return Err("the capture has lost frames".into());
        }
        if let Some(file) = self.file {
            let writer = BufWriter::new(private_file::create(&file).context(file.display())?);
            let mut writer = PcapWriter::new(writer)?;
            captured.write(&mut writer)?;
            writer.finish()?;
        }
        Ok(captured)
    }
}

/// The time without frames after which a session has ended: longer than the 40 ms for which the
/// kernel delays the acknowledgement of a TCP segment.
const QUIET: Duration = Duration::from_millis(60);
/// The maximum time to wait for that.
const QUIET_LIMIT: Duration = Duration::from_secs(5);
