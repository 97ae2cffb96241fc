//! OpenSSH's client against our server: `ssh -s … snmp` with valid and invalid keys and
//! certificates. Skipped with a notice if OpenSSH is not installed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests fail by panicking and print what they skip"
)]

use std::{
    fs,
    future::poll_fn,
    io::{ErrorKind, Write},
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    process::{Command, Output, Stdio},
    sync::Arc,
    thread,
};

use portreeve_channel::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_channel_ssh::{
    keys::RevokedKeys,
    server::{
        Authentication, Authorities, ConnectionOptions, Direction, HostKeys, KeyFiles, LoginRefusalReason,
        ServerChannel, ServerSettings, SshConnection, SshEvent, SshServer,
    },
};
use tempfile::TempDir;
use tokio::{
    net::TcpListener,
    runtime::Builder,
    task::{JoinSet, LocalSet},
};

#[test]
fn listed_key_opens_the_snmp_subsystem() {
    let Some(test) = TestServer::new() else { return };
    test.list_key("user", "from=\"127.0.0.1\",no-pty ");
    let output = test.run_ssh("ops", "user", &["-s"], "snmp");
    assert_eq!(output.stdout, b"echo", "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    assert_eq!(test.server.statistics().read().logins_by_public_key, 1);
}

#[test]
fn unlisted_key_and_key_with_unsupported_option_are_refused() {
    let Some(test) = TestServer::new() else { return };
    test.list_key("user", "command=\"/bin/cat\" ");
    for key in ["user", "other"] {
        let output = test.run_ssh("ops", key, &["-s"], "snmp");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(255)));
    }
    assert_eq!(test.server.statistics().refused(LoginRefusalReason::KeyNotListed), 2);
}

#[test]
fn commands_terminals_and_other_subsystems_are_refused() {
    let Some(test) = TestServer::new() else { return };
    test.list_key("user", "");
    for (flags, what) in [(&[][..], "id"), (&["-s"][..], "sftp"), (&["-tt"][..], "id")] {
        let output = test.run_ssh("ops", "user", flags, what);
        assert!(output.stdout.is_empty() && !output.status.success(), "{what}: {output:?}");
    }
    assert!(test.server.statistics().read().requests_rejected >= 3);
}

#[test]
fn valid_certificate_opens_the_snmp_subsystem() {
    let Some(test) = TestServer::new() else { return };
    test.certify(
        "user",
        &["-n", "ops,spare", "-V", "-1m:+1h", "-z", "7", "-O", "source-address=127.0.0.0/8"],
    );
    let output = test.run_ssh("ops", "user", &["-s"], "snmp");
    assert_eq!(output.stdout, b"echo", "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(test.server.statistics().read().logins_by_certificate, 1);
}

#[test]
fn invalid_certificates_are_refused_and_counted() {
    let Some(test) = TestServer::new() else { return };
    for (options, reason) in [
        (&["-n", "other"][..], Some(LoginRefusalReason::CertificatePrincipal)),
        // ssh does not offer a host certificate at all.
        (&["-h", "-n", "ops"][..], None),
        (
            &["-n", "ops", "-O", "source-address=192.0.2.0/24"][..],
            Some(LoginRefusalReason::CertificateSource),
        ),
        (&["-n", "ops", "-O", "force-command=/bin/true"][..], Some(LoginRefusalReason::CertificateCommand)),
        (&["-n", "ops", "-z", "4711"][..], Some(LoginRefusalReason::CertificateRevoked)),
        (&["-n", "ops", "-O", "critical:new-rule=1"][..], Some(LoginRefusalReason::CertificateOption)),
        (&["-n", "ops", "-V", "20200101:20210101"][..], Some(LoginRefusalReason::CertificateExpired)),
    ] {
        test.certify("user", options);
        let output = test.run_ssh("ops", "user", &["-s"], "snmp");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(255)), "{options:?}");
        if let Some(reason) = reason {
            assert_eq!(test.server.statistics().refused(reason), 1, "{reason}");
        }
    }
    assert_eq!(test.server.statistics().read().logins_by_certificate, 0);
}

#[test]
fn correct_password_opens_the_subsystem_and_wrong_password_is_refused() {
    let Some(test) = TestServer::new() else { return };
    let askpass = test.path("askpass");
    for (method, word, good) in
        [("password", "open", true), ("keyboard-interactive", "open", true), ("password", "guess", false)]
    {
        fs::write(&askpass, format!("#!/bin/sh\necho {word}\n")).unwrap();
        run(Command::new("chmod").arg("700").arg(&askpass));
        let method = format!("PreferredAuthentications={method}");
        let output =
            test.run_ssh("ops", "other", &["-s", "-o", &method, "-o", "NumberOfPasswordPrompts=1"], "snmp");
        assert_eq!(output.stdout == b"echo", good, "{method} {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(test.server.statistics().refused(LoginRefusalReason::Password), 1);
}

/// A running server and a directory with keys.
struct TestServer {
    folder: TempDir,
    server: Arc<SshServer>,
    address: SocketAddr,
}

impl TestServer {
    fn new() -> Option<Self> {
        if Command::new("ssh").arg("-V").output().is_err() {
            eprintln!("skipped: OpenSSH is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        for key in ["host", "user", "other", "authority"] {
            let path = folder.path().join(key);
            run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path));
        }
        fs::create_dir(folder.path().join("keys")).unwrap();
        let host_keys = HostKeys::load(&[folder.path().join("host")]).unwrap();
        let verifier: Arc<dyn PasswordVerifier> = Arc::new(SinglePassword);
        let authentication = Authentication {
            key_files: KeyFiles::new([format!("{}/keys/%u", folder.path().display())]).unwrap(),
            authorities: Authorities::load(&folder.path().join("authority.pub")).unwrap(),
            revoked: RevokedKeys::parse("serial: 4711").unwrap(),
            principals: None,
            password: Some(Arc::clone(&verifier)),
            keyboard_interactive: Some(verifier),
            account: None,
        };
        let server = Arc::new(SshServer::new(ServerSettings::new(host_keys, authentication)));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = Arc::clone(&server);
        thread::spawn(move || serve(&serving, listener));
        Some(Self { folder, server, address })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Adds a key to the authorized keys of ops.
    fn list_key(&self, key: &str, options: &str) {
        let public = fs::read_to_string(self.path(&format!("{key}.pub"))).unwrap();
        fs::write(self.path("keys/ops"), format!("{options}{public}")).unwrap();
    }

    /// Creates a certificate for a key.
    fn certify(&self, key: &str, options: &[&str]) {
        let authority = self.path("authority");
        let public = self.path(&format!("{key}.pub"));
        run(Command::new("ssh-keygen")
            .args(["-q", "-s"])
            .arg(authority)
            .args(["-I", "test"])
            .args(options)
            .arg(public));
    }

    fn run_ssh(&self, user: &str, key: &str, flags: &[&str], what: &str) -> Output {
        let mut child = Command::new("ssh")
            .args(["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"])
            .args(["-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-o", "IdentityAgent=none"])
            .args(
                ["-o", "NumberOfPasswordPrompts=0"]
                    .iter()
                    .filter(|_| !flags.contains(&"NumberOfPasswordPrompts=1")),
            )
            .arg("-i")
            .arg(self.path(key))
            .args(["-p", &self.address.port().to_string()])
            .args(flags)
            .arg(format!("{user}@127.0.0.1"))
            .arg(what)
            .env("SSH_ASKPASS", self.path("askpass"))
            .env("SSH_ASKPASS_REQUIRE", "force")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Fails if a refused client has exited already.
        let _ = child.stdin.take().unwrap().write_all(b"echo");
        child.wait_with_output().unwrap()
    }
}

fn serve(server: &Arc<SshServer>, listener: std::net::TcpListener) {
    listener.set_nonblocking(true).unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let listener = TcpListener::from_std(listener).unwrap();
        loop {
            let (stream, peer) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let options =
                ConnectionOptions { subsystems: ["snmp".into()].into(), ..ConnectionOptions::new(peer) };
            tokio::task::spawn_local(echo(server.accept(stream, options)));
        }
    });
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// Accepts one password and rejects all others.
#[derive(Debug)]
struct SinglePassword;

impl PasswordVerifier for SinglePassword {
    fn verify(&self, user: &str, peer: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError> {
        let question = LoginPrompt { text: "Password: ".into(), echo: false };
        let answers = applicant.prompt(vec![question]).unwrap_or_default();
        let [password] = answers.as_slice() else { return Err(LoginError::BadCredentials) };
        if user == "ops" && password.expose() == b"open" && peer.is_loopback() {
            Ok(())
        } else {
            Err(LoginError::BadCredentials)
        }
    }
}

/// Serves a connection whose channels send all received data back.
async fn echo(mut connection: SshConnection) {
    let mut channels = JoinSet::new();
    loop {
        match poll_fn(|context| connection.poll_event(context)).await {
            SshEvent::LoggedIn(_) => {}
            SshEvent::Channel(channel) => drop(channels.spawn_local(echo_channel(channel))),
            SshEvent::Closed(_) => return,
        }
    }
}

async fn echo_channel(channel: ServerChannel) {
    let mut octets = [0; 4096];
    loop {
        channel.ready(Direction::Read).await;
        match channel.try_read(&mut octets) {
            Ok(0) => return channel.finish(0).await,
            Ok(count) => assert_eq!(channel.try_write(&octets[..count]).unwrap(), count),
            Err(error) if error.kind() == ErrorKind::WouldBlock => channel.ready(Direction::Write).await,
            Err(_) => return,
        }
    }
}
