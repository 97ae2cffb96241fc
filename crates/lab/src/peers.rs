//! The agents that experiments measure, one file each.

pub(crate) mod net_snmp;
pub(crate) mod netconfd;
mod observation;
pub(crate) mod openssl;
mod placement;
pub(crate) mod portreeved;
mod separation_directory;
mod site;
mod sites;
mod ssh_listener;
mod sshd;

pub(crate) use observation::Observation;
pub(crate) use placement::{AGENT_CORE, MANAGER_CORE, at, on_core};
pub(crate) use site::{Environment, Measured, SLOW_CORES, Setting, Site, SiteOptions};
pub(crate) use sites::{LESS_PROTECTED, OURS, SLOW, Sites};
pub(crate) use ssh_listener::with_ssh_traffic;
pub(crate) use sshd::Sshd;
