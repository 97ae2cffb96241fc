//! A full disk and a read-only disk under a running agent; needs the right to mount.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::time::Duration;

use portreeve_mib::modules::{framework_mib::*, snmpv2_mib::*, usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS};
use portreeve_smi::{ErrorStatus, OidBuf, SecurityLevel, Timestamp, ber::Reader};
use portreeve_snmp_manager::{Operation, Request, RetryPolicy, Session, SessionOptions};
use portreeve_snmp_message::{Pdu, PduType, ScopedPdu, ScopedPduData, V3Message};

use crate::fixture::{Attacker, Manager, TestDisk, TestHome, ops};

#[test]
fn sets_on_full_disk_fail_with_commit_failed_and_reads_succeed() {
    let Some(disk) = TestDisk::new("full") else { return };
    let home = home_on(&disk, "disks-full");
    let agent = home.run();
    let mut writer = home.writer();
    writer.set_text(&SYS_CONTACT, "before").unwrap();
    disk.fill();
    // The last block of the log still has room for some records.
    let mut last = String::from("before");
    let refused = (0..200).find_map(|number| {
        let text = format!("{number:0>200}");
        let outcome = writer.set_text(&SYS_CONTACT, &text);
        if outcome.is_ok() {
            last = text;
        }
        outcome.err()
    });
    assert_eq!(refused, Some((ErrorStatus::CommitFailed, 0)));
    agent.await_log("change rejected: cannot write it to the state directory");
    assert_eq!(writer.text(&SYS_CONTACT), last, "a rejected value must not be visible");
    home.ops().text(&SYS_NAME);
    disk.make_room();
    writer.set_text(&SYS_CONTACT, "after").unwrap();
    agent.end();
    let agent = home.run();
    assert_eq!(home.reader().text(&SYS_CONTACT), "after");
    assert!(!agent.log().contains("WARN"), "{}", agent.log());
}

#[test]
fn agent_on_read_only_disk_rejects_authentication_and_serves_communities() {
    let Some(disk) = TestDisk::new("read-only") else { return };
    let home = home_on(&disk, "disks-read-only");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "kept").unwrap();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    agent.end();
    disk.make_read_only();
    let agent = home.run();
    assert!(
        agent
            .log()
            .lines()
            .any(|line| { line.contains("ERROR") && line.contains("cannot store snmpEngineBoots") })
    );
    let mut writer = home.writer();
    assert_eq!(writer.text(&SYS_CONTACT), "kept");
    assert_eq!(writer.octets(&SNMP_ENGINE_ID), engine_id);
    assert_eq!(writer.set_text(&SYS_CONTACT, "lost"), Err((ErrorStatus::CommitFailed, 0)));
    assert_eq!(writer.text(&SYS_CONTACT), "kept");
    let once = RetryPolicy::fixed(Duration::from_millis(500), 0);
    Manager::with(&home.udp(), ops(), once).try_get(&SYS_NAME, &[0]).unwrap_err();
    assert_eq!(reported(&home), USM_STATS_NOT_IN_TIME_WINDOWS.oid()[..]);
    assert!(writer.number(&USM_STATS_NOT_IN_TIME_WINDOWS) >= 2);
    agent.end();
    disk.make_writable();
    let _agent = home.run();
    home.ops().text(&SYS_NAME);
    assert_eq!(home.reader().number(&SNMP_ENGINE_BOOTS), 2);
    assert_eq!(home.reader().text(&SYS_CONTACT), "kept");
}

#[test]
fn full_disk_at_start_does_not_lower_engine_boots() {
    let Some(disk) = TestDisk::new("full-at-start") else { return };
    let home = home_on(&disk, "disks-full-at-start");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "kept").unwrap();
    agent.kill();
    disk.fill();
    for _ in 0..3 {
        let agent = home.run();
        agent.await_log("cannot store snmpEngineBoots");
        assert_eq!(home.reader().text(&SYS_CONTACT), "kept");
        assert_eq!(reported(&home), USM_STATS_NOT_IN_TIME_WINDOWS.oid()[..]);
        agent.kill();
    }
    disk.make_room();
    let _agent = home.run();
    home.ops().text(&SYS_NAME);
    assert!(home.reader().number(&SNMP_ENGINE_BOOTS) >= 2);
    assert_eq!(home.reader().text(&SYS_CONTACT), "kept");
}

#[test]
fn start_fails_when_state_directory_cannot_be_created() {
    let home = TestHome::with("disks-nowhere", "");
    symlink("/proc/nowhere", home.state()).unwrap();
    let config = home.config();
    let arguments = ["run".as_ref(), "--config".as_ref(), config.as_os_str()];
    let output = crate::fixture::portreeved(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr_text.contains("cannot use the state directory"), "{stderr_text}");
}

/// Creates a home directory whose state is on that disk.
fn home_on(disk: &TestDisk, name: &str) -> TestHome {
    let home = TestHome::with(name, "");
    DirBuilder::new().mode(0o700).create(disk.0.join("state")).unwrap();
    symlink(disk.0.join("state"), home.state()).unwrap();
    home
}

/// Sends an authenticated request of `ops`, and returns the object in the Report. A manager would
/// ignore this Report: if engineBoots has its maximum value, every message of the engine is outside
/// of the time window (RFC 3414 §3.2 step 7b).
fn reported(home: &TestHome) -> Vec<u32> {
    let mut session = Session::new(ops(), &SessionOptions::default(), 7);
    session.request(&Request::read(Operation::Get, [[&SYS_NAME.oid()[..], &[0]].concat()]));
    let wire = Attacker::new(home.port);
    let mut answer = Vec::new();
    // The first exchange is discovery, the second one is the request.
    for _ in 0..2 {
        wire.send(session.poll_output(Timestamp::ZERO).unwrap());
        answer = wire.receive();
        session.handle_input(Timestamp::ZERO, &mut answer.clone());
    }
    let message = V3Message::parse(&answer).unwrap();
    assert_eq!(message.header.flags.level(), Some(SecurityLevel::AuthNoPriv));
    let ScopedPduData::Plaintext(range) = message.data else { panic!("an encrypted Report") };
    let mut scoped = ScopedPdu::parse(&mut Reader::new(&answer[range])).unwrap();
    let pdu = Pdu::parse(&mut scoped.pdu).unwrap();
    assert_eq!(pdu.pdu_type, PduType::Report);
    let mut name = OidBuf::new();
    pdu.var_binds.iter().next().unwrap().name.decode_into(&mut name);
    assert_eq!(name.last(), Some(&0));
    name[..name.len() - 1].to_vec()
}
