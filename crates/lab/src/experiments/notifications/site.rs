//! A receiver of ours with a listener for every transport, and the keys of its senders.
//!
//! A demo of the agent writes keys, certificates and known hosts; the receiver listens at the
//! addresses of the demo's agent.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::daemon::{Demo, read_env};
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, own_program};

/// The files of the receiver and its senders.
pub(super) struct Site<'n> {
    /// The receiver is in the server's namespace, and senders are in the client's. Without
    /// namespaces, both are on loopback.
    namespaces: Option<&'n Namespaces>,
    pub(super) directory: PathBuf,
    env: HashMap<String, String>,
    configuration: String,
}

impl<'n> Site<'n> {
    pub(super) fn new(namespaces: Option<&'n Namespaces>, parent: &Path) -> Result<Self> {
        let directory = parent.join("site");
        start_demo(&directory)?;
        let at = namespaces.map_or("127.0.0.1".to_owned(), |_| SERVER.to_string());
        for name in ["portreeved.toml", "credentials.env", "known_hosts"] {
            let file = directory.join(name);
            let text = fs::read_to_string(&file).context(file.display())?.replace("127.0.0.1", &at);
            fs::write(&file, text).context(file.display())?;
        }
        let demo = directory.join("portreeved.toml");
        let demo = fs::read_to_string(&demo).context(demo.display())?;
        let configuration = receiver_configuration(&demo);
        let env = read_env(&directory.join("credentials.env"))?;
        Ok(Self { namespaces, directory, env, configuration })
    }

    /// Starts the receiver with options, and waits until it listens. It writes lines to the file
    /// `lines` of the directory.
    pub(super) fn start_receiver(&self, options: &[&str]) -> Result<Server> {
        let config = self.directory.join("portreeve-trapd.toml");
        write_private(&config, &self.configuration)?;
        let log = self.directory.join("portreeve-trapd.log");
        let mut command = self.in_server("portreeve-trapd")?;
        command.arg("--config").arg(config).args(options);
        let mut server = Server::start("portreeve-trapd", &mut command, &log)?;
        wait_until_ready(&mut server, &log)?;
        Ok(server)
    }

    /// Starts an agent with the sections `more` of its configuration.
    pub(super) fn start_agent(&self, more: &str) -> Result<Server> {
        let state = self.directory.join("agent-state");
        if state.exists() {
            fs::remove_dir_all(&state).context(state.display())?;
        }
        write_private(&self.agent_config(), &format!("{AGENT}{more}"))?;
        let mut command = self.in_client("portreeved")?;
        command.args(["run", "--config"]).arg(self.agent_config());
        Server::start_ready("portreeved", &mut command, &self.directory.join("agent.log"))
    }

    /// Returns the configuration file of the agent.
    pub(super) fn agent_config(&self) -> PathBuf {
        self.directory.join("agent.toml")
    }

    /// Returns a command that runs a program of ours where senders are.
    pub(super) fn in_client(&self, program: &str) -> Result<Command> {
        let program = own_program(program)?.display().to_string();
        self.namespaces.map_or_else(|| Ok(Command::new(&program)), |pair| pair.in_client(None, &program))
    }

    fn in_server(&self, program: &str) -> Result<Command> {
        let program = own_program(program)?.display().to_string();
        self.namespaces.map_or_else(|| Ok(Command::new(&program)), |pair| pair.in_server(None, &program))
    }

    pub(super) fn namespaces(&self) -> Result<&'n Namespaces> {
        self.namespaces.ok_or_else(|| "the receiver is on loopback".into())
    }

    /// Returns the value of `PORTREEVE_name`: an address or a credential.
    pub(super) fn env(&self, name: &str) -> Result<&str> {
        let value = self.env.get(&format!("PORTREEVE_{name}"));
        value.map(String::as_str).ok_or_else(|| format!("credentials.env has no PORTREEVE_{name}").into())
    }

    /// Returns all values for the environment of a command.
    pub(super) fn environment(&self) -> impl Iterator<Item = (String, String)> {
        self.env.iter().map(|(name, value)| (name.clone(), value.clone()))
    }
}

/// Returns the configuration of a receiver that listens at the addresses of a demo's agent, with
/// its keys.
pub(in crate::experiments) fn receiver_configuration(demo: &str) -> String {
    let sections = ["[[listen]]", "[ssh]", "[tls]", "[[tls.name]]"];
    let kept: Vec<&str> =
        demo.split("\n\n").filter(|part| sections.iter().any(|name| part.starts_with(name))).collect();
    format!("{RECEIVER}{}\n", kept.join("\n\n"))
}

/// Waits until our receiver has written to its log that it is ready.
pub(in crate::experiments) fn wait_until_ready(server: &mut Server, log: &Path) -> Result<()> {
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        let text = fs::read_to_string(log).context(log.display())?;
        if text.lines().any(|line| line == "ready") {
            return Ok(());
        }
        server.check().context(&text)?;
        if Instant::now() > deadline {
            return Err(format!("portreeve-trapd is not ready: {text}").into());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a demo that writes its files to the directory. Its ports are free when they are chosen, but
/// another process may use one of them before the demo does.
fn start_demo(directory: &Path) -> Result<()> {
    let program = own_program("portreeved")?;
    for _ in 1..DEMO_ATTEMPTS {
        match Demo::start(&program, directory) {
            Ok(demo) => return demo.stop(),
            Err(_) => fs::remove_dir_all(directory).context(directory.display())?,
        }
    }
    Demo::start(&program, directory)?.stop()
}

/// Writes a file that only its owner can read.
pub(in crate::experiments) fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    let mut file =
        options.write(true).create(true).truncate(true).mode(0o600).open(path).context(path.display())?;
    file.write_all(text.as_bytes()).context(path.display())
}

pub(in crate::experiments) const COMMUNITY: &str = "lab-traps";
pub(in crate::experiments) const USER: &str = "traps";
pub(in crate::experiments) const AUTH_PASS: &str = "lab auth pass phrase";
pub(in crate::experiments) const PRIV_PASS: &str = "lab priv pass phrase";

const RECEIVER: &str = "[receive]\nstate-dir = \"receiver-state\"\nlog = \"lines\"\nengine-id = \"0x80000000056c61627472617073\"\n\n\
    [weak]\nallow = [\"communities\"]\n\n\
    [limits]\nconnections = 4000\nconnections-per-source = 4000\nunauthenticated-replies = 0\ncommunity-rate = 0\n\n\
    [[community]]\nname = \"lab-traps\"\nversions = [\"v2c\"]\nsecurity-name = \"lab\"\n\n\
    [[user]]\nname = \"traps\"\nlevel = \"authPriv\"\nauth = \"SHA-256\"\nauth-pass = \"lab auth pass phrase\"\n\
    priv = \"AES\"\npriv-pass = \"lab priv pass phrase\"\n\n\
    [[sender]]\nuser = \"traps\"\n\n\
    [[accept]]\nname = \"lab\"\n\n[[accept]]\nname = \"traps\"\n\n[[accept]]\nname = \"ops\"\n\n";

const AGENT: &str = "[agent]\nstate-dir = \"agent-state\"\n\n[weak]\nallow = [\"communities\"]\n\n\
    [[listen]]\ntransport = \"udp\"\naddress = \"127.0.0.1:16161\"\n\n\
    [[user]]\nname = \"traps\"\nlevel = \"authPriv\"\nauth = \"SHA-256\"\nauth-pass = \"lab auth pass phrase\"\n\
    priv = \"AES\"\npriv-pass = \"lab priv pass phrase\"\n\n";

const DEMO_ATTEMPTS: u32 = 3;
/// A long time, because keys are derived before the sockets are opened.
const START_TIMEOUT: Duration = Duration::from_secs(30);
