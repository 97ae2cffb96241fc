//! Where the network is read: the kernel, or a test.

use std::{
    fs::File,
    io::{self, Read},
};

use super::{Address, Hop, addresses, routes};
use crate::netlink::{Complete, Family, Request, Socket};

/// Texts about the network, its addresses and routes.
pub trait NetworkSource: Send + 'static {
    /// Appends a text. One that this kernel does not have is `NotFound`.
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()>;

    /// Hands every IPv4 address of this machine to `each`.
    fn addresses(&mut self, each: &mut dyn FnMut(Address)) -> io::Result<()>;

    /// Hands every next hop of every route of the main table to `each`.
    fn routes(&mut self, each: &mut dyn FnMut(Hop)) -> io::Result<()>;
}

/// A file of `/proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkText {
    /// `snmp`: counters of IPv4, ICMP, TCP and UDP
    Counters,
    /// `netstat`: more of them
    MoreCounters,
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
            Self::MoreCounters => "/proc/net/netstat",
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
pub struct Kernel {
    socket: Socket,
    addresses: Request,
    routes: [Request; 2],
}

impl Kernel {
    /// Opens the way to it.
    pub fn open() -> io::Result<Self> {
        Ok(Self {
            socket: Socket::open(Family::Route)?,
            addresses: addresses::request(),
            routes: routes::requests(),
        })
    }
}

impl NetworkSource for Kernel {
    fn read(&mut self, which: NetworkText, text: &mut String) -> io::Result<()> {
        File::open(which.path())?.take(LONGEST_TEXT).read_to_string(text).map(drop)
    }

    fn addresses(&mut self, each: &mut dyn FnMut(Address)) -> io::Result<()> {
        let found = |message: crate::netlink::Message<'_>| {
            if let Some(address) = addresses::read(message.payload) {
                each(address);
            }
        };
        // What changed meanwhile is seen the next time.
        self.socket.ask(&mut self.addresses, found).map(|_: Complete| ())
    }

    fn routes(&mut self, each: &mut dyn FnMut(Hop)) -> io::Result<()> {
        for request in &mut self.routes {
            self.socket.ask(request, |message| routes::read(message.payload, each))?;
        }
        Ok(())
    }
}

/// Enough for as many sockets as are shown; a line has some 150 octets.
const LONGEST_TEXT: u64 = 16 << 20;
