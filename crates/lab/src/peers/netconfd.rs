//! netconfd of yuma123 behind an sshd, with the module `stair`.
//!
//! netconfd keeps its configuration in memory only: nothing that it changes is durable. Access
//! control is off, and it logs only errors.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::separation_directory::sshd_words;
use crate::error::{Context, Result};
use crate::experiments::stair;
use crate::process::{Server, find, output};

/// A running netconfd with its sshd, which is dropped first.
pub(crate) struct Netconfd {
    sshd: Server,
    netconfd: Server,
    directory: PathBuf,
}

/// The place and core of the two servers.
pub(crate) struct Launcher<'l> {
    /// Returns the command that runs a program.
    pub(crate) command: &'l dyn Fn(&Path) -> Result<Command>,
    /// Starts a command with its name; its output goes to a file.
    pub(crate) start: &'l dyn Fn(&str, Command, &Path) -> Result<Server>,
    /// Returns true if a client can connect to the address.
    pub(crate) is_reachable: &'l dyn Fn(SocketAddr) -> bool,
}

impl Netconfd {
    /// Starts both servers with new keys in an empty `directory`, and waits until they listen.
    pub(crate) fn start(directory: &Path, address: SocketAddr, launcher: &Launcher<'_>) -> Result<Self> {
        let (netconfd, sshd) = (program("netconfd", "netconfd")?, program("sshd", "openssh-server")?);
        let _ = fs::remove_dir_all(directory);
        fs::create_dir_all(directory).context(directory.display())?;
        let user = output(Command::new("id").arg("-un"))?.trim().to_owned();
        write_keys(directory, address, &user)?;
        let module = directory.join(stair::FILE);
        fs::write(&module, stair::MODULE).context(module.display())?;
        let netconfd = start_netconfd(&netconfd, directory, address, &user, launcher)?;
        let sshd = start_sshd(&sshd, directory, address, launcher)?;
        wait_until(|| (launcher.is_reachable)(address))?;
        Ok(Self { sshd, netconfd, directory: directory.into() })
    }

    /// Returns the process ID of netconfd.
    pub(crate) fn id(&self) -> u32 {
        self.netconfd.id()
    }

    /// Returns the file with the address and the credentials.
    pub(crate) fn credentials(&self) -> PathBuf {
        self.directory.join(CREDENTIALS)
    }

    /// Stops both servers.
    pub(crate) fn stop(self) -> Result<()> {
        self.sshd.stop()?;
        self.netconfd.stop().map(drop)
    }
}

/// Creates the keys of server and user, and the file that names them.
fn write_keys(directory: &Path, address: SocketAddr, user: &str) -> Result<()> {
    for name in [HOST_KEY, USER_KEY] {
        let file = directory.join(name);
        let mut command = Command::new("ssh-keygen");
        output(command.args(["-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f"]).arg(&file))?;
    }
    let write = |name: &str, text: String| {
        let file = directory.join(name);
        fs::write(&file, text).context(file.display())
    };
    let read = |name: &str| fs::read_to_string(directory.join(name)).context(name);
    write(AUTHORIZED_KEYS, read("id_ed25519.pub")?)?;
    let host = read("ssh_host_ed25519_key.pub")?;
    let (ip, port) = (address.ip(), address.port());
    write(KNOWN_HOSTS, format!("[{ip}]:{port} {host}"))?;
    let path = |name: &str| directory.join(name).display().to_string();
    write(
        CREDENTIALS,
        format!(
            "PORTREEVE_SSH='{address}'\nPORTREEVE_SSH_USER='{user}'\nPORTREEVE_SSH_KEY='{}'\n\
             PORTREEVE_KNOWN_HOSTS='{}'\n",
            path(USER_KEY),
            path(KNOWN_HOSTS)
        ),
    )
}

fn start_netconfd(
    program: &Path,
    directory: &Path,
    address: SocketAddr,
    user: &str,
    launcher: &Launcher<'_>,
) -> Result<Server> {
    let socket = directory.join(SOCKET);
    // The modules that are shipped, and those of yuma123.
    let shipped = shipped_modules()?;
    let path = [directory, &shipped, Path::new("/usr/share/yuma/modules")]
        .map(|path| path.display().to_string())
        .join(":");
    let mut command = (launcher.command)(program)?;
    command
        .current_dir(directory)
        .env("HOME", directory)
        .env("YUMA_MODPATH", path)
        .arg(format!("--ncxserver-sockname={}", socket.display()))
        .arg(format!("--port={}", address.port()))
        .args(["--module=stair", "--access-control=off", "--no-startup", "--target=running"])
        .args(["--log-level=error", &format!("--superuser={user}")]);
    let server = (launcher.start)("netconfd", command, &directory.join("netconfd.log"))?;
    wait_until(|| socket.exists())?;
    Ok(server)
}

fn start_sshd(
    program: &Path,
    directory: &Path,
    address: SocketAddr,
    launcher: &Launcher<'_>,
) -> Result<Server> {
    let subsystem = self::program("netconf-subsystem", "netconfd")?;
    let config = directory.join("sshd_config");
    let path = |name: &str| directory.join(name).display().to_string();
    fs::write(
        &config,
        format!(
            "Port {}\nListenAddress {}\nHostKey {}\nPidFile none\nUsePAM no\nStrictModes no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n\
             AuthorizedKeysFile {}\nSubsystem netconf {} --ncxserver-sockname={}@{}\n",
            address.port(),
            address.ip(),
            path(HOST_KEY),
            path(AUTHORIZED_KEYS),
            subsystem.display(),
            address.port(),
            path(SOCKET),
        ),
    )
    .context(config.display())?;
    let words = sshd_words(program);
    let (program, arguments) = words.split_first().ok_or("no program")?;
    let mut command = (launcher.command)(Path::new(program))?;
    command.args(arguments).arg("-D").arg("-f").arg(&config).arg("-E").arg(directory.join("sshd.log"));
    (launcher.start)("sshd", command, &directory.join("sshd.out"))
}

/// Returns the directory of the YANG modules that are shipped, of this installation or build.
pub(crate) fn shipped_modules() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let installed = program.with_file_name("../../share/portreeve/yang");
    Ok(if installed.is_dir() { installed } else { program.with_file_name("../yang-modules") })
}

fn program(name: &str, package: &str) -> Result<PathBuf> {
    find(name).ok_or_else(|| format!("{name} is not installed (Debian: {package})").into())
}

fn wait_until(condition: impl Fn() -> bool) -> Result<()> {
    let deadline = Instant::now() + START_TIMEOUT;
    while !condition() {
        if Instant::now() > deadline {
            return Err("netconfd or its sshd did not become ready".into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

// Names of files, as in `portreeved demo`.
const HOST_KEY: &str = "ssh_host_ed25519_key";
const USER_KEY: &str = "id_ed25519";
const AUTHORIZED_KEYS: &str = "authorized_keys";
const KNOWN_HOSTS: &str = "known_hosts";
const CREDENTIALS: &str = "credentials.env";
const SOCKET: &str = "ncx.sock";
const START_TIMEOUT: Duration = Duration::from_secs(20);
