//! The source of a community: an address, a network, a host name or `default`.

use std::net::IpAddr;

use portreeve_snmp_engine::senders::SourcePrefix;

use super::{NameResolver, Reason};

/// Parses a source. An empty result stands for every source.
pub(super) fn parse_source(text: &str, names: &NameResolver<'_>) -> Result<Vec<SourcePrefix>, Reason> {
    if text.eq_ignore_ascii_case("default") {
        return Ok(Vec::new());
    }
    if text.starts_with('!') {
        return Err(format!(
            "unsupported source {text:?}: list the permitted networks instead of the denied ones"
        ));
    }
    let (address, mask) = match text.split_once('/') {
        Some((address, mask)) => (address, Some(mask)),
        None => (text, None),
    };
    if let Ok(address) = address.parse::<IpAddr>() {
        return network(text, address, mask).map(|network| vec![network]);
    }
    if mask.is_some() {
        return Err(invalid(text, "not a network"));
    }
    let addresses = (names.host)(text).map_err(|error| invalid(text, &error.to_string()))?;
    let hosts: Vec<SourcePrefix> = addresses.into_iter().filter_map(host).collect();
    // An empty list would permit every source.
    if hosts.is_empty() { Err(invalid(text, "the host has no address")) } else { Ok(hosts) }
}

fn network(text: &str, address: IpAddr, mask: Option<&str>) -> Result<SourcePrefix, Reason> {
    let bits = if address.is_ipv4() { 32 } else { 128 };
    let length = match mask {
        None => Some(bits),
        Some(mask) => prefix_length(address, mask),
    };
    let prefix = length.and_then(|length| SourcePrefix::new(address, length));
    let (Some(prefix), Some(length)) = (prefix, length) else {
        return Err(invalid(text, "not a mask of leading one bits"));
    };
    if has_host_bits(address, length) {
        return Err(invalid(text, "the address has bits that the mask clears"));
    }
    Ok(prefix)
}

/// Returns the length of a mask, which is a number of bits or an address.
fn prefix_length(address: IpAddr, mask: &str) -> Option<u8> {
    if !mask.is_empty() && mask.bytes().all(|octet| octet.is_ascii_digit()) {
        return mask.parse().ok();
    }
    let (ones, length) = match (address, mask.parse().ok()?) {
        (IpAddr::V4(_), IpAddr::V4(mask)) => {
            (u128::from(u32::from(mask)) << 96, u32::from(mask).leading_ones())
        }
        (IpAddr::V6(_), IpAddr::V6(mask)) => (u128::from(mask), u128::from(mask).leading_ones()),
        _ => return None,
    };
    let is_contiguous = ones.count_ones() == length;
    is_contiguous.then(|| u8::try_from(length).ok()).flatten()
}

fn has_host_bits(address: IpAddr, length: u8) -> bool {
    let bits = match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => u128::from(address),
    };
    bits.checked_shl(length.into()).unwrap_or(0) != 0
}

fn host(address: IpAddr) -> Option<SourcePrefix> {
    let address = address.to_canonical();
    SourcePrefix::new(address, if address.is_ipv4() { 32 } else { 128 })
}

fn invalid(text: &str, reason: &str) -> Reason {
    format!(
        "invalid source {text:?}: {reason}: expected default, a host name, an address or a network, for \
         example 192.0.2.0/24"
    )
}
