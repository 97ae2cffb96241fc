//! Responses that are sent later, while other requests are processed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use portreeve_lcd::Lcd;
use portreeve_mib::{LookupToken, modules::snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Timestamp};
use portreeve_snmp_apps::HandleOutcome;

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, standard_objects},
    delayed_scalar::DelayedScalar,
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get, get_bulk, get_next, set},
    writable_module::{ModuleLog, WritableModule},
};

fn services() -> Oid {
    scalar(&snmpv2_mib::SYS_SERVICES)
}

fn slow_agent(timeout_secs: u64) -> (TestAgent, Arc<AtomicBool>) {
    let (delayed_scalar, ready) = DelayedScalar::new(&snmpv2_mib::SYS_SERVICES);
    let mut builder = standard_objects(&ModuleLog::default()).module(delayed_scalar);
    builder.settings.pending_timeout = Duration::from_secs(timeout_secs);
    (builder.build(), ready)
}

#[test]
fn slow_mib_module_does_not_block_other_requests() {
    let (mut agent, ready) = slow_agent(10);
    let pdus = [
        get(&[scalar(&snmpv2_mib::SYS_DESCR), services()]),
        get_next(&[Oid::new(snmpv2_mib::SYS_SERVICES.arcs()).unwrap()]),
        get_bulk(0, 2, &[scalar(&snmpv2_mib::SYS_LOCATION)]),
    ];
    for (pdu, id) in pdus.iter().zip(1..) {
        let pdu = TestPdu { request_id: id, ..pdu.clone() };
        assert_eq!(agent.handle(&pdu.v2c("public")), Outcome::Pending);
    }
    for second in 1001..1005 {
        assert!(agent.wait_until(Timestamp::from_secs(second)).is_empty());
        agent.assert_responds();
    }
    ready.store(true, Ordering::Relaxed);
    agent.entity.value_ready(DelayedScalar::TOKEN);
    let responses: Vec<TestResponse> = agent
        .wait_until(Timestamp::from_secs(1005))
        .iter()
        .map(|message| TestResponse::of(message))
        .collect();
    let ids: Vec<i32> = responses.iter().map(|response| response.request_id).collect();
    assert_eq!(ids, [1, 2, 3]);
    let value = OwnedValue::Integer(DelayedScalar::VALUE);
    assert_eq!(responses[0].values(), [text("test agent"), value.clone()]);
    assert_eq!(responses[1].value(), value);
    assert_eq!(responses[2].values(), [value, OwnedValue::Integer(3)]);
}

#[test]
fn request_is_answered_with_gen_err_when_value_is_not_available_in_time() {
    let (mut agent, _) = slow_agent(5);
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR), services()]);
    assert_eq!(agent.handle(&pdu.v2c("public")), Outcome::Pending);
    let deadline = agent.entity.next_timeout(agent.now).unwrap();
    assert_eq!(deadline, Timestamp::from_secs(1005));
    let sent = agent.wait_until(deadline);
    let response = TestResponse::of(&sent[0]);
    assert_eq!(
        (sent.len(), response.error(), response.var_binds),
        (1, (ErrorStatus::GenErr, 2), pdu.var_binds)
    );
    assert_eq!(agent.entity.next_timeout(agent.now), None);
}

#[test]
fn pending_request_is_denied_when_its_access_is_revoked() {
    let (mut agent, ready) = slow_agent(10);
    assert_eq!(agent.handle(&get(&[services()]).v2c("public")), Outcome::Pending);
    agent.publish(Lcd::default());
    ready.store(true, Ordering::Relaxed);
    agent.entity.value_ready(DelayedScalar::TOKEN);
    let sent = agent.wait_until(Timestamp::from_secs(1001));
    assert_eq!(TestResponse::of(&sent[0]).error(), (ErrorStatus::AuthorizationError, 0));
}

/// The value is announced as ready but is not available. The request then waits again, with its
/// original deadline.
#[test]
fn repeatedly_deferred_request_times_out_at_original_deadline() {
    let (mut agent, _) = slow_agent(5);
    assert_eq!(agent.handle(&get(&[services()]).v2c("public")), Outcome::Pending);
    for second in 1001..1005 {
        agent.entity.value_ready(DelayedScalar::TOKEN);
        assert!(agent.wait_until(Timestamp::from_secs(second)).is_empty());
    }
    agent.entity.value_ready(DelayedScalar::TOKEN);
    assert_eq!(
        TestResponse::of(&agent.wait_until(Timestamp::from_secs(1005))[0]).status,
        ErrorStatus::GenErr
    );
}

#[test]
fn completions_with_unknown_token_are_ignored() {
    let (mut agent, _) = slow_agent(5);
    agent.entity.value_ready(LookupToken(99));
    let (mut other, _) = TestAgent::standard_with(AgentBuilder::hold_sets);
    let change = set(&[(scalar(&snmpv2_mib::SYS_LOCATION), text("roof"))]).v2c("private");
    assert_eq!(other.handle(&change), Outcome::Pending);
    let unknown = other.held[0].token();
    agent.entity.set_finished(unknown, Ok(()));
    assert!(agent.poll().is_empty());
    let mut reply = [0; 100];
    let outcome = agent.entity.finish_set(agent.now, unknown, Ok(()), &mut reply);
    assert_eq!(outcome, HandleOutcome::Dropped);
    agent.assert_responds();
}

#[test]
fn requests_above_pending_limit_are_answered_with_gen_err() {
    let (mut agent, ready) = slow_agent(5);
    let message = get(&[services()]).v2c("public");
    let replies: Vec<Outcome> = (0..1000).map(|_| agent.handle(&message)).collect();
    let (pending, rejected): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|outcome| *outcome == Outcome::Pending);
    assert_eq!((pending.len(), rejected.len()), (256, 744));
    for outcome in rejected {
        let Outcome::Reply(reply) = outcome else { panic!("a request was dropped") };
        assert_eq!(TestResponse::of(&reply).error(), (ErrorStatus::GenErr, 1));
    }
    agent.assert_responds();
    ready.store(true, Ordering::Relaxed);
    agent.entity.value_ready(DelayedScalar::TOKEN);
    assert_eq!(agent.poll().len(), 256);
}

/// Reads that wait for slow values do not prevent changes.
#[test]
fn set_is_persisted_and_answered_when_pending_table_is_full_of_reads() {
    let (delayed_scalar, _) = DelayedScalar::new(&snmpv2_mib::SYS_SERVICES);
    let log = ModuleLog::default();
    let locations = WritableModule::new("locations", &[&snmpv2_mib::SYS_LOCATION], &log).durable();
    let mut agent = AgentBuilder::new().module(delayed_scalar).writable(locations).hold_sets().build();
    let message = get(&[services()]).v2c("public");
    while agent.handle(&message) == Outcome::Pending {}
    let change = set(&[(scalar(&snmpv2_mib::SYS_LOCATION), text("roof"))]).v2c("private");
    assert_eq!(agent.handle(&change), Outcome::Pending);
    agent.execute_sets();
    assert_eq!(TestResponse::of(&agent.poll()[0]).value(), text("roof"));
}

#[test]
fn pending_requests_are_dropped_when_their_session_closes() {
    let (mut agent, ready) = slow_agent(5);
    assert_eq!(agent.handle(&get(&[services()]).v2c("public")), Outcome::Pending);
    agent.entity.drop_requests_of(|source| *source == 2);
    assert!(agent.entity.next_timeout(agent.now).is_some());
    agent.entity.drop_requests_of(|source| *source == 1);
    assert_eq!(agent.entity.next_timeout(agent.now), None);
    ready.store(true, Ordering::Relaxed);
    agent.entity.value_ready(DelayedScalar::TOKEN);
    assert!(agent.poll().is_empty());
}

/// A deferred response is protected at the level of its request.
#[test]
fn deferred_response_is_authenticated_and_encrypted() {
    let (mut agent, ready) = slow_agent(5);
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let message = ops.message(&get(&[services()]));
    assert_eq!(agent.handle(&message), Outcome::Pending);
    ready.store(true, Ordering::Relaxed);
    agent.entity.value_ready(DelayedScalar::TOKEN);
    let verified = ops.receive(&agent.poll()[0]).unwrap();
    assert_eq!(
        (verified.response.value(), verified.level),
        (OwnedValue::Integer(DelayedScalar::VALUE), ops.level)
    );
    assert_eq!(verified.msg_id, ops.msg_id);
}
