//! OpenSSH's client against our server: `ssh -s … snmp`, with keys and certificates that are good, and with such as are not.
//! Where OpenSSH is not installed the tests say so and are over.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it skips"
)]

use std::{
    fs,
    io::Write,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    process::{Command, Output, Stdio},
    rc::Rc,
    sync::Arc,
    thread,
};

use portreeve_channel::{Applicant, Denial, JudgeQuestion, PasswordJudge, PeerIdentity, SshAlgorithms};
use portreeve_channel_ssh::{
    Traffic,
    keys::RevokedKeys,
    server::{
        Authentication, Authorities, ChannelNumber, Host, HostKeys, KeyFiles, Onward, Output as Answers,
        Refusal, Remote, Settings, SshServer,
    },
};
use tempfile::TempDir;
use tokio::{net::TcpListener, runtime::Builder, task::LocalSet};

#[test]
fn a_key_that_is_listed_opens_the_subsystem() {
    let Some(world) = World::new() else { return };
    world.list("user", "from=\"127.0.0.1\",no-pty ");
    let output = world.ssh("ops", "user", &["-s"], "snmp");
    assert_eq!(output.stdout, b"echo", "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    assert_eq!(world.server.statistics().read().logins_by_public_key, 1);
}

#[test]
fn a_key_that_is_not_listed_or_whose_options_are_not_ours_is_refused() {
    let Some(world) = World::new() else { return };
    world.list("user", "command=\"/bin/cat\" ");
    for key in ["user", "other"] {
        let output = world.ssh("ops", key, &["-s"], "snmp");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(255)));
    }
    assert_eq!(world.server.statistics().refused(Refusal::KeyNotListed), 2);
}

#[test]
fn commands_shells_and_other_subsystems_are_refused() {
    let Some(world) = World::new() else { return };
    world.list("user", "");
    for (flags, what) in [(&[][..], "id"), (&["-s"][..], "sftp"), (&["-tt"][..], "id")] {
        let output = world.ssh("ops", "user", flags, what);
        assert!(output.stdout.is_empty() && !output.status.success(), "{what}: {output:?}");
    }
    assert!(world.server.statistics().read().requests_refused >= 3);
}

#[test]
fn a_certificate_opens_the_subsystem() {
    let Some(world) = World::new() else { return };
    world.certify(
        "user",
        &["-n", "ops,spare", "-V", "-1m:+1h", "-z", "7", "-O", "source-address=127.0.0.0/8"],
    );
    let output = world.ssh("ops", "user", &["-s"], "snmp");
    assert_eq!(output.stdout, b"echo", "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(world.server.statistics().read().logins_by_certificate, 1);
}

#[test]
fn bad_certificates_are_refused_and_counted() {
    let Some(world) = World::new() else { return };
    for (options, refusal) in [
        (&["-n", "other"][..], Some(Refusal::CertificatePrincipal)),
        // ssh does not even show it.
        (&["-h", "-n", "ops"][..], None),
        (&["-n", "ops", "-O", "source-address=192.0.2.0/24"][..], Some(Refusal::CertificateSource)),
        (&["-n", "ops", "-O", "force-command=/bin/true"][..], Some(Refusal::CertificateCommand)),
        (&["-n", "ops", "-z", "4711"][..], Some(Refusal::CertificateRevoked)),
        (&["-n", "ops", "-O", "critical:new-rule=1"][..], Some(Refusal::CertificateOption)),
        (&["-n", "ops", "-V", "20200101:20210101"][..], Some(Refusal::CertificateExpired)),
    ] {
        world.certify("user", options);
        let output = world.ssh("ops", "user", &["-s"], "snmp");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(255)), "{options:?}");
        if let Some(refusal) = refusal {
            assert_eq!(world.server.statistics().refused(refusal), 1, "{refusal}");
        }
    }
    assert_eq!(world.server.statistics().read().logins_by_certificate, 0);
}

#[test]
fn a_password_is_judged() {
    let Some(world) = World::new() else { return };
    let askpass = world.path("askpass");
    for (method, word, good) in
        [("password", "open", true), ("keyboard-interactive", "open", true), ("password", "guess", false)]
    {
        fs::write(&askpass, format!("#!/bin/sh\necho {word}\n")).unwrap();
        run(Command::new("chmod").arg("700").arg(&askpass));
        let method = format!("PreferredAuthentications={method}");
        let output =
            world.ssh("ops", "other", &["-s", "-o", &method, "-o", "NumberOfPasswordPrompts=1"], "snmp");
        assert_eq!(output.stdout == b"echo", good, "{method} {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(world.server.statistics().refused(Refusal::Password), 1);
}

/// A server, and a folder of keys.
struct World {
    folder: TempDir,
    server: Arc<SshServer>,
    address: SocketAddr,
}

impl World {
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
        let judge: Arc<dyn PasswordJudge> = Arc::new(OneWord);
        let authentication = Authentication {
            key_files: KeyFiles::new([format!("{}/keys/%u", folder.path().display())]).unwrap(),
            authorities: Authorities::load(&folder.path().join("authority.pub")).unwrap(),
            revoked: RevokedKeys::parse("serial: 4711").unwrap(),
            principals: None,
            password: Some(Arc::clone(&judge)),
            keyboard_interactive: Some(judge),
        };
        let server = Arc::new(SshServer::new(Settings::new(host_keys, authentication)));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = Arc::clone(&server);
        thread::spawn(move || serve(&serving, listener));
        Some(Self { folder, server, address })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Lists a key for ops.
    fn list(&self, key: &str, options: &str) {
        let public = fs::read_to_string(self.path(&format!("{key}.pub"))).unwrap();
        fs::write(self.path("keys/ops"), format!("{options}{public}")).unwrap();
    }

    /// Has the authority sign a key.
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

    fn ssh(&self, user: &str, key: &str, flags: &[&str], what: &str) -> Output {
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
        // Whoever is refused may have closed this already.
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
            let server = Arc::clone(server);
            tokio::task::spawn_local(async move {
                server.serve(stream, peer, Traffic::default(), SshAlgorithms::default(), Rc::new(Echo)).await
            });
        }
    });
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// Takes one password.
#[derive(Debug)]
struct OneWord;

impl PasswordJudge for OneWord {
    fn judge(&self, user: &str, peer: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        let question = JudgeQuestion { prompt: "Password: ".into(), echo: false };
        let answers = applicant.ask(vec![question]).unwrap_or_default();
        let [password] = answers.as_slice() else { return Err(Denial::NotProven) };
        if user == "ops" && password.expose() == b"open" && peer.is_loopback() {
            Ok(())
        } else {
            Err(Denial::NotProven)
        }
    }
}

/// Sends back what comes.
struct Echo;

impl Host for Echo {
    fn connected(&self, _: Remote) {}

    fn authenticated(&self, peer: &PeerIdentity) -> bool {
        matches!(peer, PeerIdentity::Ssh(identity) if identity.user == "ops")
    }

    fn open(&self, _: ChannelNumber, subsystem: &str) -> bool {
        subsystem == "snmp"
    }

    fn receive(&self, output: &mut Answers<'_>, octets: &[u8]) -> Onward {
        output.try_write(octets).map_or(Onward::Disconnect, |_| Onward::Open)
    }

    fn writable(&self, _: &mut Answers<'_>) -> Onward {
        Onward::Open
    }

    fn ended(&self, _: &mut Answers<'_>) -> Onward {
        Onward::CloseChannel
    }

    fn closed(&self, _: ChannelNumber) {}

    fn is_congested(&self, _: ChannelNumber) -> bool {
        false
    }
}
