//! A blocking SSH peer.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use std::{future, thread};

use russh::client::{self, Handle, Msg};
use russh::keys::{Certificate, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{Channel, ChannelMsg};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Runtime;

use super::fixture::{TEST_TIMEOUT, TestPeer};
use super::ssh_server::{TEST_KEYS, USER};
use super::wire::Inbox;

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
        peer.open_subsystem(subsystem);
        peer
    }

    /// Connects and opens a channel.
    pub fn connect(address: SocketAddr, user: &str) -> Self {
        RUNTIME.block_on(async { Self::open_channel(Arc::new(authenticated(address, user).await)).await })
    }

    /// Opens another channel of the same connection with the subsystem.
    pub fn another_channel(&self) -> Self {
        let mut peer = RUNTIME.block_on(Self::open_channel(Arc::clone(&self.handle)));
        peer.open_subsystem("snmp");
        peer
    }

    /// Logs in with a certificate of the users' key and opens the subsystem.
    pub fn log_in_with_certificate(address: SocketAddr, certificate: Certificate) -> TestPeer {
        let mut peer = RUNTIME.block_on(async {
            let mut handle = connect(address).await;
            let key = Arc::clone(&TEST_KEYS.key);
            let result = handle.authenticate_openssh_cert(USER, key, certificate).await;
            assert!(result.unwrap().success());
            Self::open_channel(Arc::new(handle)).await
        });
        peer.open_subsystem("snmp");
        TestPeer::Ssh(peer, Inbox::default())
    }

    async fn open_channel(handle: Arc<Handle<AcceptAnyHostKey>>) -> Self {
        let channel = handle.channel_open_session().await.unwrap();
        Self { handle, channel, unread: Vec::new(), exit_status: None }
    }

    fn open_subsystem(&mut self, name: &str) {
        self.request_subsystem(name);
        assert!(self.is_granted());
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

    /// Sends the end of data, and returns what the server sends until it closes the channel.
    pub fn finish(&mut self) -> Vec<u8> {
        RUNTIME.block_on(self.channel.eof()).unwrap();
        let mut received = Vec::new();
        self.read_to_end(&mut received).unwrap();
        received
    }

    /// Waits until the connection is closed.
    pub fn wait_until_disconnected(&self) {
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

/// The runtime of all SSH peers.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
});
