//! The receivers under measurement, which write the same lines: `portreeve-trapd`, which syncs its
//! file before it acknowledges an inform, and Debian's `snmptrapd`, which does not.
//!
//! `snmptrapd` gets its fastest settings: numeric names without MIB files, no name lookup, a large
//! receive buffer, no tables of notifications, and a time zone that it need not look up for each
//! line.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::site::write_private;
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, is_installed, own_program};
use crate::skips::skip;

/// A receiver with one community and one user.
pub(super) struct Receiver {
    pub(super) name: &'static str,
    pub(super) address: SocketAddr,
    /// The file to which it appends the lines of notifications.
    pub(super) file: PathBuf,
    program: String,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    log: PathBuf,
}

impl Receiver {
    /// Returns all receivers that can be measured, ours first.
    pub(super) fn all(directory: &Path) -> Result<Vec<Self>> {
        let mut receivers = vec![Self::ours(directory)?];
        match is_installed("snmptrapd") {
            true => receivers.push(Self::net_snmp(directory)?),
            false => skip("snmptrapd", "it is not installed (Debian: snmptrapd)"),
        }
        Ok(receivers)
    }

    fn ours(directory: &Path) -> Result<Self> {
        let (file, config) =
            (directory.join("portreeve-trapd.lines"), directory.join("portreeve-trapd.toml"));
        write_private(&config, OUR_CONFIG)?;
        let address = SocketAddr::new(SERVER.into(), 16_162);
        let arguments = [
            "-On".to_owned(),
            "--config".to_owned(),
            config.display().to_string(),
            format!("-Lf{}", file.display()),
            format!("udp:{address}"),
        ];
        Ok(Self {
            name: "portreeve-trapd",
            address,
            file,
            program: own_program("portreeve-trapd")?.display().to_string(),
            arguments: arguments.into(),
            environment: Vec::new(),
            log: directory.join("portreeve-trapd.log"),
        })
    }

    fn net_snmp(directory: &Path) -> Result<Self> {
        let (file, config) = (directory.join("snmptrapd.lines"), directory.join("snmptrapd.conf"));
        write_private(&config, NET_SNMP_CONFIG)?;
        let address = SocketAddr::new(SERVER.into(), 16_163);
        let mut arguments: Vec<String> =
            ["-f", "-n", "-On", "-m", "", "-A", "-C", "-c"].map(String::from).into();
        arguments.extend([
            config.display().to_string(),
            "-Lf".to_owned(),
            file.display().to_string(),
            format!("udp:{address}"),
        ]);
        let state = directory.join("net-snmp").display().to_string();
        Ok(Self {
            name: SNMPTRAPD,
            address,
            file,
            program: "snmptrapd".into(),
            arguments,
            environment: vec![("TZ", ":/etc/localtime".into()), ("SNMP_PERSISTENT_DIR", state)],
            log: directory.join("snmptrapd.log"),
        })
    }

    /// Starts the receiver on `core`, and waits until it listens.
    pub(super) fn start(&self, namespaces: &Namespaces, core: Option<usize>) -> Result<Server> {
        let mut command = namespaces.in_server(core, &self.program)?;
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        let mut server = Server::start(self.name, &mut command, &self.log)?;
        let deadline = Instant::now() + START_TIMEOUT;
        while !self.is_listening(&server)? {
            server.check().context(fs::read_to_string(&self.log).unwrap_or_default())?;
            if Instant::now() > deadline {
                return Err(format!("{} does not listen", self.name).into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    /// Returns whether the table of UDP sockets in the receiver's namespace contains its port.
    fn is_listening(&self, server: &Server) -> Result<bool> {
        let path = format!("/proc/{}/net/udp", server.id());
        let port = format!(":{:04X} ", self.address.port());
        Ok(fs::read_to_string(&path).context(path)?.contains(&port))
    }

    /// Returns the length of the file of lines.
    pub(super) fn octets(&self) -> Result<u64> {
        Ok(fs::metadata(&self.file).context(self.file.display())?.len())
    }

    /// Empties the file of lines, so that it does not fill the disk. Both programs append to it.
    pub(super) fn empty_file(&self) -> Result<()> {
        fs::File::options().write(true).open(&self.file)?.set_len(0).context(self.file.display())
    }
}

/// The name of Net-SNMP's receiver in figures.
pub(super) const SNMPTRAPD: &str = "snmptrapd";

pub(super) const COMMUNITY: &str = "lab-traps";
/// Options with which a command sends SNMPv3 notifications.
pub(super) const USER: [&str; 12] = [
    "-v3",
    "-u",
    "traps",
    "-l",
    "authPriv",
    "-a",
    "SHA-256",
    "-A",
    "lab auth pass phrase",
    "-x",
    "AES",
    "-Xlab priv pass phrase",
];

/// Informs come from one network only, so that the rate of responses to it must not be limited.
const OUR_CONFIG: &str = "[receive]\nstate-dir = \"state\"\n\n[weak]\nallow = [\"communities\"]\n\n\
     [limits]\nunauthenticated-replies = 0\ncommunity-rate = 0\n\n\
     [[community]]\nname = \"lab-traps\"\nversions = [\"v2c\"]\nsecurity-name = \"lab\"\n\n\
     [[user]]\nname = \"traps\"\nlevel = \"authPriv\"\nauth = \"SHA-256\"\nauth-pass = \"lab auth pass phrase\"\n\
     priv = \"AES\"\npriv-pass = \"lab priv pass phrase\"\n\n\
     [[accept]]\nname = \"lab\"\n\n[[accept]]\nname = \"traps\"\n";

/// The configuration of `snmptrapd`, with its fastest settings.
pub(in crate::experiments) const NET_SNMP_CONFIG: &str = "authCommunity log lab-traps\n\
     createUser traps SHA-256 \"lab auth pass phrase\" AES \"lab priv pass phrase\"\n\
     authUser log traps\n\
     doNotRetainNotificationLogs yes\n\
     [snmp] serverRecvBuf 4194304\n";

/// A long time, because keys are derived before the socket is opened.
const START_TIMEOUT: Duration = Duration::from_secs(30);
