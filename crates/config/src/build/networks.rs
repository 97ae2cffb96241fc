//! Networks, and their representation in snmpTargetAddrTable (RFC 3584 §5.3).

use std::net::IpAddr;

use portreeve_mib::{Object, modules::transport_address_mib as domains};

/// An IP address and its prefix length in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Parses `192.0.2.0/24` or `2001:db8::1`. The error continues a sentence that begins with the
    /// parsed text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| "is not a network".to_owned())?;
        let max_prefix = if address.is_ipv4() { 32 } else { 128 };
        let digits = |text: &&str| text.bytes().all(|octet| octet.is_ascii_digit());
        let prefix = match prefix {
            None => max_prefix,
            Some(prefix) => Some(prefix)
                .filter(digits)
                .and_then(|prefix| prefix.parse().ok())
                .filter(|prefix| *prefix <= max_prefix)
                .ok_or_else(|| format!("has a prefix length outside 0 to {max_prefix}"))?,
        };
        let network = Self { address, prefix };
        let network_address = network.network_address();
        if network_address != address {
            return Err(format!("is a host address; its network is {network_address}/{prefix}"));
        }
        Ok(network)
    }

    /// Returns the address and the prefix length.
    pub(super) fn to_prefix(self) -> (IpAddr, u8) {
        (self.address, self.prefix)
    }

    /// snmpTargetAddrTAddress: the address with port 0.
    pub(super) fn address(&self) -> Vec<u8> {
        with_port(octets(self.address))
    }

    /// snmpTargetAddrTMask: selects the prefix bits and ignores the port.
    pub(super) fn mask(&self) -> Vec<u8> {
        with_port(self.mask_octets())
    }

    /// snmpTargetAddrTDomain. For sources of messages, the transport of the domain is ignored.
    pub(super) fn domain(&self) -> &'static Object {
        match self.address {
            IpAddr::V4(_) => &domains::TRANSPORT_DOMAIN_UDP_IPV4,
            IpAddr::V6(_) => &domains::TRANSPORT_DOMAIN_UDP_IPV6,
        }
    }

    /// Returns the address with all bits after the prefix cleared.
    fn network_address(&self) -> IpAddr {
        let masked =
            octets(self.address).into_iter().zip(self.mask_octets()).map(|(octet, mask)| octet & mask);
        let masked: Vec<u8> = masked.collect();
        match (<[u8; 4]>::try_from(&*masked), <[u8; 16]>::try_from(&*masked)) {
            (Ok(octets), _) => octets.into(),
            (_, Ok(octets)) => octets.into(),
            _ => self.address,
        }
    }

    fn mask_octets(&self) -> Vec<u8> {
        let count = if self.address.is_ipv4() { 4 } else { 16 };
        (0..count)
            .map(|position| {
                let bits = self.prefix.saturating_sub(position * 8).min(8);
                !u8::MAX.checked_shr(bits.into()).unwrap_or(0)
            })
            .collect()
    }
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

fn with_port(mut octets: Vec<u8>) -> Vec<u8> {
    octets.extend([0, 0]);
    octets
}

#[cfg(test)]
mod tests;
