//! Makes snapshots of the interfaces.

use std::io;

use portreeve_smi::Timestamp;

use super::{IfSnapshot, Links};
use crate::Collect;

/// Reads links from a source and dates what has changed between two readings.
pub struct IfCollect<S> {
    source: S,
    up_since: Timestamp,
    first: bool,
}

/// Where links come from: the kernel, or a test.
pub trait LinkSource: Send + 'static {
    /// Hands in every link there is.
    fn read(&mut self, links: &mut Links<'_>) -> io::Result<()>;
}

impl<S: LinkSource> IfCollect<S> {
    /// Collects from `source`. `up_since` is when sysUpTime was 0.
    pub fn new(source: S, up_since: Timestamp) -> Self {
        Self { source, up_since, first: true }
    }
}

impl<S: LinkSource> Collect for IfCollect<S> {
    type Snapshot = IfSnapshot;

    fn collect(&mut self, now: Timestamp, last: &IfSnapshot, next: &mut IfSnapshot) -> io::Result<()> {
        next.refill(|links| self.source.read(links))?;
        let ticks = u32::try_from(now.since(self.up_since).as_millis() / 10 % (1 << 32)).unwrap_or_default();
        // What is there at first has been there before: RFC 2863 dates that 0.
        next.update_timestamps(last, if self.first { 0 } else { ticks });
        self.first = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
