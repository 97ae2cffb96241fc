//! SetRequest for several modules: all or nothing (RFC 3416 §4.2.5).

mod constraints;
mod finished;
mod queued;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, over},
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get, set},
    writable_module::{ModuleLog, WritableModule},
};

fn contact() -> Oid {
    scalar(&snmpv2_mib::SYS_CONTACT)
}

fn location() -> Oid {
    scalar(&snmpv2_mib::SYS_LOCATION)
}

/// Returns a SetRequest that changes one variable in each module.
fn both() -> TestPdu {
    set(&[(location(), text("roof")), (contact(), text("ops"))])
}

#[track_caller]
fn assert_unchanged(agent: &mut TestAgent) {
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text(""), text("")]);
}

#[test]
fn set_finishes_each_phase_in_all_modules_before_next_phase() {
    let (mut agent, log) = TestAgent::standard();
    let before = agent.counts();
    let response = agent.request_v2c(&both());
    assert_eq!((response.error(), response.var_binds), ((ErrorStatus::NoError, 0), both().var_binds));
    assert_eq!(
        log.take(),
        [
            "locations draft for writer",
            "locations test",
            "contacts draft for writer",
            "contacts test",
            "locations apply",
            "contacts apply",
            "locations commit",
            "contacts commit",
            "locations publish",
            "contacts publish",
        ]
    );
    assert!(agent.increments_since(&before).contains(&(Counter::SnmpInTotalSetVars, 2)));
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
}

#[test]
fn set_does_not_change_any_object_when_one_module_fails() {
    for (module, stage, error, undone) in [
        ("locations", "test", (ErrorStatus::ResourceUnavailable, 1), &[][..]),
        ("contacts", "test", (ErrorStatus::ResourceUnavailable, 2), &[]),
        ("locations", "apply", (ErrorStatus::InconsistentValue, 1), &[]),
        ("contacts", "apply", (ErrorStatus::InconsistentValue, 2), &[]),
        ("locations", "commit", (ErrorStatus::CommitFailed, 1), &[]),
        ("contacts", "commit", (ErrorStatus::CommitFailed, 2), &["locations undo"]),
    ] {
        let (mut agent, log) = TestAgent::standard();
        log.fail(module, stage);
        let response = agent.request_v2c(&both());
        assert_eq!((response.error(), response.var_binds), (error, both().var_binds), "{module} {stage}");
        let entries = log.take();
        let undo: Vec<&String> = entries.iter().filter(|entry| entry.ends_with("undo")).collect();
        assert_eq!(undo, undone);
        assert!(!entries.iter().any(|entry| entry.ends_with("publish")));
        assert_unchanged(&mut agent);
    }
}

#[test]
fn failed_undo_is_answered_with_undo_failed_after_undoing_other_modules() {
    let log = ModuleLog::default();
    let mut agent = AgentBuilder::new()
        .writable(WritableModule::new("first", &[&snmpv2_mib::SYS_CONTACT], &log))
        .writable(WritableModule::new("second", &[&snmpv2_mib::SYS_NAME], &log))
        .writable(WritableModule::new("third", &[&snmpv2_mib::SYS_LOCATION], &log))
        .build();
    log.fail("second", "undo");
    log.fail("third", "commit");
    let pdu =
        set(&[(contact(), text("a")), (scalar(&snmpv2_mib::SYS_NAME), text("b")), (location(), text("c"))]);
    assert_eq!(agent.request_v2c(&pdu).error(), (ErrorStatus::UndoFailed, 0));
    let entries = log.take();
    assert_eq!(entries[entries.len() - 3..], ["third commit", "second undo", "first undo"]);
    assert_eq!(agent.request_v1(&pdu).error(), (ErrorStatus::GenErr, 0));
}

#[test]
fn error_index_is_position_in_request_when_set_repeats_variables() {
    let (mut agent, log) = TestAgent::standard();
    log.fail("contacts", "apply");
    let pdu = set(&[
        (location(), text("a")),
        (contact(), text("b")),
        (location(), text("a")),
        (scalar(&snmpv2_mib::SYS_NAME), text("c")),
        (location(), text("a")),
    ]);
    assert_eq!(agent.request_v2c(&pdu).error(), (ErrorStatus::InconsistentValue, 4));
}

#[test]
fn set_accepts_repeated_variable_only_if_values_are_equal() {
    let (mut agent, log) = TestAgent::standard();
    let twice = |a, b| set(&[(contact(), text(a)), (location(), text("x")), (contact(), text(b))]);
    assert_eq!(agent.request_v2c(&twice("a", "a")).error(), (ErrorStatus::NoError, 0));
    assert_eq!(log.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(text("a")));
    assert_eq!(agent.request_v2c(&twice("b", "c")).error(), (ErrorStatus::InconsistentValue, 3));
    assert_eq!(log.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(text("a")));
}

#[test]
fn set_response_repeats_encoded_values_of_request_unchanged() {
    let (mut agent, _) = TestAgent::standard();
    // A length that is encoded in two octets instead of one is valid, and the response repeats it
    // unchanged.
    let plain = both().v2c("private");
    let value = plain.windows(6).position(|window| window == b"\x04\x04roof").unwrap();
    let mut message = [&plain[..value], b"\x04\x81\x04roof", &plain[value + 6..]].concat();
    // Adjust the enclosing lengths: variable binding, list, PDU and message.
    let binding = value - 2 - 8 - 2;
    for length_at in [binding + 1, binding - 1, binding - 13, 1] {
        message[length_at] += 1;
    }
    let reply = agent.reply_to(&message);
    let tail = message.len() - value;
    assert_eq!(reply[reply.len() - tail..], message[value..]);
}

#[test]
fn set_is_not_performed_when_its_response_would_be_too_big() {
    let long = text(&"x".repeat(200));
    let pdu = set(&[(contact(), long.clone()), (location(), long.clone()), (contact(), long)]);
    let (mut agent, log) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    ops.max_size = 484;
    let verified = ops.request(&mut agent, &pdu);
    assert_eq!((verified.response.error(), verified.response.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
    assert_eq!(log.take(), [""; 0]);
    assert_unchanged(&mut agent);
    // The limit of the transport also applies. An SNMPv1 response would have to repeat the request,
    // but that does not fit.
    let udp = over(TransportDomain::Udp);
    let Outcome::Reply(reply) = agent.handle_over(&udp, 600, &pdu.v2c("private")) else {
        panic!("no response")
    };
    assert_eq!(TestResponse::of(&reply).error(), (ErrorStatus::TooBig, 0));
    assert_eq!(agent.handle_over(&udp, 600, &pdu.v1("private")), Outcome::Dropped);
    assert_eq!(agent.statistics.sum(Counter::SnmpSilentDrops), 1);
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn set_rejects_values_of_wrong_type() {
    let (mut agent, log) = TestAgent::standard();
    for value in [
        OwnedValue::Null,
        OwnedValue::NoSuchObject,
        OwnedValue::NoSuchInstance,
        OwnedValue::EndOfMibView,
        OwnedValue::Counter64(1),
        OwnedValue::Opaque(vec![1]),
        OwnedValue::IpAddress([1, 2, 3, 4]),
        OwnedValue::ObjectId(contact()),
    ] {
        let response = agent.request_v2c(&set(&[(contact(), value)]));
        assert_eq!(response.error(), (ErrorStatus::WrongType, 1));
    }
    assert!(!log.take().iter().any(|entry| entry.ends_with("commit")));
}
