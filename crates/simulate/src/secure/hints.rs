//! What the operator is told: how to ask with what a folder holds, and which faults cannot be.

use std::net::{Ipv4Addr, Ipv6Addr};

use portreeve_smi::TransportDomain;
use portreeve_transport::{Listener, Protocol};

use super::folder::{CREDENTIALS, SERVER_NAME, USER};
use crate::arguments::SimulationPlan;

/// Lines for stderr. `listeners` are those that were bound for the first agent.
pub(crate) fn hints(plan: &SimulationPlan, listeners: &[Listener]) -> Vec<String> {
    let mut lines = Vec::new();
    for listener in &plan.listen {
        let domain = TransportDomain::from(listener.protocol);
        if let Some(why) = plan.conditions.unsupported_over(domain) {
            lines.push(format!("note: over {domain} {why}"));
        }
    }
    lines.dedup();
    let Some(folder) = &plan.keys.folder else { return lines };
    let asks: Vec<String> = listeners.iter().filter_map(command).collect();
    if !asks.is_empty() {
        let file = folder.join(CREDENTIALS);
        lines.push(format!("hint: set -a; . {}; set +a", file.display()));
        lines.extend(asks.into_iter().map(|ask| format!("hint: {ask}")));
    }
    lines
}

/// A command that asks at a listener.
fn command(listener: &Listener) -> Option<String> {
    let address = listener.address;
    // These two stand in the certificate.
    let is_named = address.ip() == Ipv4Addr::LOCALHOST || address.ip() == Ipv6Addr::LOCALHOST;
    let name = if is_named { String::new() } else { format!("--server-name {SERVER_NAME} ") };
    match listener.protocol {
        Protocol::Udp | Protocol::Tcp => None,
        Protocol::Ssh => Some(format!("portreeve get ssh://{USER}@{address} sysDescr.0")),
        Protocol::Tls => Some(format!("portreeve get {name}tls:{address} sysDescr.0")),
        Protocol::Dtls => Some(format!("portreeve get {name}dtls:{address} sysDescr.0")),
    }
}
