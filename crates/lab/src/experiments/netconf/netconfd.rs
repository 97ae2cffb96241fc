//! netconfd of yuma123 behind an sshd, with the same edits in parts that it accepts.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::report::Report;
use super::setup::{Setup, shipped_modules};
use super::{ENTRIES, Effort, LEAFS, stair};
use crate::error::{Context, Result};
use crate::netconf_client::{NetconfClient, NetconfLogin};
use crate::process::{Server, is_installed, output};

/// Measures the creation of all entries, their reading, and an edit of one leaf. Edits of running
/// are several times faster than edits of the candidate with a commit.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    if !["netconfd", "sshd"].iter().all(|program| is_installed(program)) {
        println!("netconfd is not measured: netconfd or sshd is not installed");
        return Ok(());
    }
    let modules = shipped_modules()?;
    let (mut parts, mut reads, mut one) = (Vec::new(), Vec::new(), Vec::new());
    // Seconds each: a few rounds suffice.
    for _ in 0..effort.rounds.min(MAX_ROUNDS) {
        let (servers, login) = start(setup, &modules)?;
        let mut client = NetconfClient::open(&login)?;
        let started = Instant::now();
        for part in 0..PARTS {
            let first = part * ENTRIES / PARTS + 1;
            let last = (part + 1) * ENTRIES / PARTS;
            client.send(&stair::edit("running", first..=last, 0)).context("netconfd")?;
        }
        parts.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        client.send_and_read(&stair::get_config(), |_| {})?;
        reads.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        client.send(&stair::edit_one("running", 1, 1))?;
        one.push(started.elapsed().as_secs_f64() * 1000.0);
        client.close()?;
        drop(servers);
    }
    report.add(format!("create {LEAFS} leafs in {PARTS} edits, not durable"), NAME, "s", parts, None);
    report.add(format!("get-config of {LEAFS} leafs"), NAME, "s", reads, None);
    report.add(format!("edit of one leaf among {LEAFS}"), NAME, "ms", one, None);
    Ok(())
}

/// Starts netconfd, and an sshd whose subsystem reaches it.
fn start(setup: &Setup, modules: &Path) -> Result<([Server; 2], NetconfLogin)> {
    let directory = setup.directory.join("netconfd");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).context(directory.display())?;
    let user = output(Command::new("id").arg("-un"))?.trim().to_owned();
    let address = setup.login.address;
    let (socket, port) = (directory.join("ncx.sock"), address.port());
    let path = [&setup.directory.join("modules"), modules, Path::new("/usr/share/yuma/modules")]
        .map(|path| path.display().to_string())
        .join(":");
    let mut netconfd = Command::new("/usr/sbin/netconfd");
    netconfd
        .current_dir(&directory)
        .env("HOME", &directory)
        .env("YUMA_MODPATH", path)
        .arg(format!("--ncxserver-sockname={}", socket.display()))
        .arg(format!("--port={port}"))
        .args(["--module=stair", "--access-control=off", "--no-startup", "--target=running"])
        .args(["--log-level=error", &format!("--superuser={user}")]);
    let netconfd = Server::start(NAME, &mut netconfd, &directory.join("netconfd.log"))?;
    wait_until(|| socket.exists())?;
    let sshd = start_sshd(setup, &directory, &socket)?;
    wait_until(|| TcpStream::connect(address).is_ok())?;
    let login = NetconfLogin { user, ..setup.login.clone() };
    Ok(([sshd, netconfd], login))
}

fn start_sshd(setup: &Setup, directory: &Path, socket: &Path) -> Result<Server> {
    let (host_key, key) = (setup.directory.join("ssh_host_ed25519_key"), public_key(&setup.login.key)?);
    let authorized = directory.join("authorized_keys");
    fs::write(&authorized, key).context(authorized.display())?;
    // sshd needs an empty directory for its unprivileged process.
    let _ = fs::create_dir_all("/run/sshd");
    let config = directory.join("sshd_config");
    let address = setup.login.address;
    fs::write(
        &config,
        format!(
            "Port {}\nListenAddress {}\nHostKey {}\nPidFile none\nUsePAM no\nStrictModes no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n\
             AuthorizedKeysFile {}\nSubsystem netconf /usr/sbin/netconf-subsystem --ncxserver-sockname={}@{}\n",
            address.port(),
            address.ip(),
            host_key.display(),
            authorized.display(),
            address.port(),
            socket.display(),
        ),
    )
    .context(config.display())?;
    let mut sshd = Command::new("/usr/sbin/sshd");
    sshd.arg("-D").arg("-f").arg(&config).arg("-E").arg(directory.join("sshd.log"));
    Server::start("sshd", &mut sshd, &directory.join("sshd.out"))
}

/// Returns the line of a private key's public key.
fn public_key(key: &PathBuf) -> Result<String> {
    output(Command::new("ssh-keygen").arg("-y").arg("-f").arg(key))
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

const NAME: &str = "netconfd";
/// It refuses edits of 30 000 leafs.
const PARTS: usize = 5;
const MAX_ROUNDS: usize = 2;
const START_TIMEOUT: Duration = Duration::from_secs(20);
