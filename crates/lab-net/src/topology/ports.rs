//! The state of bridge ports.

use std::thread;
use std::time::{Duration, Instant};

use crate::error::{NetError, Result};
use crate::place::Place;
use crate::program::Program;

/// Waits until these ports of bridges forward frames. The kernel makes them do so a moment after
/// they are active; until then, frames are lost.
pub(crate) fn wait_until_forwarding(observer: &Place, ports: &[&str]) -> Result<()> {
    let deadline = Instant::now() + FORWARDING_TIMEOUT;
    loop {
        let list = Program::Ip.run(observer, &["-details", "-oneline", "link", "show"], "")?;
        let waiting = ports.iter().find(|port| !is_forwarding(&list, port));
        match waiting {
            None => return Ok(()),
            Some(port) if Instant::now() > deadline => {
                return Err(NetError::Failed(format!("the bridge port {port} does not forward frames")));
            }
            Some(_) => thread::sleep(INTERVAL),
        }
    }
}

/// Returns true if a port forwards frames, according to the output of `ip -details -oneline link
/// show`.
fn is_forwarding(list: &str, port: &str) -> bool {
    list.lines().any(|line| {
        // The second word is the name, with a colon or with the name of the peer.
        let name = line.split_whitespace().nth(1).and_then(|word| word.split(['@', ':']).next());
        name == Some(port) && line.contains(" bridge_slave state forwarding ")
    })
}

/// The time for a port to become active. The kernel handles some events once a second.
const FORWARDING_TIMEOUT: Duration = Duration::from_secs(10);

/// The interval between two checks.
const INTERVAL: Duration = Duration::from_millis(2);

#[cfg(test)]
mod tests {
    use super::is_forwarding;

    #[test]
    fn state_is_that_of_port_with_same_name() {
        let list = "1: lo: <LOOPBACK,UP> mtu 65536 \\    link/loopback\n\
                    3: manager@if2: <UP> mtu 1500 \\    bridge_slave state forwarding priority 32\n\
                    4: agent: <UP> mtu 1500 \\    bridge_slave state disabled priority 32\n";
        assert!(is_forwarding(list, "manager"));
        for port in ["agent", "lo", "man", "none"] {
            assert!(!is_forwarding(list, port), "{port}");
        }
    }
}
