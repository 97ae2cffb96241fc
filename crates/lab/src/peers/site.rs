//! An agent and a client, and the network between them.
//!
//! ```text
//! client, core 0 ──── observer ──── agent, core 1
//! ```
//! One agent at a time runs in each network, so that several sites of one experiment do not disturb
//! each other's counts.

mod agent;
mod attempts;
mod command;
mod library;
mod observe;
mod parts;
mod setting;

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{mem, thread};

use portreeve_lab_net::{CpuQuota, Topology};
use portreeve_lab_tls::Protection;

use super::net_snmp::{self, NetSnmpLibrary, Snmpd};
use crate::client::{ClientCommand, ClientProcess, CredentialsFile, Phases, ProtocolStack};
use crate::error::Result;
use crate::experiments::usage::cpu;
use crate::harness::{Context, Skipped};
use agent::{Agent, start_netconfd, start_ours};
use parts::SiteParts;

pub(crate) use setting::{Environment, SLOW_CORES, Setting, SiteOptions};

/// An agent and a client, and the network between them. Parts are dropped in this order.
pub(crate) struct Site {
    client: ClientProcess,
    agent: Agent,
    directory: PathBuf,
    credentials: CredentialsFile,
    /// The directory for captured frames, if they are kept.
    pcap: Option<PathBuf>,
    options: SiteOptions,
    /// Net-SNMP's library, or the reason why it cannot be used.
    library: std::result::Result<NetSnmpLibrary, Skipped>,
    /// Restricts the agent until it has ended.
    _quota: Option<CpuQuota>,
    pub(crate) topology: Topology,
}

/// The sessions of one job, and their cost.
pub(crate) struct Measured {
    /// The phases of each session.
    pub(crate) sessions: Vec<Phases>,
    /// CPU time of the agent for each session, unless it is the user's device.
    pub(crate) agent_cpu: Option<f64>,
}

impl Site {
    /// Starts our agent, or uses the user's device if it is to be measured.
    pub(crate) fn ours(context: &Context, options: SiteOptions) -> Result<Self> {
        let parts = SiteParts::prepare(context, "portreeved", options)?;
        if let Some(device) = context.device() {
            return parts.complete(context, Agent::Device, &device.credentials);
        }
        let core = options.setting.agent_core();
        let agent = start_ours(&parts.topology, &parts.directory, core, options)?;
        let credentials = agent.credentials();
        parts.complete(context, Agent::Ours(agent), &credentials)
    }

    /// Starts our agent with another protection of TLS.
    pub(crate) fn less_protected(
        context: &Context,
        options: SiteOptions,
        protection: Protection,
    ) -> std::result::Result<Self, Skipped> {
        if context.device().is_some() {
            return Err("the protection of TLS on a device cannot be chosen".into());
        }
        Ok(Self::ours(context, SiteOptions { protection: Some(protection), ..options })?)
    }

    /// Starts Net-SNMP's agent.
    pub(crate) fn net_snmp(context: &Context, options: SiteOptions) -> Result<Self> {
        let parts = SiteParts::prepare(context, "net-snmp", options)?;
        let core = options.setting.agent_core();
        let agent =
            Snmpd::start(&parts.topology, &parts.directory.join("agent"), core, options.environment())?;
        let credentials = agent.credentials();
        parts.complete(context, Agent::NetSnmp(agent), &credentials)
    }

    /// Starts netconfd, which has only NETCONF over SSH and the module `stair`.
    pub(crate) fn netconfd(context: &Context, options: SiteOptions) -> Result<Self> {
        let parts = SiteParts::prepare(context, "netconfd", options)?;
        let core = options.setting.agent_core();
        let agent = start_netconfd(&parts.topology, &parts.directory, core)?;
        let credentials = agent.credentials();
        parts.complete(context, Agent::Netconfd(agent), &credentials)
    }

    /// Checks that the agent supports a protocol stack, and that the client has its credentials.
    pub(crate) fn check(&self, stack: ProtocolStack) -> std::result::Result<(), Skipped> {
        if let Agent::NetSnmp(_) = self.agent {
            net_snmp::check(stack)?;
        }
        Ok(self.credentials.check(stack)?)
    }

    /// The addresses and credentials of the client.
    pub(crate) fn credentials(&self) -> &CredentialsFile {
        &self.credentials
    }

    /// The client.
    pub(crate) fn client(&mut self) -> &mut ClientProcess {
        &mut self.client
    }

    /// Returns the process ID of the agent, unless it is the user's device.
    pub(crate) fn agent_id(&self) -> Option<u32> {
        self.agent.id()
    }

    /// Returns the number of sessions that the agent has open.
    pub(crate) fn open_sessions(&self) -> Result<usize> {
        self.agent.open_sessions()
    }

    /// Stops the agent and the client, and starts both again.
    pub(crate) fn restart(&mut self) -> Result<()> {
        let (options, directory) = (self.options, self.directory.join("agent"));
        let core = options.setting.agent_core();
        self.agent = match mem::replace(&mut self.agent, Agent::Device) {
            Agent::Ours(agent) => {
                agent.stop()?;
                Agent::Ours(start_ours(&self.topology, &self.directory, core, options)?)
            }
            Agent::NetSnmp(agent) => {
                agent.stop()?;
                Agent::NetSnmp(Snmpd::start(&self.topology, &directory, core, options.environment())?)
            }
            Agent::Netconfd(agent) => {
                agent.stop()?;
                // It has new keys.
                let agent = start_netconfd(&self.topology, &self.directory, core)?;
                self.credentials = CredentialsFile::read(&agent.credentials())?;
                Agent::Netconfd(agent)
            }
            Agent::Device => Agent::Device,
        };
        let (manager, core) = (self.topology.manager(), options.setting.manager_core());
        self.client = ClientProcess::start_at(
            manager,
            core,
            self.credentials.path(),
            &self.directory,
            options.environment(),
        )?;
        Ok(())
    }

    /// Runs a job and measures its cost.
    pub(crate) fn run(&mut self, job: impl Into<ClientCommand>) -> Result<Measured> {
        let agent = self.agent_id();
        let before = agent.map(cpu).transpose()?;
        let sessions = self.client.run(job)?;
        let after = agent.map(cpu).transpose()?;
        let count = sessions.len().max(1) as f64;
        let agent_cpu = before.zip(after).map(|(before, after)| (after - before) / count);
        Ok(Measured { sessions, agent_cpu })
    }

    /// Waits until the agent uses no CPU time, for example to free what it no longer needs, at most
    /// a few seconds.
    pub(crate) fn settle(&self) -> Result<()> {
        let Some(agent) = self.agent_id() else { return Ok(()) };
        let mut before = cpu(agent)?;
        for _ in 0..MAX_PAUSES {
            thread::sleep(PAUSE);
            let after = cpu(agent)?;
            if after - before < IDLE_CPU {
                break;
            }
            before = after;
        }
        Ok(())
    }

    /// The site's directory, which only the owner can read.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }
}

/// An agent that uses fewer seconds of CPU time than this in a pause is idle.
const IDLE_CPU: f64 = 1e-3;
const PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSES: usize = 30;
