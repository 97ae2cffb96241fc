//! OpenSSH's sshd with the keys of our agent, and a client for it.
//!
//! It has a configuration of its own, and its subsystem `snmp` is the SFTP server inside sshd,
//! which needs no further program. Sessions get no messages: they are opened and closed. sshd
//! starts processes for each connection. Those whose parent ends become its children, so that their
//! CPU time is counted.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;

use super::separation_directory::sshd_words;
use super::{AGENT_CORE, MANAGER_CORE, Site, at, on_core};
use crate::client::{Carrier, ClientProcess, ProtocolStack};
use crate::error::{Context, Result};
use crate::experiments::usage::{cpu_with_ended_children, has_children};
use crate::harness::Skipped;
use crate::ports::free_port;
use crate::process::{Server, find, output};

/// A running sshd, and the client that opens its sessions.
pub(crate) struct Sshd {
    client: ClientProcess,
    server: Server,
    address: SocketAddr,
    /// The names of its key exchanges.
    key_exchanges: String,
}

/// The cost of sessions.
pub(crate) struct Sessions {
    /// The time for all of them.
    pub(crate) seconds: f64,
    /// The CPU time of all processes of sshd for all of them.
    pub(crate) cpu: f64,
}

impl Sshd {
    /// Starts sshd in the place of a site's agent, on its core, with the agent's keys.
    pub(crate) fn start(site: &Site) -> Result<Self> {
        let program = find("sshd").ok_or("sshd is not installed (Debian: openssh-server)")?;
        let directory = site.directory().join("sshd");
        fs::create_dir_all(&directory).context(directory.display())?;
        let words = sshd_words(&program);
        let port = if site.topology.is_isolated() { PORT } else { free_port()? };
        let address = SocketAddr::new(site.topology.agent_v4(), port);
        let config = directory.join("sshd_config");
        let text = configuration(&site.directory().join("agent"), address);
        let settings = write_configuration(&words, &config, &text)?;
        let key_exchanges = settings.lines().find_map(|line| line.strip_prefix("kexalgorithms "));
        let key_exchanges = key_exchanges.ok_or("sshd -T lists no key exchanges")?.to_owned();

        let mut command = on_core(Some(AGENT_CORE), &std::env::current_exe()?)?;
        command.arg("collect-children").args(&words).arg("-D").arg("-f").arg(&config);
        command.arg("-E").arg(directory.join("sshd.log"));
        let mut server = at(site.topology.agent(), "sshd", command, &directory.join("sshd.out"))?;
        wait_until(|| {
            server.check()?;
            Ok(site.topology.manager().run(|| TcpStream::connect(address))?.is_ok())
        })?;
        let credentials = directory.join("credentials.env");
        fs::write(&credentials, credentials_of(site, &directory, address)?).context(credentials.display())?;
        let manager = site.topology.manager();
        let mut client = ClientProcess::start_at(manager, Some(MANAGER_CORE), &credentials, &directory, &[])?;
        client.churn(ProtocolStack::tsm(Carrier::Ssh), 1, false).context("cannot open a session of sshd")?;
        Ok(Self { client, server, address, key_exchanges })
    }

    /// Checks that sshd has the key exchange of a protocol stack.
    pub(crate) fn check(&self, stack: ProtocolStack) -> std::result::Result<(), Skipped> {
        let has = |name: &str| self.key_exchanges.split(',').any(|known| known == name);
        match stack.carrier {
            Carrier::SshMlKem if !has(ML_KEM) => {
                Err(Skipped(format!("this sshd has no key exchange {ML_KEM}, which OpenSSH has since 9.9")))
            }
            Carrier::Ssh if !has(X25519) => Err(Skipped(format!("this sshd has no key exchange {X25519}"))),
            _ => Ok(()),
        }
    }

    /// Opens and closes sessions, several in parallel.
    pub(crate) fn open_sessions(&mut self, stack: ProtocolStack, count: usize) -> Result<Sessions> {
        let (id, client) = (self.server.id(), &mut self.client);
        let mut seconds = 0.0;
        let cpu = cpu_of(id, || {
            seconds = client.churn(stack, count, false)?;
            Ok(())
        })?;
        Ok(Sessions { seconds, cpu })
    }

    /// Opens TCP connections, one after the other, and closes each before the key exchange, when
    /// sshd has sent its version. Returns the CPU time of sshd for all of them.
    pub(crate) fn connect(&self, topology: &Topology, count: usize) -> Result<f64> {
        let connect = || {
            for _ in 0..count {
                let stream = TcpStream::connect(self.address)?;
                stream.set_read_timeout(Some(TIMEOUT))?;
                let mut version = String::new();
                BufReader::new(stream).read_line(&mut version)?;
            }
            Ok(())
        };
        cpu_of(self.server.id(), || topology.manager().run(connect)?)
    }
}

/// Returns the CPU time of sshd, with all processes that it starts, for some work of clients.
fn cpu_of(id: u32, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    wait_until(|| has_children(id).map(|has| !has))?;
    let before = cpu_with_ended_children(id)?;
    work()?;
    // The processes of the last sessions may still run.
    wait_until(|| has_children(id).map(|has| !has))?;
    Ok(cpu_with_ended_children(id)? - before)
}

/// Writes the configuration; returns all settings that sshd derives from it.
fn write_configuration(sshd: &[OsString], config: &Path, text: &str) -> Result<String> {
    let settings = |text: &str| {
        fs::write(config, text).context(config.display())?;
        let (program, arguments) = sshd.split_first().ok_or("no program")?;
        output(Command::new(program).args(arguments).arg("-T").arg("-f").arg(config))
    };
    // Since 9.8, sshd refuses addresses that close connections before the login. Older ones reject
    // the setting.
    settings(&format!("{text}PerSourcePenalties no\n")).or_else(|_| settings(text))
}

/// Returns the configuration: only public keys, and no limit for connections from one address.
fn configuration(keys: &Path, address: SocketAddr) -> String {
    let (ip, port, keys) = (address.ip(), address.port(), keys.display());
    format!(
        "Port {port}\nListenAddress {ip}\nHostKey {keys}/ssh_host_ed25519_key\n\
         AuthorizedKeysFile {keys}/authorized_keys/ops\nSubsystem snmp internal-sftp\n\
         PidFile none\nUsePAM no\nUseDNS no\nStrictModes no\nLogLevel ERROR\nPermitRootLogin prohibit-password\n\
         PasswordAuthentication no\nKbdInteractiveAuthentication no\n\
         MaxStartups 1000:30:1000\nPerSourceMaxStartups none\n"
    )
}

/// Returns the credentials of the site's client, for sshd: the user of this process logs in.
fn credentials_of(site: &Site, directory: &Path, address: SocketAddr) -> Result<String> {
    let known = site.credentials().get("KNOWN_HOSTS")?;
    let text = fs::read_to_string(known).context(known)?;
    let key = text.lines().find_map(|line| line.split_once(' ')).ok_or("no key of a host").context(known)?.1;
    let file = directory.join("known_hosts");
    fs::write(&file, format!("[{}]:{} {key}\n", address.ip(), address.port())).context(file.display())?;
    let user = output(Command::new("id").arg("-un"))?;
    Ok(format!(
        "PORTREEVE_SSH='{address}'\nPORTREEVE_SSH_USER='{}'\nPORTREEVE_SSH_KEY='{}'\nPORTREEVE_KNOWN_HOSTS='{}'\n",
        user.trim(),
        site.credentials().get("SSH_KEY")?,
        file.display()
    ))
}

fn wait_until(mut condition: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    while !condition()? {
        if Instant::now() > deadline {
            return Err("sshd does not listen, or does not end its sessions".into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

const X25519: &str = "curve25519-sha256";
const ML_KEM: &str = "mlkem768x25519-sha256";
/// The port, which is free in the agent's own namespace.
const PORT: u16 = 16_222;
/// A long time, because other programs may use the core.
const TIMEOUT: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::configuration;

    /// Any other method would allow attempts from the network, if the machine is in one.
    #[test]
    fn only_public_keys_are_accepted() {
        let text = configuration("/lab/agent".as_ref(), ([192, 0, 2, 1], 16_222).into());
        for line in [
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "UsePAM no",
            "ListenAddress 192.0.2.1",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}: {text}");
        }
        assert!(text.contains("AuthorizedKeysFile /lab/agent/authorized_keys/ops\n"), "{text}");
    }
}
