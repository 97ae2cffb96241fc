//! `[[listen]]`: the addresses to bind.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_channel::{Algorithm, AlgorithmList, SshAlgorithms};
use portreeve_smi::TransportDomain;

use super::{Builder, Role};
use crate::{
    Listener, Services, SshWindow,
    options::LISTEN,
    problem::TextPosition,
    raw::RawListen,
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Returns the listeners, each with its position in the file. `has_netconf` is true if the file
    /// has the section `[netconf]`.
    pub(super) fn listeners(
        &mut self,
        raw: &[RawListen],
        has_netconf: bool,
    ) -> Vec<(Listener, TextPosition)> {
        if raw.is_empty() {
            let listener = Listener {
                transport: TransportDomain::Udp,
                address: SocketAddr::new(WILDCARD_ADDRESSES[0], self.ports().snmp),
                is_wildcard: true,
                services: Services::SNMP,
                nodelay: true,
                window: SshWindow::default(),
                algorithms: SshAlgorithms::default(),
            };
            return per_address_family(listener).map(|listener| (listener, TextPosition(0))).collect();
        }
        let mut listeners: Vec<(Listener, TextPosition)> = Vec::new();
        for listen in raw.iter().filter(|listen| !listen.is_behind_sshd()) {
            let Some(listener) = self.listener(listen, has_netconf) else { continue };
            let families: Vec<Listener> = per_address_family(listener).collect();
            // Port 0 binds a different free port each time, so two such listeners are not
            // duplicates.
            let duplicate = |new: &&Listener| {
                let same = |(other, _): &(Listener, TextPosition)| {
                    (other.transport, other.address) == (new.transport, new.address)
                };
                new.address.port() != 0 && listeners.iter().any(same)
            };
            if let Some(duplicate) = families.iter().find(duplicate) {
                let found = format!("duplicate listener {} {}", duplicate.transport, duplicate.address);
                self.problems.error(listen.position, found).hint("remove one of the two [[listen]] sections");
            }
            listeners.extend(families.into_iter().map(|listener| (listener, listen.position)));
        }
        listeners
    }

    fn ports(&self) -> DefaultPorts {
        match self.role {
            Role::Agent => DefaultPorts { snmp: 161, ssh: 5161, tls: 10_161 },
            Role::Receiver => DefaultPorts { snmp: 162, ssh: 5162, tls: 10_162 },
        }
    }

    fn listener(&mut self, raw: &RawListen, has_netconf: bool) -> Option<Listener> {
        let services = self.services(raw, has_netconf);
        let ports = self.ports();
        let ssh_port = if services.snmp { ports.ssh } else { NETCONF_SSH_PORT };
        let (transport, port) = match &raw.transport {
            None => (TransportDomain::Udp, ports.snmp),
            Some(written) => match written.value.as_str() {
                "udp" => (TransportDomain::Udp, ports.snmp),
                "tcp" => (TransportDomain::Tcp, ports.snmp),
                "ssh" => (TransportDomain::Ssh, ssh_port),
                "tls" => (TransportDomain::Tls, ports.tls),
                "dtls" => (TransportDomain::Dtls, ports.tls),
                other => {
                    let found = format!("unknown transport \"{}\"", display_escaped(other));
                    self.reject_value(&LISTEN, "transport", written.position, found);
                    return None;
                }
            },
        };
        if transport != TransportDomain::Ssh {
            for (name, position) in raw.given.iter().filter(|(name, _)| SSH_ONLY_KEYS.contains(name)) {
                let problem =
                    self.problems.error(*position, format!("{transport} does not support `{name}`"));
                problem.hint("remove this line: only listeners with transport = \"ssh\" support it");
            }
        }
        let address = match &raw.address {
            None => SocketAddr::new(WILDCARD_ADDRESSES[0], port),
            Some(written) => self.address(written, port)?,
        };
        Some(Listener {
            transport,
            address,
            is_wildcard: raw.address.is_none(),
            services: if transport == TransportDomain::Ssh { services } else { Services::SNMP },
            nodelay: raw.nodelay.unwrap_or(true),
            window: self.window(raw),
            algorithms: SshAlgorithms {
                key_exchanges: self.algorithms(raw, "key-exchanges", raw.key_exchanges.as_deref()),
                ciphers: self.algorithms(raw, "ciphers", raw.ciphers.as_deref()),
            },
        })
    }

    /// Returns the services that the listener offers if its transport is SSH. Reports unknown
    /// names.
    fn services(&mut self, raw: &RawListen, has_netconf: bool) -> Services {
        let Some(written) = &raw.services else {
            return Services { netconf: has_netconf, ..Services::SNMP };
        };
        let mut services = Services::NONE;
        for name in written {
            match name.value.as_str() {
                "snmp" => services.snmp = true,
                "netconf" => services.netconf = true,
                other => {
                    let found = format!("unknown service \"{}\"", display_escaped(other));
                    self.reject_value(&LISTEN, "services", name.position, found);
                }
            }
        }
        if written.is_empty() {
            self.reject_value(&LISTEN, "services", raw.position_of("services"), "`services` is empty");
        }
        services
    }

    fn address(&mut self, written: &Located<String>, port: u16) -> Option<SocketAddr> {
        let address = parse_address(&written.value, port);
        if address.is_none() {
            let found = format!("invalid listen address \"{}\"", display_escaped(&written.value));
            self.reject_value(&LISTEN, "address", written.position, found);
        }
        address
    }

    /// Returns the allowed algorithms of a kind; `None` allows all. Reports unknown names.
    fn algorithms<A: Algorithm>(
        &mut self,
        raw: &RawListen,
        key: &str,
        written: Option<&[Located<String>]>,
    ) -> Option<AlgorithmList<A>> {
        let mut named = Vec::new();
        for name in written? {
            match A::from_name(&name.value) {
                Some(algorithm) => named.push(algorithm),
                None => {
                    let found = format!("unknown algorithm \"{}\" in `{key}`", display_escaped(&name.value));
                    self.reject_value(&LISTEN, key, name.position, found);
                }
            }
        }
        if written.is_some_and(<[_]>::is_empty) {
            let position = raw.position_of(key);
            self.reject_value(
                &LISTEN,
                key,
                position,
                format!("`{key}` is empty, so no client could connect"),
            );
        }
        AlgorithmList::of(named)
    }

    /// Parses the window policy. Reports an invalid value and returns the default for it.
    fn window(&mut self, raw: &RawListen) -> SshWindow {
        let Some(written) = &raw.window else { return SshWindow::default() };
        match written.value.as_str() {
            "when-needed" => SshWindow::WhenNeeded,
            "every-message" => SshWindow::EveryMessage,
            other => {
                let found = format!("invalid `window` \"{}\"", display_escaped(other));
                self.reject_value(&LISTEN, "window", written.position, found);
                SshWindow::default()
            }
        }
    }
}

/// Options that only SSH listeners support.
const SSH_ONLY_KEYS: [&str; 4] = ["services", "window", "key-exchanges", "ciphers"];

/// Expands a listener without an address to one per address family.
fn per_address_family(listener: Listener) -> impl Iterator<Item = Listener> {
    let families = if listener.is_wildcard { &WILDCARD_ADDRESSES[..] } else { &WILDCARD_ADDRESSES[..1] };
    families.iter().map(move |&family| {
        let ip = if listener.is_wildcard { family } else { listener.address.ip() };
        Listener { address: SocketAddr::new(ip, listener.address.port()), ..listener }
    })
}

/// Parses an address with an optional port. The default port is `port`.
fn parse_address(text: &str, port: u16) -> Option<SocketAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = text.parse().ok();
    with_port.or_else(|| bare.parse().ok().map(|address: IpAddr| SocketAddr::new(address, port)))
}

const WILDCARD_ADDRESSES: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V6(Ipv6Addr::UNSPECIFIED)];
const NETCONF_SSH_PORT: u16 = 830;

/// The default ports of a program's listeners.
struct DefaultPorts {
    /// UDP and TCP.
    snmp: u16,
    ssh: u16,
    /// TLS and DTLS.
    tls: u16,
}

#[cfg(test)]
mod tests {
    use portreeve_channel::{Cipher, KeyExchange};

    use super::*;

    #[test]
    fn algorithm_options_list_every_algorithm_as_accepted_value() {
        fn check<A: Algorithm>(key: &str) {
            let names: Vec<_> = A::ALL.iter().map(|algorithm| format!("\"{}\"", algorithm.name())).collect();
            let accepted = LISTEN.option(key).unwrap().accepted;
            assert_eq!(accepted, format!("some of {}", names.join(", ")));
        }
        check::<KeyExchange>("key-exchanges");
        check::<Cipher>("ciphers");
    }
}
