//! The TCP and UDP sockets of this machine, for the tables of TCP-MIB and UDP-MIB.
//!
//! They have a collector of their own, because reading them takes much longer than all other data
//! of the network: for a list of TCP sockets, the kernel searches its whole hash table of
//! connections, even if there are none. Only requests for these tables cause a read.
//!
//! Every table is limited to its first [`MAX_ROWS`](crate::MAX_ROWS) rows, so that the number of
//! connections cannot make a snapshot larger. The process that owns a socket is not reported,
//! because that would require reading the open files of all processes.

mod collect;
mod row;
mod source;
mod tcp;
mod udp;

use portreeve_mib::Instrumentation;

pub use collect::SocketCollect;
pub use row::SocketRow;
pub(crate) use row::push_address;
pub use source::{KernelSocketSource, SocketFile, SocketSource};

use crate::{Collector, snapshot_objects::SnapshotObjects};

/// A snapshot of the sockets. All rows are sorted by index, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sockets {
    /// The rows of tcpConnTable: all IPv4 sockets, including those that listen.
    pub tcp_ipv4: Vec<SocketRow>,
    /// The rows of tcpConnectionTable.
    pub tcp_connections: Vec<SocketRow>,
    /// The rows of tcpListenerTable.
    pub tcp_listeners: Vec<SocketRow>,
    /// The rows of udpTable: IPv4 sockets only.
    pub udp_ipv4: Vec<SocketRow>,
    /// The rows of udpEndpointTable.
    pub udp_endpoints: Vec<SocketRow>,
}

/// Creates the instrumentations of all objects, for one worker.
pub fn instrumentations(collector: &Collector<Sockets>) -> Vec<Box<dyn Instrumentation>> {
    [tcp::LEAVES, udp::LEAVES]
        .into_iter()
        .map(|leaves| Box::new(SnapshotObjects::new(collector.view(), leaves)) as Box<_>)
        .collect()
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
