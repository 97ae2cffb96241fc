//! Probes the host if the agent does not respond: another protocol on the same port, or SNMP on
//! another port.
//!
//! Probes only the SNMP ports and the given one, each for at most a few seconds, and sends nothing
//! that requires a secret.

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

/// Returns the agent's addresses, IPv4 first.
///
/// # Errors
/// The message, if the name cannot be resolved or has no address of the requested family.
pub(crate) fn resolve(address: &PeerAddress) -> Result<Vec<SocketAddr>, String> {
    let resolved = (address.host.as_str(), address.port).to_socket_addrs();
    let mut resolved: Vec<_> = resolved.map_err(|error| format!("{}: {error}", address.host))?.collect();
    resolved.retain(|candidate| match address.family {
        Some(Family::V4) => candidate.is_ipv4(),
        Some(Family::V6) => candidate.is_ipv6(),
        None => true,
    });
    resolved.sort_by_key(SocketAddr::is_ipv6);
    match resolved.is_empty() {
        true => Err(format!("{} has no address of the requested family", address.host)),
        false => Ok(resolved),
    }
}

/// The services found on the host.
#[derive(Debug, Default)]
pub(crate) struct Neighbors {
    /// A description of each service.
    pub(crate) sentences: Vec<String>,
    /// The address to use instead, if the port serves another transport of SNMP.
    pub(crate) hint: Option<String>,
}

/// Finds out which service responds instead of the agent.
pub(crate) fn probe(address: &PeerAddress, stage: Stage) -> Neighbors {
    if address.transport == Transport::Unix {
        return Neighbors::default();
    }
    let Some(at) = resolve(address).ok().and_then(|resolved| resolved.first().copied()) else {
        return Neighbors::default();
    };
    let over_tcp = is_over_tcp(address.transport);
    let is_closed = over_tcp && stage == Stage::Channel(ChannelStep::Connect);
    let service = if is_closed { None } else { detect_service(at, over_tcp) };
    match service.filter(|service| !service.matches_transport(address.transport)) {
        Some(service) => Neighbors {
            sentences: vec![service.describe_at(at)],
            hint: service.address_hint(at).or_else(|| Some(usual_port_hint(address))),
        },
        None => Neighbors { sentences: probe_other_ports(at, over_tcp), hint: None },
    }
}

/// The hint if the port serves something other than SNMP.
fn usual_port_hint(address: &PeerAddress) -> String {
    let usual = match address.transport {
        Transport::Ssh => "5161 for SSH, or 22 behind an sshd",
        Transport::Tls => "10161 for TLS",
        Transport::Dtls => "10161 for DTLS",
        Transport::Tcp => "161 for TCP",
        _ => "161 for UDP",
    };
    format!("the service on this port is not an SNMP agent: specify the agent's port, usually {usual}")
}

/// Describes the services on the other ports.
fn probe_other_ports(at: SocketAddr, over_tcp: bool) -> Vec<String> {
    let mut candidates: Vec<_> =
        SNMP_PORTS.into_iter().map(|(port, over_tcp)| (SocketAddr::new(at.ip(), port), over_tcp)).collect();
    candidates.push((at, !over_tcp));
    candidates.retain(|candidate| *candidate != (at, over_tcp));
    candidates.sort();
    candidates.dedup();
    let probes: Vec<_> = candidates
        .into_iter()
        .map(|(at, over_tcp)| (at, thread::spawn(move || detect_service(at, over_tcp))))
        .collect();
    // A failed probe counts as a port without a service.
    let services = probes.into_iter().filter_map(|(at, probe)| Some((at, probe.join().ok().flatten()?)));
    let sentences: Vec<_> = services
        .map(|(at, service)| match service.address_hint(at) {
            Some(hint) => format!("{}: {hint}", service.describe_at(at)),
            None => service.describe_at(at),
        })
        .collect();
    if sentences.is_empty() {
        return vec![format!("no service responds on the SNMP ports of {}", at.ip())];
    }
    sentences
}

fn detect_service(at: SocketAddr, over_tcp: bool) -> Option<DetectedService> {
    if over_tcp { service::detect_over_tcp(at) } else { service::detect_over_udp(at) }
}

fn is_over_tcp(transport: Transport) -> bool {
    matches!(transport, Transport::Tcp | Transport::Ssh | Transport::Tls)
}

/// The SNMP ports; `true` for TCP.
const SNMP_PORTS: [(u16, bool); 5] = [(161, false), (161, true), (5161, true), (10161, true), (10161, false)];
