//! The addresses of a notification, as snmptrapd prints them.

use std::{fmt::Write, net::SocketAddr};

use portreeve_smi::{TransportAddress, TransportDomain};

/// Formats the transport and the addresses of both ends. The last text is kept, because consecutive
/// notifications often have the same sender.
pub(crate) struct AddressFormatter {
    /// The addresses of the listeners.
    listeners: Vec<SocketAddr>,
    last: Option<(TransportDomain, TransportAddress, usize)>,
    text: String,
}

impl AddressFormatter {
    /// Creates a formatter for messages that arrive at these listeners.
    pub(crate) fn new(listeners: Vec<SocketAddr>) -> Self {
        Self { listeners, last: None, text: String::new() }
    }

    /// Returns the text for a message of `source` to the listener with the index `listener`.
    pub(crate) fn text(
        &mut self,
        domain: TransportDomain,
        source: TransportAddress,
        listener: usize,
    ) -> &str {
        let key = (domain, source, listener);
        if self.last != Some(key) {
            self.text.clear();
            self.text.push_str(transport_name(domain));
            self.text.push_str(": ");
            match source {
                TransportAddress::Ip(address) => self.push(address),
                // Writing to a string does not fail.
                local @ TransportAddress::Local { .. } => drop(write!(self.text, "{local}")),
            }
            self.text.push_str("->");
            if let Some(own) = self.listeners.get(listener).copied() {
                self.push(own);
            }
            self.last = Some(key);
        }
        &self.text
    }

    fn push(&mut self, address: SocketAddr) {
        let _ = write!(self.text, "[{}]:{}", address.ip(), address.port());
    }
}

fn transport_name(domain: TransportDomain) -> &'static str {
    match domain {
        TransportDomain::Udp => "UDP",
        TransportDomain::Tcp => "TCP",
        TransportDomain::Ssh => "SSH",
        TransportDomain::Tls => "TLSTCP",
        TransportDomain::Dtls => "DTLSUDP",
        TransportDomain::Unix => "UNIX",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_that_of_each_message_and_not_of_the_previous_one() {
        let ip = |text: &str| TransportAddress::Ip(text.parse().unwrap());
        let listeners = ["127.0.0.1:162", "[::1]:10162"].map(|text| text.parse().unwrap());
        let mut formatter = AddressFormatter::new(listeners.into());
        for (domain, source, listener, expected) in [
            (TransportDomain::Udp, "192.0.2.7:4000", 0, "UDP: [192.0.2.7]:4000->[127.0.0.1]:162"),
            (TransportDomain::Udp, "192.0.2.7:4000", 0, "UDP: [192.0.2.7]:4000->[127.0.0.1]:162"),
            (TransportDomain::Udp, "192.0.2.7:4001", 0, "UDP: [192.0.2.7]:4001->[127.0.0.1]:162"),
            (TransportDomain::Tls, "192.0.2.7:4001", 0, "TLSTCP: [192.0.2.7]:4001->[127.0.0.1]:162"),
            (TransportDomain::Tls, "[2001:db8::1]:1", 1, "TLSTCP: [2001:db8::1]:1->[::1]:10162"),
            (TransportDomain::Tls, "[2001:db8::1]:1", 2, "TLSTCP: [2001:db8::1]:1->"),
        ] {
            assert_eq!(formatter.text(domain, ip(source), listener), expected);
        }
    }
}
