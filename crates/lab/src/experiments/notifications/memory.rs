//! The agent's memory for a thousand targets: idle ones, and waiting informs.
//!
//! The memory of an agent with one target is subtracted, so that only that of the targets remains.

use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_snmp_message::PduType;

use super::messages::community_message;
use super::min_figure;
use super::site::{Site, USER};
use crate::error::Result;
use crate::experiments::usage::memory;
use crate::process::{Server, output};
use crate::table::{Figure, Table};

/// Measures targets to which nothing was sent, idle ones over UDP and SSH, and waiting informs.
pub(super) fn run(site: &Site<'_>) -> Result<Vec<Figure>> {
    println!(
        "Memory for {TARGETS} targets of informs: the agent's anonymous memory beyond that with one target"
    );
    let (udp, ssh) = (site.env("UDP")?, site.env("SSH")?);
    let udp = format!("to = \"udp:{udp}\"\nuser = \"{USER}\"\n");
    let ssh = format!(
        "to = \"ssh:{}@{ssh}\"\nview = \"all\"\nssh-key = \"id_ed25519\"\nknown-hosts = \"known_hosts\"\n",
        site.env("SSH_USER")?
    );
    let mut rows = Rows { table: Table::new(1, &["state", "number", "KB each"]), figures: Vec::new() };

    let silent = format!("{udp}exclude = [\"coldStart\"]\n");
    let silent_memory = |targets| {
        let agent = start(site, &silent, targets)?;
        let settled = settled_memory(&agent)?;
        agent.stop().map(|_| settled)
    };
    let (one, many) = (silent_memory(1)?, silent_memory(TARGETS)?);
    rows.add("nothing sent", TARGETS - 1, many - one);

    let receiver = site.start_receiver(&["-On"])?;
    idle("idle, SSH session open", &ssh, site, &mut rows)?.0.stop()?;
    let (agent, idle_memory) = idle("idle, v3 over UDP", &udp, site, &mut rows)?;
    receiver.stop()?;

    fail_authentication()?;
    await_status(site, "queued", TARGETS * INFORMS)?;
    rows.add("waiting inform", TARGETS * INFORMS, settled_memory(&agent)? - idle_memory);
    agent.stop()?;
    println!("{}", rows.table.unwrapped());
    Ok(rows.figures)
}

/// Measures targets that have acknowledged their first inform. Returns the agent with all targets
/// and its memory.
fn idle(name: &'static str, target: &str, site: &Site<'_>, rows: &mut Rows) -> Result<(Server, f64)> {
    let agent = start(site, target, 1)?;
    await_status(site, "acknowledged", 1)?;
    let one = settled_memory(&agent)?;
    agent.stop()?;
    let agent = start(site, target, TARGETS)?;
    await_status(site, "acknowledged", TARGETS)?;
    let many = settled_memory(&agent)?;
    rows.add(name, TARGETS - 1, many - one);
    Ok((agent, many))
}

struct Rows {
    table: Table,
    figures: Vec<Figure>,
}

impl Rows {
    fn add(&mut self, state: &'static str, number: usize, octets: f64) {
        let each = octets / number as f64 / 1024.0;
        self.table.add_row(vec![state.into(), number.to_string(), format!("{each:.2}")]);
        self.figures.push(min_figure("memory for each target", "", state, "KB each", &[each]));
    }
}

/// Starts an agent that sends informs to a number of targets.
fn start(site: &Site<'_>, target: &str, targets: usize) -> Result<Server> {
    let sections = (0..targets).map(|number| format!("[[notify]]\nname = \"noc{number}\"\n{target}\n"));
    site.start_agent(&sections.fold(FAILURES.to_owned(), |text, section| text + &section))
}

/// Sends messages with a wrong community, each of which causes an authenticationFailure.
fn fail_authentication() -> Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let message = community_message("wrong", PduType::GetRequest)?;
    for _ in 0..INFORMS {
        socket.send_to(&message, AGENT)?;
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Waits until the sum of a member of all targets in the status has this value.
fn await_status(site: &Site<'_>, member: &str, expected: usize) -> Result<()> {
    let deadline = Instant::now() + STATUS_TIMEOUT;
    loop {
        let mut command = site.in_client("portreeved")?;
        let text = output(command.args(["status", "--json", "--config"]).arg(site.agent_config()))?;
        let found = sum(&text, member);
        if found == expected {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(format!("{member} is {found} for all targets together instead of {expected}").into());
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the sum of all numbers with this name in a JSON text.
fn sum(json: &str, member: &str) -> usize {
    let name = format!("\"{member}\":");
    let values = json.split(&name).skip(1);
    values.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()).sum()
}

/// Returns the lowest memory of the process within a few seconds, in which it returns what it does
/// not need.
fn settled_memory(agent: &Server) -> Result<f64> {
    let mut lowest = f64::INFINITY;
    for _ in 0..SETTLE_READINGS {
        thread::sleep(SETTLE_INTERVAL);
        lowest = lowest.min(memory(agent.id())?);
    }
    Ok(lowest)
}

const TARGETS: usize = 1000;
/// The number of informs that wait for each target.
const INFORMS: usize = 20;
const FAILURES: &str =
    "[notifications]\nauthentication-failures = true\nauthentication-failure-rate = 1000\n\n";
const AGENT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 16_161);
const SETTLE_READINGS: u32 = 12;
const SETTLE_INTERVAL: Duration = Duration::from_millis(250);
const STATUS_TIMEOUT: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn member_is_added_up_over_all_targets() {
        let json = r#"{"a":[{"queued":20,"octets":7},{"queued":3}],"not-queued":5}"#;
        assert_eq!((sum(json, "queued"), sum(json, "octets"), sum(json, "none")), (23, 7, 0));
    }
}
