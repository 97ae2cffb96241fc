//! Agents under measurement: portreeved with the files of its demo, and snmpd with the same access
//! and users.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use portreeve_sys::kill_with_parent;

use crate::error::{Context, Result};
use crate::peers::net_snmp::{SNMPD_OPTIONS, snmpd_environment};
use crate::ports::free_port;
use crate::process::{Server, output, register_child, sibling, signal, unregister_child};

/// The start parameters and credentials of an agent.
pub(crate) struct Agent {
    /// The agent's name in tables.
    pub(crate) name: &'static str,
    /// The address to listen on.
    pub(crate) address: SocketAddr,
    /// A community with read access to everything.
    pub(crate) community: String,
    /// Options that authenticate a Net-SNMP compatible client as the user with SHA-256 and AES-128.
    pub(crate) user: Vec<String>,
    program: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    log: PathBuf,
}

impl Agent {
    /// Starts the agent. `wrap` returns the command that runs a program in a namespace and on a
    /// core.
    pub(crate) fn start(&self, wrap: impl FnOnce(&str) -> Result<Command>) -> Result<Server> {
        let mut command = wrap(&self.program)?;
        command.args(&self.arguments).envs(self.environment.iter().cloned());
        Server::start(self.name, &mut command, &self.log)
    }

    /// Returns the agent's log so far.
    pub(crate) fn log(&self) -> Result<String> {
        fs::read_to_string(&self.log).context(self.log.display())
    }
}

/// Prepares portreeved to listen at `at`. Its demo writes users and configuration; the loopback
/// address is replaced.
pub(crate) fn portreeved(program: &Path, directory: &Path, at: IpAddr) -> Result<Agent> {
    let demo = Demo::start(program, directory)?;
    let port = demo.env("PORTREEVE_UDP")?.parse::<SocketAddr>()?.port();
    let community = demo.env("PORTREEVE_RO")?.to_owned();
    let user = demo
        .users
        .iter()
        .find(|user| user.auth == "SHA-256" && user.privacy == "AES")
        .ok_or("users.tsv has no user with SHA-256 and AES")?
        .options();
    demo.stop()?;
    let config = directory.join("portreeved.toml");
    let text = fs::read_to_string(&config).context(config.display())?;
    // Every measured command performs engine ID discovery, so the rate limits for unauthenticated
    // replies and for communities are disabled.
    let text = text.replace("127.0.0.1", &at.to_string())
        + "\n[limits]\nunauthenticated-replies = 0\ncommunity-rate = 0\n";
    fs::write(&config, text).context(config.display())?;
    Ok(Agent {
        name: "portreeved",
        address: (at, port).into(),
        community,
        user,
        program: program.display().to_string(),
        arguments: vec!["run".into(), "--config".into(), config.display().to_string()],
        environment: Vec::new(),
        log: directory.join("bench.log"),
    })
}

/// Prepares Net-SNMP's agent with one community and one user, nothing else enabled, and the
/// settings that it has in all other measurements.
pub(crate) fn snmpd(directory: &Path, at: IpAddr) -> Result<Agent> {
    fs::create_dir_all(directory).context(directory.display())?;
    let config = directory.join("snmpd.conf");
    fs::write(
        &config,
        format!(
            "agentaddress udp:{at}:{SNMPD_PORT}\nrocommunity public\n\
             createUser bench SHA-256 \"bench auth phrase\" AES \"bench priv phrase\"\nrouser bench priv\n"
        ),
    )
    .context(config.display())?;
    let user = User {
        name: "bench".into(),
        level: "authPriv".into(),
        auth: "SHA-256".into(),
        auth_pass: "bench auth phrase".into(),
        privacy: "AES".into(),
        priv_pass: "bench priv phrase".into(),
    };
    Ok(Agent {
        name: "snmpd",
        address: (at, SNMPD_PORT).into(),
        community: "public".into(),
        user: user.options(),
        program: "snmpd".into(),
        arguments: SNMPD_OPTIONS
            .map(String::from)
            .into_iter()
            .chain([config.display().to_string()])
            .collect(),
        environment: snmpd_environment(directory),
        log: directory.join("bench.log"),
    })
}

/// A running `portreeved demo` and the credentials that it wrote.
pub(crate) struct Demo {
    child: Child,
    // Kept open, because the daemon would fail to write to a closed pipe.
    _stdout: BufReader<ChildStdout>,
    env: HashMap<String, String>,
    /// The users that the demo created: one for each pair of algorithms and each level.
    pub(crate) users: Vec<User>,
}

impl Demo {
    /// Starts the demo in `directory` on free ports of loopback and waits until it is ready. Its
    /// log is written to a file next to the directory.
    pub(crate) fn start(program: &Path, directory: &Path) -> Result<Self> {
        let log = directory.with_extension("log");
        let mut command = Command::new(program);
        command
            .arg("demo")
            .arg("--dir")
            .arg(directory)
            .args(["--base-port", &free_port()?.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).context(log.display())?);
        let mut child = kill_with_parent(&mut command).spawn().context(program.display())?;
        register_child(child.id());
        let stdout = child.stdout.take().ok_or("cannot read the daemon's output: it is not a pipe")?;
        let mut demo =
            Self { child, _stdout: BufReader::new(stdout), env: HashMap::new(), users: Vec::new() };
        let mut line = String::new();
        while line.trim() != "ready" {
            line.clear();
            if demo._stdout.read_line(&mut line)? == 0 {
                let reason = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("portreeved demo exited before it was ready\n{reason}").into());
            }
        }
        demo.env = read_env(&directory.join("credentials.env"))?;
        demo.users = read_users(&directory.join("users.tsv"))?;
        Ok(demo)
    }

    /// Returns the value of a variable in `credentials.env`.
    pub(crate) fn env(&self, name: &str) -> Result<&str> {
        self.env.get(name).map(String::as_str).ok_or_else(|| format!("credentials.env has no {name}").into())
    }

    /// Sends SIGTERM; the demo must exit with status 0.
    pub(crate) fn stop(mut self) -> Result<()> {
        signal(self.child.id(), "TERM")?;
        match self.child.wait()? {
            status if status.success() => Ok(()),
            status => Err(format!("portreeved demo exited with {status}").into()),
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        unregister_child(self.child.id());
    }
}

/// A user listed in `users.tsv`.
#[derive(Clone)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) level: String,
    pub(crate) auth: String,
    pub(crate) auth_pass: String,
    pub(crate) privacy: String,
    pub(crate) priv_pass: String,
}

impl User {
    /// Returns the options that authenticate a Net-SNMP compatible command as this user.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options = vec!["-v3", "-u", &self.name, "-l", &self.level];
        if self.level != "noAuthNoPriv" {
            options.extend(["-a", &self.auth, "-A", &self.auth_pass]);
        }
        if self.level == "authPriv" {
            options.extend(["-x", &self.privacy, "-X", &self.priv_pass]);
        }
        options.into_iter().map(String::from).collect()
    }
}

/// Returns a valid authPriv GET for `agent`, sent by a real client.
pub(crate) fn capture_get(
    agent: &Agent,
    name: &str,
    out: &Path,
    wrap: impl FnOnce(&str) -> Result<Command>,
) -> Result<Vec<u8>> {
    let lab = std::env::current_exe()?;
    let mut command = wrap(&lab.display().to_string())?;
    command.args(["capture", "--to", &agent.address.to_string(), "--out"]).arg(out).arg("--");
    match sibling("portreeve") {
        Ok(portreeve) => command.arg(portreeve).arg("get"),
        Err(_) => command.arg("snmpget"),
    };
    output(command.args(&agent.user).args(["-t", "2", "@ADDRESS@", name]))?;
    fs::read(out).context(out.display())
}

pub(crate) fn read_env(path: &Path) -> Result<HashMap<String, String>> {
    let text = fs::read_to_string(path).context(path.display())?;
    let lines = text.lines().map(|line| line.trim().trim_start_matches("export "));
    let pairs = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.trim_matches(['\'', '"']).to_owned())).collect())
}

pub(crate) fn read_users(path: &Path) -> Result<Vec<User>> {
    let text = fs::read_to_string(path).context(path.display())?;
    let lines =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("name\t"));
    Ok(lines
        .map(|line| {
            let mut fields = line.split('\t').map(|field| if field == "-" { "" } else { field }.to_owned());
            let mut next = || fields.next().unwrap_or_default();
            User {
                name: next(),
                level: next(),
                auth: next(),
                auth_pass: next(),
                privacy: next(),
                priv_pass: next(),
            }
        })
        .collect())
}

/// A fixed port is free, because the namespace has no other servers.
const SNMPD_PORT: u16 = 16_161;

#[cfg(test)]
mod tests {
    use super::snmpd;

    #[test]
    fn snmpd_logs_no_requests_and_loads_no_modules() {
        let directory = tempfile::tempdir().unwrap();
        let agent = snmpd(directory.path(), [192, 0, 2, 1].into()).ok().unwrap();
        assert!(agent.arguments.starts_with(&["-f".into(), "-LOw".into()]), "{:?}", agent.arguments);
        let value = |name: &str| {
            let values: Vec<_> = agent.environment.iter().filter(|(known, _)| known == name).collect();
            assert_eq!(values.len(), 1, "{name}: {:?}", agent.environment);
            values[0].1.clone()
        };
        assert_eq!(value("MIBS"), "");
        assert_eq!(value("SNMP_PERSISTENT_DIR"), directory.path().join("state").display().to_string());
    }
}
