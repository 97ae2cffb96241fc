//! Two network namespaces that one virtual Ethernet link connects, without an observer.
//!
//! Frames pass no bridge and the kernel's offloads stay enabled, so that throughput is as high as
//! virtual Ethernet permits. A [`Topology`](crate::Topology) counts frames instead.

use std::net::{IpAddr, Ipv4Addr};

use crate::cleaner::Cleaner;
use crate::error::Result;
use crate::interfaces::{self, InterfaceKind};
use crate::place::Place;
use crate::program::Program;
use crate::topology::INTERFACE;

/// Two network namespaces that one link connects.
pub struct Pair {
    client: Place,
    server: Place,
}

impl Pair {
    /// Creates both namespaces and the link. Needs root.
    ///
    /// # Errors
    /// `Unavailable` without root, without network namespaces, or without the program `ip`.
    pub fn new(cleaner: &Cleaner) -> Result<Self> {
        let client = Place::isolated("client", vec![IpAddr::V4(Self::CLIENT)], cleaner)?;
        let server = Place::isolated("server", vec![IpAddr::V4(Self::SERVER)], cleaner)?;
        let connect = format!(
            "link add {INTERFACE} type veth peer name {INTERFACE} netns {}",
            client.namespace_path().display()
        );
        Program::Ip.run(&server, &["-batch", "-"], &connect)?;
        for (place, address) in [(&client, Self::CLIENT), (&server, Self::SERVER)] {
            let commands =
                format!("address add {address}/24 dev {INTERFACE}\nlink set {INTERFACE} up\nlink set lo up");
            Program::Ip.run(place, &["-batch", "-"], &commands)?;
        }
        Ok(Self { client, server })
    }

    /// Returns the place of the programs that send requests.
    #[must_use]
    pub fn client(&self) -> &Place {
        &self.client
    }

    /// Returns the place of the programs that answer them.
    #[must_use]
    pub fn server(&self) -> &Place {
        &self.server
    }

    /// Makes `total` interfaces exist in the server's namespace, including the loopback interface
    /// and the link. The others are virtual Ethernet interfaces and idle.
    ///
    /// # Errors
    /// `Failed` if `total` is less than 2 or too large.
    pub fn set_interfaces(&self, total: usize) -> Result<()> {
        interfaces::set(&self.server, &self.client, InterfaceKind::Veth, total)
    }

    /// Disables segmentation offload, so that interfaces count the frames of a real link.
    ///
    /// # Errors
    /// The error of the program `ip`.
    pub fn send_segments_one_by_one(&self) -> Result<()> {
        for place in [&self.client, &self.server] {
            Program::Ip.run(place, &["link", "set", INTERFACE, "gso_max_segs", "1"], "")?;
        }
        Ok(())
    }

    /// The address of the client's end of the link.
    pub const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 101, 0, 1);
    /// The address of the server's end of the link.
    pub const SERVER: Ipv4Addr = Ipv4Addr::new(10, 101, 0, 2);
    /// The name of the interface at each end of the link.
    pub const INTERFACE: &str = INTERFACE;
}
