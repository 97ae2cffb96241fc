//! Datagrams that the kernel has dropped, because the receive buffer of a socket was full.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
};

/// The datagrams that the kernel has dropped for the sockets of the listeners.
pub(crate) struct KernelDrops {
    listeners: Vec<SocketAddr>,
    reported: u64,
}

impl KernelDrops {
    /// Counts for the sockets with these addresses.
    pub(crate) fn new(listeners: Vec<SocketAddr>) -> Self {
        Self { listeners, reported: 0 }
    }

    /// Returns the number of datagrams that were dropped since the last call.
    pub(crate) fn take(&mut self) -> u64 {
        let tables =
            ["/proc/net/udp", "/proc/net/udp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
        let sockets = tables.iter().flat_map(|table| table.lines()).filter_map(parse);
        let total =
            sockets.filter(|(address, _)| self.listeners.contains(address)).map(|(_, drops)| drops).sum();
        // A closed socket has no line any more.
        let count = u64::saturating_sub(total, self.reported);
        self.reported = self.reported.max(total);
        count
    }
}

/// Parses the local address and the number of dropped datagrams of one line.
fn parse(line: &str) -> Option<(SocketAddr, u64)> {
    let (address, port) = line.split_whitespace().nth(1)?.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let words = address.as_bytes().chunks(8).map(|word| {
        let word = u32::from_str_radix(str::from_utf8(word).ok()?, 16).ok()?;
        // The kernel prints each word of the address as a number of this machine.
        Some(word.to_ne_bytes())
    });
    let octets = words.collect::<Option<Vec<_>>>()?.concat();
    let address: IpAddr = match (<[u8; 4]>::try_from(&*octets), <[u8; 16]>::try_from(&*octets)) {
        (Ok(v4), _) => v4.into(),
        (_, Ok(v6)) => v6.into(),
        _ => return None,
    };
    Some((SocketAddr::new(address, port), line.split_whitespace().last()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn datagrams_are_counted_when_the_receive_buffer_is_full() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let receiver = UdpSocket::bind(address).unwrap();
            let other = UdpSocket::bind(address).unwrap();
            let mut drops = KernelDrops::new(vec![receiver.local_addr().unwrap()]);
            assert_eq!(drops.take(), 0);
            let sender = UdpSocket::bind(address).unwrap();
            let mut sent = 0;
            while drops.take() == 0 {
                for _ in 0..1000 {
                    sender.send_to(&[0; 1000], receiver.local_addr().unwrap()).unwrap();
                    sender.send_to(&[0; 1000], other.local_addr().unwrap()).unwrap();
                }
                sent += 1000;
                assert!(sent < 1_000_000, "nothing is dropped");
            }
            assert!(drops.reported < sent);
            assert_eq!(drops.take(), 0, "reported once");
            drop(receiver);
            assert_eq!(drops.take(), 0, "the socket is closed");
        }
    }
}
