//! Notifications that local programs submit over the control socket.

use std::{
    fs::DirBuilder,
    os::unix::fs::{DirBuilderExt, symlink},
    time::{Duration, Instant},
};

use portreeve_broker_protocol::Transport;
use portreeve_control_protocol::{
    NotificationOutcome, Request, Response, SOCKET_NAME, SubmittedNotification, send,
};
use portreeve_mib::modules::snmpv2_mib::{SNMP_TRAP_OID, SYS_CONTACT};
use portreeve_smi::{OidRef, Value};
use portreeve_snmp_manager::Operation;

use crate::{
    fixture::{Daemon, SecureAgent, TestDisk, TestHome},
    notifications::{Receiver, await_status, target},
};

#[test]
fn submitted_inform_is_on_disk_when_it_is_answered() {
    let receiver = Receiver::start(false);
    let home = TestHome::with("submit-kill", &target("noc", &receiver, "timeout = 1\nretries = 0\n"));
    let agent = home.run();
    for up_time in 1..=5 {
        assert_eq!(submit(&home, &notification(up_time)), Response::Submitted(informs(1)));
    }
    agent.kill();
    let _agent = home.run();
    receiver.answer(true);
    await_status(&home, r#""queued":0,"#);
    let mut submitted = receiver.acknowledged();
    submitted.retain(|(name, _)| name == "1.5.9");
    // The receiver may have answered an inform that was sent again before its response arrived.
    submitted.dedup();
    let expected: Vec<_> = (1..=5).map(|up_time| ("1.5.9".to_owned(), up_time)).collect();
    assert_eq!(submitted, expected);
}

#[test]
fn submitted_inform_is_answered_after_the_sync() {
    let receiver = Receiver::start(true);
    let home = TestHome::with("submit-sync", &target("noc", &receiver, ""));
    let config = home.config();
    let arguments = ["run".as_ref(), "--config".as_ref(), config.as_os_str()];
    let slow = format!("inject=fdatasync:delay_enter={}", SLOW_SYNC.as_micros());
    let _agent = Daemon::spawn_with_faults(&[&slow], &arguments).await_ready();
    let start = Instant::now();
    assert_eq!(submit(&home, &notification(1)), Response::Submitted(informs(1)));
    assert!(start.elapsed() >= SLOW_SYNC, "{:?}", start.elapsed());
}

#[test]
fn inform_that_cannot_be_stored_is_reported() {
    let Some(disk) = TestDisk::new("submit") else { return };
    let receiver = Receiver::start(false);
    let home = TestHome::with("submit-full", &target("noc", &receiver, ""));
    DirBuilder::new().mode(0o700).create(disk.0.join("state")).unwrap();
    symlink(disk.0.join("state"), home.state()).unwrap();
    let agent = home.run();
    disk.fill();
    let large = |number| notification_with(number, Value::OctetString(&[b'x'; 2000]));
    let (mut stored, mut last) = (0, Response::Submitted(informs(1)));
    while last == Response::Submitted(informs(1)) && stored < 1000 {
        last = submit(&home, &large(stored));
        stored += u32::from(last == Response::Submitted(informs(1)));
    }
    let Response::Interrupted { reason } = last else { panic!("{last:?}") };
    assert!(reason.starts_with("the notification cannot be stored: "), "{reason}");
    disk.make_room();
    assert_eq!(submit(&home, &large(stored)), Response::Submitted(informs(1)));
    agent.kill();
    let _agent = home.run();
    receiver.answer(true);
    await_status(&home, r#""queued":0,"#);
    let mut acknowledged: Vec<u32> = receiver
        .acknowledged()
        .into_iter()
        .filter(|(name, _)| name == "1.5.9")
        .map(|(_, up_time)| up_time)
        .collect();
    // One that is sent again does not replace a lost one.
    acknowledged.dedup();
    assert_eq!(acknowledged, Vec::from_iter(0..=stored));
}

/// Otherwise it would stay at the head of the queue until its age ends.
#[test]
fn inform_that_is_too_long_for_dtls_is_discarded() {
    // An agent, which drops informs, is enough as the receiver.
    let receiver = SecureAgent::new("submit-dtls-peer", "");
    let _receiver = receiver.run();
    let home = TestHome::new("submit-dtls");
    let path = |name: &str| receiver.home.path.join(name).display().to_string();
    home.write(&format!(
        "{}[[notify]]\nname = \"ops\"\nto = \"dtls:127.0.0.1:{}\"\nauthorities = [\"{}\"]\n\
         certificate = \"{}\"\nkey = \"{}\"\nexclude = [\"coldStart\"]\n",
        home.base(),
        receiver.port(Transport::Dtls),
        path("ca.pem"),
        path("ops.pem"),
        path("ops.key"),
    ));
    let _agent = home.run();
    let large = notification_with(1, Value::OctetString(&[b'x'; 20_000]));
    assert_eq!(submit(&home, &large), Response::Submitted(informs(1)));
    await_status(&home, r#""discarded-rejected":1,"#);
}

#[test]
fn outcome_counts_the_targets() {
    let receiver = Receiver::start(false);
    let targets = target("informs", &receiver, "queue-size = 65536\n")
        + &target("traps", &receiver, "kind = \"trap\"\n")
        + &target("withheld", &receiver, "include = [\"coldStart\"]\n");
    let home = TestHome::with("submit-count", &targets);
    let _agent = home.run();
    let large = notification_with(1, Value::OctetString(&[b'x'; 40_000]));
    let first = NotificationOutcome { traps: 1, informs: 1, withheld: 1, discarded: 0 };
    assert_eq!(submit(&home, &large), Response::Submitted(first));
    let second = NotificationOutcome { traps: 1, informs: 0, withheld: 1, discarded: 1 };
    assert_eq!(submit(&home, &large), Response::Submitted(second));
}

#[test]
fn agent_without_targets_counts_none() {
    let home = TestHome::with("submit-none", "");
    let _agent = home.run();
    assert_eq!(submit(&home, &notification(1)), Response::Submitted(NotificationOutcome::default()));
}

#[test]
fn notification_without_sys_up_time_gets_that_of_the_agent() {
    let receiver = Receiver::start(true);
    let home = TestHome::with("submit-uptime", &target("noc", &receiver, ""));
    let started = Instant::now();
    let _agent = home.run();
    receiver.await_count(1);
    let submitted = SubmittedNotification { up_time: None, ..notification(1) };
    assert_eq!(submit(&home, &submitted), Response::Submitted(informs(1)));
    receiver.await_count(2);
    let acknowledged = receiver.acknowledged();
    let (first, last) = (acknowledged[0].1, acknowledged[1].1);
    let longest = started.elapsed().as_millis() / 10;
    assert!(last >= first && u128::from(last) <= longest, "{first} {last} {longest}");
}

#[test]
fn invalid_notification_is_refused() {
    let receiver = Receiver::start(true);
    let home = TestHome::with("submit-invalid", &target("noc", &receiver, ""));
    let _agent = home.run();
    let with = |variables: Vec<u8>| SubmittedNotification { variables, ..notification(1) };
    let variables = notification(1).variables;
    let other = portreeve_snmp_manager::Request::read(Operation::Inform, [[1, 3, 6, 1]]);
    for (submitted, reason) in [
        (with(vec![]), "invalid notification: the second variable is not snmpTrapOID.0"),
        (
            with(other.variables().encoded().to_vec()),
            "invalid notification: the second variable is not snmpTrapOID.0",
        ),
        (with(variables[..variables.len() - 1].to_vec()), "malformed variables: "),
        (with([&variables[..], &[0x30, 0x80]].concat()), "malformed variables: "),
        // An empty snmpTrapOID.
        (with(with_content_of_trap_oid(&[])), "malformed variables: "),
        // 129 arcs.
        (with(with_content_of_trap_oid(&[1; 128])), "malformed variables: "),
        (notification_with(1, Value::Null), "invalid notification: a variable has no value"),
        (
            SubmittedNotification { context_name: vec![b'c'; 33], ..notification(1) },
            "the context name is longer than 32 octets",
        ),
    ] {
        match submit(&home, &submitted) {
            Response::Refused { reason: given } => assert!(given.starts_with(reason), "{given}"),
            other => panic!("{reason}: {other:?}"),
        }
    }
    let long = SubmittedNotification::MAX_VARIABLES_LEN + 1;
    assert_eq!(submit(&home, &with(vec![0; long])), Response::UnknownRequest);
    let unknown = SubmittedNotification { context_name: b"other".to_vec(), ..notification(1) };
    let withheld = NotificationOutcome { withheld: 1, ..Default::default() };
    assert_eq!(submit(&home, &unknown), Response::Submitted(withheld));
    assert_eq!(submit(&home, &notification(2)), Response::Submitted(informs(1)));
    await_status(&home, r#""queued":0,"#);
    assert_eq!(receiver.acknowledged().last(), Some(&("1.5.9".to_owned(), 2)));
}

fn submit(home: &TestHome, notification: &SubmittedNotification) -> Response {
    let request = Request::Notify(notification.clone());
    send(&home.state().join(SOCKET_NAME), &request, Duration::from_secs(20)).unwrap()
}

fn notification(up_time: u32) -> SubmittedNotification {
    notification_with(up_time, Value::OctetString(b"disk full"))
}

/// Returns a notification with this value of a variable.
fn notification_with(up_time: u32, value: Value<'_>) -> SubmittedNotification {
    let mut request = portreeve_snmp_manager::Request::new(Operation::Inform);
    let name = |object: &portreeve_mib::Object| [object.arcs(), &[0]].concat();
    request.push(&name(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 9])));
    request.push(&name(&SYS_CONTACT), value);
    let variables = request.variables().encoded().to_vec();
    SubmittedNotification { context_name: Vec::new(), up_time: Some(up_time), variables }
}

/// Returns a binding of snmpTrapOID.0 whose value has this content.
fn with_content_of_trap_oid(content: &[u8]) -> Vec<u8> {
    let name = [0x06, 0x0a, 0x2b, 0x06, 0x01, 0x06, 0x03, 0x01, 0x01, 0x04, 0x01, 0x00];
    let length = u8::try_from(content.len()).unwrap();
    let value = [&[0x06, 0x81, length][..], content].concat();
    let total = u8::try_from(name.len() + value.len()).unwrap();
    [&[0x30, 0x81, total][..], &name, &value].concat()
}

fn informs(informs: u32) -> NotificationOutcome {
    NotificationOutcome { informs, ..NotificationOutcome::default() }
}

/// The delay of each sync in the test of their order.
const SLOW_SYNC: Duration = Duration::from_millis(300);
