//! The Internet protocols of this machine: their counters, addresses and routes, for IP-MIB,
//! IP-FORWARD-MIB, and the scalars of TCP-MIB and UDP-MIB.
//!
//! Counters are read from `/proc/net`; addresses and routes are requested by netlink. Every table
//! is limited to its first [`MAX_ROWS`](crate::MAX_ROWS) rows.

mod addresses;
mod collect;
mod counters;
mod ip;
mod routes;
mod source;
mod tcp;
mod udp;

use portreeve_mib::Instrumentation;

pub use addresses::InterfaceAddress;
pub use collect::NetworkCollect;
pub use counters::{Counters, MessageType};
pub use routes::{KernelRoute, Route};
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
}

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
