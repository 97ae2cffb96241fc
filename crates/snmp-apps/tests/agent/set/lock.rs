//! SET requests that wait for durable records or for the lock.

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_apps::SetLock;
use portreeve_snmp_engine::statistics::Counter;

use super::{assert_unchanged, both, contact, location};
use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent},
    names::text,
    response::TestResponse,
    test_pdu::{TestPdu, get, set},
    writable_module::{ModuleLog, WritableModule},
};

/// Two modules, the second of which stores its state durably.
pub(super) fn builder_with_durable_module(log: &ModuleLog) -> AgentBuilder {
    AgentBuilder::new()
        .module(WritableModule::new("contacts", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], log))
        .module(WritableModule::new("locations", &[&snmpv2_mib::SYS_LOCATION], log).durable())
}

#[test]
fn set_is_visible_and_answered_only_after_it_is_persisted() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    let message = both().v2c("private");
    assert_eq!(agent.handle(&message), Outcome::Pending);
    let persist = agent.next_persist();
    assert_eq!(persist.records.len(), 1);
    assert_unchanged(&mut agent);
    assert!(agent.poll().is_empty());
    agent.entity.persist_finished(persist.token, true);
    let sent = agent.poll();
    assert_eq!(sent.len(), 1);
    let response = TestResponse::of(&sent[0]);
    assert_eq!((response.error(), response.var_binds), ((ErrorStatus::NoError, 0), both().var_binds));
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
    assert_eq!(agent.statistics.sum(Counter::SnmpInTotalSetVars), 2);
    assert!(agent.poll().is_empty());
}

#[test]
fn set_is_undone_in_all_modules_when_persisting_fails() {
    for (undo_fails, status) in [(false, ErrorStatus::CommitFailed), (true, ErrorStatus::UndoFailed)] {
        let log = ModuleLog::default();
        let mut agent = builder_with_durable_module(&log).build();
        if undo_fails {
            log.fail("contacts", "undo");
        }
        assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
        let persist = agent.next_persist();
        log.take();
        agent.entity.persist_finished(persist.token, false);
        let response = TestResponse::of(&agent.poll()[0]);
        assert_eq!((response.error(), response.var_binds), ((status, 0), both().var_binds));
        assert_eq!(log.take(), ["contacts undo", "locations undo"]);
        assert_unchanged(&mut agent);
        // After the failure, the next SET is accepted.
        assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
        let persist = agent.next_persist();
        agent.entity.persist_finished(persist.token, true);
        assert_eq!(TestResponse::of(&agent.poll()[0]).error(), (ErrorStatus::NoError, 0));
    }
}

#[test]
fn sets_run_one_at_a_time_while_reads_continue() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    let change = |value: &str, id| {
        let mut pdu = set(&[(location(), text(value))]);
        pdu.request_id = id;
        pdu.v2c("private")
    };
    for id in 1..=3 {
        assert_eq!(agent.handle(&change(&id.to_string(), id)), Outcome::Pending);
    }
    let mut answered = vec![];
    for id in 1..=3 {
        assert_only_location_changed(&mut agent, &(id - 1).to_string());
        let persist = agent.next_persist();
        assert_eq!(agent.entity.poll_persist(), None, "only one SET holds the lock");
        agent.entity.persist_finished(persist.token, true);
        answered.extend(agent.poll().iter().map(|message| TestResponse::of(message).request_id));
    }
    assert_eq!(answered, [1, 2, 3]);
    assert_only_location_changed(&mut agent, "3");
}

#[track_caller]
fn assert_only_location_changed(agent: &mut TestAgent, location_value: &str) {
    let expected = if location_value == "0" { text("") } else { text(location_value) };
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text(""), expected]);
}

#[test]
fn set_waits_while_another_worker_holds_set_lock() {
    let (set_lock, log) = (SetLock::default(), ModuleLog::default());
    let worker = || {
        let mut builder = builder_with_durable_module(&log);
        builder.set_lock = set_lock.clone();
        builder.build()
    };
    let (mut first, mut second) = (worker(), worker());
    assert_eq!(first.handle(&both().v2c("private")), Outcome::Pending);
    log.take();
    assert_eq!(second.handle(&both().v2c("private")), Outcome::Pending);
    assert_eq!(log.take(), [""; 0], "no variable is tested without the lock");
    assert_eq!(second.entity.poll_persist(), None);
    let soon = second.entity.next_timeout(second.now).unwrap();
    assert!(soon > second.now && soon <= second.now + std::time::Duration::from_millis(10));
    assert!(second.wait_until(soon).is_empty());

    let persist = first.next_persist();
    first.entity.persist_finished(persist.token, true);
    assert_eq!(first.poll().len(), 1);
    let later = second.entity.next_timeout(second.now).unwrap();
    assert!(second.wait_until(later).is_empty());
    let persist = second.next_persist();
    second.entity.persist_finished(persist.token, true);
    assert_eq!(TestResponse::of(&second.poll()[0]).error(), (ErrorStatus::NoError, 0));
}

/// Neither the number of polls nor new requests change the order.
#[test]
fn sets_waiting_for_lock_run_in_order_of_arrival() {
    let (set_lock, log) = (SetLock::default(), ModuleLog::default());
    let worker = || {
        let mut builder = builder_with_durable_module(&log);
        builder.set_lock = set_lock.clone();
        builder.build()
    };
    let change = |id| TestPdu { request_id: id, ..both() }.v2c("private");
    let (mut first, mut second) = (worker(), worker());
    assert_eq!(first.handle(&change(1)), Outcome::Pending);
    for id in 2..=4 {
        assert_eq!(second.handle(&change(id)), Outcome::Pending);
        assert!(second.poll().is_empty());
    }
    let persist = first.next_persist();
    first.entity.persist_finished(persist.token, true);
    assert_eq!(first.poll().len(), 1);
    // The lock is free, but the SET that has waited longest acquires it first.
    assert_eq!(second.handle(&change(5)), Outcome::Pending);
    let mut answered = vec![];
    assert!(second.poll().is_empty());
    while let Some(persist) = second.entity.poll_persist() {
        second.entity.persist_finished(persist.token, true);
        answered.extend(second.poll().iter().map(|message| TestResponse::of(message).request_id));
    }
    assert_eq!(answered, [2, 3, 4, 5]);
}

#[test]
fn set_that_waits_too_long_for_lock_is_answered_with_gen_err() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
    assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
    assert!(agent.wait_until(Timestamp::from_secs(1004)).is_empty());
    let sent = agent.wait_until(Timestamp::from_secs(1005));
    assert_eq!(sent.len(), 1);
    assert_eq!(TestResponse::of(&sent[0]).error(), (ErrorStatus::GenErr, 0));
    // A SET whose records are being written has no deadline, because its result is not known yet.
    assert_eq!(agent.entity.next_timeout(agent.now), None);
    assert!(agent.wait_until(Timestamp::from_secs(9000)).is_empty());
    let persist = agent.next_persist();
    agent.entity.persist_finished(persist.token, true);
    assert_eq!(agent.poll().len(), 1);
}

#[test]
fn sets_above_waiting_limit_are_answered_with_resource_unavailable() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    let message = both().v2c("private");
    let mut rejected = 0;
    for _ in 0..1000 {
        match agent.handle(&message) {
            Outcome::Pending => {}
            Outcome::Reply(reply) => {
                let response = TestResponse::of(&reply);
                assert_eq!(
                    (response.error(), response.var_binds),
                    ((ErrorStatus::ResourceUnavailable, 0), both().var_binds)
                );
                rejected += 1;
            }
            Outcome::Dropped => panic!("a SET was dropped"),
        }
    }
    assert_eq!(rejected, 1000 - 256);
    assert_unchanged(&mut agent);
}

#[test]
fn set_being_persisted_is_finished_after_its_session_closes() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
    assert_eq!(agent.handle(&set(&[(location(), text("later"))]).v2c("private")), Outcome::Pending);
    agent.entity.drop_requests_of(|_| true);
    let persist = agent.next_persist();
    agent.entity.persist_finished(persist.token, true);
    agent.poll();
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
    assert_eq!(agent.entity.poll_persist(), None, "the SET that had not started was dropped");
}
