//! An SSH peer, and tests of legitimate SSH behavior.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use std::{fs, future, thread};

use portreeve_channel_ssh::WindowPolicy;
use portreeve_channel_ssh::keys::RevokedKeys;
use portreeve_channel_ssh::server::{
    Authentication, Authorities, HostKeys, KeyFiles, ServerSettings, SshServer,
};
use portreeve_transport::{Limits, TransportSecurity};
use rand::rng;
use russh::client::{self, Handle, Msg};
use russh::keys::ssh_key::LineEnding;
use russh::keys::ssh_key::certificate::{Builder, CertType};
use russh::keys::{Algorithm, Certificate, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{Channel, ChannelMsg};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Runtime;

use super::fixture::{
    ACCEPT, DEFERRED, ECHO, IDENTITY, LARGE, LARGE_DEFERRED, ON_WAKE, TestPeer, TestServer, TransportKind,
    frame,
};
use super::security::security;
use super::ssh_encrypted::{CHANNEL_CLOSE, CHANNEL_DATA, DISCONNECT, EncryptedSsh};
use super::wire::Inbox;

#[test]
fn request_sent_before_subsystem_reply_is_answered() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::connect(server.address, USER);
    let message = frame(ECHO, b"early");
    // Send the subsystem request and the message before reading the reply to the subsystem request.
    peer.request_subsystem("snmp");
    peer.write_all(&message).unwrap();
    let mut answer = vec![0; message.len()];
    peer.read_exact(&mut answer).unwrap();
    assert_eq!(answer, message);
}

#[test]
fn half_closed_peer_receives_responses_and_exit_status() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    let message = frame(LARGE, &[]);
    peer.write_all(&message).unwrap();
    peer.finish();
    let mut answers = Vec::new();
    peer.read_to_end(&mut answers).unwrap();
    assert_eq!(answers, frame(LARGE, &vec![7; 60_000]));
    assert_eq!(peer.exit_status, Some(0));
    server.wait_for_statistics("peer close", |statistics| statistics.closed_by_peer == 1);
}

/// More requests than a session handles at once, and the end of data together with them.
#[test]
fn all_requests_before_the_end_of_data_are_answered() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    let requests: Vec<_> = (0..3000_u32).map(|number| frame(ECHO, &number.to_be_bytes())).collect();
    peer.write_all(&requests.concat()).unwrap();
    peer.finish();
    let mut answers = Vec::new();
    peer.read_to_end(&mut answers).unwrap();
    assert_eq!(answers, requests.concat());
    assert_eq!(peer.exit_status, Some(0));
    // Only the channel is closed.
    let mut next = TestPeer::Ssh(peer.another_channel(), Inbox::default());
    assert_eq!(next.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
}

#[test]
fn channels_of_one_connection_are_sessions_of_their_own() {
    let server = TestServer::start(TransportKind::Ssh4);
    let first = SshPeer::log_in(server.address);
    let mut peers: Vec<_> =
        (1..10).map(|_| TestPeer::Ssh(first.another_channel(), Inbox::default())).collect();
    peers.push(TestPeer::Ssh(first, Inbox::default()));
    // Each deferred response is sent in the session of its request.
    for (number, peer) in (0_u8..).zip(&mut peers) {
        peer.send(&frame(DEFERRED, &[number]));
    }
    for (number, peer) in (0_u8..).zip(&mut peers) {
        assert_eq!(peer.receive(), frame(DEFERRED, &[number]));
        assert_eq!(peer.request(&frame(IDENTITY, b"")), frame(IDENTITY, b"ops authPriv ssh"));
    }
    assert_eq!(server.statistics().sessions_opened, 10);
    drop(peers);
    server.wait_for_statistics("all closes", |statistics| statistics.closed_by_peer == 10);
}

#[test]
fn connection_without_sessions_serves_new_channels() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = SshPeer::log_in(server.address);
    for round in 1..=30 {
        peer.write_all(&frame(ECHO, b"1")).unwrap();
        peer.finish();
        let mut answer = Vec::new();
        peer.read_to_end(&mut answer).unwrap();
        assert_eq!(answer, frame(ECHO, b"1"));
        server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer == round);
        peer = peer.another_channel();
    }
    server.wait_for_statistics("the last session", |statistics| statistics.sessions_opened == 31);
}

#[test]
fn connection_without_sessions_is_closed_after_the_idle_timeout() {
    let limits = Limits { idle_timeout: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = SshPeer::log_in(server.address);
    peer.finish();
    peer.read_to_end(&mut Vec::new()).unwrap();
    server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer == 1);
    peer.wait_until_disconnected();
    assert_eq!(server.statistics().closed_idle, 0, "the session was closed by the peer");
}

/// The octets of ended sessions are in no buffer any more. They exceed the memory of connections
/// without a session.
#[test]
fn connection_without_sessions_is_not_charged_for_octets_of_ended_sessions() {
    let limits = Limits { unauthenticated_memory: 1 << 20, ..Limits::default() };
    let server = TestServer::with_limits(TransportKind::Ssh4, 1, limits);
    let mut peer = SshPeer::log_in(server.address);
    peer.write_all(&frame(ACCEPT, &[0; 60_000]).repeat(40)).unwrap();
    for round in 1..=10 {
        peer.write_all(&frame(ECHO, b"1")).unwrap();
        peer.finish();
        let mut answer = Vec::new();
        peer.read_to_end(&mut answer).unwrap();
        assert_eq!(answer, frame(ECHO, b"1"));
        server.wait_for_statistics("session close", |statistics| statistics.closed_by_peer == round);
        peer = peer.another_channel();
    }
}

#[test]
fn malformed_message_closes_only_its_channel() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut bad = SshPeer::log_in(server.address);
    let mut good = TestPeer::Ssh(bad.another_channel(), Inbox::default());
    bad.write_all(b"GET / HTTP/1.1").unwrap();
    bad.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(bad.exit_status, Some(1));
    assert_eq!(good.request(&frame(ECHO, b"1")), frame(ECHO, b"1"));
    assert_eq!(server.statistics().closed_malformed_message, 1);
}

#[test]
fn full_window_of_a_channel_blocks_only_that_channel() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let blocked = peer.open_channel(1000);
    peer.request_subsystem(blocked);
    peer.send_data(blocked, &frame(LARGE, &[]).repeat(5));
    let mut unread = 5 * frame(LARGE, &[7; 60_000]).len() - data(&peer.receive_message(CHANNEL_DATA)).len();
    let good = peer.open_channel(100_000);
    peer.request_subsystem(good);
    for what in [ECHO, DEFERRED].repeat(5) {
        let request = frame(what, b"1");
        peer.send_data(good, &request);
        assert_eq!(data(&peer.receive_message(CHANNEL_DATA)), request);
    }
    peer.open_window(blocked, 400_000);
    while unread > 0 {
        unread -= data(&peer.receive_message(CHANNEL_DATA)).len();
    }
}

/// Returns the content of a data message (RFC 4254 §5.2).
fn data(message: &[u8]) -> &[u8] {
    &message[9..]
}

#[test]
fn large_deferred_responses_are_sent_even_if_the_peer_sends_nothing() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    for _ in 0..2 {
        let message = frame(ECHO, &vec![1; 60_000]);
        assert_eq!(peer.request(&message), message);
    }
    // The peer sends nothing more, and its window is large enough for all responses.
    let requests: Vec<u8> = (1..=8).flat_map(|moments| frame(LARGE_DEFERRED, &[moments])).collect();
    peer.send(&requests);
    for number in 1..=8 {
        assert_eq!(peer.receive().len(), frame(LARGE_DEFERRED, &[7; 60_000]).len(), "{number}");
    }
}

#[test]
fn coalesced_and_fragmented_messages_are_answered_separately() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    // The number of messages is small enough that unread responses do not fill the peer's queue.
    let sizes = (0..200).step_by(4).chain([1000, 30_000, 60_000]);
    let messages: Vec<_> = sizes.map(|size| frame(ECHO, &vec![5; size])).collect();
    let stream = messages.concat();
    let (first, mut rest) = stream.split_at(3_000);
    peer.send(first);
    while !rest.is_empty() {
        let (piece, others) = rest.split_at(rest.len().min(777));
        peer.send(piece);
        rest = others;
    }
    for message in &messages {
        assert_eq!(peer.receive(), *message);
    }
}

#[test]
fn every_message_window_policy_does_not_change_responses() {
    let server = TestServer::with_listener(TransportKind::Ssh4, |listener| {
        listener.window = WindowPolicy::EveryMessage
    });
    let mut peer = server.peer();
    for size in [0, 40, 300] {
        let message = frame(ECHO, &vec![1; size]);
        assert_eq!(peer.request(&message), message);
    }
}

#[test]
fn session_continues_after_rekeying() {
    let mut settings = settings();
    settings.rekey_after = 20_000;
    let server = TestServer::with_ssh_settings(TransportKind::Ssh4, settings);
    let mut peer = server.peer();
    for number in 0..300_u32 {
        let message = frame(ECHO, &[number.to_be_bytes(); 100].concat());
        assert_eq!(peer.request(&message), message);
    }
}

#[test]
fn review_l13_session_is_closed_when_its_key_is_revoked() {
    let (server, ssh) = start_replaceable(settings());
    let mut peer = server.peer();
    peer.request(&frame(ECHO, b"1"));
    for is_revoked in [false, true] {
        ssh.replace(if is_revoked { settings_without_users() } else { settings() });
        server.running().sessions().recheck();
        if is_revoked {
            assert!(peer.is_closed());
            assert_eq!(server.statistics().closed_identity_revoked, 1);
        } else {
            assert_eq!(peer.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
        }
    }
}

/// The peer accepts no more octets, so that the channels are still closing when the last session
/// ends.
#[test]
fn review_l13_connection_with_three_channels_is_closed_when_key_is_revoked() {
    let (server, ssh) = start_replaceable(settings());
    let mut peer = EncryptedSsh::log_in(&server, USER);
    for _ in 0..3 {
        let channel = peer.open_channel(1000);
        peer.request_subsystem(channel);
        peer.send_data(channel, &frame(LARGE, &[]));
        peer.receive_message(CHANNEL_DATA);
    }
    ssh.replace(settings_without_users());
    server.running().sessions().recheck();
    peer.receive_message(DISCONNECT);
    server.wait_for_statistics("all closes", |statistics| statistics.closed_identity_revoked == 3);
}

#[test]
fn connection_with_three_channels_is_disconnected_at_shutdown() {
    let mut server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    for _ in 0..3 {
        let channel = peer.open_channel(1000);
        peer.request_subsystem(channel);
        peer.send_data(channel, &frame(ECHO, b"1"));
        peer.receive_message(CHANNEL_DATA);
    }
    let start = Instant::now();
    server.running.take().unwrap().shutdown();
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    peer.receive_message(DISCONNECT);
}

#[test]
fn channel_is_closed_after_all_octets_are_sent() {
    let server = TestServer::start(TransportKind::Ssh4);
    let mut peer = EncryptedSsh::log_in(&server, USER);
    let other = peer.open_channel(1000);
    peer.request_subsystem(other);
    let channel = peer.open_channel(1000);
    peer.request_subsystem(channel);
    // The second message is malformed, and ends the session.
    peer.send_data(channel, &[&frame(LARGE, &[]), &b"GET / HTTP/1.1"[..]].concat());
    let mut received = peer.receive_message(CHANNEL_DATA).len() - 9;
    peer.open_window(channel, 100_000);
    loop {
        let message = peer.receive().unwrap();
        match message[0] {
            CHANNEL_DATA => received += data(&message).len(),
            CHANNEL_CLOSE => break,
            _ => {}
        }
    }
    assert_eq!(received, frame(LARGE, &[7; 60_000]).len());
}

#[test]
fn deferred_responses_are_sent_before_shutdown() {
    let mut server = TestServer::start(TransportKind::Ssh4);
    let mut peer = server.peer();
    let message = frame(ON_WAKE, &[1; 60_000]);
    for _ in 0..5 {
        peer.send(&message);
    }
    // All messages before this one are handled.
    let last = frame(ECHO, b"1");
    assert_eq!(peer.request(&last), last);
    server.running.take().unwrap().shutdown();
    for _ in 0..5 {
        assert!(peer.receive() == message);
    }
    assert!(peer.is_closed());
}

/// The list names the certified key only: neither the certificate nor its authority.
#[test]
fn review_l13_session_of_a_certificate_is_closed_when_its_key_is_revoked() {
    let authority = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
    let with_revoked = |list: &str| {
        let mut settings = settings();
        let authorities = Authorities::new([authority.public_key().key_data().clone()]);
        let revoked = RevokedKeys::parse(list).unwrap();
        settings.authentication = Authentication { authorities, revoked, ..Authentication::default() };
        settings
    };
    let (server, ssh) = start_replaceable(with_revoked(""));
    let mut peer = SshPeer::log_in_with_certificate(server.address, user_certificate(&authority));
    peer.request(&frame(ECHO, b"1"));
    let another_key = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
    ssh.replace(with_revoked(&another_key.public_key().to_openssh().unwrap()));
    server.running().sessions().recheck();
    assert_eq!(peer.request(&frame(ECHO, b"2")), frame(ECHO, b"2"));
    ssh.replace(with_revoked(&TEST_KEYS.key.public_key().to_openssh().unwrap()));
    server.running().sessions().recheck();
    assert!(peer.is_closed());
    assert_eq!(server.statistics().closed_identity_revoked, 1);
}

/// Starts a server whose settings the test can replace.
fn start_replaceable(settings: ServerSettings) -> (TestServer, Arc<SshServer>) {
    let ssh = Arc::new(SshServer::new(settings));
    let security = TransportSecurity { ssh: Some(Arc::clone(&ssh)), ..security() };
    let kind = TransportKind::Ssh4;
    (TestServer::with_security(kind, kind.listener(), 1, Limits::default(), security), ssh)
}

/// Returns settings that revoke the key of all users.
fn settings_without_users() -> ServerSettings {
    let mut settings = settings();
    let keys = fs::read(TEST_KEYS.folder.path().join(USER)).unwrap();
    settings.authentication.revoked = RevokedKeys::parse(&keys).unwrap();
    settings
}

/// Returns the SSH server of the tests.
pub fn server() -> SshServer {
    SshServer::new(settings())
}

pub fn settings() -> ServerSettings {
    let host_keys = HostKeys::load(&[TEST_KEYS.folder.path().join("host")]).unwrap();
    let pattern = TEST_KEYS.folder.path().join("%u");
    let key_files = KeyFiles::new([pattern.to_str().unwrap()]).unwrap();
    ServerSettings::new(host_keys, Authentication { key_files, ..Authentication::default() })
}

/// A user with a key and a securityName.
pub const USER: &str = "ops";
/// Another user with a key and a securityName.
pub const OTHER_USER: &str = "monitor";
/// A user with a key but without a securityName.
pub const UNNAMED_USER: &str = "unnamed";

/// A blocking peer of an SSH session.
pub struct SshPeer {
    pub handle: Arc<Handle<AcceptAnyHostKey>>,
    pub channel: Channel<Msg>,
    unread: Vec<u8>,
    pub exit_status: Option<u32>,
}

impl SshPeer {
    /// Connects and opens the subsystem.
    pub fn log_in(address: SocketAddr) -> Self {
        Self::log_in_to(address, "snmp")
    }

    /// Connects and opens the subsystem with this name.
    pub fn log_in_to(address: SocketAddr, subsystem: &str) -> Self {
        let mut peer = Self::connect(address, USER);
        peer.request_subsystem(subsystem);
        assert!(peer.is_granted());
        peer
    }

    /// Connects and opens a channel.
    pub fn connect(address: SocketAddr, user: &str) -> Self {
        RUNTIME.block_on(async {
            let handle = authenticated(address, user).await;
            let channel = handle.channel_open_session().await.unwrap();
            Self { handle: Arc::new(handle), channel, unread: Vec::new(), exit_status: None }
        })
    }

    /// Opens another channel of the same connection with the subsystem.
    pub fn another_channel(&self) -> Self {
        let handle = Arc::clone(&self.handle);
        let channel = RUNTIME.block_on(handle.channel_open_session()).unwrap();
        let mut peer = Self { handle, channel, unread: Vec::new(), exit_status: None };
        peer.request_subsystem("snmp");
        assert!(peer.is_granted());
        peer
    }

    /// Logs in with a certificate of the users' key and opens the subsystem.
    fn log_in_with_certificate(address: SocketAddr, certificate: Certificate) -> TestPeer {
        let mut peer = RUNTIME.block_on(async {
            let mut handle = connect(address).await;
            let key = Arc::clone(&TEST_KEYS.key);
            let result = handle.authenticate_openssh_cert(USER, key, certificate).await;
            assert!(result.unwrap().success());
            let channel = handle.channel_open_session().await.unwrap();
            Self { handle: Arc::new(handle), channel, unread: Vec::new(), exit_status: None }
        });
        peer.request_subsystem("snmp");
        assert!(peer.is_granted());
        TestPeer::Ssh(peer, Inbox::default())
    }

    pub fn request_subsystem(&mut self, name: &str) {
        RUNTIME.block_on(self.channel.request_subsystem(true, name)).unwrap();
    }

    /// Returns whether the last request succeeded.
    pub fn is_granted(&mut self) -> bool {
        matches!(self.wait(), Some(ChannelMsg::Success))
    }

    pub fn wait(&mut self) -> Option<ChannelMsg> {
        RUNTIME.block_on(async {
            loop {
                match tokio::time::timeout(TEST_TIMEOUT, self.channel.wait())
                    .await
                    .expect("a channel message")
                {
                    Some(ChannelMsg::WindowAdjusted { .. }) => {}
                    other => return other,
                }
            }
        })
    }

    /// Passes octets in both directions at the same time between the session and the returned
    /// stream.
    pub fn run_in_background(self) -> UnixStream {
        let (ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        RUNTIME.spawn(async move {
            let (mut from_test, mut to_test) = tokio::net::UnixStream::from_std(theirs).unwrap().into_split();
            let (mut from_server, mut to_server) = tokio::io::split(self.channel.into_stream());
            let sending = async {
                // Fails when the channel is closed.
                let _ = tokio::io::copy(&mut from_test, &mut to_server).await;
                let _ = to_server.shutdown().await;
                future::pending().await
            };
            // A sender that waits for the window does not notice that the channel is closed.
            tokio::select! {
                _ = tokio::io::copy(&mut from_server, &mut to_test) => {}
                () = sending => {}
            }
            drop(self.handle);
        });
        ours
    }

    pub fn finish(&mut self) {
        RUNTIME.block_on(self.channel.eof()).unwrap();
    }

    /// Waits until the connection is closed.
    fn wait_until_disconnected(&self) {
        let start = Instant::now();
        while !self.handle.is_closed() {
            assert!(start.elapsed() < TEST_TIMEOUT, "the connection is still open");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Read for SshPeer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.unread.is_empty() {
            match self.wait() {
                Some(ChannelMsg::Data { data }) => self.unread.extend_from_slice(&data),
                Some(ChannelMsg::ExitStatus { exit_status }) => self.exit_status = Some(exit_status),
                Some(ChannelMsg::Close) | None => return Ok(0),
                Some(_) => {}
            }
        }
        let count = into.len().min(self.unread.len());
        into[..count].copy_from_slice(&self.unread[..count]);
        self.unread.drain(..count);
        Ok(count)
    }
}

impl Write for SshPeer {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        RUNTIME.block_on(self.channel.data(octets)).map_err(io::Error::other)?;
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client handler that accepts any host key.
pub struct AcceptAnyHostKey;

impl client::Handler for AcceptAnyHostKey {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        _: &PublicKeyOrCertificate,
    ) -> impl Future<Output = Result<bool, russh::Error>> {
        future::ready(Ok(true))
    }
}

/// Returns a connection before the login.
async fn connect(address: SocketAddr) -> Handle<AcceptAnyHostKey> {
    let config = client::Config { nodelay: true, ..client::Config::default() };
    client::connect(Arc::new(config), address, AcceptAnyHostKey).await.unwrap()
}

/// Returns an authenticated connection without a channel.
pub async fn authenticated(address: SocketAddr, user: &str) -> Handle<AcceptAnyHostKey> {
    let mut handle = connect(address).await;
    let key = PrivateKeyWithHashAlg::new(Arc::clone(&TEST_KEYS.key), None);
    assert!(handle.authenticate_publickey(user, key).await.unwrap().success());
    handle
}

/// Issues a certificate for the key of [`USER`].
fn user_certificate(authority: &PrivateKey) -> Certificate {
    let key = TEST_KEYS.key.public_key();
    let mut builder = Builder::new_with_random_nonce(&mut rng(), key, 0, u64::MAX - 1).unwrap();
    builder.cert_type(CertType::User).unwrap().valid_principal(USER).unwrap();
    builder.sign(authority).unwrap()
}

/// The runtime of all SSH peers.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
});

/// The host and user keys of all tests.
pub static TEST_KEYS: LazyLock<TestKeys> = LazyLock::new(TestKeys::new);

pub struct TestKeys {
    pub folder: TempDir,
    pub key: Arc<PrivateKey>,
}

impl TestKeys {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
        host.write_openssh_file(folder.path().join("host"), LineEnding::LF).unwrap();
        let key = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
        for user in [USER, OTHER_USER, UNNAMED_USER] {
            fs::write(folder.path().join(user), key.public_key().to_openssh().unwrap()).unwrap();
        }
        Self { folder, key: Arc::new(key) }
    }
}

/// The timeout for expected events.
const TEST_TIMEOUT: Duration = Duration::from_secs(10);
