use portreeve_mib::modules::usm_mib::{
    USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS, USM_STATS_UNKNOWN_USER_NAMES,
    USM_STATS_WRONG_DIGESTS,
};
use portreeve_smi::{ClockReading, EngineBoots, EngineId};
use portreeve_snmp_engine::security::usm::UsmFailure;
use portreeve_snmp_message::{MsgFlags, V3Message};

use super::{agent::user, *};
use crate::Refusal;
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

fn desk(level: SecurityLevel) -> Desk {
    Desk::new(Credentials::V3(user(level)))
}

/// Lets the session send and the agent answer as it ought to, until the request has arrived or is over.
pub(super) fn until_asked(desk: &mut Desk, agent: &Agent) -> Question {
    for _ in 0..4 {
        match agent.hear(&desk.sends().expect("a message")) {
            Heard::Question(question, level) => {
                assert!(!question.names.is_empty());
                assert!(matches!(level, NoAuthNoPriv | AuthNoPriv | AuthPriv));
                return question;
            }
            Heard::Rejected(msg_id, UsmFailure::UnknownEngineId) => {
                desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
            Heard::Rejected(msg_id, UsmFailure::NotInTimeWindow) => {
                desk.hears(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
            }
            Heard::Rejected(_, failure) => panic!("{failure:?}"),
        }
    }
    panic!("the request never arrived");
}

fn msg_id(message: &[u8]) -> i32 {
    V3Message::parse(message).unwrap().header.msg_id
}

//= rfc3412#7.1-1a
//= type=test
//= rfc3412#7.1-4
//= type=test
//= rfc3412#7.1-5
//= type=test
//= rfc3412#7.1-6
//= type=test
//= rfc3412#7.1-9a
//= type=test
//= rfc3412#7.1-9b
//= type=test
//= rfc3412#7.1-9e
//= type=test
//= rfc3412#7.2-1
//= type=test
//= rfc3412#7.2-12c
//= type=test
//= rfc3412#7.2-12d
//= type=test
#[test]
fn discovery_and_time_come_before_the_request_at_every_level() {
    for level in [NoAuthNoPriv, AuthNoPriv, AuthPriv] {
        let (mut desk, agent) = (desk(level), Agent::new(ENGINE));
        desk.ask(Operation::Get);
        let question = until_asked(&mut desk, &agent);
        desk.hears(agent.say(question.msg_id, level, &Answer::to(&question)));
        assert!(desk.ended().unwrap().is_ok(), "{level}");
        // What has been learnt stays.
        desk.ask(Operation::Get);
        assert!(matches!(agent.hear(&desk.sends().unwrap()), Heard::Question(_, found) if found == level));
    }
}

#[test]
fn a_configured_engine_is_not_looked_for() {
    let options = SessionOptions {
        security_engine_id: Some(EngineId::new(ENGINE).unwrap()),
        ..SessionOptions::default()
    };
    let mut desk = Desk::with_options(Credentials::V3(user(NoAuthNoPriv)), options);
    desk.ask(Operation::Get);
    assert!(matches!(Agent::new(ENGINE).hear(&desk.sends().unwrap()), Heard::Question(..)));
}

#[test]
fn a_clock_that_the_caller_knows_is_not_asked_for() {
    let clock = ClockReading { boots: EngineBoots::new(7).unwrap(), time: 1000 };
    let options = SessionOptions {
        security_engine_id: Some(EngineId::new(ENGINE).unwrap()),
        agent_clock: Some(clock),
        ..SessionOptions::default()
    };
    let mut desk = Desk::with_options(Credentials::V3(user(AuthNoPriv)), options);
    desk.ask(Operation::Get);
    let agent = Agent::new(ENGINE).with_clock(clock);
    assert!(matches!(agent.hear(&desk.sends().unwrap()), Heard::Question(_, AuthNoPriv)));
}

//= rfc3412#7.1-9d
//= type=test
//= rfc3412#7.2-10a
//= type=test
//= rfc3413#3.1-2
//= type=test
#[test]
fn m1_a_wrong_msg_id_or_request_id_is_not_the_answer() {
    let (mut desk, agent) = (desk(AuthPriv), Agent::new(ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    desk.ignores(agent.say(question.msg_id ^ 1, AuthPriv, &Answer::to(&question)), Ignored::UnknownRequest);
    let mut answer = Answer::to(&question);
    answer.request_id ^= 1;
    desk.ignores(agent.say(question.msg_id, AuthPriv, &answer), Ignored::UnknownRequest);
}

//= rfc3412#7.2-12a
//= type=test
//= rfc3413#3.1-1
//= type=test
#[test]
fn m5_an_answer_from_another_engine_or_context_is_not_the_answer() {
    let (mut desk, agent) = (desk(AuthNoPriv), Agent::new(ENGINE));
    let stranger = Agent::new(OTHER_ENGINE);
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    let answer = Answer::to(&question);
    desk.ignores(stranger.say(question.msg_id, AuthNoPriv, &answer), Ignored::OtherEngine);
    desk.ignores(
        agent.say_about(question.msg_id, AuthNoPriv, &answer, stranger.engine_id),
        Ignored::OtherEngine,
    );
}

//= rfc3412#7.2-11b
//= type=test
#[test]
fn m13_an_unauthenticated_report_sets_neither_boots_nor_time() {
    let (mut desk, agent) = (desk(AuthNoPriv), Agent::new(ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    let liar =
        Agent::new(ENGINE).with_clock(ClockReading { boots: EngineBoots::new(4711).unwrap(), time: 9 });
    let report = liar.report(question.msg_id, NoAuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS);
    desk.ignores(report, Ignored::LowerSecurityLevel(NoAuthNoPriv));
    desk.waits(Duration::from_secs(1));
    assert!(matches!(agent.hear(&desk.sends().unwrap()), Heard::Question(..)));
}

#[test]
fn m13_the_clock_in_the_answer_to_discovery_is_not_believed() {
    let mut desk = desk(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    desk.ask(Operation::Get);
    let discovery = desk.sends().unwrap();
    desk.hears(agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    assert!(matches!(agent.hear(&desk.sends().unwrap()), Heard::Rejected(_, UsmFailure::NotInTimeWindow)));
}

#[test]
fn m14_discovery_is_not_repeated_more_than_twice() {
    let mut desk = desk(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    desk.ask(Operation::Get);
    let mut discoveries = 0;
    while let Some(message) = desk.sends() {
        let level = V3Message::parse(&message).unwrap().header.flags.level();
        discoveries += u32::from(level == MsgFlags::new(NoAuthNoPriv, true).level());
        desk.hears(agent.report(msg_id(&message), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
        assert!(discoveries < 10);
    }
    assert_eq!(discoveries, 2);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::UnknownEngineId));
}

#[test]
fn a_replaced_agent_is_found_again() {
    let (mut desk, old, new) = (desk(AuthPriv), Agent::new(ENGINE), Agent::new(OTHER_ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &old);
    desk.hears(old.say(question.msg_id, AuthPriv, &Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &new);
    desk.hears(new.say(question.msg_id, AuthPriv, &Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
    assert_eq!(desk.session.engine_id(), Some(new.engine_id));
}

//= rfc3412#7.2-12b
//= type=test
#[test]
fn m15_an_answer_at_a_lower_level_is_not_the_answer() {
    for (asked, answered) in [(AuthPriv, AuthNoPriv), (AuthPriv, NoAuthNoPriv), (AuthNoPriv, NoAuthNoPriv)] {
        let (mut desk, agent) = (desk(asked), Agent::new(ENGINE));
        desk.ask(Operation::Get);
        let question = until_asked(&mut desk, &agent);
        let message = agent.say(question.msg_id, answered, &Answer::to(&question));
        desk.ignores(message, Ignored::LowerSecurityLevel(answered));
    }
}

#[test]
fn m16_an_engine_id_of_impossible_length_is_not_learnt() {
    let mut desk = desk(NoAuthNoPriv);
    desk.ask(Operation::Get);
    let discovery = desk.sends().unwrap();
    let agent = Agent::new(ENGINE);
    let good = agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS);
    desk.ignores(with_short_engine_id(&good), Ignored::OddEngineId);
    assert_eq!(desk.session.engine_id(), None);
    desk.hears(good);
    assert_eq!(desk.session.engine_id(), Some(agent.engine_id));
}

#[test]
fn m17_a_latched_clock_does_not_put_the_session_to_sleep() {
    let mut desk = desk(AuthNoPriv);
    let agent = Agent::new(ENGINE).with_clock(ClockReading { boots: EngineBoots::LATCHED, time: 5 });
    desk.ask(Operation::Get);
    let discovery = desk.sends().unwrap();
    desk.hears(agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    for _ in 0..6 {
        let request = desk.sends().unwrap();
        desk.hears(agent.report(msg_id(&request), AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
        desk.waits(Duration::from_secs(1));
    }
    let expected = RequestError::Timeout(Some(Ignored::NotInTimeWindow));
    assert_eq!(desk.ended().unwrap().unwrap_err(), expected);
}

#[test]
fn clocks_are_synchronised_once_per_request() {
    let (mut desk, agent) = (desk(AuthNoPriv), Agent::new(ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    desk.hears(agent.report(question.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::NotInTimeWindow));
}

//= rfc3412#7.2-9
//= type=test
//= rfc3412#7.2-11a
//= type=test
//= rfc3412#7.2-11c
//= type=test
//= rfc3412#7.2-11d
//= type=test
//= rfc3412#7.2-11e
//= type=test
#[test]
fn reports_become_typed_errors() {
    let table = [
        (&USM_STATS_UNKNOWN_USER_NAMES, Refusal::UnknownUserName),
        (&USM_STATS_WRONG_DIGESTS, Refusal::WrongDigest),
    ];
    for (counter, expected) in table {
        let (mut desk, agent) = (desk(AuthNoPriv), Agent::new(ENGINE));
        desk.ask(Operation::Get);
        let question = until_asked(&mut desk, &agent);
        desk.hears(agent.report(question.msg_id, NoAuthNoPriv, counter));
        assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(expected));
    }
}

#[test]
fn c13_an_answer_with_any_bit_flipped_is_not_the_answer() {
    let (mut desk, agent) = (desk(AuthPriv), Agent::new(ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    let good = agent.say(question.msg_id, AuthPriv, &Answer::to(&question));
    for bit in 0..good.len() * 8 {
        let mut flipped = good.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        desk.hears(flipped);
        assert!(desk.ended().is_none(), "bit {bit}");
    }
    desk.hears(good);
    assert!(desk.ended().unwrap().is_ok());
}

#[test]
fn a_lost_discovery_is_sent_again_and_then_given_up() {
    let mut desk = desk(AuthPriv);
    desk.ask(Operation::Get);
    for _ in 0..6 {
        assert!(desk.sends().is_some());
        desk.waits(Duration::from_secs(1));
    }
    assert_eq!(desk.sends(), None);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Timeout(None));
}

/// The same message, its engine ID cut to four octets and all lengths around it set right.
fn with_short_engine_id(message: &[u8]) -> Vec<u8> {
    let at = message.windows(ENGINE.len()).position(|window| window == ENGINE).unwrap();
    let cut = ENGINE.len() - 4;
    let mut short = message.to_vec();
    short.drain(at + 4..at + ENGINE.len());
    // The lengths of the engine ID, of the parameters' SEQUENCE, of their OCTET STRING, and of the whole message.
    for length in [at - 1, at - 3, at - 5, 1] {
        assert!(usize::from(short[length]) > cut && short[length] < 0x80, "short form at {length}");
        short[length] -= cut as u8;
    }
    short
}

//= rfc3412#7.1-1b
//= type=test
#[test]
fn no_msg_id_is_used_twice() {
    let (mut desk, agent) = (desk(NoAuthNoPriv), Agent::new(ENGINE));
    let mut used = std::collections::HashSet::new();
    for _ in 0..50 {
        desk.ask(Operation::Get);
        while let Some(message) = desk.session.poll_output(desk.now).map(<[u8]>::to_vec) {
            assert!(used.insert(msg_id(&message)));
            if let Heard::Rejected(msg_id, _) = agent.hear(&message) {
                desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
        }
    }
}
