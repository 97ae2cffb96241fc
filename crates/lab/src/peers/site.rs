//! An agent and a client, and the network between them.
//!
//! ```text
//! client, core 0 ──── observer ──── agent, core 1
//! ```
//! One agent at a time runs in each network, so that several sites of one experiment do not disturb
//! each other's counts.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portreeve_lab_net::pcap::PcapWriter;
use portreeve_lab_net::{Capture, Captured, Detail, InterfaceKind, Topology};

use super::net_snmp::{self, Snmpd};
use super::portreeved::Portreeved;
use super::{AGENT_CORE, MANAGER_CORE, on_core};
use crate::client::{ClientProcess, CredentialsFile, Job, Phases, ProtocolStack};
use crate::error::{Context as _, Result};
use crate::experiments::usage::cpu;
use crate::harness::{Context, Skipped};
use crate::process::read_output;

/// An agent and a client, and the network between them. Parts are dropped in this order.
pub(crate) struct Site {
    client: ClientProcess,
    agent: Agent,
    directory: PathBuf,
    credentials: CredentialsFile,
    /// The directory for captured frames, if they are kept.
    pcap: Option<PathBuf>,
    pub(crate) topology: Topology,
}

/// The agent of a site.
pub(crate) enum Agent {
    Ours(Portreeved),
    NetSnmp(Snmpd),
    /// The user's device, which this program has not started.
    Device,
}

/// The sessions of one job, and their cost.
pub(crate) struct Measured {
    /// The phases of each session.
    pub(crate) sessions: Vec<Phases>,
    /// CPU time of the agent for each session, unless it is the user's device.
    pub(crate) agent_cpu: Option<f64>,
}

impl Site {
    /// Starts our agent, or uses the user's device if it is to be measured. `rows` is the number of
    /// interfaces; `None` if it does not matter.
    pub(crate) fn ours(context: &Context, rows: Option<usize>) -> Result<Self> {
        let topology = prepare_topology(context, rows)?;
        let directory = directory(context, "portreeved", rows)?;
        if let Some(device) = context.device() {
            return Self::with(context, topology, Agent::Device, &device.credentials, &directory);
        }
        let agent = Portreeved::start(&topology, &directory.join("agent"), Some(AGENT_CORE), |text| text)?;
        let credentials = agent.credentials();
        Self::with(context, topology, Agent::Ours(agent), &credentials, &directory)
    }

    /// Starts Net-SNMP's agent.
    pub(crate) fn net_snmp(context: &Context, rows: Option<usize>) -> Result<Self> {
        let topology = prepare_topology(context, rows)?;
        let directory = directory(context, "net-snmp", rows)?;
        let agent = Snmpd::start(&topology, &directory.join("agent"), Some(AGENT_CORE))?;
        let credentials = agent.credentials();
        Self::with(context, topology, Agent::NetSnmp(agent), &credentials, &directory)
    }

    fn with(
        context: &Context,
        topology: Topology,
        agent: Agent,
        credentials: &Path,
        directory: &Path,
    ) -> Result<Self> {
        let file = CredentialsFile::read(credentials)?;
        let client = ClientProcess::start_at(topology.manager(), Some(MANAGER_CORE), credentials, directory)?;
        let pcap = context.pcap_directory().map(Path::to_owned);
        Ok(Self { client, agent, directory: directory.into(), credentials: file, pcap, topology })
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
        match &self.agent {
            Agent::Ours(agent) => Some(agent.id()),
            Agent::NetSnmp(agent) => Some(agent.id()),
            Agent::Device => None,
        }
    }

    /// Runs a job and measures its cost.
    pub(crate) fn run(&mut self, job: Job) -> Result<Measured> {
        let agent = self.agent_id();
        let before = agent.map(cpu).transpose()?;
        let sessions = self.client.run(job)?;
        let after = agent.map(cpu).transpose()?;
        let count = sessions.len().max(1) as f64;
        let agent_cpu = before.zip(after).map(|(before, after)| (after - before) / count);
        Ok(Measured { sessions, agent_cpu })
    }

    /// Runs a job and captures its frames; `None` without an observer. `name` is the name of the
    /// file if captured frames are kept; an existing file is not replaced.
    pub(crate) fn capture(&mut self, job: Job, name: &str) -> Result<Option<Captured>> {
        if !self.topology.is_isolated() {
            return Ok(None);
        }
        let file = self.pcap.as_ref().map(|pcap| pcap.join(format!("{}.pcap", name.replace('/', "-"))));
        let file = file.filter(|file| !file.exists());
        let detail = if file.is_some() { Detail::Octets } else { Detail::Headers };
        let capture = Capture::start(&self.topology, detail)?;
        self.client.run(job)?;
        let captured = capture.take_when_quiet(QUIET, QUIET_LIMIT)?;
        if !captured.is_complete() {
            return Err("the capture has lost frames".into());
        }
        if let Some(file) = file {
            let writer = BufWriter::new(File::create(&file).context(file.display())?);
            let mut writer = PcapWriter::new(writer)?;
            captured.write(&mut writer)?;
            writer.finish()?;
        }
        Ok(Some(captured))
    }

    /// Runs a command in the client's place `count` times; returns the seconds of each run, from
    /// the start of the process to its end.
    pub(crate) fn time_command(
        &self,
        words: &[String],
        environment: &[(String, String)],
        count: usize,
    ) -> Result<Vec<f64>> {
        let file = self.directory.join("command");
        fs::write(&file, words.join("\t")).context(file.display())?;
        let mut command = on_core(Some(MANAGER_CORE), &std::env::current_exe()?)?;
        command.args(["stopwatch", &count.to_string()]).arg(&file);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let text = read_output(self.topology.manager(), command, &self.directory.join("stopwatch.log"))?;
        let line = text.lines().next().unwrap_or_default();
        line.split(' ').map(|number| number.parse().context(number)).collect()
    }

    /// The site's directory, which only the owner can read.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }
}

/// Creates a network whose agent has a number of interfaces.
fn prepare_topology(context: &Context, rows: Option<usize>) -> Result<Topology> {
    let mut topology = context.topology()?;
    if let Some(rows) = rows.filter(|_| topology.is_isolated()) {
        topology.set_interfaces(InterfaceKind::Veth, rows)?;
    }
    Ok(topology)
}

fn directory(context: &Context, agent: &str, rows: Option<usize>) -> Result<PathBuf> {
    context.directory(&rows.map_or(agent.to_owned(), |rows| format!("{agent}-{rows}")))
}

/// The time without frames after which a session has ended, and the maximum time to wait for that.
const QUIET: Duration = Duration::from_millis(20);
const QUIET_LIMIT: Duration = Duration::from_secs(2);
