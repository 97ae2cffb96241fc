//! An SSH server that logs users in and then accepts no data, or never ends the login.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use rand::rng;
use russh::{
    Channel, ChannelId, MethodKind, MethodSet,
    keys::{Algorithm, PrivateKey, ssh_key::LineEnding},
    server::{
        Auth, ChannelOpenHandle, Config, Handler, Msg, Response, Session, VerifiedPublicKey, run_stream,
    },
};
use tempfile::TempDir;
use tokio::{net::TcpListener, runtime};

use super::fixture::TIMEOUT;

/// A server for one connection, and a user with a key for it.
pub(crate) struct SshServer {
    home: TempDir,
    port: u16,
}

impl SshServer {
    pub(crate) fn start(behavior: SshBehavior) -> Self {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (home, host_key) = (tempfile::tempdir().unwrap(), key());
        key().write_openssh_file(home.path().join("identity"), LineEnding::LF).unwrap();
        let public = host_key.public_key().to_openssh().unwrap();
        fs::write(home.path().join("known_hosts"), format!("[127.0.0.1]:{port} {public}\n")).unwrap();
        // The thread ends with the connection, or with the test.
        std::thread::spawn(move || runtime.block_on(serve(listener, host_key, behavior)));
        Self { home, port }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn session_request(&self, timeout: Duration) -> SessionRequest {
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        SessionRequest {
            persist: Duration::ZERO,
            timeout,
            transport: Transport::Ssh,
            user: "ops".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: self.port,
            family: None,
            options: vec![
                (SessionOption::Home, path(self.home.path())),
                (SessionOption::SshIdentity, path(&self.file("identity"))),
                (SessionOption::KnownHosts, path(&self.file("known_hosts"))),
            ],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SshBehavior {
    /// Accepts the key. The channel's window stays zero.
    AcceptNoData,
    /// Rejects the key, then sends keyboard-interactive notices without prompts.
    SendNotices,
}

impl SshBehavior {
    /// Returns the login methods that the server offers. With other methods, the client would
    /// prompt the user, and wait for a response.
    fn methods(self) -> MethodSet {
        let methods: &[MethodKind] = match self {
            Self::AcceptNoData => &[MethodKind::PublicKey],
            Self::SendNotices => &[MethodKind::PublicKey, MethodKind::KeyboardInteractive],
        };
        methods.into()
    }
}

async fn serve(listener: TcpListener, key: PrivateKey, behavior: SshBehavior) {
    let methods = behavior.methods();
    // By default, the server waits for one second before it rejects a login.
    let auth_rejection_time = Duration::ZERO;
    let config =
        Config { keys: vec![key], methods, auth_rejection_time, window_size: 0, ..Config::default() };
    let Ok((stream, _)) = listener.accept().await else { return };
    if let Ok(session) = run_stream(Arc::new(config), stream, Connection(behavior)).await {
        let _ = session.await;
    }
}

struct Connection(SshBehavior);

impl Handler for Connection {
    type Error = russh::Error;

    async fn auth_publickey(&mut self, _: &str, _: VerifiedPublicKey<'_>) -> Result<Auth, russh::Error> {
        Ok(if self.0 == SshBehavior::AcceptNoData { Auth::Accept } else { Auth::reject() })
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        _: &str,
        _: &str,
        _: Option<Response<'a>>,
    ) -> Result<Auth, russh::Error> {
        tokio::time::sleep(NOTICE_INTERVAL).await;
        Ok(Auth::Partial { name: "notice".into(), instructions: "wait".into(), prompts: Vec::new().into() })
    }

    async fn channel_open_session(
        &mut self,
        _: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), russh::Error> {
        reply.accept().await;
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        _: &str,
        session: &mut Session,
    ) -> Result<(), russh::Error> {
        session.channel_success(id)
    }
}

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

/// Shorter than the timeout of the session request, which would otherwise end the login.
const NOTICE_INTERVAL: Duration = Duration::from_millis(TIMEOUT.as_millis() as u64 / 20);
