//! The directory and the port of one receiver, and the running program.

use std::{
    fs::{self, Permissions},
    io::{BufRead, BufReader},
    net::UdpSocket,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::EngineBoots;
use portreeve_snmp_manager::{
    AuthProtocol, Client, ClientError, ClockReading, Credentials, EngineId, OidRef, Operation, PeerAddress,
    PrivProtocol, Request, Response, RetryPolicy, Secret, SessionOptions, TrapSender, TrapV1, UsmUser, Value,
    VarBinds,
};

/// The directory of one receiver, and its port.
pub(crate) struct Site {
    pub(crate) path: PathBuf,
    pub(crate) port: u16,
}

impl Site {
    /// Creates a directory with a configuration: [`Site::text`] and `more`.
    pub(crate) fn new(name: &str, more: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-trapd-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let site = Self { path, port: free_port() };
        fs::write(site.log(), "").unwrap();
        site.write(&format!("{}{more}", site.text()));
        site
    }

    /// A configuration that accepts the user `traps` and the community `public`.
    pub(crate) fn text(&self) -> String {
        format!(
            "[receive]\nstate-dir = \"state\"\nlog = \"traps.log\"\nformat = \"%w %q %v\\\\n\"\n\
             [weak]\nallow = [\"communities\"]\n\
             [[listen]]\naddress = \"127.0.0.1:{}\"\n\
             [[user]]\nname = \"traps\"\nauth-pass = \"over the hills\"\npriv-pass = \"and far away\"\n\
             [[community]]\nname = \"public\"\nsecurity-name = \"public\"\nversions = [\"v1\", \"v2c\"]\n\
             [[community]]\nname = \"not-accepted\"\nsecurity-name = \"other\"\n\
             [[sender]]\nuser = \"traps\"\nsources = [\"127.0.0.0/8\"]\n\
             [[accept]]\nname = \"traps\"\n[[accept]]\nname = \"public\"\n",
            self.port
        )
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.path.join("portreeve-trapd.toml")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("traps.log")
    }

    pub(crate) fn write(&self, text: &str) {
        self.write_file("portreeve-trapd.toml", text);
    }

    /// Replaces a part of the configuration.
    pub(crate) fn replace(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.config()).unwrap();
        assert!(text.contains(from), "{from} is missing in {text}");
        self.write(&text.replace(from, to));
    }

    /// Writes a file that only its owner can read.
    pub(crate) fn write_file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        path
    }

    pub(crate) fn run(&self) -> Receiver {
        Receiver::start(&["--config", self.config().to_str().unwrap()])
    }

    /// Runs the program with `text` as its `snmptrapd.conf`, and with `options`.
    pub(crate) fn run_classic(&self, text: &str, options: &[&str]) -> Receiver {
        let conf = self.write_file("snmptrapd.conf", text);
        let state = self.path.join("state");
        let log = format!("-Lf{}", self.log().display());
        let address = format!("udp:127.0.0.1:{}", self.port);
        let mut arguments = vec!["-f", "-n", "-c", conf.to_str().unwrap(), &log, "--state-dir"];
        arguments.push(state.to_str().unwrap());
        arguments.extend(options);
        arguments.push(&address);
        Receiver::start(&arguments)
    }

    pub(crate) fn address(&self) -> PeerAddress {
        format!("udp:127.0.0.1:{}", self.port).parse().unwrap()
    }

    /// Sends a trap of an engine with this number of boots.
    pub(crate) fn trap(&self, credentials: Credentials, boots: u32) {
        self.trap_at(credentials, sender(4), boots, 100);
    }

    /// Sends a trap of an engine with this clock.
    pub(crate) fn trap_at(&self, credentials: Credentials, engine_id: EngineId, boots: u32, time: u32) {
        let mut sender = TrapSender::open(&self.address(), credentials, engine_id, &options()).unwrap();
        let clock = ClockReading { boots: EngineBoots::new(boots).unwrap(), time };
        sender.send(clock, cold_start().variables()).unwrap();
    }

    pub(crate) fn inform(&self, credentials: Credentials) -> Result<Response, ClientError> {
        self.request(credentials, &cold_start())
    }

    pub(crate) fn request(
        &self,
        credentials: Credentials,
        request: &Request,
    ) -> Result<Response, ClientError> {
        Client::open(&self.address(), credentials, &options()).unwrap().request(request)
    }

    pub(crate) fn text_of(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap_or_default()
    }

    pub(crate) fn lines(&self) -> usize {
        fs::read_to_string(self.log()).unwrap().lines().count()
    }

    pub(crate) fn await_lines(&self, count: usize) {
        await_true(&format!("{count} lines"), || self.lines() >= count);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A running program; killed when dropped.
pub(crate) struct Receiver {
    child: Child,
    /// Standard error so far.
    log: Arc<Mutex<String>>,
}

impl Receiver {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_command(Command::new(&*PROGRAM).args(arguments))
    }

    /// Starts a command that becomes the program, and waits until it is ready.
    pub(crate) fn start_command(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&log);
        // A full pipe would block the program.
        thread::spawn(move || {
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|length| length > 0) {
                written.lock().unwrap().push_str(&line);
                line.clear();
            }
        });
        let mut receiver = Self { child, log };
        await_true("ready", || {
            let has_ended = receiver.child.try_wait().unwrap().is_some();
            assert!(!has_ended || receiver.log().ends_with("ready\n"), "{}", receiver.log());
            receiver.log().contains("ready\n")
        });
        receiver
    }

    /// Returns what the program has written to standard error.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits for a line with all of these words, and returns it.
    pub(crate) fn await_log(&self, words: &[&str]) -> String {
        let find = || {
            let log = self.log();
            let found = log.lines().find(|line| words.iter().all(|word| line.contains(word)));
            found.map(str::to_owned)
        };
        await_true(&format!("{words:?} in the log"), || find().is_some());
        find().unwrap()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Ends the program, and returns what it has written to standard error.
    pub(crate) fn end(self) -> String {
        self.signal("TERM");
        self.await_end()
    }

    /// Waits until the program has ended, and returns what it has written to standard error.
    pub(crate) fn await_end(self) -> String {
        let (succeeds, log) = self.await_exit();
        assert!(succeeds, "{log}");
        log
    }

    /// Waits until the program has ended. Returns whether it succeeds, and its standard error.
    pub(crate) fn await_exit(mut self) -> (bool, String) {
        let succeeds = self.child.wait().unwrap().success();
        // The last lines are read a moment later.
        let log = Arc::clone(&self.log);
        drop(self);
        await_true("the end of the log", || Arc::strong_count(&log) == 1);
        let log = log.lock().unwrap().clone();
        (succeeds, log)
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the number of refused notifications in a log.
pub(crate) fn refused(log: &str) -> usize {
    let lines =
        log.lines().filter_map(|line| line.split_once("notifications refused source=127.0.0.1 count="));
    lines.map(|(_, count)| count.parse::<usize>().unwrap()).sum()
}

/// Waits until a condition is true.
#[track_caller]
pub(crate) fn await_true(expected: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(30), "timed out waiting for {expected}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns a port below the ephemeral ports. Test programs run at the same time: each process has
/// 300 ports of its own, as in the tests of portreeved.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = 2_000 + u16::try_from(std::process::id() % 100).unwrap() * 300;
    loop {
        let port = start + NEXT.fetch_add(1, Ordering::Relaxed);
        let tcp = std::net::TcpListener::bind(("127.0.0.1", port));
        if UdpSocket::bind(("127.0.0.1", port)).is_ok() && tcp.is_ok() {
            return port;
        }
    }
}

pub(crate) fn community(is_v2c: bool) -> Credentials {
    let community = Secret::from("public");
    if is_v2c { Credentials::V2c(community) } else { Credentials::V1(community) }
}

pub(crate) fn user() -> Credentials {
    user_with("over the hills")
}

/// Returns the credentials of the user `traps` with this pass phrase for authentication.
pub(crate) fn user_with(auth: &str) -> Credentials {
    let auth = (AuthProtocol::HmacSha256_192, &Secret::from(auth));
    let privacy = (PrivProtocol::Aes128, &Secret::from("and far away"));
    Credentials::V3(UsmUser::with_privacy(b"traps", auth, privacy).unwrap())
}

pub(crate) fn options() -> SessionOptions {
    // Sent again while a busy disk syncs, an inform would be counted twice.
    let retry = RetryPolicy::fixed(Duration::from_secs(3), 0);
    SessionOptions { retry, ..SessionOptions::default() }
}

pub(crate) fn cold_start() -> Request {
    notification(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1])
}

/// Returns the variables of a notification.
pub(crate) fn notification(trap_oid: &[u32]) -> Request {
    let mut request = Request::new(Operation::Inform);
    request.push(UP_TIME, Value::TimeTicks(4200));
    request.push(TRAP_OID, Value::ObjectId(OidRef::Arcs(trap_oid)));
    request
}

pub(crate) fn trap_v1(enterprise: &[u32]) -> TrapV1<'_> {
    TrapV1 {
        enterprise: OidRef::Arcs(enterprise),
        agent_address: [192, 0, 2, 1],
        generic: 6,
        specific: 17,
        time_stamp: 4200,
        var_binds: VarBinds::default(),
    }
}

/// Returns the engine ID of a sender of traps.
pub(crate) fn sender(number: u8) -> EngineId {
    EngineId::new(&[0x80, 0, 0, 0, 5, 1, 2, 3, number]).unwrap()
}

/// Runs the program until it ends. Returns its status, and its standard output and error.
pub(crate) fn run_once(arguments: &[&str], config: &Path) -> (bool, String, String) {
    let output = Command::new(&*PROGRAM).args(arguments).arg(config).output().unwrap();
    let text = |octets| String::from_utf8(octets).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// The program by its own name, as in an installation.
pub(crate) static PROGRAM: LazyLock<String> = LazyLock::new(|| {
    let link = format!("{}/portreeve-trapd", env!("CARGO_TARGET_TMPDIR"));
    // Another process of the same tests may have created it.
    let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_portreeve-tools"), &link);
    link
});
pub(crate) const LOCAL: EngineId = EngineId::LOCAL;
pub(crate) const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
pub(crate) const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
pub(crate) const SYS_NAME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 5, 0];
/// An identifier for documentation, which no module defines.
pub(crate) const PRIVATE: &[u32] = &[1, 3, 6, 1, 4, 1, 32473];
pub(crate) const LINK_DOWN: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 3];
