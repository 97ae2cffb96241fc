//! `echo ADDRESS REPLY_OCTETS`: the ceiling. A blocking recvfrom, a sendto of a stated length, nothing between.

use std::net::UdpSocket;

use crate::failure::{Context, Result};

/// Serves until it is ended from outside.
pub(crate) fn serve(arguments: &[String]) -> Result<()> {
    let [address, reply_octets] = arguments else { return Err("echo ADDRESS REPLY_OCTETS".into()) };
    let socket = UdpSocket::bind(address).context(format_args!("cannot bind {address}"))?;
    let mut buffer = [0; 65536];
    let reply_octets: usize = reply_octets.parse()?;
    if reply_octets > buffer.len() {
        return Err("a datagram has no more than 65535 octets".into());
    }
    loop {
        let (_, peer) = socket.recv_from(&mut buffer)?;
        socket.send_to(&buffer[..reply_octets], peer)?;
    }
}
