//! Creates snapshots of the network.

use std::io;

use portreeve_smi::Timestamp;

use super::{Network, NetworkSource, NetworkText, Route, routes};
use crate::{Collect, MAX_ROWS, proc_file};

/// Reads the network from a source.
pub struct NetworkCollect<S> {
    source: S,
    text: String,
}

impl<S: NetworkSource> NetworkCollect<S> {
    /// Creates a collector that reads from `source`.
    pub fn new(source: S) -> Self {
        Self { source, text: String::new() }
    }

    fn text(&mut self, which: NetworkText) -> io::Result<&str> {
        proc_file::replace(&mut self.text, |text| self.source.read(which, text))
    }
}

impl<S: NetworkSource> Collect for NetworkCollect<S> {
    type Snapshot = Network;

    fn collect(&mut self, _: Timestamp, _: &Network, next: &mut Network) -> io::Result<()> {
        next.clear();
        next.counters.read_pairs(self.text(NetworkText::Counters)?);
        next.counters.read_pairs(self.text(NetworkText::ExtendedCounters)?);
        next.counters.read_lines(self.text(NetworkText::Counters6)?);
        next.counters.derive_missing();
        next.messages = next.counters.message_types();
        next.fragment_time = self.text(NetworkText::FragmentTime)?.trim().parse().unwrap_or_default();
        self.source.addresses(&mut |address| {
            if next.addresses.len() < MAX_ROWS {
                next.addresses.push(address);
            }
        })?;
        self.source.routes(&mut |hop| {
            if next.routes.len() < MAX_ROWS {
                next.routes.push(Route::from(hop));
            }
        })?;
        next.arrange();
        Ok(())
    }
}

impl Network {
    fn clear(&mut self) {
        self.counters.clear();
        self.addresses.clear();
        self.routes.clear();
    }

    fn arrange(&mut self) {
        self.addresses.sort_unstable();
        self.addresses.dedup_by(|later, earlier| later.index == earlier.index);
        routes::arrange(&mut self.routes);
    }
}
