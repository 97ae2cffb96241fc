//! Shared support for tests of the real binary: running it, a configurable fake agent, and Debian's
//! agent.
#![allow(dead_code, reason = "each test program uses its part")]

pub mod compare;
pub mod fake_agent;
pub mod snmpd;
pub mod terminal;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// The output and the exit code of a program.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl CommandOutput {
    pub fn expect(&self, code: i32, stdout: &str, stderr: &str) {
        let expected = Self { code: Some(code), stdout: stdout.to_owned(), stderr: stderr.to_owned() };
        assert_eq!(*self, expected);
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `portreeve` with the arguments in `line`, split at spaces.
pub fn portreeve(line: &str) -> CommandOutput {
    portreeve_args(&line.split(' ').collect::<Vec<_>>())
}

pub fn portreeve_args(words: &[&str]) -> CommandOutput {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env_remove("PORTREEVE_AUTH_PASS").env_remove("PORTREEVE_PRIV_PASS");
    command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").env("XDG_CACHE_HOME", "/dev/null");
    command.args(words).output().unwrap().into()
}

/// Returns the raw bytes that `portreeve` writes to a pipe.
pub fn portreeve_raw_stdout(line: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").args(line.split(' '));
    command.output().unwrap().stdout
}

/// Runs a Net-SNMP command with the arguments in `line`, split at spaces, and the MIB files in
/// `mibs`.
pub fn net_snmp(path: &Path, mibs: &Path, line: &str) -> CommandOutput {
    net_snmp_command(path, mibs, line).output().unwrap().into()
}

/// Prepares a Net-SNMP command that stores its files in `mibs`. Creates the directory
/// `cert_indexes` there, because Net-SNMP would print a message if it had to create it.
pub fn net_snmp_command(path: &Path, mibs: &Path, line: &str) -> Command {
    fs::create_dir_all(mibs.join("cert_indexes")).unwrap();
    let mut command = Command::new(path);
    command
        .env("MIBDIRS", mibs)
        .env("MIBS", "ALL")
        .env("SNMPCONFPATH", mibs)
        .env("SNMP_PERSISTENT_DIR", mibs);
    command.args(line.split(' '));
    command
}

/// Exports the built-in definitions as MIB files to a new directory.
pub fn export_definitions(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for module in portreeve("translate --export-smi").stdout.lines() {
        let text = portreeve(&format!("translate --export-smi {module}")).stdout;
        fs::write(folder.join(format!("{module}.txt")), text).unwrap();
    }
}

/// Returns the path of a program. If it is not installed, prints that the test is skipped.
pub fn find_program(name: &str) -> Option<std::path::PathBuf> {
    let found = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"]
        .into_iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.exists());
    if found.is_none() {
        println!("skipped: {name} is not installed");
    }
    found
}
