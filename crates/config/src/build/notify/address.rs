//! The address of a target: the value of `to`, and snmpTargetAddrTAddress.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use portreeve_mib::{
    Object,
    modules::{
        ssh_tm_mib::SNMP_SSH_DOMAIN,
        tls_tm_mib::{SNMP_DTLS_UDP_DOMAIN, SNMP_TLS_TCP_DOMAIN},
        transport_address_mib as domains,
    },
};
use portreeve_smi::TransportDomain;

/// The parsed value of `to`.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::build) struct Receiver {
    pub(in crate::build) transport: TransportDomain,
    pub(in crate::build) user: Option<String>,
    pub(in crate::build) host: String,
    pub(in crate::build) port: u16,
}

impl Receiver {
    /// Parses an address. The error continues a sentence that begins with the parsed text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let transports = [
            TransportDomain::Udp,
            TransportDomain::Tcp,
            TransportDomain::Ssh,
            TransportDomain::Tls,
            TransportDomain::Dtls,
        ];
        let (word, place) = text.split_once(':').ok_or("has no transport")?;
        let transport = transports.into_iter().find(|transport| transport.to_string() == word);
        let transport = transport.ok_or("has an unknown transport")?;
        let default_port = match transport {
            TransportDomain::Ssh => 5162,
            TransportDomain::Tls | TransportDomain::Dtls => 10_162,
            _ => 162,
        };
        let (user, place) = match place.rsplit_once('@') {
            Some((user, place)) if transport == TransportDomain::Ssh => (Some(user.to_owned()), place),
            Some(_) => return Err("names a user, which only ssh has".into()),
            None => (None, place),
        };
        if user.as_deref() == Some("") {
            return Err("has an empty user".into());
        }
        if user.as_ref().is_some_and(|user| user.len() > MAX_USER_LEN) {
            return Err(format!("has a user of more than {MAX_USER_LEN} octets"));
        }
        let (host, port) = split_port(place).ok_or("has an invalid port")?;
        let port = port.unwrap_or(default_port);
        let is_text = host.bytes().all(|octet| octet.is_ascii_graphic());
        if host.is_empty() || !is_text {
            return Err("has no valid host".into());
        }
        match host.parse() {
            Err(_) if !transport.is_secure() => {
                return Err("has a host name, but udp and tcp need an IP address".into());
            }
            Ok(IpAddr::V6(address)) if address.is_unicast_link_local() => {
                return Err("is link-local, so that it does not name an interface: use another address of the receiver".into());
            }
            _ => {}
        }
        let receiver = Self { transport, user, host: host.to_owned(), port };
        match receiver.address().len() {
            0..=MAX_ADDRESS_LEN => Ok(receiver),
            length => {
                Err(format!("has {length} octets with its port, but at most {MAX_ADDRESS_LEN} are allowed"))
            }
        }
    }

    pub(super) fn domain(&self) -> &'static Object {
        let is_v4 = self.host.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4());
        match self.transport {
            TransportDomain::Ssh => &SNMP_SSH_DOMAIN,
            TransportDomain::Tls => &SNMP_TLS_TCP_DOMAIN,
            TransportDomain::Dtls => &SNMP_DTLS_UDP_DOMAIN,
            TransportDomain::Tcp if is_v4 => &domains::TRANSPORT_DOMAIN_TCP_IPV4,
            TransportDomain::Tcp => &domains::TRANSPORT_DOMAIN_TCP_IPV6,
            _ if is_v4 => &domains::TRANSPORT_DOMAIN_UDP_IPV4,
            _ => &domains::TRANSPORT_DOMAIN_UDP_IPV6,
        }
    }

    /// Returns snmpTargetAddrTAddress: text for ssh, tls and dtls, octets for udp and tcp.
    pub(super) fn address(&self) -> Vec<u8> {
        if !self.transport.is_secure()
            && let Ok(address) = self.host.parse::<IpAddr>()
        {
            let socket = SocketAddr::new(address, self.port);
            let mut octets = match socket.ip() {
                IpAddr::V4(address) => address.octets().to_vec(),
                IpAddr::V6(address) => address.octets().to_vec(),
            };
            octets.extend(self.port.to_be_bytes());
            return octets;
        }
        let user = self.user.as_ref().map_or_else(String::new, |user| format!("{user}@"));
        match self.host.parse::<Ipv6Addr>() {
            Ok(address) => format!("{user}[{address}]:{}", self.port),
            Err(_) => format!("{user}{}:{}", self.host, self.port),
        }
        .into_bytes()
    }
}

/// Splits `host`, `host:port`, `[v6]:port` and a literal IPv6 address; `None` if the port is
/// invalid.
fn split_port(place: &str) -> Option<(&str, Option<u16>)> {
    if place.parse::<Ipv6Addr>().is_ok() {
        return Some((place, None));
    }
    let (host, port) = match place.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((host, "")) => return Some((host, None)),
        Some((host, rest)) => (host, rest.strip_prefix(':')?),
        None => match place.rsplit_once(':') {
            Some(parts) => parts,
            None => return Some((place, None)),
        },
    };
    let port = port.parse().ok().filter(|port| *port != 0)?;
    Some((host, Some(port)))
}

/// Maximum length of a login name in octets: that of a securityName.
const MAX_USER_LEN: usize = 32;
/// Maximum length of snmpTargetAddrTAddress in octets.
const MAX_ADDRESS_LEN: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receiver_has_the_default_port_of_its_transport() {
        for (text, host, port) in [
            ("udp:192.0.2.1", "192.0.2.1", 162),
            ("tcp:2001:db8::1", "2001:db8::1", 162),
            ("udp:[2001:db8::1]:1162", "2001:db8::1", 1162),
            ("ssh:agent@noc.example", "noc.example", 5162),
            ("tls:noc.example", "noc.example", 10_162),
            ("dtls:noc.example:20162", "noc.example", 20_162),
        ] {
            let receiver = Receiver::parse(text).unwrap();
            assert_eq!((&*receiver.host, receiver.port), (host, port), "{text}");
        }
    }

    #[test]
    fn address_of_a_row_has_the_format_of_its_domain() {
        let address = |text| Receiver::parse(text).unwrap().address();
        assert_eq!(address("udp:192.0.2.1"), [192, 0, 2, 1, 0, 162]);
        assert_eq!(address("tcp:2001:db8::1").len(), 18);
        assert_eq!(address("ssh:a@noc:22"), b"a@noc:22");
        assert_eq!(address("tls:[2001:db8::1]"), b"[2001:db8::1]:10162");
    }

    #[test]
    fn malformed_receiver_is_rejected() {
        for text in [
            "192.0.2.1",
            "http:noc",
            "udp:noc.example",
            "udp:a@192.0.2.1",
            "ssh:@noc",
            "ssh:noc:0",
            "tls:noc:x",
            "tls:",
            "dtls:a b",
        ] {
            assert!(Receiver::parse(text).is_err(), "{text}");
        }
    }
}
