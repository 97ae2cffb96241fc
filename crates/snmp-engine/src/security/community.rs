//! The community-based security models (RFC 3584 §5.2.1): a community and its origin become a principal and a context.

use std::{net::SocketAddr, sync::Arc};

use portreeve_lcd::{CommunityRow, Lcd, TargetAddressRow};
use portreeve_mib::{
    Object,
    modules::{
        snmpv2_tm::SNMP_UDP_DOMAIN,
        transport_address_mib::{
            TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
            TRANSPORT_DOMAIN_UDP_IPV6,
        },
    },
};
use portreeve_smi::{EngineId, TmStateReference, TransportAddress, TransportDomain};

use crate::reject_reason::RejectReason;

/// The row that a message's community stands for, if it may come from `origin`.
pub(crate) fn process_incoming_msg<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    community: &[u8],
    origin: &TmStateReference,
) -> Result<&'l Arc<CommunityRow>, RejectReason> {
    //= rfc3584#5.2.1-p1
    //= rfc3584#5.2.1-p3
    lcd.communities_matching(community)
        .filter(|row| row.context_engine_id.is_none_or(|engine_id| engine_id == *local))
        .find(|row| may_come_from(lcd, &row.transport_tag, origin))
        .ok_or(RejectReason::BadCommunityName)
}

//= rfc3584#5.2.1-p2
/// Whether some target address that carries the tag covers the origin. Without a tag every origin will do.
fn may_come_from(lcd: &Lcd, tag: &[u8], origin: &TmStateReference) -> bool {
    tag.is_empty() || lcd.targets_tagged(tag).any(|target| covers(target, origin))
}

/// Whether the origin equals the target's address wherever the target's mask has a one.
///
/// Addresses are compared in the layout of TransportAddressIPv4 and TransportAddressIPv6: address, then port, network
/// byte order. An empty mask compares everything.
fn covers(target: &TargetAddressRow, from: &TmStateReference) -> bool {
    let TransportAddress::Ip(address) = from.address else { return false };
    let (octets, length) = to_taddress(address);
    let origin = octets.get(..length).unwrap_or_default();
    let mask = |position: usize| target.mask.get(position).copied().unwrap_or(0xff);
    admits(&target.domain, from.domain, length)
        && target.address.len() == origin.len()
        && target
            .address
            .iter()
            .zip(origin)
            .enumerate()
            .all(|(position, (expected, actual))| (expected ^ actual) & mask(position) == 0)
}

/// Whether a target in `domain` admits what came over `transport` from an address of `length` octets.
fn admits(domain: &[u32], transport: TransportDomain, length: usize) -> bool {
    DOMAINS.iter().any(|(candidate, octets, transports)| {
        *domain == *candidate.arcs() && *octets == length && transports.contains(&transport)
    })
}

/// An address as TAddress octets, and how many there are. An IPv4 address in IPv6 clothes counts as IPv4.
fn to_taddress(address: SocketAddr) -> ([u8; 18], usize) {
    let mut octets = [0; 18];
    let port = address.port().to_be_bytes();
    let mut put = |ip: &[u8]| {
        let source = ip.iter().chain(&port);
        octets.iter_mut().zip(source).for_each(|(to, from)| *to = *from);
        ip.len() + port.len()
    };
    let length = match address.ip().to_canonical() {
        std::net::IpAddr::V4(ip) => put(&ip.octets()),
        std::net::IpAddr::V6(ip) => put(&ip.octets()),
    };
    (octets, length)
}

/// The domains of targets: octets of their addresses, and what they admit. Who is trusted by the address in a datagram,
/// which anybody can forge, is trusted over TCP as well, but not the other way round.
static DOMAINS: [(&Object, usize, &[TransportDomain]); 5] = [
    (&SNMP_UDP_DOMAIN, 6, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_UDP_IPV4, 6, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_UDP_IPV6, 18, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_TCP_IPV4, 6, &[TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_TCP_IPV6, 18, &[TransportDomain::Tcp]),
];

#[cfg(test)]
mod tests;
