//! Net-SNMP's agent, commands and library, with their best settings.
//!
//! snmpd logs only warnings (`-LOw`), because it otherwise logs each request; the commands read no
//! MIB modules (`-m ''`). Both run on the same cores and with the same priority as ours. Community,
//! user names and engine ID are as long as ours, so that messages with the same content have the
//! same length.

pub(crate) mod certificates;
mod command;
mod configuration;
mod library;
mod support;

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;

use super::{Environment, at, on_core};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::error::{Context, Result};
use crate::harness::Skipped;
use crate::process::{Server, find};

pub(crate) use command::{command, tsm_words};
pub(crate) use library::{NetSnmpLibrary, parse, parse_attempts};
pub(crate) use support::Support;

/// A running snmpd.
pub(crate) struct Snmpd {
    server: Server,
    directory: PathBuf,
}

impl Snmpd {
    /// Starts snmpd on a core, and waits until it listens.
    pub(crate) fn start(
        topology: &Topology,
        directory: &Path,
        core: Option<usize>,
        variables: Environment,
    ) -> Result<Self> {
        let program = find("snmpd").ok_or(NOT_INSTALLED)?;
        fs::create_dir_all(directory).context(directory.display())?;
        let address = topology.agent_v4();
        let (config, users) = (directory.join("snmpd.conf"), directory.join("users.tsv"));
        fs::write(&config, configuration::snmpd_conf(address)).context(config.display())?;
        fs::write(&users, configuration::users_table()).context(users.display())?;
        let credentials = directory.join(CREDENTIALS);
        if !credentials.exists() {
            let certificates = certificates::create(topology, directory)?;
            let text = configuration::credentials(address, &users) + &certificates;
            fs::write(&credentials, text).context(credentials.display())?;
        }
        let mut command = on_core(core, &program)?;
        command.args(SNMPD_OPTIONS).arg(&config).envs(snmpd_environment(directory));
        command.envs(variables.iter().copied());
        let log = directory.join("snmpd.log");
        let mut server = at(topology.agent(), "snmpd", command, &log)?;
        let deadline = Instant::now() + START_TIMEOUT;
        // snmpd opens its TCP listener last.
        let listener = (address, configuration::PORT);
        while topology.manager().run(|| TcpStream::connect(listener))?.is_err() {
            server.check().context(fs::read_to_string(&log).unwrap_or_default())?;
            if Instant::now() > deadline {
                return Err("snmpd does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Self { server, directory: directory.into() })
    }

    /// Returns the process ID.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Returns the file with the agent's addresses and the credentials.
    pub(crate) fn credentials(&self) -> PathBuf {
        self.directory.join(CREDENTIALS)
    }

    /// Stops the agent.
    pub(crate) fn stop(self) -> Result<()> {
        self.server.stop().map(drop)
    }
}

/// Checks that Net-SNMP supports a protocol stack.
pub(crate) fn check(stack: ProtocolStack) -> std::result::Result<(), Skipped> {
    let support = Support::probed();
    let reason = match (stack.carrier, stack.message) {
        (Carrier::Udp | Carrier::Tcp, Message::Usm(_, Some(privacy)))
            if privacy.key_len() > 16 && !support.has_privacy(privacy.name()) =>
        {
            support.no_privacy(privacy.name())
        }
        (Carrier::Udp | Carrier::Tcp, Message::Tsm) => "it needs a secure transport".into(),
        (Carrier::Udp | Carrier::Tcp, _) | (Carrier::Dtls12, Message::Tsm) => return Ok(()),
        (Carrier::Dtls12, _) => "Net-SNMP uses only the Transport Security Model over DTLS".into(),
        (Carrier::Dtls13, _) => support.no_dtls13(),
        (
            Carrier::Tls12 | Carrier::Tls12Resumed | Carrier::Tls | Carrier::TlsMlKem | Carrier::TlsResumed,
            _,
        ) => support.no_tls(),
        _ => support.no_ssh(),
    };
    Err(Skipped(reason))
}

/// Returns the environment of snmpd in every measurement: it reads and writes only below its
/// directory, and loads no MIB modules.
pub(crate) fn snmpd_environment(directory: &Path) -> Vec<(String, String)> {
    let mut variables = environment(directory);
    variables.retain(|(name, _)| name != PERSISTENT_DIRECTORY);
    variables.push((PERSISTENT_DIRECTORY.into(), directory.join("state").display().to_string()));
    variables
}

/// Returns the environment of Net-SNMP's programs, which use only the directory of the agent.
pub(crate) fn environment(directory: &Path) -> Vec<(String, String)> {
    let path = |name: &str| directory.join(name).display().to_string();
    vec![
        ("SNMPCONFPATH".into(), directory.display().to_string()),
        (PERSISTENT_DIRECTORY.into(), path("state-of-commands")),
        ("MIBS".into(), String::new()),
    ]
}

/// The options of snmpd in every measurement, before the name of its configuration file: it stays
/// in the foreground, logs only warnings, because it otherwise logs each request, and reads no
/// other configuration.
pub(crate) const SNMPD_OPTIONS: [&str; 4] = ["-f", "-LOw", "-C", "-c"];
const PERSISTENT_DIRECTORY: &str = "SNMP_PERSISTENT_DIR";
const CREDENTIALS: &str = "net-snmp.env";
const NOT_INSTALLED: &str = "Net-SNMP is not installed (Debian: snmpd and snmp)";
const START_TIMEOUT: Duration = Duration::from_secs(30);
