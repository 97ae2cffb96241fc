//! Two network namespaces connected by a veth pair: the client's and the server's.
//!
//! Their names contain the process ID, so that two runs do not conflict; both namespaces with all
//! interfaces are removed on drop. Needs root.

use std::net::Ipv4Addr;
use std::process::Command;

use crate::error::{Context, Result};
use crate::process::{is_installed, output};

/// The pair of namespaces.
pub(crate) struct Namespaces {
    client: String,
    server: String,
}

impl Namespaces {
    /// Creates both namespaces. The server's namespace has `interfaces` interfaces: loopback, the
    /// link to the client, and idle interfaces.
    pub(crate) fn new(interfaces: usize) -> Result<Self> {
        if !is_installed("ip") {
            return Err("the ip command is not installed (Debian: iproute2)".into());
        }
        let pair = Self::of_this_process();
        ip(&["netns", "add", &pair.client]).context("network namespaces need root")?;
        ip(&["netns", "add", &pair.server])?;
        ip(&[
            "-n",
            &pair.server,
            "link",
            "add",
            LINK,
            "type",
            "veth",
            "peer",
            "name",
            LINK,
            "netns",
            &pair.client,
        ])?;
        for (namespace, address) in [(&pair.client, CLIENT), (&pair.server, SERVER)] {
            ip(&["-n", namespace, "address", "add", &format!("{address}/24"), "dev", LINK])?;
            ip(&["-n", namespace, "link", "set", LINK, "up"])?;
            ip(&["-n", namespace, "link", "set", "lo", "up"])?;
        }
        pair.add_idle_interfaces(interfaces)?;
        Ok(pair)
    }

    /// Disables segmentation offload, so that counters count frames as on a real link.
    pub(crate) fn send_segments_one_by_one(&self) -> Result<()> {
        for namespace in [&self.client, &self.server] {
            ip(&["-n", namespace, "link", "set", LINK, "gso_max_segs", "1"])?;
        }
        Ok(())
    }

    /// Removes the namespaces of this process after an interrupt.
    pub(crate) fn remove() {
        drop(Self::of_this_process());
    }

    fn of_this_process() -> Self {
        let id = std::process::id();
        Self { client: format!("portreeve-c{id}"), server: format!("portreeve-s{id}") }
    }

    /// Returns a command that runs `program` in the client's namespace.
    pub(crate) fn in_client(&self, core: Option<usize>, program: &str) -> Result<Command> {
        inside(&self.client, core, program)
    }

    /// Returns a command that runs `program` in the server's namespace.
    pub(crate) fn in_server(&self, core: Option<usize>, program: &str) -> Result<Command> {
        inside(&self.server, core, program)
    }

    /// Adds idle interfaces in pairs within the server's namespace. If their number is odd, the
    /// last one has its peer in the client's namespace.
    fn add_idle_interfaces(&self, wanted: usize) -> Result<()> {
        let there =
            output(Command::new("ip").args(["-n", &self.server, "-o", "link", "show"]))?.lines().count();
        let missing = wanted.saturating_sub(there);
        for pair in 0..missing / 2 {
            let (left, right) = (format!("idle{pair}a"), format!("idle{pair}b"));
            ip(&["-n", &self.server, "link", "add", &left, "type", "veth", "peer", "name", &right])?;
        }
        if missing % 2 == 1 {
            let odd = ["link", "add", "odd0", "type", "veth", "peer", "name", "odd0", "netns"];
            ip(&[&["-n", self.server.as_str()], odd.as_slice(), &[self.client.as_str()]].concat())?;
        }
        Ok(())
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        // Deleting the namespaces also removes their interfaces. A failure cannot be handled here.
        for namespace in [&self.client, &self.server] {
            let _ = Command::new("ip").args(["netns", "delete", namespace]).output();
        }
    }
}

fn inside(namespace: &str, core: Option<usize>, program: &str) -> Result<Command> {
    let mut command = Command::new("ip");
    command.args(["netns", "exec", namespace]);
    if let Some(core) = core {
        command.arg(std::env::current_exe()?).args(["on-core", &core.to_string()]);
    }
    command.arg(program);
    Ok(command)
}

fn ip(arguments: &[&str]) -> Result<()> {
    output(Command::new("ip").args(arguments)).map(drop)
}

const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 101, 0, 1);

/// The name of the interface at each end of the link.
pub(crate) const LINK: &str = "lab0";

/// The address of the server's end of the link.
pub(crate) const SERVER: Ipv4Addr = Ipv4Addr::new(10, 101, 0, 2);
