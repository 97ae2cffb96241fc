//! `portreeved status` of a running agent.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use portreeve_broker_protocol::Transport;
use portreeve_mib::modules::snmpv2_mib::SYS_CONTACT;
use rustix::process::Signal;

use crate::fixture::{SecureAgent, TestHome, portreeved, wait_until};

#[test]
fn status_shows_configuration_listeners_and_state_files() {
    let home = TestHome::with("status-text", "");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "set by a manager").unwrap();
    assert!(
        portreeved(&[OsStr::new("reload"), OsStr::new("--config"), home.config().as_os_str()])
            .status
            .success()
    );
    let text = text(&status(&home.config()));
    for expected in [
        format!("portreeved {}, process {}, running for ", env!("CARGO_PKG_VERSION"), agent.pid()),
        "  engine boots   1\n".to_owned(),
        format!("  configuration  {}\n", home.config().display()),
        "Z (portreeved reload)\n".to_owned(),
        "  generation     2\n".to_owned(),
        format!("  udp        127.0.0.1:{}         -       -\n", home.port),
        format!("  tcp        127.0.0.1:{}         0       0\n", home.port),
        "\ntransaction lock\n  free\n".to_owned(),
        format!("\nstate directory {}\n", home.state().display()),
        "  state.log".to_owned(),
    ] {
        assert!(text.contains(&expected), "{expected:?} is missing in:\n{text}");
    }
    let json = portreeved(&[
        OsStr::new("status"),
        OsStr::new("--json"),
        OsStr::new("--config"),
        home.config().as_os_str(),
    ]);
    let json = self::text(&json);
    assert!(json.starts_with(r#"{"version":""#) && json.ends_with("}\n"), "{json}");
    assert!(json.contains(r#""generation":2,"#), "{json}");
}

#[test]
fn status_counts_the_sessions_of_each_listener() {
    let agent_site = SecureAgent::new("status-sessions", "");
    let _agent = agent_site.run();
    let sessions: Vec<_> = [Transport::Ssh, Transport::Ssh, Transport::Tls]
        .map(|transport| agent_site.open_session(transport, "ops").unwrap())
        .into();
    let count = |transport: &str| {
        let text = text(&status(&agent_site.home.config()));
        let line = text.lines().find(|line| line.trim_start().starts_with(transport)).unwrap().to_owned();
        line.split_whitespace().nth(2).unwrap().to_owned()
    };
    assert_eq!(["ssh", "tls", "dtls"].map(count), ["2", "1", "0"]);
    drop(sessions);
    wait_until("the end of the sessions", || ["ssh", "tls"].map(count) == ["0", "0"]);
}

/// A reload that does not end neither delays the status nor the end of the agent.
#[test]
fn status_and_shutdown_do_not_wait_for_a_reload_that_hangs() {
    let home = TestHome::with("status-reload", "");
    let agent = home.run();
    let copy = home.path.join("copy.toml");
    let content = fs::read_to_string(home.config()).unwrap();
    fs::rename(home.config(), &copy).unwrap();
    // Opening a pipe waits for a writer.
    assert!(Command::new("mkfifo").arg(home.config()).status().unwrap().success());
    agent.signal(Signal::HUP);
    wait_until("the reload", || text(&status(&copy)).contains("  reload         in progress since "));
    assert!(text(&status(&copy)).contains("Z (start of the agent)\n"));
    fs::OpenOptions::new().write(true).open(home.config()).unwrap().write_all(content.as_bytes()).unwrap();
    agent.await_log("configuration reloaded");
    wait_until("the end of the reload", || !text(&status(&copy)).contains("in progress"));
    assert!(text(&status(&copy)).contains("Z (SIGHUP)\n"));
    agent.signal(Signal::HUP);
    wait_until("another reload", || text(&status(&copy)).contains("in progress"));
    assert!(agent.end().0.success());
}

#[test]
fn status_works_while_the_configuration_file_contains_errors() {
    let home = TestHome::with("status-errors", "");
    let _agent = home.run();
    home.append("[[comunity]]\nname = \"typo\"\n");
    assert!(text(&status(&home.config())).contains("engine boots"));
}

#[test]
fn status_fails_with_exit_status_3_when_no_agent_is_running() {
    let home = TestHome::with("status-none", "");
    let output = status(&home.config());
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).starts_with("no agent is running with "), "{output:?}");
    home.run().kill();
    assert_eq!(status(&home.config()).status.code(), Some(3));
}

#[test]
fn status_fails_with_exit_status_4_when_the_agent_does_not_respond() {
    let home = TestHome::with("status-stopped", "");
    let agent = home.run();
    agent.signal(Signal::STOP);
    let output = status(&home.config());
    assert_eq!(output.status.code(), Some(4));
    let expected = format!("the agent (process {}) did not respond within 5 s", agent.pid());
    assert!(stderr(&output).contains(&expected), "{output:?}");
    agent.signal(Signal::CONT);
    assert!(status(&home.config()).status.success());
}

#[test]
fn status_is_only_available_through_a_private_socket() {
    let home = TestHome::with("status-private", "");
    let _agent = home.run();
    let mode = fs::metadata(home.state().join("control.sock")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

fn status(config: &Path) -> Output {
    portreeved(&[OsStr::new("status"), OsStr::new("--config"), config.as_os_str()])
}

/// Returns what a successful command has printed.
fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
