//! Tests of the time window, and of messages whose boots differ from the boots of the agent.

use portreeve_mib::modules::usm_mib;
use portreeve_smi::{EngineBoots, OwnedValue, Timestamp};
use portreeve_snmp_engine::{LocalEngine, statistics::Counter};
use portreeve_snmp_message::PduType;

use super::sys_descr;
use crate::support::{
    agent::{TestAgent, standard_objects},
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    writable_module::ModuleLog,
};

#[test]
fn c9_time_window_is_150_seconds_in_both_directions() {
    for (late, accepted) in [(0, true), (149, true), (150, true), (151, false), (10_000, false)] {
        let (mut agent, _) = TestAgent::standard();
        let mut ops = TestManager::ops().synchronized_with(&mut agent);
        let message = ops.message(&sys_descr());
        agent.now = Timestamp::from_secs(agent.now.as_secs() + late);
        assert_answered(&mut ops, &mut agent, &message, accepted);
    }
    for (early, accepted) in [(149, true), (150, true), (151, false), (900, false)] {
        let (mut agent, _) = TestAgent::standard();
        let mut ops = TestManager::ops().synchronized_with(&mut agent);
        let message = ops.message(&sys_descr());
        agent.now = Timestamp::from_secs(agent.now.as_secs() - early);
        assert_answered(&mut ops, &mut agent, &message, accepted);
    }
}

#[track_caller]
fn assert_answered(manager: &mut TestManager, agent: &mut TestAgent, message: &[u8], accepted: bool) {
    let before = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows);
    let reply = agent.reply_to(message);
    let late = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows) - before;
    assert_eq!(late == 0, accepted);
    if let Some(verified) = manager.receive(&reply) {
        assert_eq!(verified.response.pdu_type == PduType::Response, accepted);
    }
}

#[test]
fn c10_request_with_wrong_engine_boots_is_rejected() {
    for boots in [0, 6, 8, 0x7fff_fffe] {
        let (mut before, _) = TestAgent::standard();
        let mut ops = TestManager::ops().synchronized_with(&mut before);
        let mut agent = agent_with_boots(EngineBoots::new(boots));
        let message = ops.message(&sys_descr());
        assert_answered(&mut ops, &mut agent, &message, false);
    }
}

fn agent_with_boots(boots: Option<EngineBoots>) -> TestAgent {
    let mut builder = standard_objects(&ModuleLog::default());
    builder.local = LocalEngine { boots, ..builder.local };
    builder.build()
}

/// Boots that could not be stored have the same effect as latched boots.
#[test]
fn c10_authenticated_request_is_rejected_if_engine_boots_latched_or_unset() {
    for boots in [Some(EngineBoots::LATCHED), None] {
        let mut agent = agent_with_boots(boots);
        let mut ops = TestManager::ops();
        ops.request(&mut agent, &sys_descr());
        for round in 1..4 {
            let message = ops.message(&sys_descr());
            let reply = agent.reply_to(&message);
            let count = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows);
            assert_eq!(count, round);
            assert_eq!(
                TestResponse::of(&reply).var_binds,
                [(scalar(&usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS), OwnedValue::Counter32(count))]
            );
            // The manager also rejects a Report with latched boots and does not update its clock.
            assert_eq!(ops.receive(&reply), None);
        }
        let mut guest = TestManager::guest().synchronized_with(&mut agent);
        assert_eq!(guest.request(&mut agent, &sys_descr()).response.value(), text("test agent"));
        agent.assert_responds();
    }
}
