//! An agent and a client, and the network between them.
//!
//! ```text
//! client, core 0 ──── observer ──── agent, core 1
//! ```
//! One agent at a time runs in each network, so that several sites of one experiment do not disturb
//! each other's counts.

mod library;

use std::fs;
use std::mem;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use portreeve_lab_net::{Captured, CpuQuota, InterfaceKind, Topology};

use super::net_snmp::{self, NetSnmpLibrary, Snmpd};
use super::netconfd::{Launcher, Netconfd};
use super::observation::Observation;
use super::portreeved::{Portreeved, free_port};
use super::{AGENT_CORE, MANAGER_CORE, at, on_core};
use crate::client::{ClientCommand, ClientProcess, CredentialsFile, Phases, ProtocolStack};
use crate::error::{Context as _, Result};
use crate::experiments::{stair, usage::cpu};
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
    setting: Setting,
    stair: bool,
    environment: Environment,
    /// Net-SNMP's library, or the reason why it cannot be used.
    library: std::result::Result<NetSnmpLibrary, Skipped>,
    /// Restricts the agent until it has ended.
    _quota: Option<CpuQuota>,
    pub(crate) topology: Topology,
}

/// The properties of a site.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteOptions {
    /// The number of the agent's interfaces; `None` if it does not matter.
    pub(crate) rows: Option<usize>,
    /// Our agent has NETCONF and the module `stair`.
    pub(crate) stair: bool,
    pub(crate) setting: Setting,
    /// Additional variables in the environment of agent and client.
    pub(crate) environment: Environment,
}

/// Names and values of variables.
pub(crate) type Environment = &'static [(&'static str, &'static str)];

/// The cores of client and agent, and the agent's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Each on a core of its own, with real-time priority.
    #[default]
    Pinned,
    /// As the scheduler decides.
    Unpinned,
    /// The agent gets a part of a core. It has no real-time priority, to which quotas do not apply.
    Slow,
}

impl Setting {
    /// Returns the name in variants.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Unpinned => "unpinned",
            Self::Slow => "slow",
        }
    }

    fn manager_core(self) -> Option<usize> {
        (self != Self::Unpinned).then_some(MANAGER_CORE)
    }

    fn agent_core(self) -> Option<usize> {
        (self == Self::Pinned).then_some(AGENT_CORE)
    }
}

/// The agent of a site.
enum Agent {
    Ours(Portreeved),
    NetSnmp(Snmpd),
    Netconfd(Netconfd),
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

    /// Starts Net-SNMP's agent.
    pub(crate) fn net_snmp(context: &Context, options: SiteOptions) -> Result<Self> {
        let parts = SiteParts::prepare(context, "net-snmp", options)?;
        let core = options.setting.agent_core();
        let agent = Snmpd::start(&parts.topology, &parts.directory.join("agent"), core, options.environment)?;
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

    /// Stops the agent and the client, and starts both again.
    pub(crate) fn restart(&mut self) -> Result<()> {
        let (directory, core) = (self.directory.join("agent"), self.setting.agent_core());
        let environment = self.environment;
        self.agent = match mem::replace(&mut self.agent, Agent::Device) {
            Agent::Ours(agent) => {
                agent.stop()?;
                Agent::Ours(start_ours(&self.topology, &self.directory, core, self.options())?)
            }
            Agent::NetSnmp(agent) => {
                agent.stop()?;
                Agent::NetSnmp(Snmpd::start(&self.topology, &directory, core, environment)?)
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
        let (manager, core) = (self.topology.manager(), self.setting.manager_core());
        self.client =
            ClientProcess::start_at(manager, core, self.credentials.path(), &self.directory, environment)?;
        Ok(())
    }

    fn options(&self) -> SiteOptions {
        let Self { stair, setting, environment, .. } = *self;
        SiteOptions { rows: None, stair, setting, environment }
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

    /// Runs a job and captures its frames; `None` without an observer. `name` is the name of the
    /// file if captured frames are kept; an existing file is not replaced.
    pub(crate) fn capture(&mut self, job: impl Into<ClientCommand>, name: &str) -> Result<Option<Captured>> {
        Ok(self.observe(job, name)?.map(|(captured, _)| captured))
    }

    /// Like [`Self::capture`], with the phases that the client measured in the same sessions.
    pub(crate) fn observe(
        &mut self,
        job: impl Into<ClientCommand>,
        name: &str,
    ) -> Result<Option<(Captured, Vec<Phases>)>> {
        self.observe_during(name, |site| site.client.run(job))
    }

    /// Like [`Self::observe`], for everything that `work` does.
    fn observe_during<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<(Captured, T)>> {
        let Some(observation) = Observation::start(&self.topology, self.pcap.as_deref(), name)? else {
            return Ok(None);
        };
        let result = work(self)?;
        Ok(Some((observation.finish()?, result)))
    }

    /// Runs a command in the client's place, on its core; returns its output.
    pub(crate) fn read_command(&self, words: &[String]) -> Result<String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut command = on_core(self.setting.manager_core(), Path::new(program))?;
        command.args(arguments).envs(self.environment());
        read_output(self.topology.manager(), command, &self.directory.join("command.log"))
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
        let mut command = on_core(self.setting.manager_core(), &std::env::current_exe()?)?;
        command.args(["stopwatch", &count.to_string()]).arg(&file);
        command.envs(self.environment()).envs(environment.iter().map(|(name, value)| (name, value)));
        let text = read_output(self.topology.manager(), command, &self.directory.join("stopwatch.log"))?;
        let line = text.lines().next().unwrap_or_default();
        line.split(' ').map(|number| number.parse().context(number)).collect()
    }

    /// Like [`Self::time_command`] without variables, for a command that must print a number of
    /// lines. It runs once before the measurement, to check its output.
    pub(crate) fn time_checked_command(
        &self,
        words: &[String],
        lines: usize,
        count: usize,
    ) -> Result<Vec<f64>> {
        let text = self.read_command(words)?;
        // A value with a line feed continues on a line that does not begin with a name.
        match text.lines().filter(|line| line.starts_with('.')).count() {
            found if found == lines => self.time_command(words, &[], count),
            found => {
                let program = words.first().map_or("", String::as_str);
                Err(format!("{program}: {found} lines instead of {lines}").into())
            }
        }
    }

    /// Returns the environment of commands that query the agent.
    fn environment(&self) -> Vec<(String, String)> {
        match self.agent {
            Agent::NetSnmp(_) => net_snmp::environment(&self.directory.join("agent")),
            Agent::Ours(_) | Agent::Netconfd(_) | Agent::Device => Vec::new(),
        }
    }

    /// The site's directory, which only the owner can read.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }
}

/// The parts of a site that exist before its agent.
struct SiteParts {
    topology: Topology,
    directory: PathBuf,
    setting: Setting,
    stair: bool,
    environment: Environment,
}

impl SiteParts {
    fn prepare(context: &Context, agent: &str, options: SiteOptions) -> Result<Self> {
        let SiteOptions { rows, setting, stair, environment } = options;
        let mut topology = context.topology()?;
        if let Some(rows) = rows.filter(|_| topology.is_isolated()) {
            topology.set_interfaces(InterfaceKind::Veth, rows)?;
        }
        let rows = rows.map_or(String::new(), |rows| format!("-{rows}"));
        let variables = if environment.is_empty() { "" } else { "-environment" };
        let name = format!("{agent}-{}{rows}{variables}", setting.name());
        let directory = context.directory(&name)?;
        Ok(Self { topology, directory, setting, stair, environment })
    }

    /// Applies the quota to the agent, and starts the client.
    fn complete(self, context: &Context, agent: Agent, credentials: &Path) -> Result<Site> {
        let Self { topology, directory, setting, stair, environment } = self;
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
            setting,
            stair,
            environment,
            library,
            _quota: quota,
            topology,
        })
    }
}

/// Starts our agent, with NETCONF and the module `stair` if requested.
fn start_ours(
    topology: &Topology,
    directory: &Path,
    core: Option<usize>,
    options: SiteOptions,
) -> Result<Portreeved> {
    let with_stair = options.stair;
    let module = directory.join(stair::FILE);
    if with_stair {
        fs::write(&module, stair::MODULE).context(module.display())?;
    }
    Portreeved::start(topology, &directory.join("agent"), core, options.environment, |text| {
        if !with_stair {
            return text;
        }
        let netconf = if text.contains("[netconf]") { "" } else { "\n[netconf]\n" };
        format!("{text}{netconf}\n[yang]\nmodules = [\"{}\"]\n", module.display())
    })
}

fn start_netconfd(topology: &Topology, directory: &Path, core: Option<usize>) -> Result<Netconfd> {
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
    fn id(&self) -> Option<u32> {
        match self {
            Self::Ours(agent) => Some(agent.id()),
            Self::NetSnmp(agent) => Some(agent.id()),
            Self::Netconfd(agent) => Some(agent.id()),
            Self::Device => None,
        }
    }
}

/// The port of netconfd, which is free in its own namespace.
const NETCONF_PORT: u16 = 16_830;

/// The part of a core that a slow agent gets.
pub(crate) const SLOW_CORES: f64 = 0.1;
