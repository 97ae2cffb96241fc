//! The program under test, and a manager that queries it, in cleartext or in a session.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use portreeve_smi::Value;
use portreeve_snmp_manager::{Client, Operation, Request};

/// A running simulator, whose first agent listens on an address of its own.
pub(crate) struct Simulator {
    child: Child,
    pub(crate) first: Ipv4Addr,
}

impl Simulator {
    /// Starts the simulator with these transports and the options in `line`.
    pub(crate) fn start(transports: &[&str], line: &str, files: &[&Path]) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        // Each simulator uses a slot of 2048 loopback addresses. An earlier simulator may still be
        // running, so a process has more slots than the number of simulators that it starts.
        let slot = (process::id() % 250) * 32 + STARTED.fetch_add(1, Ordering::Relaxed) % 32;
        let first = Ipv4Addr::from_bits(0x7f00_0000 + (slot + 32) * 2048 + 1);
        let mut child = Command::new(env!("CARGO_BIN_EXE_portreeve-tools"))
            .arg("simulate")
            .args(transports.iter().map(|name| format!("--listen={name}:{first}:{}", port_of(name))))
            .args(line.split_whitespace())
            .args(files)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
        let simulator = Self { child, first };
        match &*ready {
            "ready\n" => simulator,
            _ => panic!("{}", simulator.end().1),
        }
    }

    pub(crate) fn agent(&self, number: u32) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.first.to_bits() + number)
    }

    /// The resident memory in bytes.
    pub(crate) fn resident(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
    }

    /// Stops the simulator and returns its exit code and its output on stderr.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let pid = rustix::process::Pid::from_child(&self.child);
        // An error is ignored: the simulator may have exited already.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let mut stderr = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stderr)
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../simulate/src/handler/cases").join(name)
}

/// Returns the path of an installed program, or prints that its tests are skipped.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let found = ["/usr/bin", "/usr/local/bin"].iter().map(|folder| Path::new(folder).join(name));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        println!("skipped: {name} is not installed");
    }
    found
}

/// Reads the agent's sysName.
pub(crate) fn name_of(client: &mut Client) -> String {
    let request = Request::read(Operation::Get, [[1, 3, 6, 1, 2, 1, 1, 5, 0]]);
    let response = client.request(&request).unwrap();
    let bind = response.var_binds().iter().next().unwrap();
    let Value::OctetString(name) = bind.value else { panic!("{:?}", bind.value) };
    String::from_utf8(name.to_vec()).unwrap()
}

/// Returns the port of a transport. Transports over the same protocol, UDP or TCP, have different
/// ports.
pub(crate) fn port_of(transport: &str) -> u16 {
    match transport {
        "ssh" => 15_161,
        "tls" | "dtls" => 20_161,
        _ => PORT,
    }
}

pub(crate) const PORT: u16 = 16161;
