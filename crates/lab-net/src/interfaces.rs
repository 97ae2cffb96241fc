//! Idle interfaces in the agent's namespace, which become rows of ifTable.

use std::fmt;

use crate::error::{NetError, Result};
use crate::place::Place;
use crate::program::Program;
use crate::topology::INTERFACE;

/// The kind of idle interfaces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum InterfaceKind {
    /// Virtual Ethernet, in pairs within the agent's namespace.
    Veth,
    /// TAP interfaces.
    Tap,
    /// VLAN interfaces on the interface to the manager. Some kernels lack them.
    Vlan,
    /// Dummy interfaces. Some kernels lack them.
    Dummy,
}

impl fmt::Display for InterfaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Veth => "veth",
            Self::Tap => "tap",
            Self::Vlan => "vlan",
            Self::Dummy => "dummy",
        })
    }
}

/// Replaces the idle interfaces of `agent`, so that it has `total` interfaces. If the number of
/// virtual Ethernet interfaces is odd, the last one has its peer in the namespace of `observer`.
pub(crate) fn set(agent: &Place, observer: &Place, kind: InterfaceKind, total: usize) -> Result<()> {
    let idle = total.checked_sub(PERMANENT).filter(|_| total <= MAX_INTERFACES).ok_or_else(|| {
        NetError::Failed(format!("{total} interfaces: expected {PERMANENT} to {MAX_INTERFACES}"))
    })?;
    let list = Program::Ip.run(agent, &["-o", "link", "show", "group", GROUP], "")?;
    if !list.is_empty() {
        Program::Ip.run(agent, &["link", "delete", "group", GROUP], "")?;
    }
    let commands = commands(kind, idle, &observer.namespace_path().display().to_string());
    Program::Ip.run(agent, &["-batch", "-"], &commands).map(drop).map_err(|error| explain(kind, error))
}

fn commands(kind: InterfaceKind, number: usize, observer: &str) -> String {
    let mut lines = Vec::new();
    match kind {
        InterfaceKind::Veth => {
            for pair in 0..number / 2 {
                lines.push(format!(
                    "link add idle{pair}a group {GROUP} type veth peer name idle{pair}b group {GROUP}"
                ));
            }
            if number % 2 == 1 {
                lines.push(format!("link add odd group {GROUP} type veth peer name odd netns {observer}"));
            }
        }
        InterfaceKind::Tap => {
            for index in 0..number {
                lines.push(format!("tuntap add dev idle{index} mode tap"));
                lines.push(format!("link set dev idle{index} group {GROUP}"));
            }
        }
        InterfaceKind::Vlan => {
            for index in 1..=number {
                lines.push(format!(
                    "link add link {INTERFACE} name idle{index} group {GROUP} type vlan id {index}"
                ));
            }
        }
        InterfaceKind::Dummy => {
            for index in 0..number {
                lines.push(format!("link add idle{index} group {GROUP} type dummy"));
            }
        }
    }
    lines.join("\n")
}

/// Recognizes the kernel's error for a kind that it does not have.
fn explain(kind: InterfaceKind, error: NetError) -> NetError {
    let unknown = ["Unknown device type", "Operation not supported", "No such device", "No such file"];
    if unknown.iter().any(|text| error.reason().contains(text)) {
        return NetError::Unavailable(format!("the kernel has no {kind} interfaces"));
    }
    error
}

/// The interfaces that always exist: loopback, and the one to the manager.
const PERMANENT: usize = 2;

/// The maximum number of interfaces. It is also that of VLANs on one interface.
const MAX_INTERFACES: usize = 4096;

/// The group of idle interfaces, which are removed together.
const GROUP: &str = "77";

#[cfg(test)]
mod tests;
