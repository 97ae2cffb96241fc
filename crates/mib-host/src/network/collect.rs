//! Creates snapshots of the network.

use std::io;

use portreeve_smi::Timestamp;

use super::{
    MAX_ROWS, Network, NetworkSource, NetworkText, Route, routes,
    sockets::{self, ProcLine},
};
use crate::Collect;

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
        self.text.clear();
        match self.source.read(which, &mut self.text) {
            // A kernel without IPv6 does not have the files for it. A missing file counts as empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.text.clear(),
            other => other?,
        }
        Ok(&self.text)
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
        for which in [NetworkText::Tcp, NetworkText::Tcp6] {
            ProcLine::all(self.text(which)?).for_each(|line| next.add_tcp(&line));
        }
        for which in [NetworkText::Udp, NetworkText::Udp6] {
            ProcLine::all(self.text(which)?).for_each(|line| next.add_udp(&line));
        }
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
        self.socket_tables().into_iter().for_each(Vec::clear);
    }

    fn add_tcp(&mut self, line: &ProcLine) {
        if line.is_ipv4() {
            self.tcp_ipv4.push(line.tcp_ipv4_row());
        }
        if line.is_listening() {
            self.tcp_listeners.push(line.tcp_listener_row());
        } else {
            self.tcp_connections.push(line.tcp_connection_row());
        }
    }

    fn add_udp(&mut self, line: &ProcLine) {
        if line.is_ipv4() {
            self.udp_ipv4.push(line.udp_ipv4_row());
        }
        self.udp_endpoints.push(line.udp_endpoint_row());
    }

    fn arrange(&mut self) {
        self.addresses.sort_unstable();
        self.addresses.dedup_by(|later, earlier| later.index == earlier.index);
        routes::arrange(&mut self.routes);
        self.socket_tables().into_iter().for_each(sockets::arrange);
    }

    fn socket_tables(&mut self) -> [&mut Vec<super::SocketRow>; 5] {
        [
            &mut self.tcp_ipv4,
            &mut self.tcp_connections,
            &mut self.tcp_listeners,
            &mut self.udp_ipv4,
            &mut self.udp_endpoints,
        ]
    }
}
