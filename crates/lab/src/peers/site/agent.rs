//! The agent of a site, and its start with the settings of the lab.

use std::fs;
use std::net::TcpStream;
use std::path::Path;

use portreeve_lab_net::Topology;

use super::SiteOptions;
use crate::error::{Context as _, Result};
use crate::experiments::stair;
use crate::experiments::usage::established_connections;
use crate::peers::net_snmp::Snmpd;
use crate::peers::netconfd::{Launcher, Netconfd};
use crate::peers::portreeved::Portreeved;
use crate::peers::{at, on_core, with_ssh_traffic};
use crate::ports::free_port;

/// The agent of a site.
pub(super) enum Agent {
    Ours(Portreeved),
    NetSnmp(Snmpd),
    Netconfd(Netconfd),
    /// The user's device, which this program has not started.
    Device,
}

/// Starts our agent with the settings of its SSH listener, and with NETCONF and the module `stair`
/// if requested.
pub(super) fn start_ours(
    topology: &Topology,
    directory: &Path,
    core: Option<usize>,
    options: SiteOptions,
) -> Result<Portreeved> {
    let module = directory.join(stair::FILE);
    if options.stair {
        fs::write(&module, stair::MODULE).context(module.display())?;
    }
    Portreeved::start(topology, &directory.join("agent"), core, options, |text| {
        let text = with_ssh_traffic(&text, options.ssh);
        if !options.stair {
            return text;
        }
        let netconf = if text.contains("[netconf]") { "" } else { "\n[netconf]\n" };
        format!("{text}{netconf}\n[yang]\nmodules = [\"{}\"]\n", module.display())
    })
}

pub(super) fn start_netconfd(topology: &Topology, directory: &Path, core: Option<usize>) -> Result<Netconfd> {
    let launcher = Launcher {
        command: &|program| on_core(core, program),
        start: &|name, command, log| at(topology.agent(), name, command, log),
        is_reachable: &|address| {
            topology.manager().run(|| TcpStream::connect(address)).is_ok_and(|socket| socket.is_ok())
        },
    };
    let port = if topology.is_isolated() { NETCONF_PORT } else { free_port()? };
    Netconfd::start(&directory.join("agent"), (topology.agent_v4(), port).into(), &launcher)
}

impl Agent {
    /// Returns the process ID, unless it is the user's device.
    pub(super) fn id(&self) -> Option<u32> {
        match self {
            Self::Ours(agent) => Some(agent.id()),
            Self::NetSnmp(agent) => Some(agent.id()),
            Self::Netconfd(agent) => Some(agent.id()),
            Self::Device => None,
        }
    }

    /// Returns the number of sessions that the agent has open: by its own count if it has one, or
    /// by its TCP connections.
    pub(super) fn open_sessions(&self) -> Result<usize> {
        match (self, self.id()) {
            (Self::Ours(agent), _) => agent.open_sessions(),
            (_, Some(id)) => established_connections(id),
            (_, None) => Err("the agent is not a process of this machine".into()),
        }
    }
}

/// The port of netconfd, which is free in its own namespace.
const NETCONF_PORT: u16 = 16_830;
