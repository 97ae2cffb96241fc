//! Creates snapshots of the interfaces.

use std::io;

use portreeve_smi::Timestamp;

use super::{IfSnapshot, Links};
use crate::Collect;

/// Reads links from a source and records the times of changes between two reads.
pub struct IfCollect<S> {
    source: S,
    up_since: Timestamp,
    first: bool,
}

/// A source of links: the kernel, or a test.
pub trait LinkSource: Send + 'static {
    /// Adds all links to `links`.
    ///
    /// # Errors
    /// Returns an error if the links cannot be read.
    fn read(&mut self, links: &mut Links<'_>) -> io::Result<()>;
}

impl<S: LinkSource> IfCollect<S> {
    /// Creates a collector that reads from `source`. `up_since` is the time when sysUpTime was 0.
    pub fn new(source: S, up_since: Timestamp) -> Self {
        Self { source, up_since, first: true }
    }
}

impl<S: LinkSource> Collect for IfCollect<S> {
    type Snapshot = IfSnapshot;

    fn collect(&mut self, now: Timestamp, last: &IfSnapshot, next: &mut IfSnapshot) -> io::Result<()> {
        next.refill(|links| self.source.read(links))?;
        let ticks = u32::try_from(now.since(self.up_since).as_millis() / 10 % (1 << 32)).unwrap_or_default();
        // Interfaces found by the first read existed before this program started; RFC 2863 requires
        // time 0 for them.
        next.update_timestamps(last, if self.first { 0 } else { ticks });
        self.first = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
