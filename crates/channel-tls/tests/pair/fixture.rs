//! A test PKI, and a client and a server channel connected in memory.

use std::{collections::VecDeque, fs, net::IpAddr};

use portreeve_channel::{ChannelError, SecureStream, StreamAcceptor};
use portreeve_channel_tls::{ServerExpectation, TlsClient, TlsServer};
use portreeve_x509::{Credentials, Trust};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    SanType,
};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// An authority with a server and a client certificate.
pub(crate) struct TestPki {
    pub(crate) root: CertifiedIssuer<'static, KeyPair>,
    pub(crate) server: Credentials,
    pub(crate) client: Credentials,
}

impl TestPki {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let mut params = CertificateParams::new(vec!["agent.example".to_owned()]).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.subject_alt_names.push(SanType::IpAddress(IpAddr::from([127, 0, 0, 1])));
        let server = credentials(params, &root);
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "ops");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let client = credentials(params, &root);
        Self { root, server, client }
    }

    pub(crate) fn trust(&self) -> Trust {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.pem");
        fs::write(&path, self.root.pem()).unwrap();
        let mut trust = Trust::default();
        trust.add_authorities(&path).unwrap();
        trust
    }
}

pub(crate) fn credentials(
    params: CertificateParams,
    root: &CertifiedIssuer<'static, KeyPair>,
) -> Credentials {
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, root).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    Credentials::new(vec![certificate.der().clone()], key)
}

/// A client and a server channel, and the number of octets exchanged between them.
pub(crate) struct ChannelPair {
    pub(crate) client: Box<dyn SecureStream>,
    pub(crate) server: Box<dyn SecureStream>,
    pub(crate) octets: usize,
}

impl ChannelPair {
    pub(crate) fn new(client: &TlsClient, server: &TlsServer) -> Self {
        Self::named(client, server, "agent.example")
    }

    pub(crate) fn named(client: &TlsClient, server: &TlsServer, name: &str) -> Self {
        let client = client.connect(&ServerExpectation::named(name).unwrap()).unwrap();
        Self { client, server: server.accept().unwrap(), octets: 0 }
    }

    /// Exchanges octets until neither side has anything to send, or one side fails.
    pub(crate) fn exchange_all(&mut self) -> Result<(), ChannelError> {
        while self.client.wants_transmit() || self.server.wants_transmit() {
            self.client_to_server()?;
            self.server_to_client()?;
        }
        Ok(())
    }

    pub(crate) fn client_to_server(&mut self) -> Result<(), ChannelError> {
        self.octets += transfer(&mut *self.client, &mut *self.server)?;
        Ok(())
    }

    pub(crate) fn server_to_client(&mut self) -> Result<(), ChannelError> {
        self.octets += transfer(&mut *self.server, &mut *self.client)?;
        Ok(())
    }

    /// Sends octets from the client, and lets the server send them back.
    pub(crate) fn echo(&mut self, octets: &[u8]) -> Vec<u8> {
        assert_eq!(self.client.write(octets), octets.len());
        self.client_to_server().unwrap();
        let mut buffer = vec![0; 1024];
        let count = self.server.read(&mut buffer).unwrap();
        self.server.write(&buffer[..count]);
        self.server_to_client().unwrap();
        let count = self.client.read(&mut buffer).unwrap();
        buffer.truncate(count);
        buffer
    }
}

fn transfer(from: &mut dyn SecureStream, to: &mut dyn SecureStream) -> Result<usize, ChannelError> {
    let wire = transmitted(from);
    let octets = wire.len();
    let mut wire = VecDeque::from(wire);
    while !wire.is_empty() {
        to.receive(&mut wire)?.unwrap();
    }
    Ok(octets)
}

/// Returns everything that is waiting to be transmitted.
pub(crate) fn transmitted(channel: &mut dyn SecureStream) -> Vec<u8> {
    let mut wire = Vec::new();
    while channel.wants_transmit() {
        channel.transmit(&mut wire).unwrap();
    }
    wire
}
