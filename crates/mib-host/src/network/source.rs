//! Where the network is read: the kernel, or a test.

use std::{
    fs::File,
    io::{self, Read},
};

use super::{InterfaceAddress, KernelRoute, addresses, routes};
use crate::netlink::{Consistency, NetlinkFamily, NetlinkRequest, NetlinkSocket};

/// Texts about the network, its addresses and routes.
pub trait NetworkSource: Send + 'static {
    /// Appends a text. One that this kernel does not have is `NotFound`.
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()>;

    /// Hands every IPv4 address of this machine to `each`.
    fn addresses(&mut self, each: &mut dyn FnMut(InterfaceAddress)) -> io::Result<()>;

    /// Hands every next hop of every route of the main table to `each`.
    fn routes(&mut self, each: &mut dyn FnMut(KernelRoute)) -> io::Result<()>;
}

/// A file of `/proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkText {
    /// `snmp`: counters of IPv4, ICMP, TCP and UDP
    Counters,
    /// `netstat`: more of them
    ExtendedCounters,
    /// `snmp6`: counters of IPv6 and its ICMP
    Counters6,
    /// `tcp`
    Tcp,
    /// `tcp6`
    Tcp6,
    /// `udp`
    Udp,
    /// `udp6`
    Udp6,
    /// `ipfrag_time`: for how long fragments are kept
    FragmentTime,
}

impl NetworkText {
    /// Where it lies.
    pub fn path(self) -> &'static str {
        match self {
            Self::Counters => "/proc/net/snmp",
            Self::ExtendedCounters => "/proc/net/netstat",
            Self::Counters6 => "/proc/net/snmp6",
            Self::Tcp => "/proc/net/tcp",
            Self::Tcp6 => "/proc/net/tcp6",
            Self::Udp => "/proc/net/udp",
            Self::Udp6 => "/proc/net/udp6",
            Self::FragmentTime => "/proc/sys/net/ipv4/ipfrag_time",
        }
    }
}

/// This machine's kernel.
pub struct KernelNetworkSource {
    socket: NetlinkSocket,
    addresses: NetlinkRequest,
    routes: [NetlinkRequest; 2],
}

impl KernelNetworkSource {
    /// Opens the way to it.
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
        File::open(which.path())?.take(MAX_PROC_FILE_SIZE).read_to_string(text).map(drop)
    }

    fn addresses(&mut self, each: &mut dyn FnMut(InterfaceAddress)) -> io::Result<()> {
        let found = |message: crate::netlink::NetlinkMessage<'_>| {
            if let Some(address) = addresses::read(message.payload) {
                each(address);
            }
        };
        // What changed meanwhile is seen the next time.
        self.socket.request(&mut self.addresses, found).map(|_: Consistency| ())
    }

    fn routes(&mut self, each: &mut dyn FnMut(KernelRoute)) -> io::Result<()> {
        for request in &mut self.routes {
            self.socket.request(request, |message| routes::read(message.payload, each))?;
        }
        Ok(())
    }
}

/// Enough for as many sockets as are shown; a line has some 150 octets.
const MAX_PROC_FILE_SIZE: u64 = 16 << 20;
