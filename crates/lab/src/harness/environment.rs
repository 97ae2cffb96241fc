//! The machine and the programs that a run measures, for `run.json` and the report.

mod build_id;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use portreeve_lab_report::sample::Environment;

use super::{Peer, file_system};
use crate::process::{find, own_program};

/// Describes this machine, our programs and those of the peers. Unknown facts are empty.
pub(super) fn describe(peers: &[Peer]) -> Environment {
    let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    Environment {
        kernel: line_of("/proc/sys/kernel/osrelease"),
        system: value_after(&fs::read_to_string("/etc/os-release").unwrap_or_default(), "PRETTY_NAME=")
            .trim_matches('"')
            .to_owned(),
        cpu: value_after(&cpu_info, "model name").trim_start_matches([' ', '\t', ':']).to_owned(),
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        memory: memory(&fs::read_to_string("/proc/meminfo").unwrap_or_default()),
        congestion_control: line_of("/proc/sys/net/ipv4/tcp_congestion_control"),
        file_system: file_system::of_state(),
        crypto_instructions: crypto_instructions(&cpu_info),
        versions: versions(peers),
        builds: builds(),
        commit: commit(),
    }
}

fn line_of(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

/// Returns the rest of the first line that begins with `name`.
fn value_after<'t>(text: &'t str, name: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default()
}

/// Returns the size of the memory in bytes from `/proc/meminfo`.
fn memory(text: &str) -> u64 {
    let kibibytes = value_after(text, "MemTotal:").trim().trim_end_matches(" kB").parse::<u64>();
    kibibytes.unwrap_or_default().saturating_mul(1024)
}

fn crypto_instructions(cpu_info: &str) -> Vec<String> {
    let line = cpu_info.lines().find(|line| line.starts_with("flags") || line.starts_with("Features"));
    let flags: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    CRYPTO.iter().filter(|name| flags.contains(name)).map(|name| (*name).to_owned()).collect()
}

fn versions(peers: &[Peer]) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::from([("portreeve".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]);
    let mut add = |name: &str, program: &str, argument: &str| {
        if let Some(version) = version(program, argument) {
            versions.insert(name.to_owned(), version);
        }
    };
    if peers.contains(&Peer::NetSnmp) {
        add("Net-SNMP", "snmpget", "-V");
    }
    if peers.contains(&Peer::Netconfd) {
        add("netconfd", "netconfd", "--version");
    }
    // Measured in some experiments without an option.
    add("OpenSSH", "ssh", "-V");
    add("OpenSSL", "openssl", "version");
    versions
}

/// Returns the version that a program prints, on either output.
fn version(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(find(program)?).arg(argument).stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    version_line(&String::from_utf8_lossy(&text)).map(str::to_owned)
}

/// Returns the line that names the version; without such a line, the first one.
fn version_line(text: &str) -> Option<&str> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().find(|line| line.contains(" version")).or_else(|| lines().next())
}

/// Returns the build IDs of our programs. The commit of the checkout does not identify them: they
/// may have been built from another one.
fn builds() -> BTreeMap<String, String> {
    let build = |name: &&str| Some(((*name).to_owned(), build_id::build_id(&own_program(name).ok()?)?));
    PROGRAMS.iter().filter_map(build).collect()
}

/// Returns the commit of the checkout that contains this program, as it is now; empty for an
/// installed program.
fn commit() -> String {
    let Ok(program) = own_program("portreeve-lab") else { return String::new() };
    let Some(directory) = program.parent() else { return String::new() };
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("-C").arg(directory).args(arguments).stdin(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    let is_changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|text| !text.is_empty());
    if is_changed { format!("{commit} with changes") } else { commit }
}

/// Our programs that experiments run.
const PROGRAMS: [&str; 6] =
    ["portreeve", "portreeve-broker", "portreeve-lab", "portreeve-simulate", "portreeve-trapd", "portreeved"];

/// The flags of processors that matter for the algorithms measured.
const CRYPTO: [&str; 9] =
    ["aes", "pclmulqdq", "vaes", "vpclmulqdq", "sha_ni", "avx2", "avx512f", "sha1", "sha2"];

#[cfg(test)]
mod tests;
