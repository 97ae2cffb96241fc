//! The program, and checks of the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the lab until it ends.
pub(crate) fn lab(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Starts the lab in a process group of its own, as a shell does.
pub(crate) fn start(arguments: &[&str]) -> Child {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program());
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0).spawn().unwrap()
}

/// Returns the text on both outputs.
pub(crate) fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Returns the path of the lab.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_portreeve-lab"))
}

/// Returns the path of our agent.
pub(crate) fn agent() -> PathBuf {
    program().with_file_name("portreeved")
}

/// Returns true if experiments can run here; else prints that the test is skipped.
pub(crate) fn can_measure(test: &str) -> bool {
    let reason = if !is_root() {
        "it needs root"
    } else if !agent().is_file() {
        "portreeved is not built"
    } else {
        return true;
    };
    eprintln!("{test}: skipped: {reason}");
    false
}

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
    line.split_whitespace().nth(1) == Some("0")
}

/// Waits until `condition` is true.
pub(crate) fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Returns the lines of `samples.jsonl` that contain a measurement.
pub(crate) fn measurements(directory: &Path) -> Vec<String> {
    let text = fs::read_to_string(directory.join("samples.jsonl")).unwrap_or_default();
    text.lines().filter(|line| line.contains("\"kind\":\"sample\"")).map(str::to_owned).collect()
}

/// Sends a signal to a process.
pub(crate) fn signal(id: u32, name: &str) {
    let status = Command::new("sh").arg("-c").arg(format!("kill -{name} {id}")).status().unwrap();
    assert!(status.success());
}
