//! Agents under measurement: portreeved with the files of its demo, and snmpd with the same access
//! and users.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use portreeve_lab_demo::agent::{Demo, User, read_env, read_users};

use crate::error::{Context, Result};
use crate::peers::net_snmp::{SNMPD_OPTIONS, snmpd_environment};
use crate::process::{Server, output, own_program};

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
    match own_program("portreeve") {
        Ok(portreeve) => command.arg(portreeve).arg("get"),
        Err(_) => command.arg("snmpget"),
    };
    output(command.args(&agent.user).args(["-t", "2", "@ADDRESS@", name]))?;
    fs::read(out).context(out.display())
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
