//! The records of finished SETs.

use portreeve_smi::SecurityModel;
use portreeve_snmp_apps::{FinishedSet, SetResult};
use portreeve_snmp_engine::RejectReason;

use super::*;

fn recording(mut agent: TestAgent) -> TestAgent {
    agent.entity.record_sets(true);
    agent
}

fn drain(agent: &mut TestAgent) -> Vec<FinishedSet<u32>> {
    std::iter::from_fn(|| agent.entity.poll_finished_set()).collect()
}

fn reason_of(record: &FinishedSet<u32>) -> Option<String> {
    record.refusal.as_ref().map(ToString::to_string)
}

#[test]
fn review_l1_set_record_contains_sender_variable_names_and_result() {
    let mut agent = recording(TestAgent::standard().0);
    agent.request_v2c(&both());
    let record = FinishedSet {
        source: 1,
        security_model: SecurityModel::SNMP_V2C,
        security_name: (*b"writer").into(),
        context_name: [].into(),
        names: vec![location(), contact()],
        variables: 2,
        result: SetResult::Answered(ErrorStatus::NoError),
        refusal: None,
    };
    assert_eq!(drain(&mut agent), [record]);

    let uptime = scalar(&snmpv2_mib::SYS_UP_TIME);
    agent.request_v1(&set(&[(uptime.clone(), OwnedValue::TimeTicks(1))]));
    let [record] = &*drain(&mut agent) else { panic!("not one record") };
    assert_eq!((&*record.names, record.security_model), (&[uptime][..], SecurityModel::SNMP_V1));
    assert_eq!(record.result, SetResult::Answered(ErrorStatus::NotWritable));
    assert_eq!(reason_of(record).as_deref(), Some("the object cannot be changed"));

    agent.request_v2c(&get(&[contact()]));
    assert_eq!(drain(&mut agent), [], "a read is not recorded");
    agent.entity.record_sets(false);
    agent.request_v2c(&both());
    assert_eq!(drain(&mut agent), [], "no SET is recorded unless records are on");
}

#[test]
fn review_l1_set_is_logged_after_persisting_succeeds_or_fails() {
    for (succeeded, status) in [(true, ErrorStatus::NoError), (false, ErrorStatus::CommitFailed)] {
        let log = ModuleLog::default();
        let mut agent = recording(queued::builder_with_durable_module(&log).build());
        assert_eq!(agent.handle(&both().v2c("private")), Outcome::Pending);
        assert_eq!(drain(&mut agent), [], "the SET has not finished");
        agent.sets.log_mut().fails = !succeeded;
        agent.execute_sets();
        assert_eq!(agent.poll().len(), 1);
        let [record] = &*drain(&mut agent) else { panic!("not one record") };
        assert_eq!(record.result, SetResult::Answered(status));
        let reason = (!succeeded).then_some("the change could not be stored: disk full");
        assert_eq!(reason_of(record).as_deref(), reason);
    }
}

#[test]
fn review_l1_large_set_is_logged_with_first_four_names_and_count() {
    let mut agent = recording(TestAgent::standard().0);
    agent.request_v2c(&set(&vec![(contact(), text("ops")); 100]));
    let [record] = &*drain(&mut agent) else { panic!("not one record") };
    assert_eq!((&*record.names, record.variables), (&[contact(), contact(), contact(), contact()][..], 100));
}

#[test]
fn review_l1_set_is_logged_when_context_is_unknown() {
    let mut agent = recording(TestAgent::standard().0);
    let mut manager = TestManager::ops().synchronized_with(&mut agent);
    manager.context_name = "nowhere";
    let message = manager.message(&both());
    agent.reply_to(&message);
    let [record] = &*drain(&mut agent) else { panic!("not one record") };
    assert_eq!(record.result, SetResult::Rejected(RejectReason::UnknownContext));
    assert_eq!((&*record.context_name, record.security_model), (&b"nowhere"[..], SecurityModel::USM));
}

/// The queue of records is limited, so that it does not grow forever if the caller does not take
/// the records.
#[test]
fn review_l1_number_of_set_records_waiting_to_be_logged_is_limited() {
    let mut agent = recording(TestAgent::standard().0);
    for _ in 0..5000 {
        agent.request_v2c(&both());
    }
    let length = drain(&mut agent).len();
    // All pending requests of a worker, 2048 SETs and 256 others, can end at once.
    assert!((2305..=3000).contains(&length), "{length}");
}
