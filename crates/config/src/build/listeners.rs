//! `[[listen]]`: addresses to bind.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_smi::TransportDomain;

use super::Builder;
use crate::{Listener, SshWindow, options::LISTEN, problem::Place, raw::RawListen, reader::shown};

impl Builder<'_> {
    /// The listeners, and where they are written.
    pub(super) fn listeners(&mut self, raw: &[RawListen]) -> Vec<(Listener, Place)> {
        if raw.is_empty() {
            let everywhere: [IpAddr; 2] = [Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()];
            let listener = |address| Listener {
                transport: TransportDomain::Udp,
                address: SocketAddr::new(address, SNMP_PORT),
                nodelay: true,
                window: SshWindow::default(),
            };
            return everywhere.map(|address| (listener(address), Place(0))).to_vec();
        }
        let mut listeners: Vec<(Listener, Place)> = Vec::new();
        for listen in raw.iter().filter(|listen| !listen.is_behind_sshd()) {
            let Some(listener) = self.listener(listen) else { continue };
            let same = |(other, _): &(Listener, Place)| {
                (other.transport, other.address) == (listener.transport, listener.address)
            };
            // Port 0 takes another free one each time.
            if listeners.iter().any(same) && listener.address.port() != 0 {
                let found = format!("{} at {} is there twice", listener.transport, listener.address);
                self.problems.error(listen.place, found).hint("remove one of the two");
            }
            listeners.push((listener, listen.place));
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
        let written = raw.address.as_ref()?;
        let address = parse_address(&written.value, port);
        if address.is_none() {
            let found = format!("`address` = \"{}\" is no address to listen at", shown(&written.value));
            self.refuse(&LISTEN, "address", written.place, found);
        }
        let window = self.window(raw, transport);
        Some(Listener { transport, address: address?, nodelay: raw.nodelay.unwrap_or(true), window })
    }

    /// What is wrong is told, and what stands for it does not matter then.
    fn window(&mut self, raw: &RawListen, transport: TransportDomain) -> SshWindow {
        let Some(written) = &raw.window else { return SshWindow::default() };
        match written.value.as_str() {
            _ if transport != TransportDomain::Ssh => {
                let problem = self.problems.error(written.place, format!("{transport} has no `window`"));
                problem.hint("only ssh has: remove the line");
                SshWindow::default()
            }
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

/// An address with a port, or one alone, which gets the transport's.
fn parse_address(text: &str, port: u16) -> Option<SocketAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = text.parse().ok();
    with_port.or_else(|| bare.parse().ok().map(|address: IpAddr| SocketAddr::new(address, port)))
}

const SNMP_PORT: u16 = 161;
const SNMP_SSH_PORT: u16 = 5161;
const SNMP_TLS_PORT: u16 = 10_161;
