//! The source of network data: the kernel, or a test.

use std::io;

use super::{InterfaceAddress, KernelRoute, addresses, routes};
use crate::{
    netlink::{Consistency, NetlinkFamily, NetlinkRequest, NetlinkSocket},
    proc_file,
};

/// A source of files with network data and of addresses and routes.
pub trait NetworkSource: Send + 'static {
    /// Appends a file to `text`.
    ///
    /// # Errors
    /// Returns `NotFound` if this kernel does not have the file, and other errors if it cannot be
    /// read.
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()>;

    /// Calls `each` for every IPv4 address of this machine.
    ///
    /// # Errors
    /// Returns an error if the addresses cannot be read.
    fn addresses(&mut self, each: &mut dyn FnMut(InterfaceAddress)) -> io::Result<()>;

    /// Calls `each` for every next hop of every route of the main table.
    ///
    /// # Errors
    /// Returns an error if the routes cannot be read.
    fn routes(&mut self, each: &mut dyn FnMut(KernelRoute)) -> io::Result<()>;
}

/// A file in `/proc` with data about the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkText {
    /// The file `snmp`: counters of IPv4, ICMP, TCP and UDP.
    Counters,
    /// The file `netstat`: more counters of IPv4 and TCP.
    ExtendedCounters,
    /// The file `snmp6`: counters of IPv6 and ICMPv6.
    Counters6,
    /// The file `ipfrag_time`: the time for which fragments are kept.
    FragmentTime,
}

impl NetworkText {
    /// Returns the path of the file.
    pub fn path(self) -> &'static str {
        match self {
            Self::Counters => "/proc/net/snmp",
            Self::ExtendedCounters => "/proc/net/netstat",
            Self::Counters6 => "/proc/net/snmp6",
            Self::FragmentTime => "/proc/sys/net/ipv4/ipfrag_time",
        }
    }
}

/// The network data of this machine, read from its kernel.
pub struct KernelNetworkSource {
    socket: NetlinkSocket,
    addresses: NetlinkRequest,
    routes: [NetlinkRequest; 2],
}

impl KernelNetworkSource {
    /// Opens a netlink socket.
    ///
    /// # Errors
    /// Returns an error if the socket cannot be opened.
    pub fn open() -> io::Result<Self> {
        Ok(Self {
            socket: NetlinkSocket::open(NetlinkFamily::Route)?,
            addresses: addresses::request(),
            routes: routes::requests(),
        })
    }
}

impl NetworkSource for KernelNetworkSource {
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()> {
        proc_file::append(which.path(), text)
    }

    fn addresses(&mut self, each: &mut dyn FnMut(InterfaceAddress)) -> io::Result<()> {
        let found = |message: crate::netlink::NetlinkMessage<'_>| {
            if let Some(address) = addresses::read(message.payload) {
                each(address);
            }
        };
        // If addresses change during the read, the result may be inconsistent; the next read
        // corrects it.
        self.socket.request(&mut self.addresses, found).map(|_: Consistency| ())
    }

    fn routes(&mut self, each: &mut dyn FnMut(KernelRoute)) -> io::Result<()> {
        for request in &mut self.routes {
            self.socket.request(request, |message| routes::read(message.payload, each))?;
        }
        Ok(())
    }
}
