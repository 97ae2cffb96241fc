//! The surroundings of an experiment: its effort, its directory, its network, and the agents to
//! measure.

use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use portreeve_lab_net::{Cleaner, CpuQuota, Topology};

use super::Skipped;
use crate::error::{Context as _, Result};

/// The surroundings of an experiment.
pub(crate) struct Context {
    pub(super) effort: Effort,
    pub(super) scratch: PathBuf,
    pub(super) pcap: Option<PathBuf>,
    pub(super) peers: Vec<Peer>,
    pub(super) device: Option<Device>,
    pub(super) network: Network,
    pub(super) cleaner: Cleaner,
}

/// The effort of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Few rounds and reduced parameters, for tests.
    Quick,
    Full,
}

impl Effort {
    /// Returns the parameter for this effort.
    pub(crate) fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A reference program that can be measured beside ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// Net-SNMP's agent and commands.
    NetSnmp,
    /// The NETCONF server of yuma123.
    Netconfd,
}

impl Peer {
    /// Returns the name in `--peer` and in `samples.jsonl`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NetSnmp => "net-snmp",
            Self::Netconfd => "netconfd",
        }
    }

    /// Every peer.
    pub(crate) const ALL: [Self; 2] = [Self::NetSnmp, Self::Netconfd];
}

/// The user's device.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    /// The file with the device's addresses and the credentials.
    pub(crate) credentials: PathBuf,
}

/// The network of a run.
#[derive(Clone, Debug)]
pub(super) enum Network {
    /// Namespaces, with their description.
    Isolated(&'static str),
    /// Loopback, with its description and the reason why there are no namespaces.
    Loopback(&'static str, String),
    /// The user's network, with the device's name and address, and the interface at which frames
    /// are recorded or the reason why they are not.
    Device(String, IpAddr, std::result::Result<String, String>),
}

impl Network {
    /// Describes the network in the report.
    pub(super) fn description(&self) -> String {
        match self {
            Self::Isolated(description) => (*description).to_owned(),
            Self::Loopback(description, reason) => format!("{description}, without namespaces: {reason}"),
            Self::Device(name, _, Ok(interface)) => format!(
                "the network between this machine and {name}; frames are counted at the interface {interface}: its \
                 offloads may merge several frames into one, and frames of other programs from and to the device are \
                 counted, too"
            ),
            Self::Device(name, _, Err(reason)) => {
                format!("the network between this machine and {name}; frames are not counted: {reason}")
            }
        }
    }
}

impl Context {
    /// The effort of the run.
    pub(crate) fn effort(&self) -> Effort {
        self.effort
    }

    /// Creates a directory for an agent or a client, which is removed after the run.
    pub(crate) fn directory(&self, name: &str) -> Result<PathBuf> {
        let directory = self.scratch.join(name);
        fs::create_dir_all(&directory).context(directory.display())?;
        Ok(directory)
    }

    /// The directory for captured frames, if they are kept.
    pub(crate) fn pcap_directory(&self) -> Option<&Path> {
        self.pcap.as_deref()
    }

    /// Creates a network for a manager and an agent: namespaces, or loopback without root.
    pub(crate) fn topology(&self) -> Result<Topology> {
        Ok(match self.network {
            Network::Isolated(_) => Topology::isolated(&self.cleaner)?,
            Network::Device(_, address, Ok(_)) => Topology::to_device(&self.cleaner, address)?,
            Network::Loopback(..) | Network::Device(..) => Topology::loopback(&self.cleaner)?,
        })
    }

    /// Creates a group of processes that together get a part of a core.
    pub(crate) fn quota(&self, cores: f64) -> Result<CpuQuota> {
        Ok(CpuQuota::new(&self.cleaner, cores)?)
    }

    /// Returns true if networks have namespaces and an observer.
    pub(crate) fn has_namespaces(&self) -> bool {
        matches!(self.network, Network::Isolated(_))
    }

    /// Checks that networks have namespaces.
    pub(super) fn require_namespaces(&self) -> std::result::Result<(), Skipped> {
        match &self.network {
            Network::Loopback(_, reason) => Err(Skipped(reason.clone())),
            Network::Isolated(_) | Network::Device(..) => Ok(()),
        }
    }

    /// Returns true if the peer is to be measured. It is not measured beside the user's device.
    pub(crate) fn wants(&self, peer: Peer) -> bool {
        self.device.is_none() && self.peers.contains(&peer)
    }

    /// The user's device, if it is measured instead of our own agent.
    pub(crate) fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// Checks that the user's device is not to be measured.
    pub(super) fn require_own_agent(&self) -> std::result::Result<(), Skipped> {
        match &self.device {
            Some(_) => Err(Skipped("it can be measured only with an agent of its own".into())),
            None => Ok(()),
        }
    }
}
