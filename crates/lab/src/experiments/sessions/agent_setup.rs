//! Our agent with a listener for every transport, and limits for many sessions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::client::ClientProcess;
use crate::daemon::Demo;
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, own_program};

/// The agent's files. A demo wrote the keys, certificates and addresses that the agent and the
/// client use.
pub(super) struct AgentSetup<'n> {
    pub(super) namespaces: &'n Namespaces,
    pub(super) directory: PathBuf,
    /// The common configuration of all variants.
    configuration: String,
}

/// The cores on which the agent and the client run.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) client_core: Option<usize>,
    server_core: Option<usize>,
}

pub(super) const PINNED: Setting = Setting { name: "pinned", client_core: Some(0), server_core: Some(1) };
pub(super) const UNPINNED: Setting = Setting { name: "unpinned", client_core: None, server_core: None };

impl<'n> AgentSetup<'n> {
    pub(super) fn new(namespaces: &'n Namespaces, directory: &Path) -> Result<Self> {
        Demo::start(&own_program("portreeved")?, directory)?.stop()?;
        let mut texts = Vec::new();
        for name in ["portreeved.toml", "credentials.env", "known_hosts"] {
            let file = directory.join(name);
            let text = fs::read_to_string(&file).context(file.display())?;
            let text = text.replace("127.0.0.1", &SERVER.to_string());
            fs::write(&file, &text).context(file.display())?;
            texts.push(text);
        }
        let (configuration, credentials) = (texts.swap_remove(0), texts.pop().unwrap_or_default());
        fs::write(
            directory.join("credentials.env"),
            format!("{credentials}PORTREEVE_ENGINE_ID='{ENGINE_ID}'\n"),
        )?;
        // Removes the users. They are not needed, and deriving their keys would slow down every
        // start.
        let kept: Vec<&str> =
            configuration.split("\n\n").filter(|part| !part.starts_with("[[user]]")).collect();
        let configuration =
            kept.join("\n\n").replace(AGENT, &format!("{AGENT}engine-id = \"{ENGINE_ID}\"\n"));
        Ok(Self { namespaces, directory: directory.into(), configuration: configuration + EXTRA_CONFIG })
    }

    /// Starts the agent; `change` modifies its configuration.
    pub(super) fn start(&self, setting: Setting, change: impl FnOnce(String) -> String) -> Result<Server> {
        let config = self.directory.join("portreeved.toml");
        fs::write(&config, change(self.configuration.clone())).context(config.display())?;
        let program = own_program("portreeved")?.display().to_string();
        let mut command = self.namespaces.in_server(setting.server_core, &program)?;
        command.args(["run", "--first-start", "--config"]).arg(config);
        Server::start_ready("portreeved", &mut command, &self.directory.join("portreeved.log"))
    }

    /// Starts a client that waits for commands.
    pub(super) fn client(&self, setting: Setting) -> Result<ClientProcess> {
        let lab = std::env::current_exe()?.display().to_string();
        let mut command = self.namespaces.in_client(setting.client_core, &lab)?;
        command.arg("session-client").arg(self.directory.join("credentials.env"));
        ClientProcess::start(&mut command, &self.directory.join("client.log"))
    }
}

const AGENT: &str = "[agent]\n";
const ENGINE_ID: &str = "0x80000000056c616273657373";
/// Raised limits, because all connections and hellos come from one address.
const EXTRA_CONFIG: &str = "\n[limits]\nconnections = 19000\nconnections-per-source = 19000\nunauthenticated-replies = 0\ncommunity-rate = 0\n\n\
                    [sessions]\ncommunities = true\n";
