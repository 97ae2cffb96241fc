//! What a peer tries that has proven who it is, over TLS.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_channel::{ChannelError, PeerIdentity, SecureStream, SshIdentity, SshProof, StreamAcceptor};
use portreeve_transport::{Limits, Security};

use super::fixture::{ECHO, Kind, Peer, Server, frame};
use super::security::security;

#[test]
fn k_records_that_say_nothing_end_the_session_and_delay_no_other() {
    let security = Security { tls: Some(Arc::new(Wordless)), ..security() };
    let server = Server::secured(Kind::Tls4, Kind::Tls4.listener(), 1, Limits::default(), security);
    let mut polite = Peer::Stream(greet(&server, b"polite"), Vec::new());
    polite.ask(&frame(ECHO, b"1"));
    let mut flood = greet(&server, b"wordless");
    let flood = thread::spawn(move || {
        let mut sent = 0;
        while sent < MOST && flood.write_all(&[0; 1 << 16]).is_ok() {
            sent += 1 << 16;
        }
        sent
    });
    while !flood.is_finished() {
        let start = Instant::now();
        polite.ask(&frame(ECHO, b"1"));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
    assert!(flood.join().unwrap() < MOST, "it was never cut");
    server.wait_for("the end", |statistics| statistics.closed_not_a_message == 1);
}

fn greet(server: &Server, who: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(&[who[0]]).unwrap();
    stream
}

/// Makes channels in clear, in which those who begin with a w say nothing for ever after, at what it costs to decrypt
/// that: new keys, or records without content.
struct Wordless;

impl StreamAcceptor for Wordless {
    fn accept(&self) -> Option<Box<dyn SecureStream>> {
        Some(Box::<Channel>::default())
    }
}

#[derive(Default)]
struct Channel {
    peer: Option<PeerIdentity>,
    is_wordless: bool,
    arrived: VecDeque<u8>,
    leaving: VecDeque<u8>,
}

impl SecureStream for Channel {
    fn receive(&mut self, socket: &mut dyn Read) -> Result<io::Result<usize>, ChannelError> {
        let mut buffer = [0; 4096];
        let (count, beginning) = match (self.peer.is_none(), &mut buffer) {
            (true, buffer) => (socket.read(&mut buffer[..1]), 1),
            (false, buffer) => (socket.read(buffer), 0),
        };
        let Ok(count) = count else { return Ok(count) };
        if beginning == 1 && count == 1 {
            self.is_wordless = buffer[0] == b'w';
            let identity = SshIdentity { user: "ops".to_owned(), proof: SshProof::RelayedBySshd };
            self.peer = Some(PeerIdentity::Ssh(Arc::new(identity)));
        } else if self.is_wordless {
            thread::sleep(COST);
        } else {
            self.arrived.extend(&buffer[..count]);
        }
        Ok(Ok(count))
    }

    fn transmit(&mut self, socket: &mut dyn Write) -> io::Result<usize> {
        let taken = socket.write(self.leaving.make_contiguous())?;
        self.leaving.drain(..taken);
        Ok(taken)
    }

    fn wants_transmit(&self) -> bool {
        !self.leaving.is_empty()
    }

    fn peer(&self) -> Option<&PeerIdentity> {
        self.peer.as_ref()
    }

    fn protocol(&self) -> &'static str {
        "none"
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.arrived.read(into) {
            Ok(0) => Err(ErrorKind::WouldBlock.into()),
            read => read,
        }
    }

    fn write(&mut self, octets: &[u8]) -> usize {
        self.leaving.extend(octets);
        octets.len()
    }

    fn close(&mut self) {}
}

/// Octets of a flood, far more than are read and than sockets hold.
const MOST: usize = 128 << 20;
/// Of looking at as much as is read at once.
const COST: Duration = Duration::from_micros(200);
