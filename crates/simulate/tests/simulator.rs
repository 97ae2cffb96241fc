//! The program itself: agents as Net-SNMP sees them, a thousand of them, and an orderly end.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails loudly, and tells what it skips"
)]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::{self, Child, Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use portreeve_manager::{Client, Credentials, Operation, Request, SessionOptions};
use portreeve_secret::Secret;
use portreeve_simulate::recording::{Format, Recording};
use portreeve_smi::{OwnedValue, Value};

/// A running simulator, whose first agent listens on an address that no other test has.
struct Simulator {
    child: Child,
    first: Ipv4Addr,
}

impl Simulator {
    /// With UDP and TCP, and the options of `line`.
    fn start(line: &str, files: &[&Path]) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        // Each test process and each simulator in it has 2048 addresses of loopback for itself.
        let place = (process::id() % 1000) * 8 + STARTED.fetch_add(1, Ordering::Relaxed) % 8;
        let first = Ipv4Addr::from_bits(0x7f00_0000 + (place + 32) * 2048 + 1);
        let mut child = Command::new(env!("CARGO_BIN_EXE_portreeve-simulate"))
            .args(["--listen", &format!("udp:{first}:{PORT}"), "--listen", &format!("tcp:{first}:{PORT}")])
            .args(line.split_whitespace())
            .args(files)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "ready\n");
        Self { child, first }
    }

    fn agent(&self, number: u32) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.first.to_bits() + number)
    }

    /// Octets of memory in use.
    fn resident(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
    }

    fn terminate(mut self) -> Option<i32> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

/// Where a program is, or a note that its tests are skipped.
fn find_program(name: &str) -> Option<PathBuf> {
    let found = ["/usr/bin", "/usr/local/bin"].iter().map(|folder| Path::new(folder).join(name));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        println!("skipped: {name} is not installed");
    }
    found
}

/// What one of Net-SNMP's commands prints, without definitions or configuration of its own.
fn net_snmp(program: &Path, line: &str) -> String {
    let Output { stdout, stderr, .. } = Command::new(program)
        .env("MIBS", "")
        .env("SNMPCONFPATH", "/nonexistent")
        .args(line.split_whitespace())
        .output()
        .unwrap();
    String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
}

fn read(format: Format, text: &[u8]) -> Vec<(Vec<u32>, OwnedValue)> {
    let (recording, problems) = Recording::read(format, text);
    assert_eq!(problems, []);
    let row = |row| (recording.name(row).to_vec(), recording.value(row).unwrap().into());
    (0..recording.len()).map(row).collect()
}

/// Asks an agent for its sysName.
fn sys_name(address: &str, community: &str) -> String {
    let community = Credentials::V2c(Secret::from(community));
    let mut client = Client::open(&address.parse().unwrap(), community, &SessionOptions::default()).unwrap();
    let request = Request::read(Operation::Get, [[1, 3, 6, 1, 2, 1, 1, 5, 0]]);
    let response = client.request(&request).unwrap();
    let bind = response.var_binds().iter().next().unwrap();
    let Value::OctetString(name) = bind.value else { panic!("{:?}", bind.value) };
    String::from_utf8(name.to_vec()).unwrap()
}

#[test]
fn net_snmp_reads_back_exactly_what_was_recorded() {
    let (Some(walk), Some(bulk_walk)) = (find_program("snmpwalk"), find_program("snmpbulkwalk")) else {
        return;
    };
    let users = std::env::temp_dir().join(format!("simulated-users-{}", process::id()));
    fs::write(&users, "anon\nops SHA-256 authentic1 AES private12\n").unwrap();
    let simulator =
        Simulator::start(&format!("--by address --users {}", users.display()), &[&case("router.walk")]);
    fs::remove_file(users).unwrap();
    let recorded = fs::read_to_string(case("router.walk")).unwrap();
    let end = ".1.3.6.1.4.1.99999.1.2.0 = No more variables left in this MIB View (It is past the end of the MIB tree)\n";
    let private = "-v3 -u ops -l authPriv -a SHA-256 -A authentic1 -x AES -X private12";
    for how in ["-v2c -c public", "-v3 -u anon -l noAuthNoPriv", private] {
        for transport in ["udp", "tcp"] {
            for program in [&walk, &bulk_walk] {
                let line = format!("{how} -On {transport}:{}:{PORT} .1", simulator.first);
                assert_eq!(net_snmp(program, &line), format!("{recorded}{end}"), "{line}");
            }
        }
    }
    assert_eq!(simulator.terminate(), Some(0));
}

#[test]
fn a_walk_of_a_simulated_agent_is_a_recording_of_the_same_agent() {
    let Some(walk) = find_program("snmpwalk") else { return };
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start("--by address", &[&files[0], &files[1]]);
    for (agent, file) in (0..).zip(&files) {
        let recorded = read(Format::of(file), &fs::read(file).unwrap());
        for output in ["-On", "-Of", "-Onx", "-Ont", "-One", "-OnU"] {
            let line = format!("-v2c -c public {output} {}:{PORT} .1", simulator.agent(agent));
            let text = net_snmp(&walk, &line);
            assert_eq!(read(Format::Snmpwalk, text.as_bytes()), recorded, "{line}\n{text}");
        }
    }
}

#[test]
fn a_thousand_agents_in_one_process_answer() {
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start("--by address --agents 1000", &[&files[0], &files[1]]);
    for number in 0..1000 {
        let expected = if number % 2 == 0 { "router" } else { "switch" };
        let transport = if number % 50 == 0 { "tcp" } else { "udp" };
        let address = format!("{transport}:{}:{PORT}", simulator.agent(number));
        assert_eq!(sys_name(&address, "public"), expected, "{address}");
    }
    let each = simulator.resident() / 1000;
    println!("{each} octets of memory for each agent, both its sockets included");
    assert!(each < 96 << 10, "{each} octets for each agent");
}

#[test]
fn a_thousand_contexts_of_one_engine_answer_to_their_communities() {
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start("--by context --agents 1000", &[&files[0], &files[1]]);
    let address = format!("udp:{}:{PORT}", simulator.first);
    for (community, expected) in [
        ("public", "router"),
        ("router", "router"),
        ("switch", "switch"),
        ("router-499", "router"),
        ("switch-499", "switch"),
    ] {
        assert_eq!(sys_name(&address, community), expected, "{community}");
    }
}

#[test]
fn what_cannot_be_served_is_told_and_fails() {
    let run = |line: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_portreeve-simulate"))
            .args(line.split_whitespace())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        (child.wait().unwrap().code(), said)
    };
    let (code, said) = run("");
    assert_eq!(code, Some(2));
    assert!(said.contains("no recording was given") && said.contains("hint:"), "{said}");
    let file = case("router.walk");
    let (code, said) = run(&format!("--listen udp:192.0.2.1:{PORT} {}", file.display()));
    assert_eq!(code, Some(1));
    assert!(said.contains("no interface of this host has that address"), "{said}");
}

const PORT: u16 = 16161;
