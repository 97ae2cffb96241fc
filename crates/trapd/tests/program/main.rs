//! Runs the real `portreeve-trapd` on loopback.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    fs::{self, Permissions},
    io::{BufRead, BufReader, Read},
    net::UdpSocket,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::EngineBoots;
use portreeve_snmp_manager::{
    AuthProtocol, Client, ClientError, ClockReading, Credentials, EngineId, ErrorStatus, OidRef, Operation,
    PeerAddress, PrivProtocol, Request, Response, RetryPolicy, Secret, SessionOptions, TrapSender, TrapV1,
    UsmUser, Value, VarBinds,
};

#[test]
fn notifications_of_all_versions_are_written() {
    let site = Site::new("versions", "");
    let _receiver = site.run();
    for credentials in [community(true), user()] {
        let expected = site.lines() + 1;
        site.trap(credentials, 1);
        site.await_lines(expected);
    }
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(&[1, 3, 6, 1, 4, 1, 9])).unwrap();
    site.await_lines(3);
    for credentials in [community(true), user()] {
        let response = site.inform(credentials).unwrap();
        assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
    }
    // An inform is acknowledged after it is written.
    assert_eq!(site.lines(), 5);
}

#[test]
fn notification_of_a_principal_that_is_not_accepted_is_refused() {
    let site = Site::new("refused", "");
    let _receiver = site.run();
    assert!(site.inform(Credentials::V2c(Secret::from("wrong"))).is_err());
    let known_but_not_accepted = Credentials::V2c(Secret::from("not-accepted"));
    assert!(site.inform(known_but_not_accepted).is_err());
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1);
}

#[test]
fn inform_that_cannot_be_written_is_answered_with_gen_err() {
    let site = Site::new("full-disk", "");
    fs::remove_file(site.log()).unwrap();
    std::os::unix::fs::symlink("/dev/full", site.log()).unwrap();
    let receiver = site.run();
    let response = site.inform(community(true)).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::GenErr));
    // The disk has room again, and the file is opened again.
    fs::remove_file(site.log()).unwrap();
    receiver.signal("HUP");
    let start = Instant::now();
    while site.inform(community(true)).unwrap().error_status() != Some(ErrorStatus::NoError) {
        assert!(start.elapsed() < Duration::from_secs(10), "the file is not opened again");
    }
    assert_eq!(site.lines(), 1);
}

#[test]
fn acknowledged_informs_survive_sigkill() {
    let site = Site::new("kill", "");
    let receiver = site.run();
    for _ in 0..50 {
        site.inform(community(true)).unwrap();
    }
    receiver.kill();
    assert_eq!(site.lines(), 50);
}

#[test]
fn old_trap_is_refused_after_a_restart_of_the_receiver() {
    let site = Site::new("replay", "");
    let receiver = site.run();
    site.trap(user(), 7);
    site.await_lines(1);
    receiver.end();
    let _receiver = site.run();
    site.trap(user(), 6);
    site.trap(user(), 7);
    site.await_lines(2);
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 3, "the trap with boots 6 is refused");
}

#[test]
fn sender_outside_the_networks_of_its_user_is_refused() {
    let site = Site::new("networks", "");
    let text = fs::read_to_string(site.config()).unwrap().replace("127.0.0.0/8", "192.0.2.0/24");
    site.write(&text);
    let _receiver = site.run();
    site.trap(user(), 1);
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1, "only the inform by community is accepted");
}

#[test]
fn hostile_datagrams_are_dropped_and_the_receiver_goes_on() {
    let site = Site::new("hostile", "");
    let _receiver = site.run();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to = ("127.0.0.1", site.port);
    for octets in [&[][..], &[0x30], &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], &[0xff; 1000]] {
        socket.send_to(octets, to).unwrap();
    }
    // An SNMPv1 trap with an empty enterprise, and an snmpTrapOID that is missing, empty and of 128
    // arcs.
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    let _ = v1.send_v1(&trap_v1(&[]));
    let long: Vec<u32> = [1, 3].into_iter().chain(std::iter::repeat_n(u32::MAX, 126)).collect();
    let mut sender = TrapSender::open(&site.address(), community(true), LOCAL, &options()).unwrap();
    for trap_oid in [None, Some(&[][..]), Some(&[0, 0]), Some(&long)] {
        let mut request = Request::new(Operation::Inform);
        request.push(UP_TIME, Value::TimeTicks(1));
        if let Some(oid) = trap_oid {
            request.push(TRAP_OID, Value::ObjectId(OidRef::Arcs(oid)));
        }
        let _ = sender.send(ClockReading::default(), request.variables());
    }
    let response = site.inform(community(true)).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
    let text = fs::read_to_string(site.log()).unwrap();
    assert!(text.ends_with("coldStart\n"), "{text}");
}

#[test]
fn snmptrapd_conf_is_understood() {
    let site = Site::new("classic", "");
    let conf = site.path.join("snmptrapd.conf");
    let text = "authCommunity log public\ncreateUser traps SHA-256 \"over the hills\" AES \"and far away\"\n\
                authUser log traps\nformat2 %B|%N|%v\\n\nunknownDirective 1\n";
    fs::write(&conf, text).unwrap();
    fs::set_permissions(&conf, Permissions::from_mode(0o600)).unwrap();
    let (output, state) = (site.path.join("out"), site.path.join("state"));
    let log = format!("-Lf{}", output.display());
    let address = format!("udp:127.0.0.1:{}", site.port);
    let receiver = Receiver::start(&[
        "-f",
        "-n",
        "-On",
        "-c",
        conf.to_str().unwrap(),
        &log,
        "--state-dir",
        state.to_str().unwrap(),
        &address,
    ]);
    site.inform(community(true)).unwrap();
    site.inform(user()).unwrap();
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.starts_with("UDP: [127.0.0.1]:") && text.contains("|.|.1.3.6.1.2.1.1.3.0 = "), "{text}");
    assert!(receiver.log.contains("snmptrapd.conf:5: warning: unknownDirective"), "{}", receiver.log);
}

#[test]
fn json_lines_are_written_to_a_file_of_their_own() {
    let site = Site::new("json", "");
    let text = fs::read_to_string(site.config()).unwrap();
    site.write(&text.replace("log = ", "json = \"traps.jsonl\"\nlog = "));
    let _receiver = site.run();
    site.inform(user()).unwrap();
    let line = fs::read_to_string(site.path.join("traps.jsonl")).unwrap();
    for expected in [
        r#""kind":"inform","version":"v3","transport":"udp","#,
        r#""security-model":"usm","security-name":"traps","security-level":"authPriv","#,
        r#""uptime":4200,"trap-oid":".1.3.6.1.6.3.1.1.5.1","trap-name":"SNMPv2-MIB::coldStart","#,
    ] {
        assert!(line.contains(expected), "{expected} is missing in {line}");
    }
    assert_eq!((line.lines().count(), site.lines()), (1, 1));
}

#[test]
fn handler_gets_the_input_of_snmptrapd_and_one_that_hangs_is_killed() {
    let site = Site::new("handlers", "");
    let (seen, gone) = (site.path.join("seen"), site.path.join("gone"));
    let script = |text: String| format!("command = [\"/bin/sh\", \"-c\", \"{text}\"]\n");
    let more = format!(
        "[[handler]]\nnotifications = \"SNMPv2-MIB::coldStart\"\n{}[[handler]]\nnotifications = \"coldStart\"\n\
         timeout = 1\n{}",
        script(format!("cat > {0}.new; mv {0}.new {0}", seen.display())),
        script(format!("sleep 60 & trap '' TERM; wait; touch {}", gone.display())),
    );
    let text = fs::read_to_string(site.config()).unwrap();
    site.write(&(text + &more));
    let receiver = site.run();
    site.inform(community(true)).unwrap();
    let start = Instant::now();
    while !seen.exists() {
        assert!(start.elapsed() < Duration::from_secs(10), "the handler has not run");
        thread::sleep(Duration::from_millis(5));
    }
    let input = fs::read_to_string(&seen).unwrap();
    let lines: Vec<&str> = input.lines().collect();
    assert!(lines[0].starts_with("UDP: [127.0.0.1]:") && lines[0] == lines[1], "{input}");
    assert_eq!(
        lines[2..],
        ["SNMPv2-MIB::sysUpTime.0 0:0:00:42.00", "SNMPv2-MIB::snmpTrapOID.0 SNMPv2-MIB::coldStart"]
    );
    // The program waits for the handlers that run: without the timeout, for a minute.
    receiver.end();
    assert!(!gone.exists());
}

#[test]
fn invalid_configuration_is_rejected_with_its_line() {
    let site = Site::new("invalid", "[[accept]]\nname = \"x\"\nmodel = \"v9\"\n[[sender]]\nuser = \"y\"\n");
    let output = Command::new(PROGRAM).args(["--check", "--config"]).arg(site.config()).output().unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for expected in ["error: unknown security model \"v9\"", "error: undefined user \"y\""] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn sender_config_has_no_secrets() {
    let site = Site::new("sender-config", "");
    let output = Command::new(PROGRAM).args(["--show-sender-config", "--config"]).arg(site.config()).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    for expected in [
        format!("to = \"udp:127.0.0.1:{}\"\n", site.port),
        "trapsess -Ci -v3 -u traps -l authPriv".to_owned(),
        "community = \"COMMUNITY\"".to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected} is missing in:\n{text}");
    }
    for secret in ["over the hills", "and far away", "= \"public\""] {
        assert!(!text.contains(secret), "{text}");
    }
}

/// The directory of one receiver, and its port.
struct Site {
    path: PathBuf,
    port: u16,
}

impl Site {
    fn new(name: &str, more: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-trapd-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let site = Self { path, port: free_port() };
        fs::write(site.log(), "").unwrap();
        site.write(&format!(
            "[receive]\nstate-dir = \"state\"\nlog = \"traps.log\"\nformat = \"%w %q %v\\\\n\"\n\
             [weak]\nallow = [\"communities\"]\n\
             [[listen]]\naddress = \"127.0.0.1:{}\"\n\
             [[user]]\nname = \"traps\"\nauth-pass = \"over the hills\"\npriv-pass = \"and far away\"\n\
             [[community]]\nname = \"public\"\nsecurity-name = \"public\"\nversions = [\"v1\", \"v2c\"]\n\
             [[community]]\nname = \"not-accepted\"\nsecurity-name = \"other\"\n\
             [[sender]]\nuser = \"traps\"\nsources = [\"127.0.0.0/8\"]\n\
             [[accept]]\nname = \"traps\"\n[[accept]]\nname = \"public\"\n{more}",
            site.port
        ));
        site
    }

    fn config(&self) -> PathBuf {
        self.path.join("portreeve-trapd.toml")
    }

    fn log(&self) -> PathBuf {
        self.path.join("traps.log")
    }

    fn write(&self, text: &str) {
        fs::write(self.config(), text).unwrap();
        fs::set_permissions(self.config(), Permissions::from_mode(0o600)).unwrap();
    }

    fn run(&self) -> Receiver {
        Receiver::start(&["--config", self.config().to_str().unwrap()])
    }

    fn address(&self) -> PeerAddress {
        format!("udp:127.0.0.1:{}", self.port).parse().unwrap()
    }

    /// Sends a trap of an engine with this number of boots.
    fn trap(&self, credentials: Credentials, boots: u32) {
        let engine_id = EngineId::new(&[0x80, 0, 0, 0, 5, 1, 2, 3, 4]).unwrap();
        let mut sender = TrapSender::open(&self.address(), credentials, engine_id, &options()).unwrap();
        let clock = ClockReading { boots: EngineBoots::new(boots).unwrap(), time: 100 };
        sender.send(clock, cold_start().variables()).unwrap();
    }

    fn inform(&self, credentials: Credentials) -> Result<Response, ClientError> {
        Client::open(&self.address(), credentials, &options()).unwrap().request(&cold_start())
    }

    fn lines(&self) -> usize {
        fs::read_to_string(self.log()).unwrap().lines().count()
    }

    fn await_lines(&self, count: usize) {
        let start = Instant::now();
        while self.lines() < count {
            assert!(start.elapsed() < Duration::from_secs(10), "timed out waiting for {count} lines");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A running program; killed when dropped.
struct Receiver {
    child: Child,
    /// Standard error until the program was ready.
    log: String,
}

impl Receiver {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(child.stderr.take().unwrap());
        let mut log = String::new();
        while !log.ends_with("ready\n") {
            assert!(reader.read_line(&mut log).unwrap() > 0, "{log}");
        }
        // A full pipe would block the program.
        thread::spawn(move || {
            let mut rest = String::new();
            let _ = reader.read_to_string(&mut rest);
        });
        Self { child, log }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    fn end(mut self) {
        self.signal("TERM");
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
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

/// Returns a port below the ephemeral ports.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = 1_200 + u16::try_from(std::process::id() % 40).unwrap() * 20;
    loop {
        let port = start + NEXT.fetch_add(1, Ordering::Relaxed);
        if UdpSocket::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

fn community(is_v2c: bool) -> Credentials {
    let community = Secret::from("public");
    if is_v2c { Credentials::V2c(community) } else { Credentials::V1(community) }
}

fn user() -> Credentials {
    let auth = (AuthProtocol::HmacSha256_192, &Secret::from("over the hills"));
    let privacy = (PrivProtocol::Aes128, &Secret::from("and far away"));
    Credentials::V3(UsmUser::with_privacy(b"traps", auth, privacy).unwrap())
}

fn options() -> SessionOptions {
    let retry = RetryPolicy::fixed(Duration::from_millis(1500), 1);
    SessionOptions { retry, ..SessionOptions::default() }
}

fn cold_start() -> Request {
    let mut request = Request::new(Operation::Inform);
    request.push(UP_TIME, Value::TimeTicks(4200));
    request.push(TRAP_OID, Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1])));
    request
}

fn trap_v1(enterprise: &[u32]) -> TrapV1<'_> {
    TrapV1 {
        enterprise: OidRef::Arcs(enterprise),
        agent_address: [192, 0, 2, 1],
        generic: 6,
        specific: 17,
        time_stamp: 4200,
        var_binds: VarBinds::default(),
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_portreeve-trapd");
const LOCAL: EngineId = EngineId::LOCAL;
const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
