//! The network of an experiment: manager and agent, with an observer between them.
//!
//! The namespaces have no names, so runs at the same time do not conflict. Segmentation and
//! checksum offloads are disabled, and neighbor tables are filled, so that the observer counts the
//! frames that a real network would carry, without ARP.

mod device;
mod ports;
mod setup;

use std::net::IpAddr;

use crate::cleaner::Cleaner;
use crate::error::{NetError, Result};
use crate::interfaces::{self, InterfaceKind};
use crate::link::{ActiveLink, Link, LinkMethods, LostFrames};
use crate::place::Place;

pub(crate) use device::Device;
pub use device::interface_to;
pub(crate) use ports::wait_until_forwarding;

/// The network of an experiment.
pub struct Topology {
    /// Dropped before the places, because its thread runs in the observer's.
    link: ActiveLink,
    manager: Place,
    agent: Place,
    observer: Option<Observer>,
    /// The user's device, whose frames are recorded at an interface of this machine.
    device: Option<Device>,
}

/// The observer's place, with the two ports of its bridge.
pub(crate) struct Observer {
    pub(crate) place: Place,
    /// The index of the port to the manager.
    pub(crate) manager_port: u32,
    /// The index of the port to the agent.
    pub(crate) agent_port: u32,
}

impl Topology {
    /// Creates three network namespaces: the manager's and the agent's, each connected to a bridge
    /// in the observer's. Needs root.
    ///
    /// # Errors
    /// `Unavailable` without root, without network namespaces, or without the program `ip`.
    pub fn isolated(cleaner: &Cleaner) -> Result<Self> {
        let (manager, agent, observer) = setup::create(cleaner)?;
        Ok(Self { link: ActiveLink::default(), manager, agent, observer: Some(observer), device: None })
    }

    /// Uses the loopback interface of this process's namespace for both. Needs no rights;
    /// [`limits`](Self::limits) lists the things that are impossible there.
    ///
    /// # Errors
    /// The error of creating a thread.
    pub fn loopback(cleaner: &Cleaner) -> Result<Self> {
        let addresses = || setup::loopback_addresses();
        Ok(Self {
            link: ActiveLink::default(),
            manager: Place::shared("manager", addresses(), cleaner)?,
            agent: Place::shared("agent", addresses(), cleaner)?,
            observer: None,
            device: None,
        })
    }

    /// Returns the place of the programs that send requests.
    #[must_use]
    pub fn manager(&self) -> &Place {
        &self.manager
    }

    /// Returns the place of the programs that answer them.
    #[must_use]
    pub fn agent(&self) -> &Place {
        &self.agent
    }

    /// Returns the agent's IPv4 address.
    #[must_use]
    pub fn agent_v4(&self) -> IpAddr {
        setup::v4(self.agent.addresses())
    }

    /// Returns the agent's IPv6 address, if the kernel supports IPv6.
    #[must_use]
    pub fn agent_v6(&self) -> Option<IpAddr> {
        self.agent.addresses().iter().copied().find(IpAddr::is_ipv6)
    }

    /// Returns true if manager and agent have namespaces of their own, with an observer.
    #[must_use]
    pub fn is_isolated(&self) -> bool {
        self.observer.is_some()
    }

    /// Returns true if frames between manager and agent can be recorded.
    #[must_use]
    pub fn has_observer(&self) -> bool {
        self.observer.is_some() || self.device.is_some()
    }

    /// Describes the network in one sentence, for the report.
    #[must_use]
    pub fn description(&self) -> &'static str {
        if self.is_isolated() {
            "three network namespaces: manager and agent, each connected to a bridge in the observer's by \
             virtual Ethernet with an MTU of 1500 octets, without offloads"
        } else {
            "the loopback interface of this machine"
        }
    }

    /// Returns the things that this network cannot do, one phrase each; empty for namespaces.
    #[must_use]
    pub fn limits(&self) -> &'static [&'static str] {
        if self.is_isolated() { &[] } else { &LOOPBACK_LIMITS }
    }

    /// Replaces the properties of the link between manager and agent; returns the means by which
    /// they are produced. Frames in transit may be lost.
    ///
    /// # Errors
    /// `Unavailable` if the kernel cannot produce a property, or if there is no observer.
    pub fn set_link(&mut self, link: &Link) -> Result<LinkMethods> {
        let Some(observer) = &self.observer else {
            let unchanged = *link == Link::default();
            return if unchanged {
                Ok(LinkMethods::default())
            } else {
                Err(unavailable_on_loopback(LOOPBACK_LINK))
            };
        };
        self.link.replace(observer, link)
    }

    /// Returns the frames that the link has lost since it was set.
    ///
    /// # Errors
    /// The counters cannot be read.
    pub fn lost_frames(&self) -> Result<LostFrames> {
        self.observer.as_ref().map_or(Ok(LostFrames::default()), |observer| self.link.lost_frames(observer))
    }

    /// Makes `total` interfaces exist in the agent's namespace, including the loopback interface
    /// and the one to the manager. The others have the given kind and are idle.
    ///
    /// # Errors
    /// `Unavailable` if the kernel has no interfaces of this kind, or if the agent has no namespace
    /// of its own; `Failed` if `total` is less than 2 or too large.
    pub fn set_interfaces(&mut self, kind: InterfaceKind, total: usize) -> Result<()> {
        let observer = self.observer.as_ref().ok_or_else(|| unavailable_on_loopback(LOOPBACK_INTERFACES))?;
        interfaces::set(&self.agent, &observer.place, kind, total)
    }

    /// Returns the user's device, if frames are recorded at an interface of this machine.
    pub(crate) fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// Returns the observer.
    ///
    /// # Errors
    /// `Unavailable` on loopback.
    pub(crate) fn observer(&self) -> Result<&Observer> {
        self.observer.as_ref().ok_or_else(|| unavailable_on_loopback(LOOPBACK_CAPTURE))
    }
}

fn unavailable_on_loopback(limit: &str) -> NetError {
    NetError::Unavailable(format!("on loopback, {limit}; run as root to use network namespaces"))
}

const LOOPBACK_CAPTURE: &str = "frames and octets cannot be counted by a third party";
const LOOPBACK_LINK: &str = "loss, rate and delay cannot be set";
const LOOPBACK_INTERFACES: &str = "interfaces cannot be added";
const LOOPBACK_LIMITS: [&str; 3] = [LOOPBACK_CAPTURE, LOOPBACK_LINK, LOOPBACK_INTERFACES];

/// The name of the interface in the manager's and in the agent's namespace.
pub(crate) const INTERFACE: &str = "lab0";

/// The names of the bridge and its ports in the observer's namespace.
pub(crate) const BRIDGE: &str = "bridge";
pub(crate) const MANAGER_PORT: &str = "manager";
pub(crate) const AGENT_PORT: &str = "agent";
