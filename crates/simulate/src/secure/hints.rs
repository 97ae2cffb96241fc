//! Hints for the operator: commands that query the agents, and faults that cannot happen.

use std::net::{Ipv4Addr, Ipv6Addr};

use portreeve_smi::TransportDomain;
use portreeve_transport::{Listener, Protocol};

use super::folder::{CREDENTIALS, SERVER_NAME, USER};
use crate::arguments::SimulationPlan;

/// Returns lines for stderr. `listeners` are those of the first agent.
pub(crate) fn hints(plan: &SimulationPlan, listeners: &[Listener]) -> Vec<String> {
    let mut lines = Vec::new();
    for listener in &plan.listen {
        let domain = TransportDomain::from(listener.protocol);
        if let Some(reason) = plan.conditions.unsupported_over(domain) {
            lines.push(format!("note: over {domain} {reason}"));
        }
    }
    lines.dedup();
    let Some(folder) = &plan.keys.folder else { return lines };
    let commands: Vec<String> = listeners.iter().filter_map(command).collect();
    if !commands.is_empty() {
        let file = folder.join(CREDENTIALS);
        lines.push(format!("hint: set -a; . {}; set +a", file.display()));
        lines.extend(commands.into_iter().map(|command_line| format!("hint: {command_line}")));
    }
    lines
}

/// Returns a command that queries a listener.
fn command(listener: &Listener) -> Option<String> {
    let address = listener.address;
    // The certificate contains these two addresses, so they need no `--server-name`.
    let is_named = address.ip() == Ipv4Addr::LOCALHOST || address.ip() == Ipv6Addr::LOCALHOST;
    let name = if is_named { String::new() } else { format!("--server-name {SERVER_NAME} ") };
    match listener.protocol {
        Protocol::Udp | Protocol::Tcp => None,
        Protocol::Ssh => Some(format!("portreeve get ssh://{USER}@{address} sysDescr.0")),
        Protocol::Tls => Some(format!("portreeve get {name}tls:{address} sysDescr.0")),
        Protocol::Dtls => Some(format!("portreeve get {name}dtls:{address} sysDescr.0")),
    }
}
