//! The Internet protocols of this machine: their counters, sockets, addresses and routes, for
//! TCP-MIB, UDP-MIB, IP-MIB and IP-FORWARD-MIB.
//!
//! Counters and sockets are read from `/proc/net`; addresses and routes are requested by netlink.
//! Every table is limited to its first [`MAX_ROWS`] rows, so that the number of connections cannot
//! make a snapshot larger. The process that owns a socket is not reported, because that would
//! require reading the open files of all processes.

mod addresses;
mod collect;
mod counters;
mod ip;
mod routes;
mod sockets;
mod source;
mod tcp;
mod udp;

use portreeve_mib::Instrumentation;

pub use addresses::InterfaceAddress;
pub use collect::NetworkCollect;
pub use counters::{Counters, MessageType};
pub use routes::{KernelRoute, Route};
pub use sockets::SocketRow;
pub use source::{KernelNetworkSource, NetworkSource, NetworkText};

use crate::{Collector, snapshot_objects::SnapshotObjects};

/// A snapshot of the network. All rows are sorted by index, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The counters of the protocols.
    pub counters: Counters,
    /// The time for which IPv4 fragments are kept, in seconds.
    pub fragment_time: i32,
    /// The rows of icmpMsgStatsTable.
    pub messages: Vec<MessageType>,
    /// The rows of ipAddrTable.
    pub addresses: Vec<InterfaceAddress>,
    /// The rows of inetCidrRouteTable.
    pub routes: Vec<Route>,
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

/// The maximum number of rows of a table.
pub const MAX_ROWS: usize = 65_536;

/// Creates the instrumentations of all objects, for one worker.
pub fn instrumentations(collector: &Collector<Network>) -> Vec<Box<dyn Instrumentation>> {
    let leaves = [tcp::LEAVES, udp::LEAVES, ip::LEAVES, ip::STATISTICS, routes::LEAVES];
    leaves
        .into_iter()
        .map(|leaves| Box::new(SnapshotObjects::new(collector.view(), leaves)) as Box<_>)
        .collect()
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
