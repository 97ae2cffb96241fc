//! SET requests that wait until they are executed: as a group, with one write of their records.

use portreeve_datastore::{Purpose, Ticket};
use portreeve_lcd::Lcd;
use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, SecurityLevel, SecurityModel, Timestamp, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;

use super::{assert_unchanged, both, contact, location};
use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, over},
    config::TestConfig,
    names::text,
    response::TestResponse,
    test_pdu::{get, set},
    writable_module::{ModuleLog, WritableModule},
};

/// An agent that holds SETs, with two modules, the second of which stores its state durably.
pub(super) fn builder_with_durable_module(log: &ModuleLog) -> AgentBuilder {
    AgentBuilder::new()
        .writable(WritableModule::new("contacts", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], log))
        .writable(WritableModule::new("locations", &[&snmpv2_mib::SYS_LOCATION], log).durable())
        .hold_sets()
}

/// Returns a SET of sysLocation.
fn change(value: &str, request_id: i32) -> Vec<u8> {
    let mut pdu = set(&[(location(), text(value))]);
    pdu.request_id = request_id;
    pdu.v2c("private")
}

fn answered(agent: &mut TestAgent) -> Vec<(i32, ErrorStatus)> {
    let responses = agent.poll();
    let responses = responses.iter().map(|message| TestResponse::of(message));
    responses.map(|response| (response.request_id, response.status)).collect()
}

#[test]
fn set_is_visible_and_answered_only_after_it_is_persisted() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
    assert_unchanged(&mut agent);
    assert!(agent.poll().is_empty());
    log.take();
    agent.execute_sets();
    assert_eq!(log.take()[7..], ["contacts commit", "store", "locations publish", "contacts publish"]);
    assert_eq!(agent.sets.log_mut().groups, [[1]]);
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
        agent.sets.log_mut().fails = true;
        agent.execute_sets();
        let response = TestResponse::of(&agent.poll()[0]);
        assert_eq!((response.error(), response.var_binds), ((status, 0), both().var_binds));
        assert_eq!(log.take()[8..], ["store", "contacts undo", "locations undo"]);
        assert_unchanged(&mut agent);
        // After the failure, the next SET is accepted.
        agent.sets.log_mut().fails = false;
        assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
        agent.execute_sets();
        assert_eq!(TestResponse::of(&agent.poll()[0]).error(), (ErrorStatus::NoError, 0));
    }
}

#[test]
fn waiting_sets_are_executed_in_order_with_one_write_while_reads_continue() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    for id in 1..=3 {
        assert_eq!(agent.handle(&change(&id.to_string(), id)), Outcome::Pending);
        assert_unchanged(&mut agent);
    }
    agent.execute_sets();
    assert_eq!(agent.sets.log_mut().groups, [[1, 1, 1]]);
    let done = ErrorStatus::NoError;
    assert_eq!(answered(&mut agent), [(1, done), (2, done), (3, done)]);
    assert_eq!(agent.request_v2c(&get(&[location()])).value(), text("3"));
}

#[test]
fn refused_set_does_not_affect_other_sets_of_its_group() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    for (id, value) in [(1, "a"), (2, &"x".repeat(300)), (3, "c")] {
        assert_eq!(agent.handle(&change(value, id)), Outcome::Pending);
    }
    agent.execute_sets();
    assert_eq!(
        answered(&mut agent),
        [(1, ErrorStatus::NoError), (2, ErrorStatus::WrongLength), (3, ErrorStatus::NoError)]
    );
    assert_eq!(agent.sets.log_mut().groups, [[1, 1]]);
}

/// The worker answers reads and accepts SETs while an earlier SET waits for the lock.
#[test]
fn set_waits_while_another_transaction_holds_lock_and_worker_continues() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&change("roof", 1)), Outcome::Pending);
    let mut executor = agent.detach_executor();
    let mut started = agent.start_sets();
    let datastore = agent.datastore.clone();
    let locked = datastore.begin(Ticket::new("reload", Purpose::Reload, Timestamp::ZERO));
    let result = std::thread::scope(|scope| {
        let now = agent.now;
        let ticket = Ticket::new("ops", Purpose::Set, now);
        let started = &mut started;
        let executing = scope.spawn(move || executor.execute_group(started, ticket, || now));
        while datastore.lock().status().waiters.is_empty() {
            std::thread::yield_now();
        }
        assert_unchanged(&mut agent);
        assert_eq!(agent.handle(&change("later", 2)), Outcome::Pending);
        assert!(agent.poll().is_empty());
        assert!(!log.take().iter().any(|entry| entry.ends_with("commit")));
        drop(locked);
        executing.join().unwrap().remove(0)
    });
    agent.entity.set_finished(started[0].token(), result);
    assert_eq!(answered(&mut agent), [(1, ErrorStatus::NoError)]);
    assert_eq!(agent.request_v2c(&get(&[location()])).value(), text("roof"));
}

/// The rights are those of the state that the SET changes, not those at its arrival.
#[test]
fn set_is_denied_when_its_access_is_revoked_before_it_is_executed() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&change("roof", 1)), Outcome::Pending);
    agent.publish(Lcd::default());
    log.take();
    agent.execute_sets();
    assert_eq!(answered(&mut agent), [(1, ErrorStatus::AuthorizationError)]);
    assert_eq!(log.take(), [""; 0]);
}

/// Returns the standard configuration with the community `limited`, which may change objects only
/// if `may_write`.
fn limited_config(may_write: bool) -> TestConfig {
    let write_view = if may_write { "all" } else { "" };
    TestConfig::standard()
        .community("limited", "limited", "")
        .group(SecurityModel::SNMP_V2C, "limited", "limited")
        .access("limited", SecurityModel::ANY, SecurityLevel::NoAuthNoPriv, ("all", write_view))
}

/// Returns a SET of sysLocation by a user without write access.
fn limited_change(value: &str, request_id: i32) -> Vec<u8> {
    let mut pdu = set(&[(location(), text(value))]);
    pdu.request_id = request_id;
    pdu.v2c("limited")
}

#[test]
fn set_succeeds_when_pending_set_of_its_session_grants_its_access() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).config(limited_config(false)).build();
    assert_eq!(agent.handle(&change("first", 1)), Outcome::Pending);
    assert_eq!(agent.handle(&limited_change("second", 2)), Outcome::Pending);
    agent.publish(limited_config(true).lcd());
    agent.execute_sets();
    assert_eq!(answered(&mut agent), [(1, ErrorStatus::NoError), (2, ErrorStatus::NoError)]);
    assert_eq!(agent.request_v2c(&get(&[location()])).value(), text("second"));
}

#[test]
fn set_without_write_access_is_refused_at_once_unless_its_session_has_sets() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).config(limited_config(false)).build();
    let refusal = |agent: &mut TestAgent| TestResponse::of(&agent.reply_to(&limited_change("no", 2))).error();
    assert_eq!(refusal(&mut agent), (ErrorStatus::NoAccess, 1));
    assert_eq!(agent.handle(&change("first", 1)), Outcome::Pending);
    agent.source = 2;
    assert_eq!(refusal(&mut agent), (ErrorStatus::NoAccess, 1));
    agent.source = 1;
    assert_eq!(agent.handle(&limited_change("no", 2)), Outcome::Pending);
    // A SET of a user without access does not admit others.
    let first = agent.start_sets();
    agent.entity.set_finished(first[0].token(), Ok(()));
    assert_eq!(answered(&mut agent), [(1, ErrorStatus::NoError)]);
    assert_eq!(refusal(&mut agent), (ErrorStatus::NoAccess, 1));
    agent.execute_started(first.into_iter().skip(1).collect());
    assert_eq!(answered(&mut agent), [(2, ErrorStatus::NoAccess)]);
}

#[test]
fn long_set_is_answered_with_too_big_when_pending_set_may_grant_its_access() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).config(limited_config(false)).build();
    assert_eq!(agent.handle(&change("first", 1)), Outcome::Pending);
    let message = limited_change(&"x".repeat(1000), 2);
    let outcome = agent.handle_over(&over(TransportDomain::Udp), 500, &message);
    let Outcome::Reply(reply) = outcome else { panic!("no response but {outcome:?}") };
    assert_eq!(TestResponse::of(&reply).error(), (ErrorStatus::TooBig, 0));
}

#[test]
fn set_that_waits_too_long_is_answered_with_gen_err_and_never_executed() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&change("first", 1)), Outcome::Pending);
    let started = agent.start_sets();
    assert_eq!(agent.handle(&change("second", 2)), Outcome::Pending);
    assert!(agent.wait_until(Timestamp::from_secs(1004)).is_empty());
    let sent = agent.wait_until(Timestamp::from_secs(1005));
    assert_eq!(sent.len(), 1);
    let response = TestResponse::of(&sent[0]);
    assert_eq!((response.request_id, response.error()), (2, (ErrorStatus::GenErr, 0)));
    assert_eq!(agent.start_sets().len(), 0);
    // A SET that has started has no deadline, because its result is not known yet.
    assert_eq!(agent.entity.next_timeout(agent.now), None);
    assert!(agent.wait_until(Timestamp::from_secs(9000)).is_empty());
    agent.execute_started(started);
    assert_eq!(agent.entity.next_timeout(agent.now), Some(agent.now));
    assert_eq!(answered(&mut agent), [(1, ErrorStatus::NoError)]);
}

#[test]
fn sets_above_waiting_limit_are_answered_with_resource_unavailable() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    let message = both().v2c("private");
    let mut rejected = 0;
    for _ in 0..3000 {
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
    assert_eq!(rejected, 3000 - 2048);
    assert_unchanged(&mut agent);
}

#[test]
fn set_that_has_started_is_finished_after_its_session_closes() {
    let log = ModuleLog::default();
    let mut agent = builder_with_durable_module(&log).build();
    assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
    let started = agent.start_sets();
    assert_eq!(agent.handle(&change("later", 2)), Outcome::Pending);
    assert_eq!(agent.entity.drop_requests_of(|_| true), 1);
    assert_eq!(agent.start_sets().len(), 0, "the SET that had not started was dropped");
    agent.execute_started(started);
    agent.poll();
    assert_eq!(agent.request_v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
}
