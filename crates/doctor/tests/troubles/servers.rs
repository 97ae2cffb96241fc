//! Small servers on loopback that do not do what was hoped for. They end with the test's process.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream, UdpSocket},
    sync::Arc,
    thread,
    time::Duration,
};

use rustls::{
    RootCertStore, ServerConfig, ServerConnection, Stream, crypto::aws_lc_rs, server::WebPkiClientVerifier,
};

use crate::certificates::{Authority, Pair};

/// A port of TCP's that nobody listens on.
pub fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A socket that is never read from.
pub fn silent_udp() -> (UdpSocket, u16) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

/// Each connection is served by `serve`, in a thread of its own.
pub fn tcp(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> u16 {
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

/// Takes connections, and says nothing.
pub fn silent_tcp() -> u16 {
    tcp(|stream| {
        thread::sleep(Duration::from_secs(60));
        drop(stream);
    })
}

/// Says this at once, and then nothing more.
pub fn greeting(words: &'static [u8]) -> u16 {
    tcp(move |mut stream| {
        let _ = stream.write_all(words);
        thread::sleep(Duration::from_secs(60));
    })
}

/// Answers whatever it hears as web servers answer what they do not understand.
pub fn web() -> u16 {
    tcp(|mut stream| {
        let mut heard = [0; 1024];
        if stream.read(&mut heard).is_ok_and(|count| count > 0) {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        }
    })
}

/// A TLS server that presents `pair`, and wants of clients a certificate by one authority, or none.
pub fn tls(pair: Pair, clients: Option<&Authority>) -> u16 {
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
        // Whatever is asked inside is answered by the end of the connection.
        let _ = Stream::new(&mut connection, &mut socket).read(&mut [0; 1024]);
    })
}
