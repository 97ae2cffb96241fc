//! Every experiment in a quick run, its report, and the user's device.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::fixture::{agent, can_measure, lab, measurements, program, signal, text};

#[test]
fn every_experiment_completes_in_a_quick_run() {
    if !can_measure("every_experiment_completes_in_a_quick_run") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let experiments = experiments();
    // The lab waits half of the time, so both halves of the experiments run at the same time.
    let halves = experiments.split_at(experiments.len() / 2);
    let runs = [halves.0, halves.1].map(|half| QuickRun::start(directory.path(), half));
    // If one fails, the other must have ended, too.
    let outs = runs.map(QuickRun::wait).map(EndedRun::check);
    let samples = outs.each_ref().map(|out| measurements(out)).concat();
    check_protections(&samples);
    check_resent(&samples);
    check_report(&outs[0]);
    for out in outs {
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(report.contains("quick run"));
        check_tables(&fs::read_to_string(out.join("report.md")).unwrap());
        check_unavailable(&out);
    }
}

/// A quick run that has started.
struct QuickRun {
    experiments: Vec<String>,
    out: PathBuf,
    lab: Child,
}

impl QuickRun {
    fn start(directory: &Path, experiments: &[String]) -> Self {
        let out = directory.join(&experiments[0]);
        let options = ["--quick", "--repeat", "1", "--peer", "net-snmp", "--out", out.to_str().unwrap()];
        let arguments: Vec<_> =
            ["run"].into_iter().chain(experiments.iter().map(String::as_str)).chain(options).collect();
        let mut command = Command::new(program());
        command.args(&arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let lab = command.spawn().unwrap();
        Self { experiments: experiments.to_vec(), out, lab }
    }

    fn wait(self) -> EndedRun {
        let output = self.lab.wait_with_output().unwrap();
        EndedRun { experiments: self.experiments, out: self.out, output }
    }
}

/// A quick run that has ended.
struct EndedRun {
    experiments: Vec<String>,
    out: PathBuf,
    output: Output,
}

impl EndedRun {
    /// Checks that the run has measured each of its experiments, and returns its directory.
    fn check(self) -> PathBuf {
        let output = self.output;
        assert!(output.status.success(), "{}", text(&output));
        let samples = measurements(&self.out);
        let report = fs::read_to_string(self.out.join("report.html")).unwrap();
        for name in self.experiments {
            let of_experiment =
                samples.iter().filter(|line| line.contains(&format!("\"experiment\":\"{name}\"")));
            assert!(of_experiment.count() > 0, "{name} has no measurements: {}", text(&output));
            assert!(report.contains(&format!("id=\"{name}\"")), "{name} is not in the report");
        }
        self.out
    }
}

/// Checks by the octets on the network that TLS had the protection that the samples state: a record
/// has no tag without protection, one of 16 octets with AES-GCM, and one of 32 with HMAC-SHA-256.
/// The lengths of signatures vary by a few octets.
fn check_protections(samples: &[String]) {
    let octets = ["portreeved-tls-none", "portreeved", "portreeved-tls-integrity"].map(|agent| {
        let variant = format!("{{\"agent\":\"{agent}\",\"client\":\"library\",\"stack\":\"v1/tls13\"}}");
        let sample = samples.iter().find(|line| line.contains("\"one-shot\"") && line.contains(&variant));
        let (_, rest) = sample.and_then(|sample| sample.split_once("\"octets\":")).expect(agent);
        rest.split([',', '}']).next().unwrap().parse::<f64>().unwrap()
    });
    let [none, both, integrity] = octets;
    // There are at least six records after the keys of the handshake are known.
    let tags = 6.0 * 16.0 - SIGNATURES;
    assert!(none + tags <= both && both + tags <= integrity, "{octets:?}");
}

/// The octets by which the signatures of two handshakes may differ in length.
const SIGNATURES: f64 = 12.0;

/// Checks that messages which are sent once do not count as sent again. On a busy machine, single
/// walks may have retransmissions.
fn check_resent(samples: &[String]) {
    for stack in ["v2c/udp", "tsm/dtls13"] {
        let walks = samples.iter().filter(|line| {
            let is_lossless = line.contains("\"loss\":\"0\"") && line.contains("\"timeout\":\"measured\"");
            line.contains("\"packet-loss\"") && is_lossless && line.contains(stack)
        });
        let walks: Vec<_> = walks.collect();
        assert!(walks.iter().any(|line| line.contains("\"resent\":0.0")), "{stack}: {walks:?}");
    }
}

/// Returns the names of all experiments.
fn experiments() -> Vec<String> {
    let list = text(&lab(&["list"]));
    list.lines().skip(1).filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

/// Checks that each table and figure shows a value of this run, or states why it cannot. Otherwise
/// the drawing looks for samples that the measurement does not produce.
fn check_tables(report: &str) {
    for block in report
        .split("\n**")
        .skip(1)
        .filter(|block| block.starts_with("Table ") || block.starts_with("Figure "))
    {
        // A value is bold, and followed by its interval in parentheses.
        let is_measured = block.lines().filter(|line| line.starts_with('|')).any(|row| row.contains("** ("));
        let title = block.lines().next().unwrap();
        assert!(
            is_measured || !block.contains("not measured in this run"),
            "no value was measured for {title}"
        );
        let is_sequence =
            title.contains("Time sequence") && block.lines().filter(|line| line.starts_with('|')).count() > 3;
        assert!(is_measured || is_sequence || title.starts_with("Table "), "nothing was drawn for {title}");
    }
}

/// Checks that nothing is unavailable that was available on Debian 12 before.
fn check_unavailable(out: &Path) {
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let has_peer = Path::new("/usr/sbin/snmpd").exists() && Path::new("/usr/bin/snmpget").exists();
    if !system.contains("VERSION_ID=\"12\"") || !has_peer {
        eprintln!(
            "the list of unavailable variants is not checked: this is not Debian 12 with snmpd and snmp"
        );
        return;
    }
    let expected: BTreeSet<&str> =
        EXPECTED_UNAVAILABLE.lines().filter(|line| !line.starts_with('#')).collect();
    let samples = fs::read_to_string(out.join("samples.jsonl")).unwrap();
    let lines = samples.lines().filter_map(|line| line.strip_prefix("{\"kind\":\"unavailable\","));
    let unexpected: Vec<&str> = lines.filter(|line| !expected.contains(line)).collect();
    assert!(unexpected.is_empty(), "unavailable, but not expected to be:\n{}", unexpected.join("\n"));
}

/// Checks that the report follows from the samples alone, and that each sample counts.
fn check_report(out: &Path) {
    let path = out.to_str().unwrap();
    let files = || ["report.html", "report.md"].map(|name| fs::read_to_string(out.join(name)).unwrap());
    let first = files();
    assert!(lab(&["report", path]).status.success());
    assert!(files() == first, "the report has changed without a change of the samples");

    let samples = out.join("samples.jsonl");
    let text_before = fs::read_to_string(&samples).unwrap();
    let start = text_before.find("\"time\":").unwrap() + "\"time\":".len();
    let end = start + text_before[start..].find(['}', ',']).unwrap();
    let changed = format!("{}12.5{}", &text_before[..start], &text_before[end..]);
    fs::write(&samples, changed).unwrap();
    assert!(lab(&["report", path]).status.success());
    assert!(files() != first, "the report is the same with another sample");
    fs::write(&samples, text_before).unwrap();
    assert!(lab(&["report", path]).status.success());
    assert!(files() == first);

    let comparison = lab(&["compare", path, path]);
    assert!(comparison.status.success(), "{}", text(&comparison));
}

#[test]
fn device_is_measured_with_the_users_credentials() {
    let test = "device_is_measured_with_the_users_credentials";
    if !agent().is_file() {
        eprintln!("{test}: skipped: portreeved is not built");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let demo = directory.path().join("demo");
    let mut agent = Command::new(agent())
        .arg("demo")
        .arg("--dir")
        .arg(&demo)
        .args(["--base-port", &free_port().to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(agent.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "ready" {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the agent has not started");
    }
    // The name of another host in the file must not be used.
    let credentials = directory.path().join("mine.env");
    let variables = fs::read_to_string(demo.join("credentials.env")).unwrap();
    fs::write(&credentials, variables.replace("127.0.0.1:", "192.0.2.1:")).unwrap();
    let known_hosts = demo.join("known_hosts");
    assert!(fs::read_to_string(&known_hosts).unwrap().contains("127.0.0.1"));
    let out = directory.path().join("run");
    let run = lab(&[
        "run",
        "session-length",
        "memory",
        "--quick",
        "--against",
        "127.0.0.1",
        "--credentials",
        credentials.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    signal(agent.id(), "TERM");
    agent.wait().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let samples = measurements(&out);
    for stack in ["v2c/udp", "usm-sha256-aes128/udp", "tsm/tls13", "tsm/ssh", "tsm/dtls13"] {
        assert!(samples.iter().any(|line| line.contains(stack)), "{stack}: {samples:?}");
    }
    let all = fs::read_to_string(out.join("samples.jsonl")).unwrap();
    assert!(all.contains("it can be measured only with an agent of its own"), "{all}");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    let community = variables.lines().find_map(|line| line.strip_prefix("PORTREEVE_RO=")).unwrap();
    for secret in [community.trim_matches('\''), "mine.env"] {
        assert!(!all.contains(secret) && !report.contains(secret), "the run contains {secret}");
    }
}

/// Returns a port that is free with the next ones, below the ephemeral ports. Test programs run at
/// the same time: each process has 300 ports of its own, as in the tests of portreeved.
fn free_port() -> u16 {
    let start = 2_000 + (std::process::id() % 100) as u16 * 300;
    let is_free =
        |port| UdpSocket::bind(("127.0.0.1", port)).is_ok() && TcpListener::bind(("127.0.0.1", port)).is_ok();
    let bases = (start..start + 300).step_by(10);
    bases.into_iter().find(|base| (*base..base + 10).all(is_free)).unwrap()
}

/// The records of unavailable variants on Debian 12 with Net-SNMP, as in `samples.jsonl` after the
/// kind.
const EXPECTED_UNAVAILABLE: &str = include_str!("unavailable_on_debian_12.txt");
