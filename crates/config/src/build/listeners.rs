//! `[[listen]]`: addresses to bind.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_smi::TransportDomain;

use super::Builder;
use crate::{Listener, options::LISTEN, raw::RawListen, reader::shown};

impl Builder<'_> {
    pub(super) fn listeners(&mut self, raw: &[RawListen]) -> Vec<Listener> {
        if raw.is_empty() {
            let everywhere: [IpAddr; 2] = [Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()];
            let listener = |address| Listener {
                transport: TransportDomain::Udp,
                address: SocketAddr::new(address, SNMP_PORT),
            };
            return everywhere.map(listener).to_vec();
        }
        let mut listeners: Vec<Listener> = Vec::new();
        for listen in raw {
            let Some(listener) = self.listener(listen) else { continue };
            // Port 0 takes another free one each time.
            if listeners.contains(&listener) && listener.address.port() != 0 {
                let found = format!("{} at {} is there twice", listener.transport, listener.address);
                self.problems.error(listen.place, found).hint("remove one of the two");
            }
            listeners.push(listener);
        }
        listeners
    }

    fn listener(&mut self, raw: &RawListen) -> Option<Listener> {
        let transport = match &raw.transport {
            None => TransportDomain::Udp,
            Some(written) => match written.value.as_str() {
                "udp" => TransportDomain::Udp,
                "tcp" => TransportDomain::Tcp,
                other => {
                    let found = format!("there is no transport \"{}\"", shown(other));
                    self.refuse(&LISTEN, "transport", written.place, found);
                    return None;
                }
            },
        };
        let written = raw.address.as_ref()?;
        let address = parse_address(&written.value);
        if address.is_none() {
            let found = format!("`address` = \"{}\" is no address to listen at", shown(&written.value));
            self.refuse(&LISTEN, "address", written.place, found);
        }
        Some(Listener { transport, address: address? })
    }
}

/// An address with a port, or one alone, which gets SNMP's.
fn parse_address(text: &str) -> Option<SocketAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = text.parse().ok();
    with_port.or_else(|| bare.parse().ok().map(|address: IpAddr| SocketAddr::new(address, SNMP_PORT)))
}

const SNMP_PORT: u16 = 161;
