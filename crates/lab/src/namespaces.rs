//! The network of `bench`: the client's and the server's network namespace. Needs root.

use std::net::Ipv4Addr;
use std::process::Command;

use portreeve_lab_net::{Cleaner, Pair, Place};

use crate::error::Result;

/// The pair of namespaces. They have no names, and end with this process.
pub(crate) struct Namespaces(Pair);

impl Namespaces {
    /// Creates both namespaces. The server's namespace has at least `interfaces` interfaces:
    /// loopback, the link to the client, and idle interfaces. If their number is odd, the last one
    /// has its peer in the client's namespace.
    pub(crate) fn new(interfaces: usize) -> Result<Self> {
        let pair = Pair::new(&Cleaner::start_own()?)?;
        if interfaces > 0 {
            pair.set_interfaces(interfaces)?;
        }
        Ok(Self(pair))
    }

    /// Disables segmentation offload, so that counters count frames as on a real link.
    pub(crate) fn send_segments_one_by_one(&self) -> Result<()> {
        Ok(self.0.send_segments_one_by_one()?)
    }

    /// Returns a command that runs `program` in the client's namespace.
    pub(crate) fn in_client(&self, core: Option<usize>, program: &str) -> Result<Command> {
        inside(self.0.client(), core, program)
    }

    /// Returns a command that runs `program` in the server's namespace.
    pub(crate) fn in_server(&self, core: Option<usize>, program: &str) -> Result<Command> {
        inside(self.0.server(), core, program)
    }
}

fn inside(place: &Place, core: Option<usize>, program: &str) -> Result<Command> {
    let Some(core) = core else { return Ok(place.command(program)) };
    let mut command = place.command(std::env::current_exe()?);
    command.args(["on-core", &core.to_string(), program]);
    Ok(command)
}

/// The name of the interface at each end of the link.
pub(crate) const LINK: &str = Pair::INTERFACE;

/// The address of the server's end of the link.
pub(crate) const SERVER: Ipv4Addr = Pair::SERVER;
