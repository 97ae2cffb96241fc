//! A TLS client that sends arbitrary encrypted records after the handshake, to test attacks by
//! authenticated peers.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk};
use rustls::crypto::aws_lc_rs::{cipher_suite, default_provider};
use rustls::{
    ClientConfig, ClientConnection, ConnectionTrafficSecrets, KeyLog, RootCertStore,
    SupportedProtocolVersion, version,
};

use super::fixture::TestServer;
use super::tls::{client_credentials, root};

/// A TLS connection after the handshake.
pub struct EncryptedTls {
    socket: TcpStream,
    is_12: bool,
    key: LessSafeKey,
    iv: [u8; 12],
    /// The sequence number of the next record.
    number: u64,
    /// The traffic secret of TLS 1.3, from which keys are derived.
    secret: Vec<u8>,
}

impl EncryptedTls {
    /// Connects with valid client credentials.
    pub fn connect(server: &TestServer, version: &'static SupportedProtocolVersion) -> Self {
        let mut provider = default_provider();
        provider.cipher_suites = vec![
            cipher_suite::TLS13_AES_128_GCM_SHA256,
            cipher_suite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        ];
        let mut roots = RootCertStore::empty();
        roots.add(root().into()).unwrap();
        let credentials = client_credentials();
        let mut config = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_protocol_versions(&[version])
            .unwrap()
            .with_root_certificates(roots)
            .with_client_auth_cert(credentials.chain().to_vec(), credentials.key().clone_key())
            .unwrap();
        let secret_log = Arc::new(SecretLog::default());
        config.key_log = Arc::clone(&secret_log) as _;
        config.enable_secret_extraction = true;
        let name = "agent.example".try_into().unwrap();
        let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut socket = TcpStream::connect(server.address).unwrap();
        socket.set_nodelay(true).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        while connection.is_handshaking() || connection.wants_write() {
            connection.complete_io(&mut socket).unwrap();
        }
        let secrets = connection.dangerous_extract_secrets().unwrap();
        let (number, ConnectionTrafficSecrets::Aes128Gcm { key, iv }) = secrets.tx else {
            panic!("unexpected cipher suite")
        };
        Self {
            socket,
            is_12: version == &version::TLS12,
            key: aead_key(key.as_ref()),
            iv: iv.as_ref().try_into().unwrap(),
            number,
            secret: secret_log.0.lock().unwrap().clone(),
        }
    }

    /// Returns an encrypted record of this content type.
    pub fn seal(&mut self, kind: u8, content: &[u8]) -> Vec<u8> {
        let number = self.number.to_be_bytes();
        self.number += 1;
        let tag = AES_128_GCM.tag_len();
        if self.is_12 {
            // RFC 5288 §3: the explicit part of the nonce is sent with the record.
            let nonce = [&self.iv[..4], &number].concat();
            let length = u16::try_from(content.len()).unwrap().to_be_bytes();
            let additional_data = [&number[..], &[kind, 3, 3], &length].concat();
            let mut sealed = content.to_vec();
            let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
            self.key.seal_in_place_append_tag(nonce, Aad::from(additional_data), &mut sealed).unwrap();
            let length = u16::try_from(number.len() + sealed.len()).unwrap().to_be_bytes();
            return [&[kind, 3, 3][..], &length, &number, &sealed].concat();
        }
        // Encrypt the record as in RFC 8446 §5.2, with the nonce of §5.3.
        let mut sealed = [content, &[kind]].concat();
        let length = u16::try_from(sealed.len() + tag).unwrap().to_be_bytes();
        let header = [APPLICATION_DATA, 3, 3, length[0], length[1]];
        let mut nonce = self.iv;
        nonce[4..].iter_mut().zip(number).for_each(|(octet, number)| *octet ^= number);
        let nonce = Nonce::assume_unique_for_key(nonce);
        self.key.seal_in_place_append_tag(nonce, Aad::from(header), &mut sealed).unwrap();
        [&header[..], &sealed].concat()
    }

    /// Returns a KeyUpdate record and switches to the new keys (RFC 8446 §7.2).
    pub fn seal_key_update(&mut self, request_update: bool) -> Vec<u8> {
        let record = self.seal(HANDSHAKE, &[KEY_UPDATE, 0, 0, 1, u8::from(request_update)]);
        self.secret = expand(&self.secret, "traffic upd", 32);
        self.key = aead_key(&expand(&self.secret, "key", 16));
        self.iv = expand(&self.secret, "iv", 12).try_into().unwrap();
        self.number = 0;
        record
    }

    /// Sends octets; returns whether the server accepted all.
    pub fn send(&mut self, octets: &[u8]) -> bool {
        self.socket.write_all(octets).is_ok()
    }

    /// Returns the content type of the next record; `None` if the server has closed the connection.
    pub fn receive_kind(&mut self) -> Option<u8> {
        let mut header = [0; 5];
        self.socket.read_exact(&mut header).ok()?;
        let mut content = vec![0; usize::from(u16::from_be_bytes([header[3], header[4]]))];
        self.socket.read_exact(&mut content).ok()?;
        Some(header[0])
    }

    /// Returns whether the server closes the connection, ignoring further records.
    pub fn is_closed(&mut self) -> bool {
        match self.socket.read_to_end(&mut Vec::new()) {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// Records the client's TLS 1.3 traffic secret.
#[derive(Debug, Default)]
struct SecretLog(Mutex<Vec<u8>>);

impl KeyLog for SecretLog {
    fn log(&self, label: &str, _: &[u8], secret: &[u8]) {
        if label == "CLIENT_TRAFFIC_SECRET_0" {
            *self.0.lock().unwrap() = secret.to_vec();
        }
    }
}

/// HKDF-Expand-Label without a context (RFC 8446 §7.1).
fn expand(secret: &[u8], label: &str, length: u8) -> Vec<u8> {
    let info = [&[0, length, 6 + label.len() as u8][..], b"tls13 ", label.as_bytes(), &[0]].concat();
    let mut octets = vec![0; usize::from(length)];
    let info = [&info[..]];
    let expanded = Prk::new_less_safe(HKDF_SHA256, secret);
    expanded.expand(&info, Octets(length)).unwrap().fill(&mut octets).unwrap();
    octets
}

/// The length of the derived key material.
struct Octets(u8);

impl KeyType for Octets {
    fn len(&self) -> usize {
        usize::from(self.0)
    }
}

fn aead_key(key: &[u8]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_128_GCM, key).unwrap())
}

pub const ALERT: u8 = 21;
pub const HANDSHAKE: u8 = 22;
pub const APPLICATION_DATA: u8 = 23;
const KEY_UPDATE: u8 = 24;
