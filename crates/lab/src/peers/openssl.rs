//! OpenSSL's `s_server`.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_lab_net::Topology;

use super::{AGENT_CORE, at, on_core};
use crate::error::Result;
use crate::process::{Server, find};

/// Starts `openssl s_server` in the agent's place, on its core, and waits until it listens.
/// `directory` contains its keys and certificates.
pub(crate) fn start_s_server(
    topology: &Topology,
    address: SocketAddr,
    directory: &Path,
    log: &Path,
    arguments: &[&str],
) -> Result<Server> {
    let openssl = find("openssl").ok_or(NOT_INSTALLED)?;
    let mut command = on_core(Some(AGENT_CORE), &openssl)?;
    command.args(["s_server", "-accept", &address.to_string()]).args(arguments).current_dir(directory);
    let mut server = at(topology.agent(), "openssl s_server", command, log)?;
    let deadline = Instant::now() + START_TIMEOUT;
    while topology.manager().run(|| TcpStream::connect(address))?.is_err() {
        server.check()?;
        if Instant::now() > deadline {
            return Err("openssl s_server does not listen".into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}

/// The error without the program `openssl`.
pub(crate) const NOT_INSTALLED: &str = "openssl is not installed (Debian: openssl)";
const START_TIMEOUT: Duration = Duration::from_secs(10);
