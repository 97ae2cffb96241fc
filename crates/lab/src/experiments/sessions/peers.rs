//! Foreign clients of our agent, as whole processes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::least;
use super::site::{PINNED, Site};
use crate::daemon::read_env;
use crate::experiments::Effort;
use crate::failure::Result;
use crate::process::{is_installed, output};
use crate::requests;
use crate::stopwatch;
use crate::table::Figure;

/// OpenSSH's client with our subsystem, and OpenSSL's handshakes.
pub(super) fn run(site: &Site<'_>, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    if is_installed("ssh") {
        figures.push(open_ssh(site, scratch, effort)?);
    } else {
        println!("OpenSSH's client is not measured: it is not installed");
    }
    if is_installed("openssl") {
        figures.push(open_ssl(site, effort, "-new", "OpenSSL s_time, TLS 1.3 handshake only")?);
    } else {
        println!("OpenSSL's client is not measured: it is not installed");
    }
    Ok(figures)
}

fn open_ssh(site: &Site<'_>, scratch: &Path, effort: Effort) -> Result<Figure> {
    let env = read_env(&site.directory.join("credentials.env"))?;
    let get = |name: &str| env.get(name).map(String::as_str).unwrap_or_default();
    let request = scratch.join("one-shot.ber");
    fs::write(&request, requests::get(get("PORTREEVE_RO"), requests::SYS_UP_TIME)?)?;
    let (host, port) = get("PORTREEVE_SSH").rsplit_once(':').ok_or("the agent has no port for SSH")?;
    // The shell hands it the request and waits for it; what that takes is little beside a client's start.
    let command = format!(
        "exec ssh -F none -o BatchMode=yes -o IdentityAgent=none -o UserKnownHostsFile={} -i {} -p {port} -s {}@{host} snmp <{}",
        get("PORTREEVE_KNOWN_HOSTS"),
        get("PORTREEVE_SSH_KEY"),
        get("PORTREEVE_SSH_USER"),
        request.display()
    );
    let words = vec!["sh".to_owned(), "-c".to_owned(), command];
    let taken =
        stopwatch::time(site.namespaces, PINNED.client_core, scratch, effort.rounds * 2, &[words], &[])?;
    let milliseconds: Vec<f64> = taken.concat().iter().map(|seconds| seconds * 1e3).collect();
    let subject = "OpenSSH's ssh -s, whole process".to_owned();
    Ok(least("one-shot", PINNED.name, subject, "ms", &milliseconds))
}

/// Handshakes for a second of each round, in one process.
fn open_ssl(site: &Site<'_>, effort: Effort, how: &str, subject: &str) -> Result<Figure> {
    let env = read_env(&site.directory.join("credentials.env"))?;
    let get = |name: &str| env.get(name).map(String::as_str).unwrap_or_default();
    let mut milliseconds = Vec::new();
    for _ in 0..effort.rounds {
        let mut command = site.namespaces.in_client(PINNED.client_core, "openssl")?;
        command.args(["s_time", how, "-time", "1", "-tls1_3", "-connect", get("PORTREEVE_TLS")]);
        command.args(["-cert", get("PORTREEVE_TLS_CERT"), "-key", get("PORTREEVE_TLS_KEY")]);
        // Its own clock has whole seconds only. Its start is little beside a second of handshakes.
        let begun = Instant::now();
        let said = output(command.args(["-CAfile", get("PORTREEVE_TLS_CA")]))?;
        let count = connections(&said).ok_or("s_time says nothing of connections")?;
        milliseconds.push(begun.elapsed().as_secs_f64() * 1e3 / count);
    }
    Ok(least("one-shot", PINNED.name, subject.into(), "ms", &milliseconds))
}

/// Of a line such as `123 connections in 2 real seconds, 0 bytes read per connection`.
fn connections(said: &str) -> Option<f64> {
    let line = said.lines().find(|line| line.contains("real seconds"))?;
    line.split_whitespace().next()?.parse().ok().filter(|count| *count > 0.0)
}
