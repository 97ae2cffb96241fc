//! `[[listen]]`: addresses to bind.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_channel::{Algorithm, Choice, SshAlgorithms};
use portreeve_smi::TransportDomain;

use super::Builder;
use crate::{
    Listener, SshWindow,
    options::LISTEN,
    problem::Place,
    raw::RawListen,
    reader::{Written, shown},
};

impl Builder<'_> {
    /// The listeners, and where they are written.
    pub(super) fn listeners(&mut self, raw: &[RawListen]) -> Vec<(Listener, Place)> {
        if raw.is_empty() {
            let listener = Listener {
                transport: TransportDomain::Udp,
                address: SocketAddr::new(EVERYWHERE[0], SNMP_PORT),
                everywhere: true,
                nodelay: true,
                window: SshWindow::default(),
                algorithms: SshAlgorithms::default(),
            };
            return of_each_family(listener).map(|listener| (listener, Place(0))).collect();
        }
        let mut listeners: Vec<(Listener, Place)> = Vec::new();
        for listen in raw.iter().filter(|listen| !listen.is_behind_sshd()) {
            let Some(listener) = self.listener(listen) else { continue };
            let families: Vec<Listener> = of_each_family(listener).collect();
            // Port 0 takes another free one each time.
            let twice = |new: &&Listener| {
                let same = |(other, _): &(Listener, Place)| {
                    (other.transport, other.address) == (new.transport, new.address)
                };
                new.address.port() != 0 && listeners.iter().any(same)
            };
            if let Some(twice) = families.iter().find(twice) {
                let found = format!("{} at {} is there twice", twice.transport, twice.address);
                self.problems.error(listen.place, found).hint("remove one of the two");
            }
            listeners.extend(families.into_iter().map(|listener| (listener, listen.place)));
        }
        listeners
    }

    fn listener(&mut self, raw: &RawListen) -> Option<Listener> {
        let (transport, port) = match &raw.transport {
            None => (TransportDomain::Udp, SNMP_PORT),
            Some(written) => match written.value.as_str() {
                "udp" => (TransportDomain::Udp, SNMP_PORT),
                "tcp" => (TransportDomain::Tcp, SNMP_PORT),
                "ssh" => (TransportDomain::Ssh, SNMP_SSH_PORT),
                "tls" => (TransportDomain::Tls, SNMP_TLS_PORT),
                "dtls" => (TransportDomain::Dtls, SNMP_TLS_PORT),
                other => {
                    let found = format!("there is no transport \"{}\"", shown(other));
                    self.refuse(&LISTEN, "transport", written.place, found);
                    return None;
                }
            },
        };
        if transport != TransportDomain::Ssh {
            for (name, place) in raw.given.iter().filter(|(name, _)| ONLY_SSH.contains(name)) {
                let problem = self.problems.error(*place, format!("{transport} has no `{name}`"));
                problem.hint("only ssh has: remove the line");
            }
        }
        let address = match &raw.address {
            None => SocketAddr::new(EVERYWHERE[0], port),
            Some(written) => self.address(written, port)?,
        };
        Some(Listener {
            transport,
            address,
            everywhere: raw.address.is_none(),
            nodelay: raw.nodelay.unwrap_or(true),
            window: self.window(raw),
            algorithms: SshAlgorithms {
                key_exchanges: self.choice(raw, "key-exchanges", raw.key_exchanges.as_deref()),
                ciphers: self.choice(raw, "ciphers", raw.ciphers.as_deref()),
            },
        })
    }

    fn address(&mut self, written: &Written<String>, port: u16) -> Option<SocketAddr> {
        let address = parse_address(&written.value, port);
        if address.is_none() {
            let found = format!("`address` = \"{}\" is no address to listen at", shown(&written.value));
            self.refuse(&LISTEN, "address", written.place, found);
        }
        address
    }

    /// Which algorithms of a kind are let; `None` is all. What is wrong is told.
    fn choice<A: Algorithm>(
        &mut self,
        raw: &RawListen,
        key: &str,
        written: Option<&[Written<String>]>,
    ) -> Option<Choice<A>> {
        let mut named = Vec::new();
        for name in written? {
            match A::named(&name.value) {
                Some(algorithm) => named.push(algorithm),
                None => {
                    let found = format!("`{key}` has no \"{}\"", shown(&name.value));
                    self.refuse(&LISTEN, key, name.place, found);
                }
            }
        }
        if written.is_some_and(<[_]>::is_empty) {
            let place =
                raw.given.iter().find(|(name, _)| *name == key).map_or(raw.place, |(_, place)| *place);
            self.refuse(&LISTEN, key, place, format!("`{key}` is empty, so nobody could connect"));
        }
        Choice::of(named)
    }

    /// What is wrong is told, and what stands for it does not matter then.
    fn window(&mut self, raw: &RawListen) -> SshWindow {
        let Some(written) = &raw.window else { return SshWindow::default() };
        match written.value.as_str() {
            "when-needed" => SshWindow::WhenNeeded,
            "every-message" => SshWindow::EveryMessage,
            other => {
                let found = format!("`window` = \"{}\"", shown(other));
                self.refuse(&LISTEN, "window", written.place, found);
                SshWindow::default()
            }
        }
    }
}

/// What only listeners for SSH have.
const ONLY_SSH: [&str; 3] = ["window", "key-exchanges", "ciphers"];

/// One listener is one family: where no address is written, there are two.
fn of_each_family(listener: Listener) -> impl Iterator<Item = Listener> {
    let families = if listener.everywhere { &EVERYWHERE[..] } else { &EVERYWHERE[..1] };
    families.iter().map(move |&family| {
        let ip = if listener.everywhere { family } else { listener.address.ip() };
        Listener { address: SocketAddr::new(ip, listener.address.port()), ..listener }
    })
}

/// An address with a port, or one alone, which gets the transport's.
fn parse_address(text: &str, port: u16) -> Option<SocketAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = text.parse().ok();
    with_port.or_else(|| bare.parse().ok().map(|address: IpAddr| SocketAddr::new(address, port)))
}

const EVERYWHERE: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V6(Ipv6Addr::UNSPECIFIED)];
const SNMP_PORT: u16 = 161;
const SNMP_SSH_PORT: u16 = 5161;
const SNMP_TLS_PORT: u16 = 10_161;

#[cfg(test)]
mod tests {
    use portreeve_channel::{Cipher, KeyExchange};

    use super::*;

    #[test]
    fn the_accepted_algorithms_are_those_that_there_are() {
        fn check<A: Algorithm>(key: &str) {
            let names: Vec<_> = A::ALL.iter().map(|algorithm| format!("\"{}\"", algorithm.name())).collect();
            let accepted = LISTEN.option(key).unwrap().accepted;
            assert_eq!(accepted, format!("some of {}", names.join(", ")));
        }
        check::<KeyExchange>("key-exchanges");
        check::<Cipher>("ciphers");
    }
}
