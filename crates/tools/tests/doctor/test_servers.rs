//! Faulty servers on the loopback address. They end with the test process.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::{TcpListener, TcpStream, UdpSocket},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::{AcceptOutcome, DatagramAcceptor, SecureDatagrams};
use portreeve_channel_dtls::{DtlsServer, Settings, Versions};
use portreeve_x509::Credentials;

use rustls::{
    RootCertStore, ServerConfig, ServerConnection, Stream, crypto::aws_lc_rs, server::WebPkiClientVerifier,
};

use crate::certificates::{CertifiedKey, TestAuthority};

/// Returns a closed TCP port.
pub(crate) fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Opens a UDP socket that is never read.
pub(crate) fn silent_udp() -> (UdpSocket, u16) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

/// Serves each connection with `serve` in its own thread.
pub(crate) fn tcp(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Accepts connections and sends nothing.
pub(crate) fn silent_tcp() -> u16 {
    tcp(|stream| {
        thread::sleep(Duration::from_secs(60));
        drop(stream);
    })
}

/// Sends `greeting` to each client, then nothing more.
pub(crate) fn send_greeting(greeting: &'static [u8]) -> u16 {
    tcp(move |mut stream| {
        let _ = stream.write_all(greeting);
        thread::sleep(Duration::from_secs(60));
    })
}

/// Replies to everything with HTTP status 400.
pub(crate) fn web() -> u16 {
    tcp(|mut stream| {
        let mut buffer = [0; 1024];
        if stream.read(&mut buffer).is_ok_and(|count| count > 0) {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        }
    })
}

/// A TLS server that presents `pair`. It requires a client certificate issued by `clients`. If
/// `clients` is `None`, it does not request a client certificate.
pub(crate) fn tls(pair: CertifiedKey, clients: Option<&TestAuthority>) -> u16 {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(authority.certificate()).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let config = Arc::new(builder.with_single_cert(vec![pair.certificate.clone()], pair.key()).unwrap());
    tcp(move |mut socket| {
        let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
        // The server reads the first application data and then closes the connection.
        let _ = Stream::new(&mut connection, &mut socket).read(&mut [0; 1024]);
    })
}

/// Replies to each datagram with the result of `answer`, if any.
pub(crate) fn udp(answer: impl Fn(&[u8]) -> Option<Vec<u8>> + Send + 'static) -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut datagram = vec![0; 1 << 16];
        while let Ok((count, peer)) = socket.recv_from(&mut datagram) {
            if let Some(answer) = answer(&datagram[..count]) {
                let _ = socket.send_to(&answer, peer);
            }
        }
    });
    port
}

/// A DTLS server that presents `pair` and accepts the clients of one authority. It ignores all
/// application data.
pub(crate) fn dtls(pair: CertifiedKey, clients: &TestAuthority, versions: Versions) -> u16 {
    let credentials = Credentials::new(vec![pair.certificate.clone()], pair.key());
    let settings = Settings { versions, ..Settings::default() };
    let server = DtlsServer::new(&credentials, clients.trusted(), settings).unwrap();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut channels: HashMap<_, Box<dyn SecureDatagrams>> = HashMap::new();
        let (mut datagram, mut room) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            if let Ok((count, peer)) = socket.recv_from(&mut datagram) {
                match channels.get_mut(&peer) {
                    Some(channel) => channel.handle_datagram(Instant::now(), &mut datagram[..count]),
                    None => match server.accept(Instant::now(), peer, &mut datagram[..count], &mut room) {
                        AcceptOutcome::Dropped => {}
                        AcceptOutcome::Reply(length) => drop(socket.send_to(&room[..length], peer)),
                        AcceptOutcome::Channel(channel) => drop(channels.insert(peer, channel)),
                    },
                }
            }
            for (peer, channel) in &mut channels {
                channel.handle_timeout(Instant::now());
                while channel.poll_event(&mut room).is_some() {}
                while let Some(length) = channel.poll_transmit(&mut room) {
                    let _ = socket.send_to(&room[..length], *peer);
                }
            }
        }
    });
    port
}
