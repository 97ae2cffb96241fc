//! Free ports on loopback, for servers without a namespace of their own.

use std::net::{Ipv4Addr, TcpListener, UdpSocket};

use crate::error::Result;

/// Returns a port that is free for UDP and TCP, as are the next ones: some servers listen on
/// several consecutive ports.
pub fn free_port() -> Result<u16> {
    for _ in 0..ATTEMPTS {
        let port = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        if are_free(port) {
            return Ok(port);
        }
    }
    Err(format!("{CONSECUTIVE} consecutive free ports are not available").into())
}

fn are_free(first: u16) -> bool {
    let Some(last) = first.checked_add(CONSECUTIVE - 1) else { return false };
    (first..=last).all(|port| {
        let address = (Ipv4Addr::LOCALHOST, port);
        UdpSocket::bind(address).is_ok() && TcpListener::bind(address).is_ok()
    })
}

/// More ports than any server here uses.
const CONSECUTIVE: u16 = 8;
const ATTEMPTS: usize = 100;

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener, UdpSocket};

    use super::{CONSECUTIVE, are_free, free_port};

    #[test]
    fn port_is_free_only_if_no_server_uses_it_or_one_of_the_next_ones() {
        let first = free_port().ok().unwrap();
        let address = (Ipv4Addr::LOCALHOST, first + CONSECUTIVE - 1);
        let tcp = TcpListener::bind(address).unwrap();
        assert!(!are_free(first), "a TCP server listens on the last port");
        drop(tcp);
        let udp = UdpSocket::bind(address).unwrap();
        assert!(!are_free(first), "a UDP server listens on the last port");
        drop(udp);
        assert!(!are_free(u16::MAX - CONSECUTIVE + 2), "there are not enough ports above");
    }
}
