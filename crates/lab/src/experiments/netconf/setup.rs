//! The agent under measurement, with keys that a demo has made.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::daemon::Demo;
use crate::error::{Context, Result};
use crate::experiments::stair;
use crate::netconf_client::{NetconfClient, NetconfLogin};
use crate::process::{Server, own_program};

/// The files and addresses of the agent.
pub(super) struct Setup {
    pub(super) directory: PathBuf,
    pub(super) login: NetconfLogin,
    pub(super) udp: SocketAddr,
}

/// The parts of the configuration that differ between measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modules {
    /// No NETCONF.
    None,
    /// The modules that are shipped.
    Shipped,
    /// The module `stair` in addition.
    Stair,
}

impl Setup {
    pub(super) fn new(directory: &Path) -> Result<Self> {
        let demo = Demo::start(&own_program("portreeved")?, directory)?;
        let login = NetconfLogin {
            address: demo.env("PORTREEVE_SSH")?.parse()?,
            user: demo.env("PORTREEVE_SSH_USER")?.into(),
            key: demo.env("PORTREEVE_SSH_KEY")?.into(),
            known_hosts: demo.env("PORTREEVE_KNOWN_HOSTS")?.into(),
        };
        let udp = demo.env("PORTREEVE_UDP")?.parse()?;
        demo.stop()?;
        let modules = directory.join("modules");
        fs::create_dir(&modules).context(modules.display())?;
        fs::write(modules.join(stair::FILE), stair::MODULE).context(modules.display())?;
        Ok(Self { directory: directory.into(), login, udp })
    }

    /// Starts the agent with an empty state in `state`, and waits until it listens.
    pub(super) fn start(&self, modules: Modules, state: &Path) -> Result<Server> {
        let _ = fs::remove_dir_all(state);
        self.restart(modules, state)
    }

    /// Starts the agent with the state that it has.
    pub(super) fn restart(&self, modules: Modules, state: &Path) -> Result<Server> {
        let config = self.directory.join("portreeved.toml");
        fs::write(&config, self.configuration(modules, state)).context(config.display())?;
        let mut command = Command::new(own_program("portreeved")?);
        command.args(["run", "--first-start", "--config"]).arg(&config);
        Server::start_ready("portreeved", &mut command, &self.directory.join("portreeved.log"))
    }

    /// Opens a session with the agent.
    pub(super) fn connect(&self) -> Result<NetconfClient> {
        NetconfClient::open(&self.login)
    }

    /// Returns the directory of the state on the disk.
    pub(super) fn state(&self) -> PathBuf {
        self.directory.join("state")
    }

    fn configuration(&self, modules: Modules, state: &Path) -> String {
        let Self { login, udp, .. } = self;
        let (ssh, user, state) = (login.address, &login.user, state.display());
        let netconf = match modules {
            Modules::None => String::new(),
            Modules::Shipped => "[netconf]\n\n".into(),
            Modules::Stair => format!("[netconf]\n\n[yang]\nmodules = [\"modules/{}\"]\n\n", stair::FILE),
        };
        format!(
            "[agent]\nstate-dir = \"{state}\"\n\n[weak]\nallow = [\"communities\"]\n\n\
             [[listen]]\ntransport = \"udp\"\naddress = \"{udp}\"\n\n\
             [[listen]]\ntransport = \"ssh\"\naddress = \"{ssh}\"\n\n\
             [ssh]\nhost-keys = [\"ssh_host_ed25519_key\"]\nauthorized-keys = [\"authorized_keys/%u\"]\n\n\
             {netconf}[[session-user]]\nname = \"{user}\"\naccess = \"write\"\nview = \"all\"\n\n\
             [[community]]\nname = \"{COMMUNITY}\"\nversions = [\"v2c\"]\nsecurity-name = \"lab\"\n\
             access = \"write\"\nview = \"all\"\n\n\
             [limits]\ncommunity-rate = 0\n"
        )
    }
}

/// The community with write access to all objects.
pub(super) const COMMUNITY: &str = "lab-write";
