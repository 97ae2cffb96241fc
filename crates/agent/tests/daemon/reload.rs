//! Reloads of a running agent: a new file takes effect completely or not at all.

use std::ffi::OsStr;
use std::fs;
use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use portreeve_mib::modules::{framework_mib::SNMP_ENGINE_BOOTS, snmpv2_mib::*};
use portreeve_secret::Secret;
use portreeve_snmp_manager::{Credentials, RejectReason, RequestError, RetryPolicy};

use crate::fixture::{Manager, READ_COMMUNITY, TestHome, portreeved, wait_until};

#[test]
fn reload_with_invalid_file_has_no_effect() {
    let home = TestHome::with("reload-bad", "");
    let agent = home.run();
    home.append("[[comunity]]\nname = \"typo\"\n");
    let output = reload(&home);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert!(stderr_text.contains("portreeved.toml:"), "{stderr_text}");
    assert!(stderr_text.contains("comunity"), "{stderr_text}");
    assert!(stderr_text.ends_with("keeps its previous configuration\n"), "{stderr_text}");
    // A SIGHUP that is not sent by `portreeved reload` has no effect either.
    agent.reload_and_wait();
    assert!(agent.log().contains("configuration not reloaded"), "{}", agent.log());
    assert!(agent.log().contains("comunity"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
    home.ops().text(&SYS_NAME);
}

#[test]
fn reload_with_missing_file_has_no_effect() {
    let home = TestHome::with("reload-gone", "");
    let agent = home.run();
    fs::remove_file(home.config()).unwrap();
    agent.reload_and_wait();
    assert!(agent.log().contains("cannot read file"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
}

#[test]
fn reload_applies_new_community_and_rejects_old_community_and_user() {
    let home = TestHome::with("reload-swap", "");
    let _agent = home.run();
    let mut ops = home.ops();
    ops.text(&SYS_NAME);
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace("name = \"ops\"", "name = \"new\"").replace(READ_COMMUNITY, "watch"));
    assert!(reload(&home).status.success());
    home.with_community("watch").text(&SYS_NAME);
    let brief = RetryPolicy::fixed(Duration::from_millis(200), 0);
    let old = Credentials::V2c(Secret::from(READ_COMMUNITY));
    Manager::with(&home.udp(), old, brief).try_get(&SYS_NAME, &[0]).unwrap_err();
    let refused = ops.try_get(&SYS_NAME, &[0]).unwrap_err().to_string();
    assert_eq!(refused, RequestError::Rejected(RejectReason::UnknownUserName).to_string());
    assert_eq!(home.writer().number(&SNMP_ENGINE_BOOTS), 1, "a reload must not increase boots");
}

#[test]
fn new_configuration_is_in_effect_on_all_workers_when_reload_returns() {
    let home = TestHome::with("reload-returns", "");
    let text = fs::read_to_string(home.config()).unwrap().replace("workers = 2", "workers = 4");
    let contact = |round: u32| format!("{text}[system]\ncontact = \"round {round}\"\n");
    home.write(&contact(0));
    let _agent = home.run();
    // The kernel distributes peers over the workers by port.
    let mut readers: Vec<_> = (0..8).map(|_| home.reader()).collect();
    for round in 1..=20 {
        home.write(&contact(round));
        let output = reload(&home);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            format!("{}: in effect\n  sysContact: changed\n", home.config().display())
        );
        for reader in &mut readers {
            assert_eq!(reader.text(&SYS_CONTACT), format!("round {round}"));
        }
    }
}

#[test]
fn reload_applies_the_rest_and_lists_settings_that_need_restart() {
    let home = TestHome::with("reload-restart", "");
    let _agent = home.run();
    let text = fs::read_to_string(home.config()).unwrap().replace("workers = 2", "workers = 3");
    home.write(&(text + "[limits]\nidle = 77\n[system]\ncontact = \"new\"\n"));
    for _ in 0..2 {
        let output = reload(&home);
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!(
                "{}: changed settings that need a restart of the agent:\n  [agent] workers\n  [limits] idle\n",
                home.config().display()
            )
        );
        assert_eq!(home.reader().text(&SYS_CONTACT), "new");
    }
    let status =
        portreeved(&[OsStr::new("status"), OsStr::new("--config"), home.config().as_os_str()]).stdout;
    let status = String::from_utf8_lossy(&status);
    assert!(status.contains("  needs restart  [agent] workers, [limits] idle\n"), "{status}");
}

#[test]
fn reload_lists_what_has_changed_unless_quiet() {
    let home = TestHome::with("reload-changes", "");
    let _agent = home.run();
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(
        &(text.replace("name = \"ops\"", "name = \"new\"").replace(READ_COMMUNITY, "watch")
            + "[log]\nsets = true\n"),
    );
    let output = reload(&home);
    let in_effect = format!("{}: in effect", home.config().display());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!(
            "{in_effect}\n  [log] sets: changed\n  usmUserTable: 1 added, 1 removed\n  \
             vacmSecurityToGroupTable: 1 added, 1 removed\n  vacmAccessTable: 1 added, 1 removed\n  snmpCommunityTable: 1 changed\n"
        )
    );
    let output = reload(&home);
    assert_eq!(String::from_utf8_lossy(&output.stdout), in_effect + " (no changes)\n");
    home.write(&text);
    let config = home.config();
    let output = portreeved(&[
        OsStr::new("reload"),
        OsStr::new("--quiet"),
        OsStr::new("--config"),
        config.as_os_str(),
    ]);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
}

/// The agent's own check fails although that of the command has succeeded.
#[test]
fn reload_refused_by_the_agent_prints_its_reason() {
    let home = TestHome::with("reload-refused", "");
    let _agent = home.run();
    let other = home.path.join("other.toml");
    fs::copy(home.config(), &other).unwrap();
    let output = portreeved(&[OsStr::new("reload"), OsStr::new("--config"), other.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr_text.contains(&format!("the agent runs with {}", home.config().display())),
        "{stderr_text}"
    );
    assert!(stderr_text.ends_with("keeps its previous configuration\n"), "{stderr_text}");
}

#[test]
fn reload_times_out_when_the_agent_is_stopped() {
    let home = TestHome::with("reload-stopped", "");
    let agent = home.run();
    agent.signal(rustix::process::Signal::STOP);
    let output = reload(&home);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    let expected = format!("the agent (process {}) did not respond within 10 s", agent.pid());
    assert!(stderr_text.contains(&expected), "{stderr_text}");
    agent.signal(rustix::process::Signal::CONT);
    assert!(reload(&home).status.success());
}

#[test]
fn agent_without_control_socket_receives_sighup() {
    let home = TestHome::with("reload-no-socket", "");
    let agent = home.run();
    fs::remove_file(home.state().join("control.sock")).unwrap();
    let output = reload(&home);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert!(stderr_text.contains("SIGHUP was sent to it"), "{stderr_text}");
    agent.await_log("configuration reloaded");
}

#[test]
fn old_user_key_is_rejected_at_once_after_reload_replaces_it() {
    let home = TestHome::with("reload-keys", "");
    let agent = home.run();
    let mut ops = home.ops();
    ops.text(&SYS_NAME);
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace("signs for ops", "signs anew for ops"));
    agent.reload_and_wait();
    let refused = ops.try_get(&SYS_NAME, &[0]).unwrap_err().to_string();
    assert_eq!(refused, RequestError::Rejected(RejectReason::WrongDigest).to_string());
}

#[test]
fn repeated_reloads_do_not_lose_requests() {
    let home = TestHome::with("reload-hitless", "");
    let agent = home.run();
    let done = AtomicBool::new(false);
    let asked = thread::scope(|scope| {
        let pollers: Vec<_> = [home.udp(), home.tcp()]
            .into_iter()
            .map(|address| {
                let done = &done;
                scope.spawn(move || {
                    // Without retries, so that each lost request is noticed.
                    let once = RetryPolicy::fixed(Duration::from_secs(5), 0);
                    let look = Credentials::V2c(Secret::from(READ_COMMUNITY));
                    let mut manager = Manager::with(&address, look, once);
                    let mut asked = 0;
                    while !done.load(Ordering::Relaxed) {
                        manager.text(&SYS_NAME);
                        asked += 1;
                    }
                    asked
                })
            })
            .collect();
        let text = fs::read_to_string(home.config()).unwrap();
        for round in 0..20 {
            let bad = if round % 5 == 4 { "[broken\n" } else { "" };
            let user = format!("[[user]]\nname = \"u{round}\"\nauth-pass = \"signs for {round}\"\n");
            home.write(&(text.clone() + &user + bad));
            agent.reload_and_wait();
        }
        done.store(true, Ordering::Relaxed);
        pollers.into_iter().map(|poller| poller.join().unwrap()).sum::<u32>()
    });
    assert_eq!(agent.log().matches("configuration reloaded").count(), 16);
    assert!(asked > 100, "only {asked} requests in all that time");
}

#[test]
fn reload_retains_rows_made_by_set() {
    let home = TestHome::with("reload-set", "");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "set by a manager").unwrap();
    agent.reload_and_wait();
    assert_eq!(home.reader().text(&SYS_CONTACT), "set by a manager");
}

#[test]
fn reload_logs_changes_that_need_restart() {
    let home = TestHome::with("reload-fixed", "");
    let agent = home.run();
    let text = fs::read_to_string(home.config()).unwrap();
    let other = TestHome::new("reload-fixed-port");
    let changed = text
        .replace("workers = 2", "workers = 1\nmax-message-size = 1472\nengine-id = \"0x8000000005706f7274\"")
        .replace(&home.port.to_string(), &other.port.to_string());
    home.write(&(changed + "[limits]\nconnections = 7\n"));
    agent.reload_and_wait();
    for what in ["engine-id", "workers", "max-message-size", "[[listen]]", "[limits]"] {
        assert!(
            lines(&agent.log(), "takes effect only after a restart").any(|line| line.contains(what)),
            "{what}"
        );
    }
    assert!(!agent.log().contains("state-dir"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
    home.write(&text.replace("state-dir = \"state\"", "state-dir = \"elsewhere\""));
    agent.reload_and_wait();
    let output: Vec<_> =
        lines(&agent.log(), "takes effect only after a restart").map(str::to_owned).collect();
    assert_eq!(output.len(), 6, "{output:?}");
    assert!(output[5].contains("[agent] state-dir"), "{output:?}");
}

#[test]
fn sighup_during_start_is_handled_after_start() {
    let home = TestHome::with("reload-early", "");
    let agent = home.spawn();
    // The lock of the state directory is one of the first files that an agent creates.
    let lock = home.state().join("lock");
    wait_until("the lock", || fs::read_to_string(&lock).is_ok_and(|pid| pid.ends_with('\n')));
    agent.signal(rustix::process::Signal::HUP);
    wait_until("ready", || agent.is_ready());
    agent.await_log("configuration reloaded");
    home.reader().text(&SYS_NAME);
}

#[test]
fn reload_fails_when_no_agent_is_running() {
    let home = TestHome::with("reload-no-agent", "");
    let says_so = || {
        let output = reload(&home);
        assert_eq!(output.status.code(), Some(1));
        let stderr_text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr_text.contains("no agent is running"), "{stderr_text}");
    };
    says_so();
    let agent = home.run();
    assert!(reload(&home).status.success());
    // A killed agent leaves its socket and its lock file behind.
    agent.kill();
    assert!(home.state().join("control.sock").exists());
    says_so();
    let agent = home.run();
    assert!(reload(&home).status.success());
    agent.end();
    assert!(!home.state().join("control.sock").exists());
    says_so();
}

#[test]
fn agent_survives_closed_stdout_and_stderr() {
    let home = TestHome::with("reload-unread", "");
    let config = home.config();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_portreeved"))
        .arg("run")
        .arg("--config")
        .arg(&config)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    let mut writer = home.writer();
    writer.set_text(&SYS_CONTACT, "first").unwrap();
    home.append("[broken\n");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::HUP)
        .unwrap();
    thread::sleep(Duration::from_millis(200));
    writer.set_text(&SYS_CONTACT, "second").unwrap();
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn reload(home: &TestHome) -> Output {
    let config = home.config();
    portreeved(&[OsStr::new("reload"), OsStr::new("--config"), config.as_os_str()])
}

fn lines<'a>(log: &'a str, having: &'a str) -> impl Iterator<Item = &'a str> {
    log.lines().filter(move |line| line.contains(having))
}
