//! A TLS server that answers the first message with messages without end.

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
};

use portreeve_broker_protocol::{SessionRequest, Transport};
use portreeve_channel::{SecureStream, StreamAcceptor};
use portreeve_channel_tls::{TlsServer, Versions};
use portreeve_x509::{Credentials, Trust};

use super::fixture::{TestUser, message_of};

pub(crate) struct FloodingAgent(SocketAddr);

impl FloodingAgent {
    /// Starts a server for one connection. Its thread ends with that connection, or with the test.
    pub(crate) fn start(user: &TestUser) -> Self {
        let credentials = Credentials::load(&user.file("agent.pem"), &user.file("agent.key")).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&user.file("ca.pem")).unwrap();
        let server = TlsServer::new(&credentials, trust, Versions::From12).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            flood(stream, server.accept().unwrap())
        });
        Self(address)
    }

    pub(crate) fn session_request(&self, user: &TestUser, persist: u64) -> SessionRequest {
        user.session_request_to(Transport::Tls, self.0, Some(4), persist)
    }
}

fn flood(mut socket: TcpStream, mut channel: Box<dyn SecureStream>) -> Option<()> {
    let mut request = [0; 4096];
    while channel.read(&mut request).is_err() {
        while channel.wants_transmit() {
            channel.transmit(&mut socket).ok()?;
        }
        channel.receive(&mut socket).ok()?.ok().filter(|count| *count > 0)?;
    }
    let messages = message_of(b"late").repeat(1000);
    loop {
        channel.write(&messages);
        while channel.wants_transmit() {
            channel.transmit(&mut socket).ok()?;
        }
    }
}
