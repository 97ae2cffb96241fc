//! Net-SNMP's agent and its commands, with their best settings.
//!
//! snmpd logs only warnings (`-LOw`), because it otherwise logs each request; the commands read no
//! MIB modules (`-m ''`). Both run on the same cores and with the same priority as ours.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;

use super::portreeved::SYS_DESCR;
use super::{at, on_core};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::error::{Context, Result};
use crate::harness::Skipped;
use crate::process::{Server, find};

/// A running snmpd.
pub(crate) struct Snmpd {
    server: Server,
    directory: PathBuf,
}

impl Snmpd {
    /// Starts snmpd on a core, and waits until it answers over TCP.
    pub(crate) fn start(topology: &Topology, directory: &Path, core: Option<usize>) -> Result<Self> {
        let program = find("snmpd").ok_or(NOT_INSTALLED)?;
        fs::create_dir_all(directory).context(directory.display())?;
        let config = directory.join("snmpd.conf");
        let address = topology.agent_v4();
        fs::write(&config, configuration(&format!("{address}:{PORT}"))).context(config.display())?;
        let users = directory.join("users.tsv");
        fs::write(&users, users_table()).context(users.display())?;
        let credentials = directory.join(CREDENTIALS);
        let text = format!(
            "PORTREEVE_UDP='{address}:{PORT}'\nPORTREEVE_TCP='{address}:{PORT}'\nPORTREEVE_RO='{COMMUNITY}'\n\
             PORTREEVE_USERS='{}'\n",
            users.display()
        );
        fs::write(&credentials, text).context(credentials.display())?;
        let mut command = on_core(core, &program)?;
        command.args(["-f", "-LOw", "-C", "-c"]).arg(&config);
        command.env("SNMP_PERSISTENT_DIR", directory.join("state")).env("MIBS", "");
        let log = directory.join("snmpd.log");
        let mut server = at(topology.agent(), "snmpd", command, &log)?;
        let deadline = Instant::now() + START_TIMEOUT;
        // snmpd opens its TCP listener last.
        while topology.manager().run(|| std::net::TcpStream::connect((address, PORT)))?.is_err() {
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

/// Checks that snmpd and its commands support a protocol stack.
pub(crate) fn check(stack: ProtocolStack) -> std::result::Result<(), Skipped> {
    let reason = match (stack.carrier, stack.message) {
        (Carrier::Udp | Carrier::Tcp, Message::Usm(_, Some(privacy))) if privacy.key_len() > 16 => {
            "Debian builds Net-SNMP without AES-192 and AES-256"
        }
        (Carrier::Udp | Carrier::Tcp, Message::Tsm) => "it needs a secure transport",
        (Carrier::Udp | Carrier::Tcp, _) => return Ok(()),
        (Carrier::Tls12 | Carrier::Tls | Carrier::TlsMlKem | Carrier::TlsResumed, _) => {
            "Net-SNMP 5.9 supports no version of TLS after 1.0, which OpenSSL 3 rejects"
        }
        (Carrier::Dtls13, _) => "OpenSSL 3 does not support DTLS 1.3",
        (Carrier::Dtls12, _) => "not measured: snmpd serves one DTLS client at a time",
        _ => "Debian builds Net-SNMP without SSH",
    };
    Err(Skipped(reason.into()))
}

/// Returns a command of Net-SNMP without MIB modules that reads `name`, as words of a command line.
pub(crate) fn command(
    program: &str,
    stack: ProtocolStack,
    agent: &str,
    name: &str,
) -> std::result::Result<Vec<String>, Skipped> {
    check(stack)?;
    let program = find(program).ok_or(NOT_INSTALLED)?;
    let mut words = vec![program.display().to_string(), "-m".into(), String::new(), "-On".into()];
    match stack.message {
        Message::V1 => words.extend(["-v1", "-c", COMMUNITY].map(String::from)),
        Message::V2c => words.extend(["-v2c", "-c", COMMUNITY].map(String::from)),
        Message::Tsm => return Err(Skipped("it needs a secure transport".into())),
        Message::Usm(auth, privacy) => {
            let user = USERS
                .iter()
                .find(|user| user.auth.parse().ok() == auth && user.privacy.parse().ok() == privacy);
            let user = user.ok_or_else(|| Skipped("snmpd has no such user".into()))?;
            words.extend(["-v3", "-u", user.name, "-l", user.level].map(String::from));
            if auth.is_some() {
                words.extend(["-a", user.auth, "-A", AUTH_PASS].map(String::from));
            }
            if privacy.is_some() {
                words.extend(["-x", user.privacy, "-X", PRIV_PASS].map(String::from));
            }
        }
    }
    let transport = if stack.carrier == Carrier::Tcp { "tcp" } else { "udp" };
    words.extend([format!("{transport}:{agent}"), name.to_owned()]);
    Ok(words)
}

fn configuration(address: &str) -> String {
    let mut text =
        format!("agentaddress udp:{address},tcp:{address}\nrocommunity {COMMUNITY}\nsysDescr {SYS_DESCR}\n");
    for User { name, level, auth, privacy } in USERS {
        let rights = match *level {
            "noAuthNoPriv" => "noauth",
            "authNoPriv" => "auth",
            _ => "priv",
        };
        // Writing to a string does not fail.
        let _ = match (*auth, *privacy) {
            ("", _) => writeln!(text, "createUser {name}"),
            (auth, "") => writeln!(text, "createUser {name} {auth} \"{AUTH_PASS}\""),
            (auth, privacy) => {
                writeln!(text, "createUser {name} {auth} \"{AUTH_PASS}\" {privacy} \"{PRIV_PASS}\"")
            }
        };
        let _ = writeln!(text, "rouser {name} {rights}");
    }
    text
}

/// Returns the users in the format of `users.tsv` of `portreeved demo`.
fn users_table() -> String {
    let or_hyphen = |field: &'static str, pass: &'static str| match field {
        "" => ("-", "-"),
        field => (field, pass),
    };
    let rows = USERS.iter().map(|user| {
        let ((auth, auth_pass), (privacy, priv_pass)) =
            (or_hyphen(user.auth, AUTH_PASS), or_hyphen(user.privacy, PRIV_PASS));
        format!("{}\t{}\t{auth}\t{auth_pass}\t{privacy}\t{priv_pass}\n", user.name, user.level)
    });
    rows.collect()
}

struct User {
    name: &'static str,
    level: &'static str,
    auth: &'static str,
    privacy: &'static str,
}

const USERS: &[User] = &[
    User { name: "guest", level: "noAuthNoPriv", auth: "", privacy: "" },
    User { name: "md5", level: "authNoPriv", auth: "MD5", privacy: "" },
    User { name: "sha256", level: "authNoPriv", auth: "SHA-256", privacy: "" },
    User { name: "md5des", level: "authPriv", auth: "MD5", privacy: "DES" },
    User { name: "md5aes", level: "authPriv", auth: "MD5", privacy: "AES" },
    User { name: "sha256aes", level: "authPriv", auth: "SHA-256", privacy: "AES" },
];

/// The port, which is free in the agent's own namespace.
pub(crate) const PORT: u16 = 16_161;
const COMMUNITY: &str = "public";
const AUTH_PASS: &str = "lab auth phrase";
const PRIV_PASS: &str = "lab priv phrase";
const CREDENTIALS: &str = "net-snmp.env";
const NOT_INSTALLED: &str = "Net-SNMP is not installed (Debian: snmpd and snmp)";
const START_TIMEOUT: Duration = Duration::from_secs(30);
