//! A check by another implementation: the octets for each second through OpenSSL with a cipher
//! suite of TLS 1.2 without encryption, and with one that encrypts and has the same code.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_tls::Protection;
use portreeve_sys::kill_with_parent;

use crate::error::{Context as _, Result};
use crate::harness::{Context, Skipped};
use crate::process::{Server, is_installed, log_file, output};

/// OpenSSL, with a certificate for its server.
pub(super) struct OpenSsl {
    directory: PathBuf,
}

impl OpenSsl {
    pub(super) fn new(context: &Context) -> std::result::Result<Self, Skipped> {
        if !is_installed("openssl") {
            return Err(Skipped("openssl is not installed (Debian: openssl)".into()));
        }
        let directory = context.directory("openssl")?;
        let (key, certificate) = (directory.join("key.pem"), directory.join("certificate.pem"));
        let mut command = Command::new("openssl");
        command.args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=lab", "-days", "2", "-keyout",
        ]);
        output(command.arg(key).arg("-out").arg(certificate))?;
        Ok(Self { directory })
    }

    /// Sends octets to a server that discards them, and returns their rate. The time of a
    /// connection without octets is not counted.
    pub(super) fn octets_per_second(&self, protection: Protection) -> Result<f64> {
        let suite = match protection {
            Protection::Integrity => "NULL-SHA256",
            _ => "AES128-SHA256",
        };
        let suite = format!("{suite}@SECLEVEL=0");
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
        let mut command = Command::new("openssl");
        command.args(["s_server", "-quiet", "-tls1_2", "-cipher", &suite, "-accept", &port, "-key"]);
        command.arg(self.directory.join("key.pem")).arg("-cert").arg(self.directory.join("certificate.pem"));
        // The server ends a connection when its own input ends.
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log_file(&self.directory.join("s_server.log"))?);
        let server = kill_with_parent(&mut command).spawn().context("openssl s_server")?;
        let server = Server::adopt("openssl s_server", server);
        let empty = self.await_connection(&suite, &port)?;
        let full = self.connect(&suite, &port, OCTETS)?;
        server.kill()?;
        Ok(OCTETS as f64 / (full - empty).max(f64::EPSILON))
    }

    /// Connects until the server listens; returns the time of a connection without octets.
    fn await_connection(&self, suite: &str, port: &str) -> Result<f64> {
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            match self.connect(suite, port, 0) {
                Ok(time) => return Ok(time),
                Err(error) if Instant::now() > deadline => return Err(error),
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        }
    }

    /// Returns the time of a connection in which the client sends octets.
    fn connect(&self, suite: &str, port: &str, octets: usize) -> Result<f64> {
        let file = self.directory.join(format!("octets-{octets}"));
        if !file.exists() {
            std::fs::write(&file, vec![b'x'; octets]).context(file.display())?;
        }
        let input = std::fs::File::open(&file).context(file.display())?;
        let mut command = Command::new("openssl");
        // Without -nocommands, the client obeys letters in its input.
        command.args([
            "s_client",
            "-quiet",
            "-no_ign_eof",
            "-nocommands",
            "-tls1_2",
            "-cipher",
            suite,
            "-connect",
        ]);
        command.arg(format!("127.0.0.1:{port}")).stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let status = command.status()?;
        let time = started.elapsed().as_secs_f64();
        if status.success() { Ok(time) } else { Err(format!("openssl s_client: {status}").into()) }
    }
}

/// The octets of a measurement, which take much longer than a connection.
const OCTETS: usize = 64 << 20;
const START_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);
