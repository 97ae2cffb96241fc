//! The time window, and boots that are not those of now.

use portreeve_mib::modules::usm_mib;
use portreeve_smi::{EngineBoots, OwnedValue, Timestamp};
use portreeve_snmp_engine::{LocalEngine, statistics::Counter};
use portreeve_snmp_message::PduType;

use super::sys_descr;
use crate::support::{
    agent::{Agent, usual_objects},
    answer::Answer,
    ledger::Book,
    manager::Manager,
    names::{scalar, text},
};

#[test]
fn c9_the_time_window_is_one_hundred_and_fifty_seconds_to_either_side() {
    for (late, accepted) in [(0, true), (149, true), (150, true), (151, false), (10_000, false)] {
        let (mut agent, _) = Agent::usual();
        let mut ops = Manager::ops().acquainted(&mut agent);
        let message = ops.message(&sys_descr());
        agent.now = Timestamp::from_secs(agent.now.as_secs() + late);
        is_answered(&mut ops, &mut agent, &message, accepted);
    }
    for (early, accepted) in [(149, true), (150, true), (151, false), (900, false)] {
        let (mut agent, _) = Agent::usual();
        let mut ops = Manager::ops().acquainted(&mut agent);
        let message = ops.message(&sys_descr());
        agent.now = Timestamp::from_secs(agent.now.as_secs() - early);
        is_answered(&mut ops, &mut agent, &message, accepted);
    }
}

#[track_caller]
fn is_answered(manager: &mut Manager, agent: &mut Agent, message: &[u8], accepted: bool) {
    let before = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows);
    let reply = agent.reply_to(message);
    let late = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows) - before;
    assert_eq!(late == 0, accepted);
    if let Some(told) = manager.read(&reply) {
        assert_eq!(told.answer.pdu_type == PduType::Response, accepted);
    }
}

#[test]
fn c10_other_boots_are_out_of_the_time_window() {
    for boots in [0, 6, 8, 0x7fff_fffe] {
        let (mut before, _) = Agent::usual();
        let mut ops = Manager::ops().acquainted(&mut before);
        let mut agent = agent_with_boots(EngineBoots::new(boots));
        let message = ops.message(&sys_descr());
        is_answered(&mut ops, &mut agent, &message, false);
    }
}

fn agent_with_boots(boots: Option<EngineBoots>) -> Agent {
    let mut parts = usual_objects(&Book::default());
    parts.local = LocalEngine { boots, ..parts.local };
    parts.agent()
}

/// Also when nothing but storing the boots has failed.
#[test]
fn c10_an_engine_with_latched_or_without_durable_boots_authenticates_nobody_and_answers_the_rest() {
    for boots in [Some(EngineBoots::LATCHED), None] {
        let mut agent = agent_with_boots(boots);
        let mut ops = Manager::ops();
        ops.ask(&mut agent, &sys_descr());
        for round in 1..4 {
            let message = ops.message(&sys_descr());
            let reply = agent.reply_to(&message);
            let count = agent.statistics.counter32(Counter::UsmStatsNotInTimeWindows);
            assert_eq!(count, round);
            assert_eq!(
                Answer::of(&reply).var_binds,
                [(scalar(&usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS), OwnedValue::Counter32(count))]
            );
            // The manager, too, refuses a Report with latched boots, and learns nothing from it.
            assert_eq!(ops.read(&reply), None);
        }
        let mut guest = Manager::guest().acquainted(&mut agent);
        assert_eq!(guest.ask(&mut agent, &sys_descr()).answer.value(), text("a gate"));
        agent.is_well();
    }
}
