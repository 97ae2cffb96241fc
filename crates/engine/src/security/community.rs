//! The community-based security models (RFC 3584 §5.2.1): a community and its origin become a principal and a context.

use std::{net::SocketAddr, sync::Arc};

use portreeve_lcd::{CommunityRow, Lcd, TargetAddressRow};
use portreeve_smi::{EngineId, TransportAddress};

use crate::failure::Failure;

/// The row that a message's community stands for, if it may come from `origin`.
pub(crate) fn process_incoming_msg<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    community: &[u8],
    origin: TransportAddress,
) -> Result<&'l Arc<CommunityRow>, Failure> {
    //= rfc3584#5.2.1-p1
    //= rfc3584#5.2.1-p3
    lcd.communities_matching(community)
        .filter(|row| row.context_engine_id.is_none_or(|engine_id| engine_id == *local))
        .find(|row| may_come_from(lcd, &row.transport_tag, origin))
        .ok_or(Failure::BadCommunityName)
}

//= rfc3584#5.2.1-p2
/// Whether some target address that carries the tag covers the origin. Without a tag every origin will do.
fn may_come_from(lcd: &Lcd, tag: &[u8], origin: TransportAddress) -> bool {
    tag.is_empty() || lcd.targets_tagged(tag).any(|target| covers(target, origin))
}

/// Whether the origin equals the target's address wherever the target's mask has a one.
///
/// Addresses are compared in the layout of TransportAddressIPv4 and TransportAddressIPv6: address, then port, network
/// byte order. An empty mask compares everything.
fn covers(target: &TargetAddressRow, origin: TransportAddress) -> bool {
    let TransportAddress::Ip(origin) = origin else { return false };
    let (octets, length) = in_network_order(origin);
    let origin = octets.get(..length).unwrap_or_default();
    let mask = |position: usize| target.mask.get(position).copied().unwrap_or(0xff);
    target.address.len() == origin.len()
        && target
            .address
            .iter()
            .zip(origin)
            .enumerate()
            .all(|(position, (ours, theirs))| (ours ^ theirs) & mask(position) == 0)
}

/// An address as TAddress octets, and how many there are. An IPv4 address in IPv6 clothes counts as IPv4.
fn in_network_order(address: SocketAddr) -> ([u8; 18], usize) {
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

#[cfg(test)]
mod tests;
