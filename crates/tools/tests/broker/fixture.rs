//! An agent that echoes, a user with a runtime directory, and a broker started in the same way as
//! by commands.

use std::{
    fs::{self, Permissions},
    net::{Shutdown, SocketAddr},
    num::NonZeroUsize,
    os::{
        fd::OwnedFd,
        unix::{fs::PermissionsExt, net::UnixStream},
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use portreeve_broker_protocol::{
    BrokerConnection, Frame, SessionOpened, SessionOption, SessionRequest, SocketPath, Transport,
};
use portreeve_channel::{AlternativeName, ChannelError, PeerIdentity};
use portreeve_channel_dtls::{DtlsServer, Settings};
use portreeve_channel_tls::{TlsServer, Versions};
use portreeve_pki::{Holder, HolderRole, Validity, X509Authority};
use portreeve_smi::{SecurityLevel, Timestamp, TransportDomain};
use portreeve_transport::{
    Clock, Disposition, Limits, Listener, MessageHandler, MessageSource, Protocol, RunningTransport,
    SecurityNameMapping, TransportSecurity, bind, run,
};
use portreeve_x509::{Credentials, Trust};
use tempfile::TempDir;

/// A user of this machine, with certificates and a runtime directory.
pub(crate) struct TestUser {
    directory: TempDir,
    runtime: TempDir,
}

impl TestUser {
    pub(crate) fn new() -> Self {
        let user = Self { directory: tempfile::tempdir().unwrap(), runtime: tempfile::tempdir().unwrap() };
        let valid = Validity::from_now(SystemTime::now(), Duration::from_secs(86_400));
        let authority = X509Authority::new("authority", valid).unwrap();
        fs::write(user.file("ca.pem"), authority.pem()).unwrap();
        for (role, name) in
            [(HolderRole::Host, "agent"), (HolderRole::User, "ops"), (HolderRole::User, "boss")]
        {
            let names = vec![AlternativeName::Dns("localhost".into())];
            let holder = Holder::new(role, name);
            let holder = if role == HolderRole::Host { holder.with_names(names) } else { holder };
            let issued = authority.issue(&holder, valid).unwrap();
            fs::write(user.file(&format!("{name}.pem")), issued.certificate).unwrap();
            let path = user.file(&format!("{name}.key"));
            fs::write(&path, issued.key.expose()).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        }
        user
    }

    /// Returns a session request with the user's certificates.
    pub(crate) fn session_request(&self, agent: &TestAgent, persist: u64) -> SessionRequest {
        self.session_request_to(agent.transport, agent.address, agent.family, persist)
    }

    pub(crate) fn session_request_to(
        &self,
        transport: Transport,
        address: SocketAddr,
        family: Option<u8>,
        persist: u64,
    ) -> SessionRequest {
        let path = |name: &str| self.file(name).to_str().unwrap().to_owned();
        SessionRequest {
            persist: Duration::from_secs(persist),
            timeout: TIMEOUT,
            transport,
            user: String::new(),
            host: "localhost".to_owned(),
            port: address.port(),
            family,
            options: vec![
                (SessionOption::Certificate, path("ops.pem")),
                (SessionOption::PrivateKey, path("ops.key")),
                (SessionOption::Authority, path("ca.pem")),
            ],
        }
    }

    pub(crate) fn socket_path(&self) -> SocketPath {
        SocketPath::at(self.runtime.path().join("portreeve"))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Starts a broker; returns it with the socket of its first command.
    pub(crate) fn start_broker(&self) -> (BrokerProcess, UnixStream) {
        let mut command = Command::new(PROGRAM);
        command.arg("broker");
        self.start_broker_with(command)
    }

    /// Starts a broker with this command.
    pub(crate) fn start_broker_with(&self, mut command: Command) -> (BrokerProcess, UnixStream) {
        let (local, remote) = UnixStream::pair().unwrap();
        command.stdin(OwnedFd::from(remote)).stdout(Stdio::null());
        command.env("XDG_RUNTIME_DIR", self.runtime.path());
        (BrokerProcess(command.spawn().unwrap()), local)
    }

    /// Starts a broker that keeps sessions; returns it with the first command's connection.
    pub(crate) fn start_broker_and_connect(
        &self,
        agent: &TestAgent,
        persist: u64,
    ) -> (BrokerProcess, BrokerConnection) {
        let (broker, socket) = self.start_broker();
        let (connection, _) = self.connect_over(socket, &self.session_request(agent, persist)).unwrap();
        (broker, connection)
    }

    /// Connects another command to the running broker.
    pub(crate) fn connect(
        &self,
        request: &SessionRequest,
    ) -> Result<(BrokerConnection, SessionOpened), ChannelError> {
        self.connect_over(self.socket_path().connect().unwrap(), request)
    }

    pub(crate) fn connect_over(
        &self,
        socket: UnixStream,
        request: &SessionRequest,
    ) -> Result<(BrokerConnection, SessionOpened), ChannelError> {
        BrokerConnection::over(socket).request_session(request, &mut |_| None).expect("the broker responds")
    }
}

/// A running broker, killed when the test ends.
pub(crate) struct BrokerProcess(Child);

impl BrokerProcess {
    /// The process ID.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits until the broker exits by itself.
    pub(crate) fn wait_for_exit(&mut self) {
        wait_until("the broker to exit", || !self.is_alive());
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for BrokerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An agent on loopback over one transport.
pub(crate) struct TestAgent {
    running: Option<RunningTransport>,
    pub(crate) transport: Transport,
    pub(crate) address: SocketAddr,
    pub(crate) family: Option<u8>,
}

impl TestAgent {
    pub(crate) fn start(user: &TestUser, transport: Transport) -> Self {
        Self::start_ipv4(user, transport, "127.0.0.1:0")
    }

    /// Starts an agent that is reached over IPv4 only.
    pub(crate) fn start_ipv4(user: &TestUser, transport: Transport, address: &str) -> Self {
        Self { family: Some(4), ..Self::start_at(user, transport, address) }
    }

    pub(crate) fn start_at(user: &TestUser, transport: Transport, address: &str) -> Self {
        let credentials = || Credentials::load(&user.file("agent.pem"), &user.file("agent.key")).unwrap();
        let trust = || {
            let mut trust = Trust::default();
            trust.add_authorities(&user.file("ca.pem")).unwrap();
            trust
        };
        let security = TransportSecurity {
            tls: Some(Arc::new(TlsServer::new(&credentials(), trust(), Versions::From12).unwrap())),
            dtls: Some(Arc::new(DtlsServer::new(&credentials(), trust(), Settings::default()).unwrap())),
            ssh: None,
            names: Arc::new(ByCommonName),
        };
        let protocol = if transport == Transport::Dtls { Protocol::Dtls } else { Protocol::Tls };
        let address: SocketAddr = address.parse().unwrap();
        let listen = |port| {
            let listener = Listener::new(protocol, SocketAddr::new(address.ip(), port));
            bind(&[listener], NonZeroUsize::MIN, &Limits::default())
        };
        let bound = match address.port() {
            0 => (0..1000).find_map(|_| listen(next_port()).ok()).expect("a free port"),
            port => listen(port).unwrap(),
        };
        let address = bound.local_addrs()[0].address;
        let running = run(bound, Limits::default(), security, Clock::start(), |_| Echo).unwrap();
        Self { running: Some(running), transport, address, family: None }
    }

    /// The number of sessions opened since the start.
    pub(crate) fn sessions(&self) -> u64 {
        self.running.as_ref().unwrap().statistics().read().sessions_opened
    }

    pub(crate) fn stop(&mut self) {
        self.running.take().unwrap().shutdown();
    }
}

struct ByCommonName;

impl SecurityNameMapping for ByCommonName {
    fn security_name(&self, _: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>> {
        match peer {
            PeerIdentity::Certificate(identity) => {
                Some(identity.leaf.common_name.as_deref()?.as_bytes().into())
            }
            PeerIdentity::Ssh(_) => None,
        }
    }
}

/// Responds with the message's content and the session's securityName.
struct Echo;

impl MessageHandler for Echo {
    fn handle(
        &mut self,
        _: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        let name = source.tm_state.security_name.as_deref().unwrap_or_default();
        let response = message_of(&[&message[2..], b" ", name].concat());
        reply[..response.len()].copy_from_slice(&response);
        Disposition::Reply(0..response.len())
    }

    fn poll(&mut self, _: Timestamp, _: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {}

    fn next_timeout(&self) -> Option<Timestamp> {
        None
    }
}

/// Ends a command. Its socket is shut down, because a program that another test is starting has a
/// copy of the descriptor for a moment, so that closing it alone would not end the connection.
pub(crate) fn end(command: BrokerConnection) {
    command.try_clone_stream().unwrap().shutdown(Shutdown::Both).unwrap();
}

/// Sends text as a message, and returns the text in the response.
pub(crate) fn echo(connection: &mut BrokerConnection, text: &str) -> String {
    connection.send(&message_of(text.as_bytes())).unwrap();
    let end = Instant::now() + TIMEOUT;
    while Instant::now() < end {
        match connection.receive(Duration::from_secs(1)).unwrap() {
            Some(Frame::Message(message)) => return String::from_utf8(message[2..].to_vec()).unwrap(),
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    }
    panic!("no response");
}

pub(crate) fn message_of(content: &[u8]) -> Vec<u8> {
    [&[0x30, u8::try_from(content.len()).unwrap()], content].concat()
}

pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The timeout of each step: longer than any step takes, even on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns a port that no other agent of the tests uses, also after it was stopped. The kernel
/// assigns none of these ports by itself. Test programs run at the same time: each process has 300
/// ports of its own, as in the tests of portreeved.
fn next_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    2_000 + (std::process::id() % 100) as u16 * 300 + NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_portreeve-tools");
