//! Tests against a server that behaves like OpenSSH's: without a subsystem, and with a zero window.

use std::{fs, sync::Arc, time::Duration};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::{ChannelError, ChannelStep, NoObserver};
use rand::rng;
use russh::{
    Channel, ChannelId,
    keys::{Algorithm, PrivateKey, ssh_key::LineEnding},
    server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Session, VerifiedPublicKey, run_stream},
};
use tokio::{net::TcpListener, runtime, time::timeout};

/// While a message waits for the window, only `send` reads from the connection.
#[test]
fn send_reports_a_rejected_subsystem_even_while_the_ssh_window_is_zero() {
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    let error = runtime.block_on(refused_message());
    assert_eq!(error.step, ChannelStep::Subsystem);
    assert!(error.cause.contains("no subsystem \"snmp\""), "{error}");
}

async fn refused_message() -> ChannelError {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (host_key, user_key) = (key(), key());
    let home = tempfile::tempdir().unwrap();
    let (identity, known_hosts) = (home.path().join("identity"), home.path().join("known_hosts"));
    user_key.write_openssh_file(&identity, LineEnding::LF).unwrap();
    let public = host_key.public_key().to_openssh().unwrap();
    fs::write(&known_hosts, format!("[127.0.0.1]:{port} {public}\n")).unwrap();
    tokio::spawn(serve(listener, host_key));

    let path = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    let request = SessionRequest {
        persist: Duration::ZERO,
        timeout: TIMEOUT,
        transport: Transport::Ssh,
        user: "ops".to_owned(),
        host: "127.0.0.1".to_owned(),
        port,
        family: None,
        options: vec![
            (SessionOption::Home, path(home.path().to_owned())),
            (SessionOption::SshIdentity, path(identity)),
            (SessionOption::KnownHosts, path(known_hosts)),
        ],
    };
    let mut session = super::super::SecureSession::open(&request, &NoObserver).await.unwrap();
    timeout(TIMEOUT, session.send(b"\x30\x00")).await.expect("send did not return").unwrap_err()
}

/// Serves one connection without subsystems. The window is zero until a subsystem has started, as
/// with sshd.
async fn serve(listener: TcpListener, key: PrivateKey) {
    let config = Config { keys: vec![key], window_size: 0, ..Config::default() };
    let (stream, _) = listener.accept().await.unwrap();
    run_stream(Arc::new(config), stream, NoSubsystem).await.unwrap().await.unwrap();
}

struct NoSubsystem;

impl Handler for NoSubsystem {
    type Error = russh::Error;

    async fn auth_publickey(&mut self, _: &str, _: VerifiedPublicKey<'_>) -> Result<Auth, russh::Error> {
        Ok(Auth::Accept)
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
        session.channel_failure(id)
    }
}

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

const TIMEOUT: Duration = Duration::from_secs(10);
