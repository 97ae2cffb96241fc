//! A check by another implementation: exchanges of small messages through OpenSSL with a cipher
//! suite of TLS 1.2 without encryption, and with one that encrypts and has the same code.
//!
//! ```text
//! lab ──pipe──▶ openssl s_client ── observer ── openssl s_server -rev
//!     ◀──pipe──
//! ```
//! The server reverses each line. Our TLS library has no such cipher suites, so that both ends are
//! processes of OpenSSL.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use portreeve_lab_net::Topology;
use portreeve_lab_tls::Protection;

use super::ends::pin;
use crate::error::{Context as _, Result};
use crate::experiments::usage::cpu;
use crate::harness::{Context, Skipped};
use crate::peers::openssl::{NOT_INSTALLED, start_s_server};
use crate::peers::{MANAGER_CORE, on_core};
use crate::ports::free_port;
use crate::process::{Server, find, log_file, output};

/// Servers of OpenSSL, one for each cipher suite.
pub(super) struct OpenSsl {
    program: PathBuf,
    directory: PathBuf,
    /// The message, which ends with a line feed.
    line: Vec<u8>,
    servers: Vec<(Protection, Server, SocketAddr)>,
}

/// The exchanges of one session.
pub(super) struct Exchanges {
    /// From the first request to the last response, in seconds.
    pub(super) messages: f64,
    pub(super) client_cpu: f64,
    pub(super) server_cpu: f64,
}

impl OpenSsl {
    /// Starts the servers in the agent's place, with a new certificate. Messages have `length`
    /// octets.
    pub(super) fn start(
        context: &Context,
        topology: &Topology,
        length: usize,
    ) -> std::result::Result<Self, Skipped> {
        let program = find("openssl").ok_or(NOT_INSTALLED)?;
        let directory = context.directory("openssl")?;
        let mut command = Command::new(&program);
        command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=lab", "-days", "2"]);
        command.args(["-keyout", "key.pem", "-out", "certificate.pem"]).current_dir(&directory);
        output(&mut command)?;
        let mut servers = Vec::new();
        for (index, protection) in (0..).zip(PROTECTIONS) {
            let port = if topology.is_isolated() { PORT + index } else { free_port()? };
            let address = SocketAddr::new(topology.agent_v4(), port);
            let suite = suite(protection);
            let files = ["-key", "key.pem", "-cert", "certificate.pem"];
            let arguments = [&["-rev", "-quiet", "-tls1_2", "-cipher", &suite], &files[..]].concat();
            let log = directory.join(format!("s_server-{index}.log"));
            let server = start_s_server(topology, address, &directory, &log, &arguments)?;
            servers.push((protection, server, address));
        }
        Ok(Self { program, directory, line: line(length), servers })
    }

    /// Opens a session, and sends a number of messages, one after the other.
    pub(super) fn session(
        &self,
        topology: &Topology,
        protection: Protection,
        messages: usize,
    ) -> Result<Exchanges> {
        let found = self.servers.iter().find(|(known, ..)| *known == protection);
        let (_, server, address) = found.ok_or("OpenSSL has no such cipher suite")?;
        let mut command = on_core(Some(MANAGER_CORE), &self.program)?;
        // Without -nocommands, the client obeys letters in its input.
        command.args(["s_client", "-quiet", "-no_ign_eof", "-nocommands", "-tls1_2", "-cipher"]);
        command.args([&suite(protection), "-connect", &address.to_string()]);
        let log = log_file(&self.directory.join("s_client.log"))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut child = topology.manager().spawn(command)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let client = Server::adopt("openssl s_client", child);
        let (stdin, stdout) = pipes.ok_or("openssl s_client has no pipes")?;
        let mut pipes = Pipes { stdin, stdout: BufReader::new(stdout), answer: Vec::new() };
        let (line, expected) = (&self.line, reversed(&self.line));
        let result = topology.manager().run(|| -> Result<Exchanges> {
            pin(MANAGER_CORE);
            // The first exchange waits for the handshake.
            pipes.exchange(line, &expected)?;
            let cpus = || Ok::<_, crate::error::LabError>((cpu(client.id())?, cpu(server.id())?));
            let (client_before, server_before) = cpus()?;
            let begun = Instant::now();
            for _ in 0..messages {
                pipes.exchange(line, &expected)?;
            }
            let seconds = begun.elapsed().as_secs_f64();
            let (client_after, server_after) = cpus()?;
            Ok(Exchanges {
                messages: seconds,
                client_cpu: client_after - client_before,
                server_cpu: server_after - server_before,
            })
        })?;
        result.context("openssl s_client")
    }
}

/// The pipes to and from the client.
struct Pipes<W, R> {
    stdin: W,
    stdout: BufReader<R>,
    answer: Vec<u8>,
}

impl<W: Write, R: Read> Pipes<W, R> {
    /// Sends a line and waits for the answer.
    fn exchange(&mut self, line: &[u8], expected: &[u8]) -> Result<()> {
        self.stdin.write_all(line)?;
        self.stdin.flush()?;
        self.answer.clear();
        self.stdout.read_until(b'\n', &mut self.answer)?;
        match self.answer == expected {
            true => Ok(()),
            false => {
                Err(format!("unexpected answer '{}'", String::from_utf8_lossy(&self.answer).trim()).into())
            }
        }
    }
}

/// Returns a line with this number of octets.
fn line(length: usize) -> Vec<u8> {
    let letters = (b'a'..=b'z').cycle().take(length.saturating_sub(1));
    letters.chain([b'\n']).collect()
}

/// Returns the answer of the server: the letters in the reverse order.
fn reversed(line: &[u8]) -> Vec<u8> {
    let letters = line.strip_suffix(b"\n").unwrap_or(line);
    letters.iter().rev().copied().chain([b'\n']).collect()
}

/// Returns the cipher suite. Without the security level, OpenSSL rejects suites without encryption.
fn suite(protection: Protection) -> String {
    let name = if protection == Protection::Integrity { "NULL-SHA256" } else { "AES128-SHA256" };
    format!("{name}:@SECLEVEL=0")
}

/// The protections that OpenSSL's cipher suites have.
pub(super) const PROTECTIONS: [Protection; 2] = [Protection::Integrity, Protection::Both];
/// The first port, which is free in the agent's own namespace, as is the next one.
const PORT: u16 = 16_444;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_has_the_length_and_is_not_its_own_reverse() {
        for length in [1, 2, 70] {
            assert_eq!(line(length).len(), length);
        }
        assert_ne!(reversed(&line(70)), line(70));
        assert_eq!(reversed(b"abc\n"), b"cba\n");
    }

    #[test]
    fn other_answer_is_rejected() {
        let exchange = |answer: &'static [u8]| {
            let mut pipes = Pipes { stdin: Vec::new(), stdout: BufReader::new(answer), answer: Vec::new() };
            pipes.exchange(b"abc\n", b"cba\n").is_ok()
        };
        assert!(exchange(b"cba\n"));
        for answer in [&b"abc\n"[..], b"cba", b""] {
            assert!(!exchange(answer), "{answer:?}");
        }
    }
}
