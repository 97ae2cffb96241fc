//! A temporary home directory with keys, and OpenSSH servers that use it.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::ChannelError;
use portreeve_channel_ssh::client::{
    ClientSettings, LocalUser, NoPrompter, Prompter, SshChannel, SshTarget, connect,
};
use tempfile::TempDir;

/// The user's home directory: `.ssh` with keys, configuration and known hosts.
pub(crate) struct TestHome {
    folder: TempDir,
}

impl TestHome {
    /// Creates the home directory with the key `id_ed25519`. Returns `None` and prints a notice if
    /// OpenSSH is missing.
    pub(crate) fn new() -> Option<Self> {
        for program in [SSHD, "/usr/bin/ssh-keygen", "/usr/bin/ssh-agent", "/usr/bin/ssh-add"] {
            if !Path::new(program).exists() {
                println!("skipped: {program} is missing");
                return None;
            }
        }
        let home = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(home.path(".ssh")).unwrap();
        home.keygen(".ssh/id_ed25519", &["-t", "ed25519", "-N", ""]);
        Some(home)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Creates a key.
    pub(crate) fn keygen(&self, name: &str, arguments: &[&str]) {
        run(Command::new("ssh-keygen").args(["-q", "-f"]).arg(self.path(name)).args(arguments));
    }

    /// Creates a certificate next to a public key.
    pub(crate) fn sign(&self, authority: &str, key: &str, arguments: &[&str]) {
        let mut command = Command::new("ssh-keygen");
        command.arg("-q").arg("-s").arg(self.path(authority)).args(["-I", "id"]).args(arguments);
        run(command.arg(self.path(&format!("{key}.pub"))));
    }

    /// Returns `type key` of a public key.
    pub(crate) fn public(&self, key: &str) -> String {
        let text = self.text(&format!("{key}.pub"));
        text.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
    }

    /// Starts a server that accepts `id_ed25519`, with cat as the subsystem `snmp`.
    pub(crate) fn start_sshd(&self, name: &str, more: &str) -> Sshd {
        let key = format!("host_{name}");
        if !self.path(&key).exists() {
            self.keygen(&key, &["-t", "ed25519", "-N", ""]);
        }
        self.write("authorized_keys", &self.text(".ssh/id_ed25519.pub"));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "{more}\nListenAddress 127.0.0.1\nPort {port}\nHostKey {}\nPidFile none\nUsePAM no\nStrictModes no\n\
             AuthorizedKeysFile {}\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             PermitRootLogin yes\nSubsystem snmp /bin/cat\nLogLevel QUIET\n",
            self.path(&key).display(),
            self.path("authorized_keys").display()
        );
        let file = format!("sshd_{name}");
        self.write(&file, &config);
        // sshd needs this directory, which its service usually creates.
        let _ = fs::create_dir("/run/sshd");
        let child = Command::new(SSHD)
            .args(["-D", "-e", "-f"])
            .arg(self.path(&file))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(20), "sshd does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        Sshd { child, port, key: self.public(&key) }
    }

    /// Adds the server's host key to known_hosts.
    pub(crate) fn add_known_host(&self, server: &Sshd) {
        let line = format!("[127.0.0.1]:{} {}\n", server.port, server.key);
        self.write(".ssh/known_hosts", &(self.text(".ssh/known_hosts") + &line));
    }

    /// Starts an ssh-agent that holds these keys.
    pub(crate) fn start_agent(&self, keys: &[&str]) -> Agent {
        let socket = self.path("agent");
        let child =
            Command::new("ssh-agent").arg("-D").arg("-a").arg(&socket).stdout(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while !socket.exists() {
            assert!(started.elapsed() < Duration::from_secs(20), "ssh-agent does not listen");
            thread::sleep(Duration::from_millis(10));
        }
        for key in keys {
            run(Command::new("ssh-add").arg("-q").arg(self.path(key)).env("SSH_AUTH_SOCK", &socket));
        }
        Agent { child, socket }
    }

    pub(crate) fn settings(&self, config: &str) -> ClientSettings {
        self.write(".ssh/config", config);
        let local = LocalUser { home: self.folder.path().to_owned(), ..LocalUser::current() };
        ClientSettings {
            local,
            config_files: vec![self.path(".ssh/config")],
            agent: None,
            timeout: Duration::from_secs(20),
            ..ClientSettings::current()
        }
    }
}

/// A running sshd.
pub(crate) struct Sshd {
    child: Child,
    pub(crate) port: u16,
    pub(crate) key: String,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running ssh-agent.
pub(crate) struct Agent {
    child: Child,
    pub(crate) socket: PathBuf,
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Connects to 127.0.0.1.
pub(crate) fn try_connect(
    port: u16,
    settings: &ClientSettings,
    prompter: &dyn Prompter,
) -> Result<(SshChannel, tokio::runtime::Runtime), ChannelError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let target = SshTarget::look_up("127.0.0.1", None, Some(port), settings)?;
    let channel = runtime.block_on(connect(&target, settings, prompter))?;
    Ok((channel, runtime))
}

/// Connects, sends data and expects it back.
pub(crate) fn exchange(
    port: u16,
    settings: &ClientSettings,
    prompter: &dyn Prompter,
) -> Result<(), ChannelError> {
    let (mut channel, runtime) = try_connect(port, settings, prompter)?;
    runtime.block_on(async {
        let mut received = Vec::new();
        channel.write(&b"abcdefgh"[..]).await?;
        while received.len() < 8 {
            received.extend(channel.read().await?.expect("the channel stays open"));
        }
        assert_eq!(received, b"abcdefgh");
        channel.close().await;
        Ok(())
    })
}

/// Returns the error of a connection without a prompter.
pub(crate) fn connect_error(port: u16, settings: &ClientSettings) -> ChannelError {
    match try_connect(port, settings, &NoPrompter) {
        Ok(_) => panic!("connected"),
        Err(error) => error,
    }
}

fn run(command: &mut Command) {
    let done = command.stdout(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}

const SSHD: &str = "/usr/sbin/sshd";
