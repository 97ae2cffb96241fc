//! Counts whole Ethernet frames at the client's end of the link, in both directions.

use std::{fs, thread, time::Duration};

use crate::error::{Context, Result};
use crate::namespaces::LINK;

/// Number of frames and octets since the interface was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frames {
    pub(super) packets: u64,
    pub(super) octets: u64,
}

impl Frames {
    /// Waits until no frames have passed for a moment, then reads the counters.
    pub(super) fn read_when_quiet() -> Result<Self> {
        let mut last = Self::now()?;
        loop {
            thread::sleep(QUIET_INTERVAL);
            let now = Self::now()?;
            if now == last {
                return Ok(now);
            }
            last = now;
        }
    }

    fn now() -> Result<Self> {
        let read = |counter: &str| -> Result<u64> {
            let file = format!("/sys/class/net/{LINK}/statistics/{counter}");
            Ok(fs::read_to_string(&file).context(&file)?.trim().parse()?)
        };
        Ok(Self {
            packets: read("tx_packets")? + read("rx_packets")?,
            octets: read("tx_bytes")? + read("rx_bytes")?,
        })
    }
}

const QUIET_INTERVAL: Duration = Duration::from_millis(20);
