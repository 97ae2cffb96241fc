//! `echo ADDRESS REPLY_OCTETS [batched]`: a server that answers with replies of a fixed length
//! without parsing the requests. Its rate is the upper bound for all servers.
//!
//! The plain server calls recvfrom and sendto for each request. The batched one receives and sends
//! many datagrams with each system call, as the agent does, so that it is the upper bound of such
//! servers.

use std::net::UdpSocket;
use std::os::fd::AsFd;

use portreeve_sys::{DatagramBatch, SMALL_BATCH};

use crate::error::{Context, Result};

/// The system calls of an echo server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EchoKind {
    /// One datagram for each system call.
    Plain,
    /// Many datagrams for each system call.
    Batched,
}

impl EchoKind {
    /// Both kinds.
    pub(crate) const ALL: [Self; 2] = [Self::Plain, Self::Batched];

    /// Returns the name in tables and of ratios.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "echo",
            Self::Batched => "batched echo",
        }
    }

    /// Returns the arguments of the server's command.
    pub(crate) fn arguments(self, address: impl ToString, reply_octets: usize) -> Vec<String> {
        let mut arguments = vec!["echo".to_owned(), address.to_string(), reply_octets.to_string()];
        arguments.extend((self == Self::Batched).then(|| BATCHED.to_owned()));
        arguments
    }
}

/// Answers requests until the process is stopped.
pub(crate) fn serve(arguments: &[String]) -> Result<()> {
    let (address, reply_octets, kind) = match arguments {
        [address, reply_octets] => (address, reply_octets, EchoKind::Plain),
        [address, reply_octets, kind] if kind == BATCHED => (address, reply_octets, EchoKind::Batched),
        _ => return Err(crate::commands::usage_error("echo")),
    };
    let reply_octets: usize = reply_octets.parse()?;
    if reply_octets > MAX_DATAGRAM {
        return Err("a datagram has at most 65535 octets".into());
    }
    let socket = UdpSocket::bind(address).context(format_args!("cannot bind {address}"))?;
    match kind {
        EchoKind::Plain => serve_plain(&socket, reply_octets),
        EchoKind::Batched => serve_batched(&socket, reply_octets),
    }
}

fn serve_plain(socket: &UdpSocket, reply_octets: usize) -> Result<()> {
    let mut buffer = [0; MAX_DATAGRAM];
    loop {
        let (_, peer) = socket.recv_from(&mut buffer)?;
        socket.send_to(&buffer[..reply_octets], peer)?;
    }
}

fn serve_batched(socket: &UdpSocket, reply_octets: usize) -> Result<()> {
    let mut batch = DatagramBatch::new(reply_octets.max(MIN_SLOT));
    // Like the agent, it prepares only a few buffers while few requests arrive.
    let mut is_small = true;
    loop {
        // Waits for a request without receiving it.
        socket.peek_from(&mut [0])?;
        while let Ok(count) =
            if is_small { batch.receive_small(socket.as_fd()) } else { batch.receive(socket.as_fd()) }
        {
            is_small = count < SMALL_BATCH;
            for index in 0..count {
                batch.queue_reply(index, 0..reply_octets);
            }
            // A full send buffer loses replies, as it does for the plain server.
            let _ = batch.flush(socket.as_fd());
        }
    }
}

/// The argument that selects [`EchoKind::Batched`].
const BATCHED: &str = "batched";
const MAX_DATAGRAM: usize = 65_535;
/// The least number of octets that are received of a request.
const MIN_SLOT: usize = 2048;

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_request_gets_a_reply_of_the_requested_length() {
        for kind in EchoKind::ALL {
            let server = UdpSocket::bind("127.0.0.1:0").unwrap();
            let address = server.local_addr().unwrap();
            thread::spawn(move || match kind {
                EchoKind::Plain => serve_plain(&server, 300),
                EchoKind::Batched => serve_batched(&server, 300),
            });
            let client = UdpSocket::bind("127.0.0.1:0").unwrap();
            client.connect(address).unwrap();
            client.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            // More requests than one batch holds.
            for _ in 0..100 {
                client.send(b"request").unwrap();
            }
            let mut reply = [0; 1000];
            for _ in 0..100 {
                assert_eq!(client.recv(&mut reply).unwrap(), 300, "{kind:?}");
            }
        }
    }

    #[test]
    fn arguments_select_the_kind() {
        assert_eq!(EchoKind::Plain.arguments("127.0.0.1:1", 9), ["echo", "127.0.0.1:1", "9"]);
        assert_eq!(EchoKind::Batched.arguments("127.0.0.1:1", 9), ["echo", "127.0.0.1:1", "9", "batched"]);
    }
}
