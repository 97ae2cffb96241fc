//! What else answers at the host, where what was expected does not: another protocol at the very port, or SNMP at
//! another one.
//!
//! Only ports of SNMP are looked at, each once and for less than a second, and nothing is asked that needs a secret.

mod client_hello;
mod service;

use std::{
    net::{SocketAddr, ToSocketAddrs},
    thread,
};

use portreeve_channel::ChannelStep;
use portreeve_snmp_manager::{Family, PeerAddress, Transport};

use crate::record::Stage;
use service::DetectedService;

/// The agent's addresses, IPv4 first, as commands of this field have it.
pub(crate) fn resolve(address: &PeerAddress) -> Result<Vec<SocketAddr>, String> {
    let found = (address.host.as_str(), address.port).to_socket_addrs();
    let mut found: Vec<_> = found.map_err(|error| format!("{}: {error}", address.host))?.collect();
    found.retain(|found| match address.family {
        Some(Family::V4) => found.is_ipv4(),
        Some(Family::V6) => found.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    match found.is_empty() {
        true => Err(format!("{} has no address of that family", address.host)),
        false => Ok(found),
    }
}

/// What looking around has shown.
#[derive(Debug, Default)]
pub(crate) struct Neighbors {
    /// For people.
    pub(crate) sentences: Vec<String>,
    /// What to do instead, where the port speaks another protocol of SNMP.
    pub(crate) hint: Option<String>,
}

/// What answers instead.
pub(crate) fn probe(address: &PeerAddress, stage: Stage) -> Neighbors {
    let Some(at) = resolve(address).ok().and_then(|found| found.first().copied()) else {
        return Neighbors::default();
    };
    let over_tcp = is_over_tcp(address.transport);
    let is_closed = over_tcp && stage == Stage::Channel(ChannelStep::Connect);
    let own = if is_closed { None } else { detect_service(at, over_tcp) };
    match own.filter(|own| !own.matches_transport(address.transport)) {
        Some(own) => Neighbors {
            sentences: vec![own.describe_at(at)],
            hint: own.address_hint(at).or_else(|| Some(usual_port_hint(address))),
        },
        None => Neighbors { sentences: probe_other_ports(at, over_tcp), hint: None },
    }
}

/// What to do where something listens that is no agent.
fn usual_port_hint(address: &PeerAddress) -> String {
    let usual = match address.transport {
        Transport::Ssh => "5161 for SSH, or 22 behind an sshd",
        Transport::Tls => "10161 for TLS",
        Transport::Dtls => "10161 for DTLS",
        Transport::Tcp => "161 for TCP",
        _ => "161 for UDP",
    };
    format!("that is no agent: name the port on which one listens, as a rule {usual}")
}

/// What answers at other ports.
fn probe_other_ports(at: SocketAddr, over_tcp: bool) -> Vec<String> {
    let mut candidates: Vec<_> =
        SNMP_PORTS.into_iter().map(|(port, over_tcp)| (SocketAddr::new(at.ip(), port), over_tcp)).collect();
    candidates.push((at, !over_tcp));
    candidates.retain(|candidate| *candidate != (at, over_tcp));
    candidates.sort();
    candidates.dedup();
    let looks: Vec<_> = candidates
        .into_iter()
        .map(|(at, over_tcp)| (at, thread::spawn(move || detect_service(at, over_tcp))))
        .collect();
    // A look that has failed has seen nothing.
    let seen = looks.into_iter().filter_map(|(at, look)| Some((at, look.join().ok().flatten()?)));
    let sentences: Vec<_> = seen
        .map(|(at, spoken)| match spoken.address_hint(at) {
            Some(instead) => format!("{}: {instead}", spoken.describe_at(at)),
            None => spoken.describe_at(at),
        })
        .collect();
    if sentences.is_empty() {
        return vec![format!("nothing else answers at the ports of SNMP on {}", at.ip())];
    }
    sentences
}

fn detect_service(at: SocketAddr, over_tcp: bool) -> Option<DetectedService> {
    if over_tcp { service::detect_over_tcp(at) } else { service::detect_over_udp(at) }
}

fn is_over_tcp(transport: Transport) -> bool {
    matches!(transport, Transport::Tcp | Transport::Ssh | Transport::Tls)
}

/// Ports of SNMP, and whether they are TCP's.
const SNMP_PORTS: [(u16, bool); 5] = [(161, false), (161, true), (5161, true), (10161, true), (10161, false)];
