//! netconfd of yuma123 behind an sshd, with the same edits in parts that it accepts.

use std::net::TcpStream;
use std::process::Command;
use std::time::Instant;

use super::report::Report;
use super::setup::Setup;
use super::{ENTRIES, Effort, LEAFS};
use crate::client::CredentialsFile;
use crate::error::{Context, Result};
use crate::experiments::stair;
use crate::netconf_client::NetconfClient;
use crate::peers::netconfd::{Launcher, Netconfd};
use crate::process::{Server, is_installed};
use crate::skips::skip;

/// Measures the creation of all entries, their reading, and an edit of one leaf. Edits of running
/// are several times faster than edits of the candidate with a commit.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    if !["netconfd", "sshd"].iter().all(|program| is_installed(program)) {
        skip(NAME, "netconfd or sshd is not installed (Debian: netconfd and openssh-server)");
        return Ok(());
    }
    let (mut parts, mut reads, mut one) = (Vec::new(), Vec::new(), Vec::new());
    // Seconds each: a few rounds suffice.
    for _ in 0..effort.rounds.min(MAX_ROUNDS) {
        let server = start(setup)?;
        let login = CredentialsFile::read(&server.credentials())?.netconf_login()?;
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
        server.stop()?;
    }
    report.add(format!("create {LEAFS} leafs in {PARTS} edits, not durable"), NAME, "s", parts, None);
    report.add(format!("get-config of {LEAFS} leafs"), NAME, "s", reads, None);
    report.add(format!("edit of one leaf among {LEAFS}"), NAME, "ms", one, None);
    Ok(())
}

/// Starts netconfd without restrictions of cores, at the address of our agent.
fn start(setup: &Setup) -> Result<Netconfd> {
    let launcher = Launcher {
        command: &|program| Ok(Command::new(program)),
        start: &|name, mut command, log| Server::start(name, &mut command, log),
        is_reachable: &|address| TcpStream::connect(address).is_ok(),
    };
    Netconfd::start(&setup.directory.join("netconfd"), setup.login.address, &launcher)
}

const NAME: &str = "netconfd";
/// It refuses edits of 30 000 leafs.
const PARTS: usize = 5;
const MAX_ROUNDS: usize = 2;
