//! Handshakes of OpenSSL's `s_time` with its `s_server`, with the keys and certificates of our
//! agent and client.

use std::net::SocketAddr;
use std::path::Path;

use crate::client::{Carrier, ProtocolStack};
use crate::error::{Context, Result};
use crate::experiments::usage::cpu;
use crate::peers::Site;
use crate::peers::openssl::{NOT_INSTALLED, start_s_server};
use crate::ports::free_port;
use crate::process::{Server, find};

/// A running `openssl s_server`, which serves one client at a time.
pub(super) struct OpenSslServer {
    server: Server,
    address: SocketAddr,
}

impl OpenSslServer {
    /// Starts the server in the place of our agent, on its core.
    pub(super) fn start(site: &Site) -> Result<Self> {
        let directory = site.directory().join("agent");
        let port = if site.topology.is_isolated() { PORT } else { free_port()? };
        let address = SocketAddr::new(site.topology.agent_v4(), port);
        // Requires a certificate of the client, as our agent does, and sends a small file.
        let arguments = ["-cert", "agent.pem", "-key", "agent.key", "-CAfile", "ca.pem", "-Verify", "1"];
        let more = ["-verify_return_error", "-verify_quiet", "-quiet", "-WWW"];
        let log = site.directory().join("s_server.log");
        let arguments = [&arguments[..], &more].concat();
        let server = start_s_server(&site.topology, address, &directory, &log, &arguments)?;
        Ok(Self { server, address })
    }

    /// Opens sessions for a second; returns the server's CPU time for each.
    pub(super) fn cpu_of_handshake(&self, site: &Site, stack: ProtocolStack) -> Result<f64> {
        let words = self.client_words(site, stack)?;
        let before = cpu(self.server.id())?;
        let text = site.read_command(&words)?;
        let spent = cpu(self.server.id())? - before;
        let counted = Counted::parse(&text)?;
        if stack.carrier == Carrier::TlsResumed && counted.resumed * 2 < counted.sessions {
            let Counted { sessions, resumed } = counted;
            return Err(format!("openssl s_time has resumed only {resumed} of {sessions} sessions").into());
        }
        Ok(spent / counted.sessions as f64)
    }

    fn client_words(&self, site: &Site, stack: ProtocolStack) -> Result<Vec<String>> {
        let version = if stack.carrier == Carrier::Tls12 { "-tls1_2" } else { "-tls1_3" };
        let mode = if stack.carrier == Carrier::TlsResumed { "-reuse" } else { "-new" };
        let openssl = find("openssl").ok_or(NOT_INSTALLED)?;
        let mut words = vec![openssl.display().to_string(), "s_time".into()];
        words.extend(["-connect".into(), self.address.to_string(), version.into(), mode.into()]);
        words.extend(["-time", "1", "-www", PAGE].map(String::from));
        let file = |name| Ok::<_, crate::error::LabError>(site.credentials().get(name)?.to_owned());
        for (option, name) in [("-cert", "TLS_CERT"), ("-key", "TLS_KEY"), ("-CAfile", "TLS_CA")] {
            words.extend([option.into(), file(name).context(Path::new(name).display())?]);
        }
        Ok(words)
    }
}

/// The numbers of sessions in the output of `s_time`.
#[derive(Debug, PartialEq)]
struct Counted {
    sessions: usize,
    resumed: usize,
}

impl Counted {
    /// Parses the output, which has a line of `r` for resumed sessions and `*` for others.
    fn parse(text: &str) -> Result<Self> {
        let last = text.lines().rfind(|line| line.contains(" connections in ") && line.contains(" real "));
        let count = last.and_then(|line| line.split_whitespace().next()?.parse().ok());
        let sessions = count.filter(|count| *count > 0).ok_or("openssl s_time has opened no session")?;
        let marks = text.lines().filter(|line| line.chars().all(|mark| matches!(mark, 'r' | '*' | 't')));
        let resumed = marks.flat_map(str::chars).filter(|mark| *mark == 'r').count();
        Ok(Self { sessions, resumed })
    }
}

/// The stacks whose handshakes `s_time` can do.
pub(super) const STACKS: [ProtocolStack; 3] = [
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::TlsResumed),
];

/// One stack, because a measurement takes at least a second.
pub(super) const QUICK_STACKS: [ProtocolStack; 1] = [ProtocolStack::tsm(Carrier::TlsResumed)];

/// The port, which is free in the agent's own namespace.
const PORT: u16 = 16_443;
/// The file that the client requests. `s_time` resumes sessions only if it reads something.
const PAGE: &str = "/ca.pem";

#[cfg(test)]
mod tests {
    use super::Counted;

    #[test]
    fn resumed_sessions_are_counted_by_their_marks() {
        let text = "Now timing with session id reuse.\nstarting\n*rrr\n\n4 connections in 0.43s; 9.30 connections/user sec\n\
                    4 connections in 2 real seconds, 624 bytes read per connection\n";
        assert_eq!(Counted::parse(text).ok(), Some(Counted { sessions: 4, resumed: 3 }));
    }

    #[test]
    fn output_without_sessions_is_rejected() {
        for text in ["", "0 connections in 2 real seconds, 0 bytes\n", "3 connections in 0.1s; 1\n"] {
            assert!(Counted::parse(text).is_err(), "{text}");
        }
    }
}
