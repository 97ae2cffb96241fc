//! Other SSH and TLS clients with our agent, as whole processes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::agent_setup::{AgentSetup, PINNED};
use super::min_figure;
use crate::daemon::read_env;
use crate::error::Result;
use crate::experiments::Effort;
use crate::process::{is_installed, output};
use crate::requests;
use crate::skips::skip;
use crate::stopwatch;
use crate::table::Figure;

/// Measures OpenSSH's client with our subsystem, and OpenSSL's handshakes.
pub(super) fn run(setup: &AgentSetup<'_>, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    if is_installed("ssh") {
        figures.push(open_ssh(setup, scratch, effort)?);
    } else {
        skip("OpenSSH's client", "it is not installed (Debian: openssh-client)");
    }
    if is_installed("openssl") {
        figures.push(open_ssl(setup, effort, "-new", "OpenSSL s_time, TLS 1.3 handshake only")?);
    } else {
        skip("OpenSSL's client", "it is not installed (Debian: openssl)");
    }
    Ok(figures)
}

fn open_ssh(setup: &AgentSetup<'_>, scratch: &Path, effort: Effort) -> Result<Figure> {
    let env = read_env(&setup.directory.join("credentials.env"))?;
    let get = |name: &str| env.get(name).map(String::as_str).unwrap_or_default();
    let request = scratch.join("one-shot.ber");
    fs::write(&request, requests::get(get("PORTREEVE_RO"), requests::SYS_UP_TIME)?)?;
    let (host, port) = get("PORTREEVE_SSH").rsplit_once(':').ok_or("the agent has no port for SSH")?;
    // The shell's own time is small compared with a client's startup.
    let command = format!(
        "exec ssh -F none -o BatchMode=yes -o IdentityAgent=none -o UserKnownHostsFile={} -i {} -p {port} -s {}@{host} snmp <{}",
        get("PORTREEVE_KNOWN_HOSTS"),
        get("PORTREEVE_SSH_KEY"),
        get("PORTREEVE_SSH_USER"),
        request.display()
    );
    let words = vec!["sh".to_owned(), "-c".to_owned(), command];
    let times =
        stopwatch::time(setup.namespaces, PINNED.client_core, scratch, effort.rounds * 2, &[words], &[])?;
    let milliseconds: Vec<f64> = times.concat().iter().map(|seconds| seconds * 1e3).collect();
    let subject = "OpenSSH's ssh -s, whole process".to_owned();
    Ok(min_figure("one-shot", PINNED.name, subject, "ms", &milliseconds))
}

/// Runs handshakes in one process, for a second per round.
fn open_ssl(setup: &AgentSetup<'_>, effort: Effort, how: &str, subject: &str) -> Result<Figure> {
    let env = read_env(&setup.directory.join("credentials.env"))?;
    let get = |name: &str| env.get(name).map(String::as_str).unwrap_or_default();
    let mut milliseconds = Vec::new();
    for _ in 0..effort.rounds {
        let mut command = setup.namespaces.in_client(PINNED.client_core, "openssl")?;
        command.args(["s_time", how, "-time", "1", "-tls1_3", "-connect", get("PORTREEVE_TLS")]);
        command.args(["-cert", get("PORTREEVE_TLS_CERT"), "-key", get("PORTREEVE_TLS_KEY")]);
        // The time is measured here, because `openssl s_time` reports whole seconds. Its startup is
        // short compared with a second of handshakes.
        let begun = Instant::now();
        let output = output(command.args(["-CAfile", get("PORTREEVE_TLS_CA")]))?;
        let count = connections(&output).ok_or("the output of s_time has no connections")?;
        milliseconds.push(begun.elapsed().as_secs_f64() * 1e3 / count);
    }
    Ok(min_figure("one-shot", PINNED.name, subject.into(), "ms", &milliseconds))
}

/// Parses a line such as `123 connections in 2 real seconds, 0 bytes read per connection`.
fn connections(output: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains("real seconds"))?;
    line.split_whitespace().next()?.parse().ok().filter(|count| *count > 0.0)
}
