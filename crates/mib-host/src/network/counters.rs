//! Protocol counters, from `/proc/net/snmp`, `/proc/net/netstat` and `/proc/net/snmp6`.

use std::{collections::BTreeMap, ops::Bound};

/// Counters by name: the protocol followed by the kernel's name, for example `TcpInSegs`,
/// `IpExtInOctets` or `Ip6InReceives`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters(BTreeMap<Box<str>, u64>);

impl Counters {
    /// Returns the value of a counter, or `None` if this kernel does not have it.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Reads pairs of lines: a line of names and a line of their values.
    pub(super) fn read_pairs(&mut self, text: &str) {
        let mut lines = text.lines();
        while let (Some(names), Some(values)) = (lines.next(), lines.next()) {
            let (Some((protocol, names)), Some((same, values))) =
                (names.split_once(':'), values.split_once(':'))
            else {
                continue;
            };
            if protocol != same {
                continue;
            }
            for (name, value) in names.split_whitespace().zip(values.split_whitespace()) {
                self.insert_value(format!("{protocol}{name}"), value);
            }
        }
    }

    /// Reads a name and a value from each line.
    pub(super) fn read_lines(&mut self, text: &str) {
        for line in text.lines() {
            if let Some((name, value)) = line.split_once(char::is_whitespace) {
                self.insert_value(name.to_owned(), value.trim());
            }
        }
    }

    fn insert_value(&mut self, name: String, value: &str) {
        // tcpMaxConn is −1 if there is no limit, so negative numbers are parsed too.
        let value = value.parse().ok().or_else(|| value.parse::<i64>().ok().map(i64::cast_unsigned));
        if let Some(value) = value {
            self.0.insert(name.into(), value);
        }
    }

    /// Computes the number of datagrams that were passed to interfaces, because kernels before 6.7
    /// do not count it.
    pub(super) fn derive_missing(&mut self) {
        for protocol in ["Ip", "Ip6"] {
            let get = |name: &str| self.get(&format!("{protocol}{name}"));
            let forwarded = get("ForwDatagrams").or_else(|| get("OutForwDatagrams"));
            if let (None, Some(requests), Some(forwarded)) =
                (get("OutTransmits"), get("OutRequests"), forwarded)
            {
                let whole =
                    requests.wrapping_add(forwarded).saturating_sub(get("FragOKs").unwrap_or_default());
                let sent = whole.wrapping_add(get("FragCreates").unwrap_or_default());
                self.0.insert(format!("{protocol}OutTransmits").into(), sent);
            }
        }
    }

    /// Returns the types of ICMP messages that have been counted.
    pub(super) fn message_types(&self) -> Vec<MessageType> {
        let mut found: BTreeMap<[u32; 2], MessageType> = BTreeMap::new();
        for (prefix, version) in [("IcmpMsg", 1), ("Icmp6", 2)] {
            let from = (Bound::Included(prefix), Bound::Unbounded);
            let names = self.0.range::<str, _>(from).take_while(|(name, _)| name.starts_with(prefix));
            for (name, &count) in names {
                let name = name.get(prefix.len()..).unwrap_or_default();
                let (received, kind) = match (name.strip_prefix("InType"), name.strip_prefix("OutType")) {
                    (Some(kind), _) => (true, kind),
                    (_, Some(kind)) => (false, kind),
                    _ => continue,
                };
                let Ok(kind) = kind.parse::<u8>() else { continue };
                let index = [version, u32::from(kind)];
                let message = found.entry(index).or_insert(MessageType { index, received: 0, sent: 0 });
                if received {
                    message.received = count;
                } else {
                    message.sent = count;
                }
            }
        }
        found.into_values().collect()
    }
}

/// The counters of one ICMP message type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageType {
    /// The index of the row: the IP version (InetVersion) and the message type.
    pub index: [u32; 2],
    /// The number of messages received.
    pub received: u64,
    /// The number of messages sent.
    pub sent: u64,
}
