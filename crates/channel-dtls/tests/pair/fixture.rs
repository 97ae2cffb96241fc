//! A test PKI, and a client and a server channel with a simulated network between them.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant, SystemTime},
};

use portreeve_channel::{
    AcceptOutcome, AlternativeName, ChannelError, ChannelEvent, DatagramAcceptor, SecureDatagrams,
};
use portreeve_channel_dtls::{DtlsClient, DtlsServer, ServerExpectation, Settings, Versions};
use portreeve_pki::{Holder, HolderRole, Validity, X509Authority};
use portreeve_x509::{Credentials, Trust};
use rustls_pki_types::{PrivateKeyDer, pem::PemObject};

/// An authority with a server and a client certificate.
pub(crate) struct TestPki {
    root: X509Authority,
    pub(crate) server: Credentials,
    pub(crate) client: Credentials,
}

impl TestPki {
    pub(crate) fn new() -> Self {
        let root = X509Authority::new("authority", valid()).unwrap();
        let names = vec![
            AlternativeName::Dns("agent.example".into()),
            AlternativeName::Ip(IpAddr::from([127, 0, 0, 1])),
        ];
        let server = credentials(&root, &Holder::new(HolderRole::Host, "agent").with_names(names));
        let client = credentials(&root, &Holder::new(HolderRole::User, "ops"));
        Self { root, server, client }
    }

    /// Creates a PKI with certificates of about ten kilobytes.
    pub(crate) fn with_long_certificates() -> Self {
        let Self { root, .. } = Self::new();
        let names: Vec<_> = (0..400)
            .map(|number| AlternativeName::Dns(format!("interface-{number}.agent.example")))
            .chain([AlternativeName::Dns("agent.example".into())])
            .collect();
        let server = credentials(&root, &Holder::new(HolderRole::Host, "agent").with_names(names.clone()));
        let client = credentials(&root, &Holder::new(HolderRole::User, "ops").with_names(names));
        Self { root, server, client }
    }

    pub(crate) fn root_pem(&self) -> String {
        self.root.pem()
    }

    pub(crate) fn trust(&self) -> Trust {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.pem");
        fs::write(&path, self.root_pem()).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&path).unwrap();
        trust
    }

    pub(crate) fn server(&self, versions: Versions) -> DtlsServer {
        DtlsServer::new(&self.server, self.trust(), settings(versions)).unwrap()
    }

    pub(crate) fn client(&self, versions: Versions) -> DtlsClient {
        DtlsClient::new(&self.client, self.trust(), settings(versions)).unwrap()
    }
}

pub(crate) fn settings(versions: Versions) -> Settings {
    Settings { versions, ..Settings::default() }
}

pub(crate) fn credentials(root: &X509Authority, holder: &Holder) -> Credentials {
    let issued = root.issue(holder, valid()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(issued.key.expose()).unwrap();
    Credentials::new(vec![issued.der.into()], key)
}

pub(crate) fn valid() -> Validity {
    Validity::from_now(SystemTime::now(), Duration::from_secs(86_400))
}

/// A client and a server channel with their events.
pub(crate) struct ChannelPair<'s> {
    acceptor: &'s DtlsServer,
    pub(crate) client: Box<dyn SecureDatagrams>,
    pub(crate) server: Option<Box<dyn SecureDatagrams>>,
    pub(crate) client_events: Vec<SeenEvent>,
    pub(crate) server_events: Vec<SeenEvent>,
    /// Decides if a datagram arrives. The arguments are its number and `true` if it goes to the
    /// server.
    pub(crate) network: Box<dyn FnMut(usize, bool) -> bool>,
    /// Divides a datagram of the client into those that arrive.
    pub(crate) divide: fn(&[u8]) -> Vec<Vec<u8>>,
    datagrams: usize,
}

/// An event that a test has seen on one side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SeenEvent {
    Open,
    Message(Vec<u8>),
    ClosedByPeer,
    Failed(ChannelError),
}

impl<'s> ChannelPair<'s> {
    pub(crate) fn new(client: &DtlsClient, acceptor: &'s DtlsServer) -> Self {
        Self::named(client, acceptor, "agent.example")
    }

    pub(crate) fn named(client: &DtlsClient, acceptor: &'s DtlsServer, name: &str) -> Self {
        let client = client.connect(Instant::now(), &ServerExpectation::named(name).unwrap()).unwrap();
        Self {
            acceptor,
            client,
            server: None,
            client_events: Vec::new(),
            server_events: Vec::new(),
            network: Box::new(|_, _| true),
            divide: |datagram| vec![datagram.to_vec()],
            datagrams: 0,
        }
    }

    /// Exchanges datagrams until neither side has anything to send. With `with_timers`, also waits
    /// for timers that expire in the next seconds.
    pub(crate) fn exchange_all(&mut self, with_timers: bool) {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            while self.exchange() {}
            let opened = self.client_events.contains(&SeenEvent::Open)
                && self.server_events.contains(&SeenEvent::Open);
            if !with_timers || opened || Instant::now() > end {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
            let now = Instant::now();
            self.client.handle_timeout(now);
            if let Some(server) = &mut self.server {
                server.handle_timeout(now);
            }
        }
    }

    /// Lets each side send once; returns `true` if anything was sent.
    fn exchange(&mut self) -> bool {
        let now = Instant::now();
        let mut buffer = vec![0; 20_000];
        collect_events(&mut *self.client, &mut self.client_events);
        let mut transmitted_len = false;
        while let Some(length) = self.client.poll_transmit(&mut buffer) {
            transmitted_len = true;
            self.datagrams += 1;
            if !(self.network)(self.datagrams, true) {
                continue;
            }
            for mut datagram in (self.divide)(&buffer[..length]) {
                self.deliver(now, &mut datagram);
            }
        }
        let Some(server) = &mut self.server else { return transmitted_len };
        collect_events(&mut **server, &mut self.server_events);
        while let Some(length) = server.poll_transmit(&mut buffer) {
            transmitted_len = true;
            self.datagrams += 1;
            if (self.network)(self.datagrams, false) {
                self.client.handle_datagram(now, &mut buffer[..length]);
            }
        }
        transmitted_len
    }

    /// Delivers a datagram of the client to the server's channel, or creates that channel.
    fn deliver(&mut self, now: Instant, datagram: &mut [u8]) {
        if let Some(server) = &mut self.server {
            return server.handle_datagram(now, datagram);
        }
        let mut reply = [0; 2000];
        match self.acceptor.accept(now, peer(), datagram, &mut reply) {
            AcceptOutcome::Dropped => {}
            AcceptOutcome::Reply(count) => {
                assert!(count < 3 * datagram.len());
                self.client.handle_datagram(now, &mut reply[..count]);
            }
            AcceptOutcome::Channel(channel) => self.server = Some(channel),
        }
    }

    /// Sends octets from the client, and lets the server send them back.
    pub(crate) fn echo(&mut self, octets: &[u8]) -> Vec<u8> {
        self.client.send(Instant::now(), octets).unwrap();
        self.exchange_all(false);
        let Some(SeenEvent::Message(message)) = self.server_events.pop() else {
            panic!("{:?}", self.server_events)
        };
        self.server.as_mut().unwrap().send(Instant::now(), &message).unwrap();
        self.exchange_all(false);
        let Some(SeenEvent::Message(message)) = self.client_events.pop() else {
            panic!("{:?}", self.client_events)
        };
        message
    }

    pub(crate) fn server_error(&self) -> &ChannelError {
        last_error(&self.server_events)
    }

    pub(crate) fn client_error(&self) -> &ChannelError {
        last_error(&self.client_events)
    }
}

fn last_error(events: &[SeenEvent]) -> &ChannelError {
    match events.last() {
        Some(SeenEvent::Failed(error)) => error,
        other => panic!("no failure but {other:?}"),
    }
}

fn collect_events(channel: &mut dyn SecureDatagrams, seen: &mut Vec<SeenEvent>) {
    let mut buffer = vec![0; 20_000];
    while let Some(event) = channel.poll_event(&mut buffer) {
        seen.push(match event {
            ChannelEvent::Open => SeenEvent::Open,
            ChannelEvent::Message(range) => SeenEvent::Message(buffer[range].to_vec()),
            ChannelEvent::ClosedByPeer => SeenEvent::ClosedByPeer,
            ChannelEvent::Failed(error) => SeenEvent::Failed(error),
        });
    }
}

pub(crate) fn peer() -> SocketAddr {
    "192.0.2.7:40000".parse().unwrap()
}
