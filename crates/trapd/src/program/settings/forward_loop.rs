//! Refuses to forward notifications to a listener of this program: each one would be received and
//! forwarded again without end.
//!
//! A loop through another receiver is not detected, and neither is a host name other than
//! `localhost`, because names are resolved only when a connection is opened.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket},
};

use portreeve_config::Listener;
use portreeve_smi::TransportDomain;
use portreeve_snmp_manager::{PeerAddress, Transport};

use super::Settings;
use crate::HandlerAction;

impl Settings {
    /// Checks that no destination is a listener.
    pub(super) fn check_forward_loops(&self) -> Result<(), String> {
        for forward in &self.forwards {
            let to = &forward.to;
            if self.listens_at(to.transport, &to.host, to.port) {
                let address = format!("{}:{}:{}", to.transport, to.host, to.port);
                return Err(refusal(&format!("{}:{}: error", self.file.display(), forward.line), &address));
            }
        }
        for directive in self.classic.iter().flat_map(|classic| &classic.handlers) {
            let HandlerAction::Forward(PeerAddress { transport, host, port, .. }) = &directive.action else {
                continue;
            };
            let transport = domain_of(*transport);
            if self.listens_at(transport, host, *port) {
                let location = &directive.location;
                let place = format!("{}:{}: error", location.path.display(), location.line);
                return Err(refusal(&place, &format!("{transport}:{host}:{port}")));
            }
        }
        Ok(())
    }

    fn listens_at(&self, transport: TransportDomain, host: &str, port: u16) -> bool {
        let addresses = match host.parse() {
            Ok(address) => vec![address],
            Err(_) if host == "localhost" => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
            Err(_) => Vec::new(),
        };
        let receives = |listener: &Listener| {
            listener.transport == transport
                && listener.address.port() == port
                && addresses.iter().any(|address| is_address_of(listener.address.ip(), *address))
        };
        self.shared.listeners.iter().any(receives)
    }
}

/// Returns whether a listener at `own` receives what is sent to `address`.
fn is_address_of(own: IpAddr, address: IpAddr) -> bool {
    let is_same_family = own.is_ipv4() == address.is_ipv4();
    own == address || (own.is_unspecified() && is_same_family && is_local(address))
}

/// Returns whether an address is one of this machine. What is sent to such an address has it as its
/// source, too. A socket can be bound to others if the sysctl `ip_nonlocal_bind` is set.
fn is_local(address: IpAddr) -> bool {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let source = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((any, 0))?;
        // Sends nothing.
        socket.connect((address, ANY_PORT))?;
        Ok(socket.local_addr()?.ip())
    };
    address.is_loopback() || (!address.is_multicast() && source().is_ok_and(|source| source == address))
}

fn refusal(place: &str, address: &str) -> String {
    format!(
        "{place}: cannot forward to {address}: this program listens there, and would forward each \
         notification again without end\nhint: set the address of another receiver"
    )
}

fn domain_of(transport: Transport) -> TransportDomain {
    match transport {
        Transport::Udp => TransportDomain::Udp,
        Transport::Tcp => TransportDomain::Tcp,
        Transport::Ssh => TransportDomain::Ssh,
        Transport::Tls => TransportDomain::Tls,
        Transport::Dtls => TransportDomain::Dtls,
        Transport::Unix => TransportDomain::Unix,
    }
}

/// The port of a socket that is connected only to learn its address.
const ANY_PORT: u16 = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcard_listener_receives_at_all_addresses_of_its_family_and_machine() {
        for (own, address, expected) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("127.0.0.1", "127.0.0.2", false),
            ("0.0.0.0", "127.0.0.2", true),
            ("0.0.0.0", "0.0.0.0", true),
            // An address for documentation, which no machine has.
            ("0.0.0.0", "192.0.2.1", false),
            ("0.0.0.0", "239.1.1.1", false),
            ("0.0.0.0", "::1", false),
            ("::", "127.0.0.1", false),
            ("::", "2001:db8::1", false),
        ] {
            let found = is_address_of(own.parse().unwrap(), address.parse().unwrap());
            assert_eq!(found, expected, "{own} {address}");
        }
    }
}
