//! The addresses to listen on, as the command line and `snmpTrapdAddr` specify them.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use portreeve_config::{Listener, Services, SshWindow};
use portreeve_smi::TransportDomain;
use portreeve_snmp_manager::{Family, PeerAddress, Transport};

/// Parses addresses: `[TRANSPORT:][HOST:]PORT` or `[TRANSPORT:]HOST`, as for snmptrapd.
pub(super) fn listeners(addresses: &[String]) -> Result<Vec<Listener>, String> {
    addresses.iter().map(|text| listener(text)).collect()
}

/// Parses one address.
pub(super) fn listener(text: &str) -> Result<Listener, String> {
    let invalid = |reason: &str| {
        format!(
            "invalid address {}: {reason}: expected TRANSPORT:ADDRESS[:PORT] with udp, tcp, ssh, tls or dtls, for \
             example udp:0.0.0.0:162",
            text.escape_debug()
        )
    };
    let parsed: Result<PeerAddress, _> = text.parse();
    let parsed = parsed.map_err(|error| invalid(&error.to_string()))?.for_notifications();
    let transport = match parsed.transport {
        Transport::Udp => TransportDomain::Udp,
        Transport::Tcp => TransportDomain::Tcp,
        Transport::Ssh => TransportDomain::Ssh,
        Transport::Tls => TransportDomain::Tls,
        Transport::Dtls => TransportDomain::Dtls,
        Transport::Unix => return Err(invalid("Unix sockets are not supported")),
    };
    let port_only = text.rsplit(':').next().is_some_and(|last| last == parsed.port.to_string())
        && !text.contains(parsed.host.as_str());
    let address = match (port_only, parsed.family) {
        (true, Some(Family::V6)) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, parsed.port)),
        (true, _) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, parsed.port)),
        (false, family) => {
            let found = (parsed.host.as_str(), parsed.port).to_socket_addrs();
            let mut found = found.map_err(|error| invalid(&error.to_string()))?;
            let is_wanted = |address: &SocketAddr| match family {
                None => true,
                Some(Family::V4) => address.is_ipv4(),
                Some(Family::V6) => address.is_ipv6(),
            };
            found.find(is_wanted).ok_or_else(|| invalid("the host has no address of this family"))?
        }
    };
    Ok(Listener {
        transport,
        address,
        is_wildcard: false,
        services: Services { snmp: true, netconf: false },
        nodelay: true,
        window: SshWindow::default(),
        algorithms: portreeve_channel::SshAlgorithms::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_without_a_host_means_all_addresses_of_its_family() {
        for (text, transport, address) in [
            ("162", TransportDomain::Udp, "0.0.0.0:162"),
            ("udp:1162", TransportDomain::Udp, "0.0.0.0:1162"),
            ("udp6:1162", TransportDomain::Udp, "[::]:1162"),
            ("127.0.0.1", TransportDomain::Udp, "127.0.0.1:162"),
            ("tcp:[::1]:1162", TransportDomain::Tcp, "[::1]:1162"),
            ("udp:0.0.0.0", TransportDomain::Udp, "0.0.0.0:162"),
            ("udp6:[::]:1162", TransportDomain::Udp, "[::]:1162"),
            ("udp4:localhost:1162", TransportDomain::Udp, "127.0.0.1:1162"),
            ("ssh:0.0.0.0", TransportDomain::Ssh, "0.0.0.0:5162"),
            ("tlstcp:127.0.0.1", TransportDomain::Tls, "127.0.0.1:10162"),
            ("dtlsudp:10163", TransportDomain::Dtls, "0.0.0.0:10163"),
        ] {
            let found = listener(text).unwrap();
            assert_eq!((found.transport, found.address), (transport, address.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn invalid_address_is_reported_with_its_reason() {
        for (text, reason) in [
            ("unix:/tmp/a", "Unix sockets are not supported"),
            ("udp:127.0.0.1:0", "the port is not a number"),
            ("udp6:127.0.0.1", "no address of this family"),
        ] {
            let error = listener(text).unwrap_err();
            assert!(error.contains(reason) && error.contains("udp:0.0.0.0:162"), "{error}");
        }
    }
}
