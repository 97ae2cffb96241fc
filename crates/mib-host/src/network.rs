//! The Internet protocols of this machine: what they have done, their sockets, addresses and routes, as TCP-MIB,
//! UDP-MIB, IP-MIB and IP-FORWARD-MIB see them.
//!
//! Counters and sockets are texts of `/proc/net`; addresses and routes are asked for by netlink. Every table keeps at
//! most [`MAX_ROWS`] rows, those that come first, so that no number of connections makes a snapshot larger than that.
//! Which process has a socket is not told: it would mean reading the open files of all processes.

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

/// What was found. All rows are in order of their indexes, each index once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Of the protocols as a whole.
    pub counters: Counters,
    /// For how long fragments of IPv4 are kept, in seconds.
    pub fragment_time: i32,
    /// icmpMsgStatsTable.
    pub messages: Vec<MessageType>,
    /// ipAddrTable.
    pub addresses: Vec<InterfaceAddress>,
    /// inetCidrRouteTable.
    pub routes: Vec<Route>,
    /// tcpConnTable: IPv4 only, those that listen too.
    pub tcp_ipv4: Vec<SocketRow>,
    /// tcpConnectionTable.
    pub tcp_connections: Vec<SocketRow>,
    /// tcpListenerTable.
    pub tcp_listeners: Vec<SocketRow>,
    /// udpTable: IPv4 only.
    pub udp_ipv4: Vec<SocketRow>,
    /// udpEndpointTable.
    pub udp_endpoints: Vec<SocketRow>,
}

/// How many rows a table has at most.
pub const MAX_ROWS: usize = 65_536;

/// What shows all of it, for one worker.
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
