//! A new file for a running agent: all of it at once, or nothing.

use std::ffi::OsStr;
use std::fs;
use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use portreeve_mib::modules::{framework_mib::SNMP_ENGINE_BOOTS, snmpv2_mib::*};
use portreeve_secret::Secret;
use portreeve_snmp_manager::{Credentials, Refusal, RequestError, RetryPolicy};

use crate::fixture::{Home, LOOK, Manager, portreeved, wait_until};

#[test]
fn a_bad_file_changes_nothing_and_the_agent_goes_on() {
    let home = Home::with("reload-bad", "");
    let agent = home.run();
    home.append("[[comunity]]\nname = \"typo\"\n");
    let output = reload(&home);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("portreeved.toml:"), "{said}");
    assert!(said.contains("comunity"), "{said}");
    // Nor does it when the signal comes all the same.
    agent.hang_up();
    assert!(agent.log().contains("nothing has been changed"), "{}", agent.log());
    assert!(agent.log().contains("comunity"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
    home.ops().text(&SYS_NAME);
}

#[test]
fn a_file_that_is_gone_changes_nothing() {
    let home = Home::with("reload-gone", "");
    let agent = home.run();
    fs::remove_file(home.config()).unwrap();
    agent.hang_up();
    assert!(agent.log().contains("cannot be read"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
}

#[test]
fn users_and_communities_come_and_go_with_the_file() {
    let home = Home::with("reload-swap", "");
    let agent = home.run();
    let mut ops = home.ops();
    ops.text(&SYS_NAME);
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace("name = \"ops\"", "name = \"new\"").replace(LOOK, "watch"));
    assert!(reload(&home).status.success());
    agent.await_log("has been read again");
    home.with_community("watch").text(&SYS_NAME);
    let brief = RetryPolicy::fixed(Duration::from_millis(200), 0);
    let old = Credentials::V2c(Secret::from(LOOK));
    Manager::with(&home.udp(), old, brief).try_get(&SYS_NAME, &[0]).unwrap_err();
    let refused = ops.try_get(&SYS_NAME, &[0]).unwrap_err().to_string();
    assert_eq!(refused, RequestError::Refused(Refusal::UnknownUserName).to_string());
    assert_eq!(home.writer().number(&SNMP_ENGINE_BOOTS), 1, "a reload is no restart");
}

#[test]
fn changed_keys_count_at_once() {
    let home = Home::with("reload-keys", "");
    let agent = home.run();
    let mut ops = home.ops();
    ops.text(&SYS_NAME);
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace("signs for ops", "signs anew for ops"));
    agent.hang_up();
    let refused = ops.try_get(&SYS_NAME, &[0]).unwrap_err().to_string();
    assert_eq!(refused, RequestError::Refused(Refusal::WrongDigest).to_string());
}

#[test]
fn no_request_is_lost_while_the_file_is_read_again_and_again() {
    let home = Home::with("reload-hitless", "");
    let agent = home.run();
    let done = AtomicBool::new(false);
    let asked = thread::scope(|scope| {
        let pollers: Vec<_> = [home.udp(), home.tcp()]
            .into_iter()
            .map(|address| {
                let done = &done;
                scope.spawn(move || {
                    // No second try: each request is answered or lost.
                    let once = RetryPolicy::fixed(Duration::from_secs(5), 0);
                    let look = Credentials::V2c(Secret::from(LOOK));
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
            agent.hang_up();
        }
        done.store(true, Ordering::Relaxed);
        pollers.into_iter().map(|poller| poller.join().unwrap()).sum::<u32>()
    });
    assert_eq!(agent.log().matches("has been read again").count(), 16);
    assert!(asked > 100, "only {asked} requests in all that time");
}

#[test]
fn what_set_has_made_survives_a_reload() {
    let home = Home::with("reload-set", "");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "set by a manager").unwrap();
    agent.hang_up();
    assert_eq!(home.reader().text(&SYS_CONTACT), "set by a manager");
}

#[test]
fn what_needs_a_restart_is_said() {
    let home = Home::with("reload-fixed", "");
    let agent = home.run();
    let text = fs::read_to_string(home.config()).unwrap();
    let other = Home::new("reload-fixed-port");
    let changed = text
        .replace("workers = 2", "workers = 1\nmax-message-size = 1472\nengine-id = \"0x8000000005706f7274\"")
        .replace(&home.port.to_string(), &other.port.to_string());
    home.write(&(changed + "[limits]\nconnections = 7\n"));
    agent.hang_up();
    for what in ["engine-id", "workers", "max-message-size", "[[listen]]", "[limits]"] {
        assert!(lines(&agent.log(), "needs a restart: ").any(|line| line.contains(what)), "{what}");
    }
    assert!(!agent.log().contains("state-dir"), "{}", agent.log());
    home.reader().text(&SYS_NAME);
    home.write(&text.replace("state-dir = \"state\"", "state-dir = \"elsewhere\""));
    agent.hang_up();
    let said: Vec<_> = lines(&agent.log(), "needs a restart: ").map(str::to_owned).collect();
    assert_eq!(said.len(), 6, "{said:?}");
    assert!(said[5].contains("[agent] state-dir"), "{said:?}");
}

#[test]
fn a_signal_during_start_up_waits_until_the_agent_serves() {
    let home = Home::with("reload-early", "");
    let agent = home.spawn();
    // The state directory's lock is among the first things an agent makes.
    let lock = home.state().join("lock");
    wait_until("the lock", || fs::read_to_string(&lock).is_ok_and(|pid| pid.ends_with('\n')));
    agent.signal(rustix::process::Signal::HUP);
    wait_until("ready", || agent.is_ready());
    agent.await_log("has been read again");
    home.reader().text(&SYS_NAME);
}

#[test]
fn reload_says_when_nobody_serves_the_file() {
    let home = Home::with("reload-nobody", "");
    let says_so = || {
        let output = reload(&home);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("no agent serves"), "{said}");
    };
    says_so();
    let agent = home.run();
    assert!(reload(&home).status.success());
    agent.kill();
    says_so();
}

#[test]
fn an_agent_whose_output_nobody_reads_goes_on() {
    let home = Home::with("reload-unread", "");
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
    writer.set_text(&SYS_CONTACT, "is anybody there?").unwrap();
    home.append("[broken\n");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::HUP)
        .unwrap();
    thread::sleep(Duration::from_millis(200));
    writer.set_text(&SYS_CONTACT, "nobody").unwrap();
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn reload(home: &Home) -> Output {
    let config = home.config();
    portreeved(&[OsStr::new("reload"), OsStr::new("--config"), config.as_os_str()])
}

fn lines<'a>(log: &'a str, having: &'a str) -> impl Iterator<Item = &'a str> {
    log.lines().filter(move |line| line.contains(having))
}
