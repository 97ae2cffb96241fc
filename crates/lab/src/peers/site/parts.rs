//! The parts of a site that exist before its agent: the network, the directory and the settings.

use std::path::{Path, PathBuf};

use portreeve_channel_ssh::WindowPolicy;
use portreeve_lab_net::{InterfaceKind, Topology};

use super::{Agent, SLOW_CORES, Setting, Site, SiteOptions};
use crate::client::{ClientProcess, CredentialsFile};
use crate::error::Result;
use crate::harness::{Context, Skipped};
use crate::peers::net_snmp::NetSnmpLibrary;

/// The parts of a site that exist before its agent.
pub(super) struct SiteParts {
    pub(super) topology: Topology,
    pub(super) directory: PathBuf,
    options: SiteOptions,
}

impl SiteParts {
    pub(super) fn prepare(context: &Context, agent: &str, options: SiteOptions) -> Result<Self> {
        let SiteOptions { rows, setting, ssh, environment, protection, .. } = options;
        let mut topology = context.topology()?;
        if let Some(rows) = rows.filter(|_| topology.is_isolated()) {
            topology.set_interfaces(InterfaceKind::Veth, rows)?;
        }
        let rows = rows.map_or(String::new(), |rows| format!("-{rows}"));
        let nagle = if ssh.nodelay { "" } else { "-nagle" };
        let window = if ssh.window == WindowPolicy::EveryMessage { "-every-message" } else { "" };
        let variables = if environment.is_empty() { "" } else { "-environment" };
        let protection = protection.map_or(String::new(), |protection| format!("-tls-{}", protection.name()));
        let name = format!("{agent}-{}{rows}{nagle}{window}{variables}{protection}", setting.name());
        Ok(Self { topology, directory: context.directory(&name)?, options })
    }

    /// Applies the quota to the agent, and starts the client.
    pub(super) fn complete(self, context: &Context, agent: Agent, credentials: &Path) -> Result<Site> {
        let Self { topology, directory, options } = self;
        let (setting, environment) = (options.setting, options.environment());
        let mut quota = None;
        if let Some(id) = agent.id().filter(|_| setting == Setting::Slow) {
            let group = context.quota(SLOW_CORES)?;
            group.add(id)?;
            quota = Some(group);
        }
        let file = CredentialsFile::read(credentials)?;
        let core = setting.manager_core();
        let client = ClientProcess::start_at(topology.manager(), core, credentials, &directory, environment)?;
        let library = match agent {
            Agent::NetSnmp(_) => {
                NetSnmpLibrary::compile(&context.directory("net-snmp-library")?).map_err(Skipped::from)
            }
            Agent::Ours(_) | Agent::Netconfd(_) | Agent::Device => {
                Err(Skipped("it is measured with its own agent".into()))
            }
        };
        let pcap = context.pcap_directory().map(Path::to_owned);
        Ok(Site {
            client,
            agent,
            directory,
            credentials: file,
            pcap,
            options,
            library,
            _quota: quota,
            topology,
        })
    }
}
