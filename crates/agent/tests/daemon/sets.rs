//! Acknowledged SETs are not lost: with concurrent managers, during reloads, and after a shutdown.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_mib::modules::{snmpv2_mib::*, vacm_mib::*};
use portreeve_secret::Secret;
use portreeve_smi::{OwnedValue, Timestamp, Value};
use portreeve_snmp_manager::{Credentials, Operation, Request, RetryPolicy, Session, SessionOptions};

use crate::fixture::{Attacker, Manager, OPS_AUTH, OPS_PRIV, READ_COMMUNITY, TestHome, WRITE_COMMUNITY, ops};

#[test]
fn concurrent_sets_survive_reload_and_crash() {
    let home = TestHome::with("sets-many", "");
    let agent = home.run();
    thread::scope(|scope| {
        for manager in 0..MANAGERS {
            let home = &home;
            scope.spawn(move || {
                let address = if manager % 2 == 0 { home.udp() } else { home.tcp() };
                let mut own = Manager::open(&address, Credentials::V2c(Secret::from(WRITE_COMMUNITY)));
                for row in 0..ROWS {
                    own.set(&[
                        (&VACM_GROUP_NAME, &index_of(manager, row), Value::OctetString(b"g")),
                        (&VACM_SECURITY_TO_GROUP_STATUS, &index_of(manager, row), Value::Integer(4)),
                    ])
                    .unwrap();
                }
            });
        }
    });
    let all_there = || {
        let mut reader = home.reader();
        for (manager, row) in (0..MANAGERS).flat_map(|manager| (0..ROWS).map(move |row| (manager, row))) {
            let group = reader.get(&VACM_GROUP_NAME, &index_of(manager, row));
            assert_eq!(group, OwnedValue::OctetString(b"g".to_vec()), "row {row} of manager {manager}");
        }
    };
    all_there();
    agent.reload_and_wait();
    all_there();
    agent.kill();
    let _agent = home.run();
    all_there();
}

#[test]
fn reload_does_not_lose_concurrent_set() {
    let home = TestHome::with("sets-reload", "");
    let agent = home.run();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let mut writer = home.writer();
            let mut count = 0;
            while !done.load(Ordering::Relaxed) {
                count += 1;
                let text = count.to_string();
                writer.set_text(&SYS_CONTACT, &text).unwrap();
                assert_eq!(writer.text(&SYS_CONTACT), text);
            }
            count
        });
        (0..30).for_each(|_| agent.reload_and_wait());
        done.store(true, Ordering::Relaxed);
        assert!(writing.join().unwrap() > 2, "no SET succeeded during the reloads");
    });
}

#[test]
fn burst_of_sets_succeeds_without_delaying_reads() {
    let home = TestHome::with("sets-burst", "");
    let _agent = home.run();
    let wire = Attacker::new(home.port);
    let mut session = Session::new(
        Credentials::V2c(Secret::from(WRITE_COMMUNITY)),
        &SessionOptions {
            retry: RetryPolicy::fixed(Duration::from_secs(10), 0),
            ..SessionOptions::default()
        },
        7,
    );
    let count = 200;
    for number in 0..count {
        let mut request = Request::new(Operation::Set);
        let text = format!("burst {number}");
        request.push(&[&SYS_CONTACT.oid()[..], &[0]].concat(), Value::OctetString(text.as_bytes()));
        session.request(&request);
        wire.send(session.poll_output(Timestamp::ZERO).unwrap());
    }
    let start = Instant::now();
    home.reader().text(&SYS_NAME);
    assert!(start.elapsed() < Duration::from_secs(1), "a read waited {:?}", start.elapsed());
    for _ in 0..count {
        session.handle_input(Timestamp::ZERO, &mut wire.receive());
    }
    let ends = std::iter::from_fn(|| session.poll_event());
    let done = ends.filter(|event| event.result.as_ref().is_ok_and(|response| !response.is_error())).count();
    assert_eq!(done, count);
}

#[test]
fn shutdown_does_not_lose_acknowledged_set() {
    let home = TestHome::with("sets-end", "");
    let (acknowledged, attempted) = (AtomicU64::new(0), AtomicU64::new(0));
    for _ in 0..5 {
        let agent = home.run();
        let found: u64 = home.reader().text(&SYS_CONTACT).parse().unwrap_or(0);
        let known = acknowledged.load(Ordering::Relaxed)..=attempted.load(Ordering::Relaxed);
        assert!(known.contains(&found), "{found} is there, {known:?} was acknowledged");
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let once = RetryPolicy::fixed(Duration::from_millis(50), 0);
                let mut writer =
                    Manager::with(&home.udp(), Credentials::V2c(Secret::from(WRITE_COMMUNITY)), once);
                while !done.load(Ordering::Relaxed) {
                    let number = attempted.fetch_add(1, Ordering::Relaxed) + 1;
                    let text = number.to_string();
                    let value = Value::OctetString(text.as_bytes());
                    if writer.try_set(&[(&SYS_CONTACT, &[0], value)]).is_ok_and(|outcome| outcome.is_ok()) {
                        acknowledged.store(number, Ordering::Relaxed);
                    }
                }
            });
            thread::sleep(Duration::from_millis(40));
            let (status, time) = agent.end();
            done.store(true, Ordering::Relaxed);
            assert_eq!(status.code(), Some(0));
            assert!(time < Duration::from_secs(2), "the shutdown took {time:?}");
        });
    }
    assert!(acknowledged.into_inner() > 5);
}

#[test]
fn shutdown_is_fast_with_open_connections() {
    let home = TestHome::with("sets-connections", "");
    let agent = home.run();
    let mut open: Vec<_> = (0..20).map(|_| Manager::open(&home.tcp(), ops())).collect();
    open.iter_mut().for_each(|manager| assert!(!manager.text(&SYS_NAME).is_empty()));
    let (status, time) = agent.end();
    assert_eq!(status.code(), Some(0));
    assert!(time < Duration::from_secs(2), "the shutdown took {time:?}");
}

#[test]
fn empty_sys_name_survives_reload_and_crash() {
    let home = TestHome::with("sets-nothing", "");
    let agent = home.run();
    assert_ne!(home.reader().text(&SYS_NAME), "");
    home.writer().set_text(&SYS_NAME, "").unwrap();
    agent.reload_and_wait();
    assert_eq!(home.reader().text(&SYS_NAME), "");
    agent.kill();
    let _agent = home.run();
    assert_eq!(home.reader().text(&SYS_NAME), "");
}

#[test]
fn state_files_are_private_and_neither_they_nor_the_log_contain_secrets() {
    let home = TestHome::with("sets-secret", "");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "admin").unwrap();
    home.ops().text(&SYS_NAME);
    agent.reload_and_wait();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.state()), 0o700);
    let mut output = agent.log();
    for entry in fs::read_dir(home.state()).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        if entry.file_type().unwrap().is_socket() {
            continue;
        }
        output += &String::from_utf8_lossy(&fs::read(&path).unwrap());
    }
    for secret in [READ_COMMUNITY, WRITE_COMMUNITY, OPS_AUTH, OPS_PRIV] {
        assert!(!output.contains(secret), "`{secret}` is stored or logged");
    }
}

/// Returns the index of one manager's row in vacmSecurityToGroupTable.
fn index_of(manager: u32, row: u32) -> Vec<u32> {
    vec![3, 2, 1 + manager, 1 + row]
}

const MANAGERS: u32 = 6;
const ROWS: u32 = 30;
