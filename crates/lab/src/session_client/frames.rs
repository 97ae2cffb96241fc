//! Whole Ethernet frames at the client's end of the link, both ways.

use std::{fs, thread, time::Duration};

use crate::failure::{Context, Result};
use crate::namespaces::LINK;

/// What has passed since the interface was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frames {
    pub(super) packets: u64,
    pub(super) octets: u64,
}

impl Frames {
    /// Once nothing has passed for a moment.
    pub(super) fn settled() -> Result<Self> {
        let mut last = Self::now()?;
        loop {
            thread::sleep(QUIET);
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

const QUIET: Duration = Duration::from_millis(20);
