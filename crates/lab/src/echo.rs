//! `echo ADDRESS REPLY_OCTETS`: a server that only calls recvfrom and sendto, with replies of a
//! fixed length. Its rate is the upper bound for all servers.

use std::net::UdpSocket;

use crate::error::{Context, Result};

/// Answers requests until the process is stopped.
pub(crate) fn serve(arguments: &[String]) -> Result<()> {
    let [address, reply_octets] = arguments else { return Err(crate::commands::usage_error("echo")) };
    let socket = UdpSocket::bind(address).context(format_args!("cannot bind {address}"))?;
    let mut buffer = [0; 65536];
    let reply_octets: usize = reply_octets.parse()?;
    if reply_octets > buffer.len() {
        return Err("a datagram has at most 65535 octets".into());
    }
    loop {
        let (_, peer) = socket.recv_from(&mut buffer)?;
        socket.send_to(&buffer[..reply_octets], peer)?;
    }
}
