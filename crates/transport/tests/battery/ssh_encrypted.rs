//! An SSH client or server that sends arbitrary messages after the key exchange, to test attacks by
//! authenticated peers.

use std::iter;
use std::net::TcpStream;
use std::ops::Range;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::Ed25519KeyPair;

use super::fixture::TestServer;
use super::ssh_plaintext::{
    CURVE25519, KEX_INIT, KEX_REPLY, KEX_VALUE, NEWKEYS, PlaintextSsh, kex_init, kex_value, string,
    take_string,
};
use super::ssh_server::TEST_KEYS;

/// One side of an encrypted connection.
pub struct EncryptedSsh {
    raw: PlaintextSsh,
    outward: Key,
    inward: Key,
    /// The session identifier: the hash of the first key exchange (RFC 4253 §7.2).
    session: Vec<u8>,
}

impl EncryptedSsh {
    /// Runs the key exchange as a client that is not authenticated yet.
    pub fn client(server: &TestServer) -> Self {
        let mut raw = PlaintextSsh::connect(server);
        let own_kex_init = kex_init(CURVE25519);
        raw.send(&own_kex_init);
        let peer_kex_init = raw.packet().expect("the server's KEXINIT");
        let (private, public) = exchange_keys();
        raw.send(&kex_value(&public));
        let reply = raw.packet().expect("the server's value");
        assert_eq!(reply[0], KEX_REPLY, "{reply:?}");
        let (host_key, rest) = take_string(&reply[1..]);
        let (value, _) = take_string(rest);
        let secret = secret(&private, value);
        let hashed = [
            &b"SSH-2.0-PlaintextSsh"[..],
            &raw.version,
            &own_kex_init,
            &peer_kex_init,
            host_key,
            &public,
            value,
        ];
        let session = exchange_hash(&hashed, &secret);
        raw.send(&[NEWKEYS]);
        assert_eq!(raw.packet(), Some(vec![NEWKEYS]));
        let [outward, inward] =
            [*b"AC", *b"BD"].map(|letters| Key::derive(&secret, &session, &session, letters));
        Self { raw, outward, inward, session }
    }

    /// Connects a client and logs in.
    pub fn log_in(server: &TestServer, user: &str) -> Self {
        let mut peer = Self::client(server);
        peer.request_service();
        let pair = signer();
        let mut request = vec![USERAUTH_REQUEST];
        for text in [user, "ssh-connection", "publickey"] {
            string(&mut request, text.as_bytes());
        }
        request.push(1);
        string(&mut request, b"ssh-ed25519");
        string(&mut request, &ed25519(&[aws_lc_rs::signature::KeyPair::public_key(&pair).as_ref()]));
        let mut signed = Vec::new();
        string(&mut signed, &peer.session);
        signed.extend_from_slice(&request);
        string(&mut request, &ed25519(&[pair.sign(&signed).as_ref()]));
        peer.send(&request);
        assert_eq!(peer.receive(), Some(vec![USERAUTH_SUCCESS]));
        peer
    }

    /// Runs the key exchange as a server with the key of the user in [`TEST_KEYS`].
    pub fn server(stream: TcpStream) -> Self {
        let mut raw = PlaintextSsh::connect_to(stream);
        let own_kex_init = kex_init(CURVE25519);
        raw.send(&own_kex_init);
        let peer_kex_init = raw.packet().expect("the client's KEXINIT");
        assert_eq!(peer_kex_init[0], KEX_INIT);
        let request = raw.packet().expect("the client's value");
        assert_eq!(request[0], KEX_VALUE);
        let (reply, secret, session) =
            reply_to_kex([&raw.version, &peer_kex_init, &own_kex_init, &request], &signer(), &signer());
        raw.send(&reply);
        raw.send(&[NEWKEYS]);
        assert_eq!(raw.packet(), Some(vec![NEWKEYS]));
        let [outward, inward] =
            [*b"BD", *b"AC"].map(|letters| Key::derive(&secret, &session, &session, letters));
        Self { raw, outward, inward, session }
    }

    /// Runs another key exchange as a server, signed with `signing_key`; `None` if the client
    /// closes the connection instead.
    pub fn rekey(&mut self, signing_key: &Ed25519KeyPair) -> Option<()> {
        let own_kex_init = kex_init(CURVE25519);
        self.send(&own_kex_init);
        let peer_kex_init = self.try_receive_message(KEX_INIT)?;
        let request = self.try_receive_message(KEX_VALUE)?;
        let (reply, secret, hash) = reply_to_kex(
            [&self.raw.version, &peer_kex_init, &own_kex_init, &request],
            &signer(),
            signing_key,
        );
        self.send(&reply);
        self.send(&[NEWKEYS]);
        self.outward = Key::derive(&secret, &hash, &self.session, *b"BD");
        self.try_receive_message(NEWKEYS)?;
        self.inward = Key::derive(&secret, &hash, &self.session, *b"AC");
        Some(())
    }

    /// Accepts the login and opens the subsystem channel with a window of `window` octets; returns
    /// the client's channel number.
    pub fn serve(&mut self, window: u32) -> u32 {
        self.receive_message(SERVICE_REQUEST);
        let mut service = vec![SERVICE_ACCEPT];
        string(&mut service, b"ssh-userauth");
        self.send(&service);
        self.receive_message(USERAUTH_REQUEST);
        self.send(&[USERAUTH_SUCCESS]);
        let open = self.receive_message(CHANNEL_OPEN);
        let (_, numbers) = take_string(&open[1..]);
        let channel = u32::from_be_bytes(numbers[..4].try_into().unwrap());
        let numbers = [channel, 0, window, 32_768].map(u32::to_be_bytes).concat();
        self.send(&[&[CHANNEL_OPEN_CONFIRMATION][..], &numbers].concat());
        self.receive_message(CHANNEL_REQUEST);
        self.send(&[&[CHANNEL_SUCCESS][..], &channel.to_be_bytes()].concat());
        channel
    }

    /// Sends a disconnect message with reason "by application" (RFC 4253 §11.1).
    pub fn disconnect(&mut self, text: &str) {
        let mut disconnect = [&[DISCONNECT][..], &BY_APPLICATION.to_be_bytes()].concat();
        string(&mut disconnect, text.as_bytes());
        string(&mut disconnect, b"");
        self.send(&disconnect);
    }

    /// Sends an encrypted packet (RFC 5647 §7.2); the peer may have closed the connection.
    pub fn send(&mut self, message: &[u8]) {
        let padding = 4 + (16 - (message.len() + 5) % 16) % 16;
        let mut packet = [&[padding as u8][..], message, &vec![0; padding]].concat();
        let length = u32::try_from(packet.len()).unwrap().to_be_bytes();
        let nonce = self.outward.nonce();
        self.outward.key.seal_in_place_append_tag(nonce, Aad::from(length), &mut packet).unwrap();
        self.raw.write(&[&length[..], &packet].concat());
    }

    /// Returns the next message; `None` at the end of the connection.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        let length: [u8; 4] = self.raw.read(4)?.try_into().unwrap();
        let mut packet = self.raw.read(u32::from_be_bytes(length) as usize + AES_256_GCM.tag_len())?;
        let nonce = self.inward.nonce();
        let opened = self.inward.key.open_in_place(nonce, Aad::from(length), &mut packet).unwrap();
        let padding = usize::from(opened[0]);
        Some(opened[1..opened.len() - padding].to_vec())
    }

    /// Closes the sending side and returns all messages until the peer closes the connection.
    pub fn rest(&mut self) -> Vec<Vec<u8>> {
        self.raw.finish_writing();
        iter::from_fn(|| self.receive()).collect()
    }

    /// Returns the next message of this kind, skipping others.
    pub fn receive_message(&mut self, kind: u8) -> Vec<u8> {
        self.try_receive_message(kind).unwrap_or_else(|| panic!("no message {kind} received"))
    }

    fn try_receive_message(&mut self, kind: u8) -> Option<Vec<u8>> {
        loop {
            let message = self.receive()?;
            if message[0] == kind {
                return Some(message);
            }
        }
    }

    /// Requests the user authentication service.
    pub fn request_service(&mut self) {
        let mut service = vec![SERVICE_REQUEST];
        string(&mut service, b"ssh-userauth");
        self.send(&service);
        assert_eq!(self.receive().expect("a service")[0], SERVICE_ACCEPT);
    }

    /// Opens channel 0 with a window of `window` octets; returns the server's channel number.
    pub fn open_channel(&mut self, window: u32) -> u32 {
        self.send(&channel_open(window));
        let confirmed = self.receive_message(CHANNEL_OPEN_CONFIRMATION);
        u32::from_be_bytes(confirmed[5..9].try_into().unwrap())
    }

    /// Opens a channel with this window and the subsystem, and returns its number.
    pub fn open_session(&mut self, window: u32) -> u32 {
        let channel = self.open_channel(window);
        self.request_subsystem(channel);
        channel
    }

    pub fn request_subsystem(&mut self, channel: u32) {
        self.send_subsystem_request(channel);
        self.receive_message(CHANNEL_SUCCESS);
    }

    /// Requests the subsystem without waiting for the reply.
    pub fn send_subsystem_request(&mut self, channel: u32) {
        let mut request = [&[CHANNEL_REQUEST][..], &channel.to_be_bytes()].concat();
        string(&mut request, b"subsystem");
        request.push(1);
        string(&mut request, b"snmp");
        self.send(&request);
    }

    /// Opens channels with the subsystem and closes each of them, without waiting for replies. The
    /// server will give them these numbers, which it also counts for refused channels.
    pub fn send_short_channels(&mut self, channels: Range<u32>) {
        for channel in channels {
            self.send(&channel_open(1000));
            self.send_subsystem_request(channel);
            self.send(&[&[CHANNEL_CLOSE][..], &channel.to_be_bytes()].concat());
        }
    }

    /// Receives the replies to requests to open channels; returns the number of refused ones.
    pub fn receive_open_replies(&mut self, count: usize) -> usize {
        let kinds = iter::repeat_with(|| self.receive().expect("a reply")[0]);
        let replies = kinds.filter(|kind| matches!(*kind, CHANNEL_OPEN_CONFIRMATION | CHANNEL_OPEN_FAILURE));
        replies.take(count).filter(|kind| *kind == CHANNEL_OPEN_FAILURE).count()
    }

    /// Enlarges the window by `more` octets (RFC 4254 §5.2).
    pub fn open_window(&mut self, channel: u32, more: u32) {
        self.send(&[&[CHANNEL_WINDOW_ADJUST][..], &channel.to_be_bytes(), &more.to_be_bytes()].concat());
    }

    pub fn send_data(&mut self, channel: u32, octets: &[u8]) {
        let mut data = [&[CHANNEL_DATA][..], &channel.to_be_bytes()].concat();
        string(&mut data, octets);
        self.send(&data);
    }
}

/// Returns a request to open channel 0.
pub fn channel_open(window: u32) -> Vec<u8> {
    let mut open = vec![CHANNEL_OPEN];
    string(&mut open, b"session");
    open.extend([0, window, 32_768].map(u32::to_be_bytes).concat());
    open
}

/// The key of one direction and its nonce counter.
struct Key {
    key: LessSafeKey,
    fixed: [u8; 4],
    count: u64,
}

impl Key {
    /// Derives a key. `letters` are the two letters for the initialization vector and for the key
    /// (RFC 4253 §7.2).
    fn derive(secret: &[u8], hash: &[u8], session: &[u8], letters: [u8; 2]) -> Self {
        let [vector, key] =
            letters.map(|letter| digest(&SHA256, &[secret, hash, &[letter], session].concat()));
        let (fixed, count) = vector.as_ref()[..12].split_at(4);
        Self {
            key: LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key.as_ref()).unwrap()),
            fixed: fixed.try_into().unwrap(),
            count: u64::from_be_bytes(count.try_into().unwrap()),
        }
    }

    fn nonce(&mut self) -> Nonce {
        let nonce = [&self.fixed[..], &self.count.to_be_bytes()].concat();
        self.count = self.count.wrapping_add(1);
        Nonce::try_assume_unique_for_key(&nonce).unwrap()
    }
}

/// Returns a server's KEX reply, the shared secret and the exchange hash. The array contains the
/// client's version, the client's KEXINIT, the server's KEXINIT, and the client's key exchange
/// request. `host_key` is the presented key, and `signing_key` creates the signature.
fn reply_to_kex(
    [version, peer_kex_init, own_kex_init, request]: [&[u8]; 4],
    host_key: &Ed25519KeyPair,
    signing_key: &Ed25519KeyPair,
) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let (value, _) = take_string(&request[1..]);
    let (private, public) = exchange_keys();
    let secret = secret(&private, value);
    let host_key = ed25519(&[aws_lc_rs::signature::KeyPair::public_key(host_key).as_ref()]);
    let hashed = [version, b"SSH-2.0-PlaintextSsh", peer_kex_init, own_kex_init, &host_key, value, &public];
    let hash = exchange_hash(&hashed, &secret);
    let mut reply = vec![KEX_REPLY];
    for part in [&host_key[..], &public, &ed25519(&[signing_key.sign(&hash).as_ref()])] {
        string(&mut reply, part);
    }
    (reply, secret, hash)
}

fn exchange_keys() -> (PrivateKey, Vec<u8>) {
    let private = PrivateKey::generate(&X25519).unwrap();
    let public = private.compute_public_key().unwrap().as_ref().to_vec();
    (private, public)
}

/// Returns the shared secret as an mpint (RFC 4251 §5).
fn secret(private: &PrivateKey, value: &[u8]) -> Vec<u8> {
    let shared = |secret: &[u8]| Ok::<_, ()>(secret.to_vec());
    let secret = agree(private, UnparsedPublicKey::new(&X25519, value), (), shared).unwrap();
    let start = secret.iter().position(|octet| *octet != 0).unwrap_or(secret.len());
    let mut number = secret[start..].to_vec();
    if number.first().is_some_and(|first| *first >= 0x80) {
        number.insert(0, 0);
    }
    let mut written = Vec::new();
    string(&mut written, &number);
    written
}

fn exchange_hash(parts: &[&[u8]], secret: &[u8]) -> Vec<u8> {
    let mut hashed = Vec::new();
    parts.iter().for_each(|part| string(&mut hashed, part));
    hashed.extend_from_slice(secret);
    digest(&SHA256, &hashed).as_ref().to_vec()
}

/// Encodes an Ed25519 key or signature (RFC 8709).
fn ed25519(parts: &[&[u8]]) -> Vec<u8> {
    let mut written = Vec::new();
    string(&mut written, b"ssh-ed25519");
    parts.iter().for_each(|part| string(&mut written, part));
    written
}

/// Returns the key pair of the user in [`TEST_KEYS`], also used by test servers.
pub fn signer() -> Ed25519KeyPair {
    let seed = TEST_KEYS.key.key_data().ed25519().unwrap().private.to_bytes();
    Ed25519KeyPair::from_seed_unchecked(&seed).unwrap()
}

/// Returns the content of a data message (RFC 4254 §5.2).
pub fn data(message: &[u8]) -> &[u8] {
    &message[9..]
}

pub const DISCONNECT: u8 = 1;
const BY_APPLICATION: u32 = 11;
const SERVICE_REQUEST: u8 = 5;
const SERVICE_ACCEPT: u8 = 6;
const USERAUTH_REQUEST: u8 = 50;
pub const USERAUTH_SUCCESS: u8 = 52;
const CHANNEL_OPEN: u8 = 90;
pub const CHANNEL_OPEN_CONFIRMATION: u8 = 91;
const CHANNEL_OPEN_FAILURE: u8 = 92;
const CHANNEL_WINDOW_ADJUST: u8 = 93;
pub const CHANNEL_DATA: u8 = 94;
pub const CHANNEL_CLOSE: u8 = 97;
const CHANNEL_REQUEST: u8 = 98;
const CHANNEL_SUCCESS: u8 = 99;
