//! Acknowledged SETs are not lost: with concurrent managers, during reloads, and after a shutdown.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_mib::modules::{snmpv2_mib::*, vacm_mib::*};
use portreeve_secret::Secret;
use portreeve_smi::{OwnedValue, Timestamp, Value};
use portreeve_snmp_manager::{Credentials, Operation, Request, RetryPolicy, Session, SessionOptions};

use crate::fixture::{
    Attacker, Manager, OPS_AUTH, OPS_PRIV, READ_COMMUNITY, TestHome, WRITE_COMMUNITY, ops, wait_until,
};

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
fn each_set_that_is_executed_before_shutdown_is_answered() {
    let home = TestHome::with("sets-answered", "");
    for round in 0..2 {
        let agent = home.run();
        let wire = Attacker::new(home.port);
        let credentials = Credentials::V2c(Secret::from(WRITE_COMMUNITY));
        let mut session = Session::new(credentials, &SessionOptions::default(), 7);
        for row in 0..BURST {
            let mut request = Request::new(Operation::Set);
            let index = index_of(100 + round, row);
            request.push(&[&VACM_GROUP_NAME.oid()[..], &index].concat(), Value::OctetString(b"g"));
            request.push(&[&VACM_SECURITY_TO_GROUP_STATUS.oid()[..], &index].concat(), Value::Integer(4));
            session.request(&request);
            wire.send(session.poll_output(Timestamp::ZERO).unwrap());
        }
        // The first answer shows that the agent executes SETs; others wait.
        session.handle_input(Timestamp::ZERO, &mut wire.receive());
        assert_eq!(agent.end().0.code(), Some(0));
        wire.socket.set_nonblocking(true).unwrap();
        let mut buffer = vec![0; 65_536];
        while let Ok(length) = wire.socket.recv(&mut buffer) {
            session.handle_input(Timestamp::ZERO, &mut buffer[..length]);
        }
        let ends = std::iter::from_fn(|| session.poll_event());
        let answered =
            ends.filter(|event| event.result.as_ref().is_ok_and(|response| !response.is_error())).count();
        let _agent = home.run();
        let mut reader = home.reader();
        let mut is_stored = |row: &u32| {
            let group = reader.get(&VACM_GROUP_NAME, &index_of(100 + round, *row));
            group == OwnedValue::OctetString(b"g".to_vec())
        };
        assert_eq!((0..BURST).filter(|row| is_stored(row)).count(), answered);
    }
}

/// The SETs of one connection are executed in order, so that the second one has the rights that the
/// first one grants.
#[test]
fn set_succeeds_when_earlier_set_of_its_connection_grants_its_access() {
    let home = TestHome::with("sets-grant", GUEST);
    let agent = home.run();
    let session = |community: &str| {
        let credentials = Credentials::V2c(Secret::from(community));
        Session::new(credentials, &SessionOptions::default(), 7)
    };
    let (mut admin, mut guest) = (session(WRITE_COMMUNITY), session("guest"));
    let mut grant = Request::new(Operation::Set);
    let row: Vec<u32> = [2, 11].into_iter().chain(b"community-3".map(u32::from)).collect();
    for (object, value) in [
        (&VACM_GROUP_NAME, Value::OctetString(b"community-2")),
        (&VACM_SECURITY_TO_GROUP_STATUS, Value::Integer(4)),
    ] {
        grant.push(&[&object.oid()[..], &row].concat(), value);
    }
    admin.request(&grant);
    let mut change = Request::new(Operation::Set);
    change.push(&[&SYS_CONTACT.oid()[..], &[0]].concat(), Value::OctetString(b"guest"));
    guest.request(&change);
    let mut stream = TcpStream::connect(("127.0.0.1", home.port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let octets = [admin.poll_output(Timestamp::ZERO).unwrap(), guest.poll_output(Timestamp::ZERO).unwrap()];
    stream.write_all(&octets.concat()).unwrap();
    wait_until("the change by the second SET", || home.reader().text(&SYS_CONTACT) == "guest");
    agent.end();
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
    let notifications = home.state().join("notifications");
    let entries = fs::read_dir(home.state()).unwrap().chain(fs::read_dir(&notifications).unwrap());
    for entry in entries {
        let entry = entry.unwrap();
        let (path, file_type) = (entry.path(), entry.file_type().unwrap());
        assert_eq!(mode(&path), if file_type.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        if !file_type.is_file() {
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

const BURST: u32 = 150;
const GUEST: &str = "[[community]]\nname = \"guest\"\nversions = [\"v2c\"]\n";
const MANAGERS: u32 = 6;
const ROWS: u32 = 30;
