//! Our agent, with a listener for every transport and a user for every algorithm.
//!
//! `portreeved demo` creates the keys, certificates and users once, in the agent's namespace. Then
//! its files are changed: to the agent's address, to the users that experiments need, and to limits
//! for many sessions and requests from one address.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use portreeve_lab_net::Topology;

use super::{SiteOptions, on_core};
use crate::error::{Context, Result};
use crate::ports::free_port;
use crate::process::{Server, output, own_program};

/// A running agent.
pub(crate) struct Portreeved {
    server: Server,
    directory: PathBuf,
}

impl Portreeved {
    /// Starts the agent on a core; `change` modifies its configuration. With another protection of
    /// TLS, it runs inside a process of the lab.
    pub(crate) fn start(
        topology: &Topology,
        directory: &Path,
        core: Option<usize>,
        options: SiteOptions,
        change: impl FnOnce(String) -> String,
    ) -> Result<Self> {
        let config = directory.join("portreeved.toml");
        if !config.exists() {
            make_files(topology, directory)?;
        }
        let text = fs::read_to_string(directory.join(TEMPLATE)).context(TEMPLATE)?;
        fs::write(&config, change(text)).context(config.display())?;
        let mut command = match options.protection {
            None => on_core(core, &own_program("portreeved")?)?,
            Some(_) => {
                let mut lab = on_core(core, &std::env::current_exe()?)?;
                lab.arg("agent");
                lab
            }
        };
        command.args(["run", "--first-start", "--config"]).arg(&config);
        command.envs(options.environment().iter().copied());
        let log = directory.join("portreeved.log");
        let server = Server::start_ready_at(topology.agent(), "portreeved", command, &log)?;
        Ok(Self { server, directory: directory.into() })
    }

    /// Returns the process ID.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Returns the number of sessions that the agent has open at all listeners, by its own count.
    pub(crate) fn open_sessions(&self) -> Result<usize> {
        let mut command = Command::new(own_program("portreeved")?);
        command.args(["status", "--json", "--config"]).arg(self.directory.join("portreeved.toml"));
        count_sessions(&output(&mut command)?).context("portreeved status")
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

/// Creates the keys, certificates and users, and a template of the configuration.
pub(crate) fn make_files(topology: &Topology, directory: &Path) -> Result<()> {
    let port = if topology.is_isolated() { BASE_PORT } else { free_port()? };
    let mut command = on_core(None, &own_program("portreeved")?)?;
    command.arg("demo").arg("--dir").arg(directory).args(["--base-port", &port.to_string()]);
    let log = directory.with_extension("log");
    Server::start_ready_at(topology.agent(), "portreeved demo", command, &log)?.stop()?;

    let address = topology.agent_v4().to_string();
    let rewrite = |name: &str, change: &dyn Fn(String) -> String| -> Result<()> {
        let file = directory.join(name);
        let text = fs::read_to_string(&file).context(file.display())?;
        let target = if name == "portreeved.toml" { directory.join(TEMPLATE) } else { file };
        fs::write(&target, change(text.replace("127.0.0.1", &address))).context(target.display())
    };
    rewrite("portreeved.toml", &configuration)?;
    rewrite("known_hosts", &|text| text)?;
    let users = directory.join("users.tsv").display().to_string();
    rewrite(CREDENTIALS, &|text| {
        format!("{text}PORTREEVE_USERS='{users}'\nPORTREEVE_ENGINE_ID='{ENGINE_ID}'\n")
    })
}

/// Returns the configuration without the users that no experiment needs: deriving their keys would
/// slow down every start.
fn configuration(text: String) -> String {
    let is_needed = |part: &&str| {
        let name = part.strip_prefix("[[user]]\nname = \"").and_then(|rest| rest.split('"').next());
        name.is_none_or(|name| USERS.contains(&name))
    };
    let kept: Vec<&str> = text.split("\n\n").filter(is_needed).collect();
    let text = kept.join("\n\n").replace("[agent]\n", &format!("[agent]\nengine-id = \"{ENGINE_ID}\"\n"));
    format!("{}\n\n{LIMITS}\n[system]\ndescr = \"{SYS_DESCR}\"\n", text.trim_end())
}

/// Returns the number of sessions in a status. Listeners of UDP have none.
fn count_sessions(status: &str) -> Result<usize> {
    let status: serde_json::Value = serde_json::from_str(status)?;
    let listeners = status.get("listeners").and_then(|listeners| listeners.as_array());
    let sessions = listeners.ok_or("the status has no listeners")?.iter().map(|listener| {
        match listener.get("sessions") {
            Some(sessions) if sessions.is_null() => Ok(0),
            sessions => {
                sessions.and_then(serde_json::Value::as_u64).ok_or("a listener has no number of sessions")
            }
        }
    });
    Ok(usize::try_from(sessions.sum::<std::result::Result<u64, _>>()?)?)
}

/// The value of sysDescr.0, with 50 octets: about as long as in the paper of 2006.
pub(crate) const SYS_DESCR: &str = "An agent of the lab, with a name of fifty octets..";

pub(crate) const TEMPLATE: &str = "template.toml";
pub(crate) const CREDENTIALS: &str = "credentials.env";
/// The engine ID of the agents.
pub(crate) const ENGINE_ID: &str = "0x80000000056c616273657373";
/// The first port of the agent, which is free in its own namespace.
const BASE_PORT: u16 = 16_100;
/// The users of the demo that experiments need.
const USERS: [&str; 8] =
    ["admin", "guest", "md5", "sha-256", "md5-des", "md5-aes", "sha-256-aes", "sha-256-aes-256"];
/// Raised limits, because all connections and requests come from one address.
const LIMITS: &str = "[limits]\nconnections = 19000\nconnections-per-source = 19000\n\
                      unauthenticated-replies = 0\ncommunity-rate = 0\n\n[sessions]\ncommunities = true\n";

#[cfg(test)]
mod tests {
    use super::count_sessions;

    #[test]
    fn sessions_of_all_listeners_are_added() {
        let status = r#"{"listeners":[{"transport":"udp","sessions":null},{"transport":"tls","sessions":3},{"transport":"dtls","sessions":39}]}"#;
        assert_eq!(count_sessions(status).ok(), Some(42));
    }

    #[test]
    fn status_without_numbers_of_sessions_is_an_error() {
        for status in ["{}", r#"{"listeners":[{"transport":"tls"}]}"#, "no JSON"] {
            assert!(count_sessions(status).is_err(), "{status}");
        }
    }
}
