//! The receivers, each with one community, one user and, for ours, a listener for every transport.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;

use super::{Carrier, SNMPTRAPD, TRAPD};
use crate::error::{Context, Result};
use crate::experiments::notifications::notification_client::SENDER_ENGINE_ID;
use crate::experiments::notifications::receivers::NET_SNMP_CONFIG;
use crate::experiments::notifications::site::{
    AUTH_PASS, PRIV_PASS, USER, receiver_configuration, wait_until_ready, write_private,
};
use crate::harness::Skipped;
use crate::peers::net_snmp::{Support, certificates};
use crate::peers::portreeved::{CREDENTIALS, TEMPLATE, make_files};
use crate::peers::{AGENT_CORE, at, on_core};
use crate::ports::free_port;
use crate::process::{Server, find, own_program};

/// A running receiver.
pub(super) struct Receiver {
    pub(super) name: &'static str,
    /// The file with its addresses, and the keys of its senders.
    pub(super) credentials: PathBuf,
    /// The file to which it appends a line for each notification.
    lines: PathBuf,
    pub(super) directory: PathBuf,
    _server: Server,
}

impl Receiver {
    /// Starts our receiver, and waits until it listens.
    pub(super) fn ours(topology: &Topology, directory: &Path) -> Result<Self> {
        let files = directory.join("receiver");
        make_files(topology, &files)?;
        let demo = fs::read_to_string(files.join(TEMPLATE)).context(TEMPLATE)?;
        let config = files.join("portreeve-trapd.toml");
        write_private(&config, &receiver_configuration(&demo))?;
        let mut command = on_core(Some(AGENT_CORE), &own_program("portreeve-trapd")?)?;
        command.arg("--config").arg(&config).arg("-On");
        let log = directory.join("portreeve-trapd.log");
        let mut server = at(topology.agent(), TRAPD, command, &log)?;
        wait_until_ready(&mut server, &log)?;
        // For Net-SNMP's commands.
        certificates::install(&files, directory)?;
        let (credentials, lines) = (files.join(CREDENTIALS), files.join("lines"));
        Ok(Self { name: TRAPD, credentials, lines, directory: directory.into(), _server: server })
    }

    /// Starts Net-SNMP's receiver, and waits until it listens.
    pub(super) fn net_snmp(topology: &Topology, directory: &Path) -> Result<Self> {
        let program = find(SNMPTRAPD).ok_or("snmptrapd is not installed (Debian: snmptrapd)")?;
        let (config, lines) = (directory.join("snmptrapd.conf"), directory.join("lines"));
        let trap_user =
            format!("createUser -e {SENDER_ENGINE_ID} {USER} SHA-256 \"{AUTH_PASS}\" AES \"{PRIV_PASS}\"\n");
        let files = certificates::create(topology, directory)?;
        let text =
            format!("{NET_SNMP_CONFIG}{trap_user}authUser log -s tsm ops\n{}", certificates::CONFIGURATION);
        write_private(&config, &text)?;
        let port = if topology.is_isolated() { PORT } else { free_port()? };
        let [address, dtls] = [port, port + 1].map(|port| format!("{}:{port}", topology.agent_v4()));
        let mut command = on_core(Some(AGENT_CORE), &program)?;
        command.args(["-f", "-n", "-On", "-m", "", "-A", "-C", "-c"]).arg(&config).arg("-Lf").arg(&lines);
        command.args([format!("udp:{address}"), format!("tcp:{address}"), format!("dtlsudp:{dtls}")]);
        command
            .env("SNMPCONFPATH", directory)
            .env("SNMP_PERSISTENT_DIR", directory.join("state"))
            .env("TZ", ":/etc/localtime");
        let log = directory.join("snmptrapd.log");
        let mut server = at(topology.agent(), SNMPTRAPD, command, &log)?;
        wait_until_listening(&mut server, port + 1, &log)?;
        let credentials = directory.join(CREDENTIALS);
        write_private(&credentials, &format!("PORTREEVE_UDP='{address}'\nPORTREEVE_DTLS='{dtls}'\n{files}"))?;
        Ok(Self { name: SNMPTRAPD, credentials, lines, directory: directory.into(), _server: server })
    }

    /// Checks that the receiver accepts notifications over a transport.
    pub(super) fn check(&self, carrier: Carrier) -> std::result::Result<(), Skipped> {
        let reason = match carrier {
            _ if self.name == TRAPD => return Ok(()),
            Carrier::UdpV2c | Carrier::UdpV3 | Carrier::TcpV2c | Carrier::Dtls12 => return Ok(()),
            Carrier::Ssh => Support::probed().no_ssh(),
            Carrier::Tls12 | Carrier::Tls => Support::probed().no_tls(),
            Carrier::Dtls => Support::probed().no_dtls13(),
        };
        Err(Skipped(reason))
    }

    /// Returns the number of notifications that the receiver has written.
    pub(super) fn count(&self) -> Result<usize> {
        let text = fs::read(&self.lines).unwrap_or_default();
        Ok(String::from_utf8_lossy(&text).lines().filter(|line| line.contains(NOTIFICATION)).count())
    }

    /// Waits until the receiver has written this number of notifications.
    pub(super) fn wait_for(&self, number: usize) -> std::result::Result<(), Skipped> {
        let deadline = Instant::now() + WRITE_TIMEOUT;
        loop {
            let written = self.count()?;
            if written >= number {
                return Ok(());
            }
            if Instant::now() > deadline {
                let name = self.name;
                return Err(Skipped(format!("{name} has written {written} of {number} notifications")));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Waits until the table of UDP sockets in the receiver's namespace contains the port that it opens
/// last.
fn wait_until_listening(server: &mut Server, port: u16, log: &Path) -> Result<()> {
    let path = format!("/proc/{}/net/udp", server.id());
    let wanted = format!(":{port:04X} ");
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        server.check().context(fs::read_to_string(log).unwrap_or_default())?;
        if fs::read_to_string(&path).context(&path)?.contains(&wanted) {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err("snmptrapd does not listen".into());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The value of snmpTrapOID.0, which each notification has in the lines of both receivers.
const NOTIFICATION: &str = ".1.3.6.1.6.3.1.1.5.3";
/// The port, which is free in the receiver's own namespace, as is the next one.
const PORT: u16 = 16_164;
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// A long time, because keys are derived before the socket is opened.
const START_TIMEOUT: Duration = Duration::from_secs(30);
