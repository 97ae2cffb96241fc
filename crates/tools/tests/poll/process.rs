//! Tests of the program as an operator runs it, with a target that never responds.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::UdpSocket,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};

/// Writes a configuration file for the test. It contains one target with this name, which is polled
/// every second and never responds.
fn file(test: &str, target: &str, silent: &UdpSocket) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.toml"));
    let address = silent.local_addr().unwrap();
    let text = format!(
        "[poll]\ninterval = 1\ntimeout-ms = 20\n[credentials.c]\nversion = \"2c\"\ncommunity = \"public\"\n\
         [objects.o]\nget = \"sysName.0\"\n[targets.{target}]\naddress = \"{address}\"\ncredentials = \"c\"\n\
         objects = \"o\"\n"
    );
    fs::write(&path, text).unwrap();
    path
}

fn silent() -> UdpSocket {
    UdpSocket::bind("127.0.0.1:0").unwrap()
}

fn start(arguments: &[&str], file: &PathBuf) -> Child {
    Command::new(env!("CARGO_BIN_EXE_portreeve-tools"))
        .arg("poll")
        .args(arguments)
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn once_option_reports_silent_target_and_exits() {
    let silent = silent();
    let path = file("once", "core", &silent);
    let output = start(&["--once"], &path).wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.ends_with(",\"target\":\"core\",\"error\":\"no response arrived in time\"}\n"), "{lines}");
    let output = start(&["--once", "--csv"], &path).wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(lines.starts_with("time,target,object,type,value,"), "{lines}");
    assert!(lines.ends_with(",core,,,,,,,,no response arrived in time\n"), "{lines}");
}

#[test]
fn reload_applies_valid_configuration_and_ignores_invalid_one() {
    let silent = silent();
    let path = file("reload", "before", &silent);
    let mut child = start(&[], &path);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("\"before\""));
    fs::write(&path, "[targets.wrong]\naddress = 5\n").unwrap();
    signal(&child, Signal::HUP);
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut messages = String::new();
    while !messages.contains("not applied") {
        assert_ne!(errors.read_line(&mut messages).unwrap(), 0, "{messages}");
    }
    assert!(messages.contains("reload.toml:2: error: `address` must be a string in quotes"), "{messages}");
    assert!(lines.next().unwrap().contains("\"before\""));
    file("reload", "after", &silent);
    signal(&child, Signal::HUP);
    assert!(lines.take(5).any(|line| line.contains("\"after\"")));
    signal(&child, Signal::TERM);
    assert!(child.wait().unwrap().success());
    errors.read_to_string(&mut messages).unwrap();
}

#[test]
fn check_option_rejects_invalid_file_with_line_and_hint() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wrong.toml");
    fs::write(&path, "[target.core]\n").unwrap();
    let output = start(&["--check"], &path).wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(messages.contains("wrong.toml:1: error: unknown section `target`"), "{messages}");
    assert!(messages.contains("hint: did you mean `targets`?"), "{messages}");
}
