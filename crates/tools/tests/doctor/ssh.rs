//! SSH servers with unknown or changed host keys, and servers that refuse logins.

use std::{
    net::TcpListener,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use rand::rng;
use russh::{
    Channel, ChannelId,
    keys::{
        Algorithm, HashAlg, PrivateKey,
        ssh_key::{
            LineEnding,
            certificate::{Builder, CertType},
        },
    },
    server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Session, VerifiedPublicKey, run_stream},
};

use crate::test_home::TestHome;

#[test]
fn changed_host_key_is_reported_with_known_hosts_line() {
    let (home, server, other) = (TestHome::new(), Server::start(true), key());
    home.write("known_hosts", &known(server.port, &other));
    let known = home.path("known_hosts").display().to_string();
    home.doctor(&format!("ssh://ops@127.0.0.1:{}", server.port)).fails_at(
        "verifying the server",
        &[
            "SSH-2.0-",
            &server.key.public_key().fingerprint(HashAlg::Sha256).to_string(),
            &format!("a different key is listed in {known}:1"),
            "has changed",
            "ssh-keygen -R",
        ],
    );
}

#[test]
fn unknown_host_key_fails_verification_of_the_server() {
    let (home, server) = (TestHome::new(), Server::start(true));
    home.doctor(&format!("ssh://ops@127.0.0.1:{}", server.port))
        .fails_at("verifying the server", &["not known", "hint: compare this fingerprint", "ssh-keyscan"]);
}

#[test]
fn rejected_user_key_is_reported_with_file_and_fingerprint() {
    let (home, server) = (TestHome::new(), Server::start(false));
    home.write("known_hosts", &known(server.port, &server.key));
    let user_key = key();
    let file = home.write("id_own", &user_key.to_openssh(LineEnding::LF).unwrap());
    let file = file.display();
    home.doctor(&format!("--identity {file} ssh://ops@127.0.0.1:{}", server.port)).fails_at(
        "authenticating to the server",
        &[
            "user: ops",
            &format!("{} in {file}: rejected", user_key.public_key().fingerprint(HashAlg::Sha256)),
            "rejected the login of \"ops\"",
            "authorized_keys",
        ],
    );
}

#[test]
fn rejected_ssh_certificate_is_reported_with_reason() {
    let (home, server, authority) = (TestHome::new(), Server::start(false), key());
    home.write("known_hosts", &known(server.port, &server.key));
    let hour = 3600;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    for (kind, principal, from, until, words) in [
        (CertType::User, "night", now - hour, now + hour, "rejected: the certificate is for night"),
        (
            CertType::User,
            "ops",
            now - 99 * hour,
            now - 49 * hour,
            "rejected: the certificate expired 2 days ago",
        ),
        (
            CertType::User,
            "ops",
            now + 49 * hour,
            now + 99 * hour,
            "rejected: the certificate becomes valid in 2 days",
        ),
        (CertType::Host, "ops", now - hour, now + hour, "rejected: the certificate is a host certificate"),
        (CertType::User, "ops", now - hour, now + hour, ": rejected; key: "),
    ] {
        let user_key = key();
        let mut builder =
            Builder::new_with_random_nonce(&mut rng(), user_key.public_key(), from, until).unwrap();
        builder.cert_type(kind).unwrap().valid_principal(principal).unwrap();
        builder.serial(7).unwrap().key_id("laptop").unwrap();
        let certificate = builder.sign(&authority).unwrap();
        let file = home.write("id_own", &user_key.to_openssh(LineEnding::LF).unwrap());
        home.write("id_own-cert.pub", &certificate.to_openssh().unwrap());
        let output =
            home.doctor(&format!("--identity {} ssh://ops@127.0.0.1:{}", file.display(), server.port));
        output.fails_at("authenticating to the server", &["with the certificate \"laptop\""]);
        let flat = output.text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" key: ", "; key: ");
        assert!(flat.contains(words), "{words}: {}", output.text);
    }
}

#[test]
fn rejected_user_key_in_ssh_agent_is_reported_with_its_source() {
    let (home, server) = (TestHome::new(), Server::start(false));
    home.write("known_hosts", &known(server.port, &server.key));
    let file = home.write("id_held", &key().to_openssh(LineEnding::LF).unwrap());
    let socket = home.path("agent");
    let Ok(mut agent) =
        Command::new("ssh-agent").arg("-D").arg("-a").arg(&socket).stdout(Stdio::null()).spawn()
    else {
        println!("skipped: ssh-agent is not installed");
        return;
    };
    while !socket.exists() {
        thread::sleep(Duration::from_millis(10));
    }
    let added = Command::new("ssh-add").arg("-q").arg(&file).env("SSH_AUTH_SOCK", &socket).status();
    std::fs::remove_file(&file).unwrap();
    let output = home.doctor_with_agent(&socket, &format!("ssh://ops@127.0.0.1:{}", server.port));
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert!(added.unwrap().success());
    output.fails_at("authenticating to the server", &["in ssh-agent (", ": rejected", "keys offered: 1"]);
}

#[test]
fn missing_snmp_subsystem_is_reported() {
    let (home, server) = (TestHome::new(), Server::start(true));
    home.write("known_hosts", &known(server.port, &server.key));
    let file = home.write("id_own", &key().to_openssh(LineEnding::LF).unwrap());
    home.doctor(&format!("--identity {} ssh://ops@127.0.0.1:{}", file.display(), server.port)).fails_at(
        "requesting the subsystem",
        &[": accepted", "known from ", "the server has no subsystem \"snmp\"", "Subsystem snmp"],
    );
}

/// An SSH server without subsystems.
struct Server {
    port: u16,
    key: PrivateKey,
}

impl Server {
    fn start(accepts_logins: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let key = key();
        let config = Config { keys: vec![key.clone()], ..Config::default() };
        thread::spawn(move || {
            let runtime = russh_runtime();
            runtime.block_on(async move {
                listener.set_nonblocking(true).unwrap();
                let (listener, config) =
                    (tokio::net::TcpListener::from_std(listener).unwrap(), Arc::new(config));
                while let Ok((stream, _)) = listener.accept().await {
                    let session = run_stream(Arc::clone(&config), stream, SshHandler { accepts_logins });
                    tokio::spawn(async move {
                        if let Ok(session) = session.await {
                            let _ = session.await;
                        }
                    });
                }
            });
        });
        Self { port, key }
    }
}

struct SshHandler {
    accepts_logins: bool,
}

impl Handler for SshHandler {
    type Error = russh::Error;

    async fn auth_publickey(&mut self, _: &str, _: VerifiedPublicKey<'_>) -> Result<Auth, russh::Error> {
        Ok(if self.accepts_logins { Auth::Accept } else { Auth::reject() })
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

fn russh_runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap()
}

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

fn known(port: u16, key: &PrivateKey) -> String {
    format!("[127.0.0.1]:{port} {}\n", key.public_key().to_openssh().unwrap())
}
