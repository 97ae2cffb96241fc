//! The agent that executes the SETs, on a free port of loopback.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::process::{Server, own_program};

/// An agent that can be started several times with the same state directory.
pub(in crate::experiments) struct SetAgent {
    /// The address to listen on.
    pub(in crate::experiments) address: SocketAddr,
    /// The directory of configuration and state.
    directory: PathBuf,
    command: Vec<String>,
}

impl SetAgent {
    /// Prepares the agent with a community and a user that may write everything.
    pub(in crate::experiments) fn new(directory: &Path) -> Result<Self> {
        let (address, config) = (free_address()?, directory.join("portreeved.toml"));
        let text = format!(
            "[agent]\nstate-dir = \"state\"\n\n[weak]\nallow = [\"communities\"]\n\n\
             [[listen]]\ntransport = \"udp\"\naddress = \"{address}\"\n\n\
             [[community]]\nname = \"{COMMUNITY}\"\nversions = [\"v2c\"]\nsecurity-name = \"lab\"\n\
             access = \"write\"\nview = \"all\"\n\n\
             [[user]]\nname = \"{USER}\"\nlevel = \"authPriv\"\nauth = \"SHA-256\"\nauth-pass = \"{AUTH_PASS}\"\n\
             priv = \"AES\"\npriv-pass = \"{PRIV_PASS}\"\naccess = \"write\"\nview = \"all\"\n"
        );
        write_private(&config, &text)?;
        let program = own_program("portreeved")?.display().to_string();
        let command = vec![program, "run".into(), "--config".into(), config.display().to_string()];
        Ok(Self { address, directory: directory.into(), command })
    }

    /// Starts the agent with a command prefix, and waits until it listens.
    pub(in crate::experiments) fn start(&self, prefix: &[String]) -> Result<Server> {
        let mut words = prefix.iter().chain(&self.command);
        let mut command = Command::new(words.next().ok_or("the agent has no command")?);
        command.args(words);
        Server::start_ready("portreeved", &mut command, &self.directory.join("agent.log"))
    }
}

/// Writes a file that only its owner can read, in a new directory.
fn write_private(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.with_file_name("")).context(path.display())?;
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(path).context(path.display())?;
    file.write_all(text.as_bytes()).context(path.display())
}

fn free_address() -> Result<SocketAddr> {
    Ok(UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// The credentials with write access to all objects.
pub(super) const COMMUNITY: &str = "lab-write";
pub(super) const USER: &str = "lab";
pub(super) const AUTH_PASS: &str = "lab auth pass phrase";
pub(super) const PRIV_PASS: &str = "lab priv pass phrase";
