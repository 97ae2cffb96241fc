//! The community-based security models (RFC 3584 §5.2.1): they map a community and its origin to a
//! principal and a context.

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

/// Returns the row for the community of a message, if the community may be used from `origin`.
pub(crate) fn process_incoming_msg<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    community: &[u8],
    origin: &TmStateReference,
) -> Result<&'l Arc<CommunityRow>, RejectReason> {
    //= rfc3584#5.2.1-p1
    //= rfc3584#5.2.1-p3
    lcd.communities_matching(community)
        .filter(|row| lcd.tables().allowed_weaknesses.allow_community(row))
        .filter(|row| row.context_engine_id.is_none_or(|engine_id| engine_id == *local))
        .find(|row| may_come_from(lcd, &row.transport_tag, origin))
        .ok_or(RejectReason::BadCommunityName)
}

//= rfc3584#5.2.1-p2
/// Returns whether a target address with the tag covers the origin. An empty tag allows every
/// origin.
fn may_come_from(lcd: &Lcd, tag: &[u8], origin: &TmStateReference) -> bool {
    tag.is_empty() || lcd.targets_tagged(tag).any(|target| covers(target, origin))
}

/// Returns whether the origin equals the target's address in all bits that are set in the target's
/// mask.
///
/// Addresses are compared in the layout of TransportAddressIPv4 and TransportAddressIPv6: address,
/// then port, in network byte order. With an empty mask, all bits are compared.
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

/// Returns whether a target in `domain` accepts messages over `transport` from an address of
/// `length` octets.
fn admits(domain: &[u32], transport: TransportDomain, length: usize) -> bool {
    DOMAINS.iter().any(|(candidate, octets, transports)| {
        *domain == *candidate.arcs() && *octets == length && transports.contains(&transport)
    })
}

/// Returns an address as TAddress octets, and their number. An IPv4-mapped IPv6 address counts as
/// IPv4.
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

/// The domains of targets, the length of their addresses, and the transports that they accept. The
/// source address of a datagram can be forged. Therefore, a target for UDP also accepts messages
/// over TCP, but a target for TCP accepts no datagrams.
static DOMAINS: [(&Object, usize, &[TransportDomain]); 5] = [
    (&SNMP_UDP_DOMAIN, 6, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_UDP_IPV4, 6, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_UDP_IPV6, 18, &[TransportDomain::Udp, TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_TCP_IPV4, 6, &[TransportDomain::Tcp]),
    (&TRANSPORT_DOMAIN_TCP_IPV6, 18, &[TransportDomain::Tcp]),
];

#[cfg(test)]
mod tests;
