//! Tests with OpenSSH's client, our server, and PAM.

use std::{
    fs::{self, Permissions},
    future::poll_fn,
    io::ErrorKind,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::PasswordVerifier;
use portreeve_channel_ssh::server::{
    Authentication, ConnectionOptions, Direction, HostKeys, LoginRefusalReason, PasswordLimits,
    ServerChannel, ServerSettings, SshConnection, SshEvent, SshServer,
};
use portreeve_pam::PamService;
use tokio::{net::TcpListener, runtime::Builder, task::LocalSet};

use crate::private::in_private_stack;

#[test]
fn openssh_logs_in_by_password_and_keyboard_interactive() {
    in_private_stack("openssh::openssh_logs_in_by_password_and_keyboard_interactive", |folder| {
        let Some(fixture) = TestServer::new(folder, "quick", PasswordLimits::default()) else { return };
        for method in ["password", "keyboard-interactive"] {
            let output = fixture.ssh("ops", method, "open").wait_with_output().unwrap();
            assert!(output.status.success(), "{method}: {}", errors(&output));
            let output = fixture.ssh("ops", method, "guess").wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(255), "{method}");
        }
        let statistics = fixture.server.statistics();
        assert_eq!(statistics.read().logins_by_password, 2);
        assert_eq!(statistics.refused(LoginRefusalReason::Password), 2);
    });
}

#[test]
fn login_with_two_prompts_succeeds_but_the_password_alone_fails() {
    in_private_stack("openssh::login_with_two_prompts_succeeds_but_the_password_alone_fails", |folder| {
        let Some(fixture) = TestServer::new(folder, "two", PasswordLimits::default()) else { return };
        let askpass = "case \"$1\" in *Code*) echo 1234 ;; *) echo open ;; esac";
        let output = fixture.ssh_with("ops", "keyboard-interactive", askpass, 1).wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
        let output = fixture.ssh("ops", "password", "open").wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(255));
        assert_eq!(fixture.server.statistics().refused(LoginRefusalReason::PasswordNotEnough), 1);
    });
}

#[test]
fn expired_accounts_and_passwords_are_refused_with_a_reason() {
    in_private_stack("openssh::expired_accounts_and_passwords_are_refused_with_a_reason", |folder| {
        let Some(fixture) = TestServer::new(folder, "quick", PasswordLimits::default()) else { return };
        for (user, method, words) in [
            ("gone", "password", "account has expired"),
            ("gone", "keyboard-interactive", "account has expired"),
            ("stale", "password", "password has expired"),
            ("stale", "keyboard-interactive", "change your password"),
        ] {
            // The client prompts for the password again, and then prints the reason.
            let output = fixture.ssh_with(user, method, "echo open", 3).wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(255), "{user} {method}");
            assert!(errors(&output).contains(words), "{user} {method}: {}", errors(&output));
        }
        let statistics = fixture.server.statistics();
        assert!(statistics.refused(LoginRefusalReason::AccountExpired) >= 2);
        assert!(statistics.refused(LoginRefusalReason::PasswordExpired) >= 2);
        assert_eq!(statistics.read().logins_by_password, 0);
    });
}

#[test]
fn slow_password_check_does_not_delay_other_logins() {
    in_private_stack("openssh::slow_password_check_does_not_delay_other_logins", |folder| {
        let Some(fixture) = TestServer::new(folder, "slow", PasswordLimits::default()) else { return };
        let start = Instant::now();
        let slow: Vec<_> = (0..4).map(|_| fixture.ssh("ops", "password", "open")).collect();
        thread::sleep(Duration::from_millis(500));
        // The thread that serves the other logins also serves this login. It refuses this login
        // without a password check.
        let output = fixture.ssh("ops", "none", "").wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(255));
        assert!(start.elapsed() < Duration::from_millis(2500), "{:?}", start.elapsed());
        for child in slow {
            assert!(child.wait_with_output().unwrap().status.success());
        }
        assert!(start.elapsed() < Duration::from_secs(9), "one after the other: {:?}", start.elapsed());
    });
}

#[test]
fn passwords_are_refused_at_once_when_the_check_limit_is_reached() {
    in_private_stack("openssh::passwords_are_refused_at_once_when_the_check_limit_is_reached", |folder| {
        let limits = PasswordLimits { attempts: 2, attempts_per_source: 2, concurrent_checks: 1 };
        let Some(fixture) = TestServer::new(folder, "slow", limits) else { return };
        let slow: Vec<_> = (0..2).map(|_| fixture.ssh("ops", "password", "open")).collect();
        thread::sleep(Duration::from_millis(700));
        let start = Instant::now();
        let output = fixture.ssh("ops", "password", "open").wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(255));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(fixture.server.statistics().refused(LoginRefusalReason::PasswordBusy), 1);
        for child in slow {
            assert!(child.wait_with_output().unwrap().status.success());
        }
    });
}

/// A server that accepts what PAM accepts.
struct TestServer<'a> {
    folder: &'a Path,
    server: Arc<SshServer>,
    address: SocketAddr,
}

impl<'a> TestServer<'a> {
    fn new(folder: &'a Path, service: &str, passwords: PasswordLimits) -> Option<Self> {
        if Command::new("ssh").arg("-V").output().is_err() {
            eprintln!("skipped: OpenSSH is not installed");
            return None;
        }
        let host = folder.join("host");
        let made =
            Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&host).status();
        assert!(made.unwrap().success());
        let verifier: Arc<dyn PasswordVerifier> = Arc::new(PamService::new(service).unwrap());
        let authentication = Authentication {
            password: Some(Arc::clone(&verifier)),
            keyboard_interactive: Some(verifier),
            ..Authentication::default()
        };
        let settings = ServerSettings {
            passwords,
            ..ServerSettings::new(HostKeys::load(&[host]).unwrap(), authentication)
        };
        let server = Arc::new(SshServer::new(settings));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = Arc::clone(&server);
        thread::spawn(move || serve(&serving, listener));
        Some(Self { folder, server, address })
    }

    /// Logs in with one password.
    fn ssh(&self, user: &str, method: &str, word: &str) -> Child {
        self.ssh_with(user, method, &format!("echo {word}"), 1)
    }

    /// Logs in with a script that responds to the prompts.
    fn ssh_with(&self, user: &str, method: &str, script: &str, times: usize) -> Child {
        let askpass = tempfile::Builder::new().prefix("askpass").tempfile_in(self.folder).unwrap();
        let (_, askpass) = askpass.keep().unwrap();
        fs::write(&askpass, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&askpass, Permissions::from_mode(0o700)).unwrap();
        Command::new("ssh")
            .args(["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"])
            .args(["-o", "IdentityAgent=none", "-o", "PubkeyAuthentication=no"])
            .args(["-o", &format!("NumberOfPasswordPrompts={times}")])
            .args([
                "-o",
                &format!("PreferredAuthentications={method}"),
                "-p",
                &self.address.port().to_string(),
            ])
            .args(["-s", &format!("{user}@127.0.0.1"), "snmp"])
            .env("SSH_ASKPASS", askpass)
            .env("SSH_ASKPASS_REQUIRE", "force")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn serve(server: &Arc<SshServer>, listener: std::net::TcpListener) {
    listener.set_nonblocking(true).unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let listener = TcpListener::from_std(listener).unwrap();
        loop {
            let (stream, peer) = listener.accept().await.unwrap();
            let options =
                ConnectionOptions { subsystems: ["snmp".into()].into(), ..ConnectionOptions::new(peer) };
            tokio::task::spawn_local(run_silent_subsystem(server.accept(stream, options)));
        }
    });
}

/// Opens the subsystem, and closes it when the peer does.
async fn run_silent_subsystem(mut connection: SshConnection) {
    loop {
        match poll_fn(|context| connection.poll_event(context)).await {
            SshEvent::LoggedIn(_) => {}
            SshEvent::Channel(channel) => drop(tokio::task::spawn_local(read_to_end(channel))),
            SshEvent::Closed(_) => return,
        }
    }
}

async fn read_to_end(channel: ServerChannel) {
    loop {
        channel.ready(Direction::Read).await;
        match channel.try_read(&mut [0; 4096]) {
            Ok(0) => return channel.finish(0).await,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
