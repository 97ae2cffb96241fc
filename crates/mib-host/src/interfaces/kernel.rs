//! Reads links from the kernel.

use std::io;

use super::{LinkSource, Links, speed::Speeds};
use crate::netlink::{Consistency, NetlinkFamily, NetlinkRequest, NetlinkSocket};

/// The links of this process's network namespace.
pub struct KernelLinkSource {
    socket: NetlinkSocket,
    all_links: NetlinkRequest,
    speeds: Option<Speeds>,
}

impl KernelLinkSource {
    /// Opens a netlink socket; needs no privileges.
    ///
    /// # Errors
    /// Returns an error if the socket cannot be opened.
    pub fn open() -> io::Result<Self> {
        Ok(Self {
            socket: NetlinkSocket::open(NetlinkFamily::Route)?,
            all_links: NetlinkRequest::dump(RTM_GETLINK, &[0; LINK_HEADER]),
            // If the kernel lacks the ethtool family, all speeds are unknown, and ifSpeed is 0.
            speeds: Speeds::open().ok(),
        })
    }

    /// Reads all links without their speeds, once.
    pub(super) fn read_once(&mut self, links: &mut Links<'_>) -> io::Result<Consistency> {
        links.clear();
        self.socket.request(&mut self.all_links, |message| {
            if message.kind == RTM_NEWLINK && links.next_free().read(message.payload).is_none() {
                links.discard_last();
            }
        })
    }
}

impl LinkSource for KernelLinkSource {
    fn read(&mut self, links: &mut Links<'_>) -> io::Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            if self.read_once(links)? == Consistency::Consistent {
                break;
            }
        }
        links.arrange();
        if let Some(speeds) = &mut self.speeds {
            // Errors are ignored: if the speeds cannot be read, the counters are still valid.
            let _ = speeds.read(links);
        }
        Ok(())
    }
}

/// The maximum number of dumps. If interfaces change constantly, no dump is consistent, and the
/// last one is used.
const MAX_ATTEMPTS: usize = 4;

/// The size of `struct ifinfomsg` in bytes.
const LINK_HEADER: usize = 16;
const RTM_NEWLINK: u16 = 16;
const RTM_GETLINK: u16 = 18;

#[cfg(test)]
mod tests;
