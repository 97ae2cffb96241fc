use portreeve_mib::{
    Object,
    modules::{
        mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS,
        target_mib::{SNMP_UNAVAILABLE_CONTEXTS, SNMP_UNKNOWN_CONTEXTS},
        usm_mib::{
            USM_STATS_DECRYPTION_ERRORS, USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS,
            USM_STATS_UNKNOWN_USER_NAMES, USM_STATS_UNSUPPORTED_SEC_LEVELS, USM_STATS_WRONG_DIGESTS,
        },
    },
};
use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineBoots, ErrorStatus};

use super::{
    agent::{community_message, user},
    usm::until_asked,
    *,
};
use crate::explain::{Probe, Sign};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];

fn desk(level: SecurityLevel) -> Desk {
    Desk::new(Credentials::V3(user(level)))
}

fn clock(boots: u32, time: u32) -> ClockReading {
    ClockReading { boots: EngineBoots::new(boots).unwrap(), time }
}

/// What the session says of the end of its only request.
fn explanation(desk: &mut Desk) -> String {
    let error = desk.ended().expect("an end").expect_err("an error");
    desk.session.explain(&error).to_string()
}

/// Waits until the request is given up, and hands every message that still leaves to `answer`.
fn give_up(desk: &mut Desk, mut answer: impl FnMut(&[u8]) -> Option<Vec<u8>>) -> String {
    for _ in 0..8 {
        if let Some(reply) = desk.sends().and_then(|message| answer(&message)) {
            desk.hears(reply);
        }
        desk.waits(Duration::from_secs(1));
    }
    explanation(desk)
}

fn insist(found: &str, beginning: &str) {
    assert!(found.starts_with(beginning), "{found:?} does not begin with {beginning:?}");
    assert!(found.contains(": "), "{found:?} has no remedy");
}

#[test]
fn every_report_is_explained() {
    let table: [(&Object, SecurityLevel, &str); 8] = [
        (&USM_STATS_WRONG_DIGESTS, NoAuthNoPriv, "wrong authentication pass phrase for user ops"),
        (&USM_STATS_DECRYPTION_ERRORS, NoAuthNoPriv, "wrong privacy pass phrase for user ops"),
        (&USM_STATS_UNKNOWN_USER_NAMES, NoAuthNoPriv, "the agent has no user ops"),
        (&USM_STATS_UNSUPPORTED_SEC_LEVELS, NoAuthNoPriv, "the agent has user ops, but not for authPriv"),
        (&USM_STATS_NOT_IN_TIME_WINDOWS, AuthNoPriv, "the agent refuses the very time that it has told"),
        (&SNMP_UNKNOWN_CONTEXTS, AuthPriv, "the agent has no context \"\""),
        (&SNMP_UNAVAILABLE_CONTEXTS, AuthPriv, "the agent's context \"\" is not available now"),
        (&SNMP_UNKNOWN_PDU_HANDLERS, AuthPriv, "the agent has nothing of that context engineID"),
    ];
    for (counter, level, expected) in table {
        let (mut desk, agent) = (desk(AuthPriv), Agent::new(ENGINE));
        desk.ask(Operation::Get);
        let question = until_asked(&mut desk, &agent);
        desk.hears(agent.report(question.msg_id, level, counter));
        insist(&explanation(&mut desk), expected);
    }
}

#[test]
fn a_given_engine_id_that_is_not_the_agents_is_named() {
    let options =
        SessionOptions { security_engine_id: Some(EngineId::new(ENGINE).unwrap()), ..Default::default() };
    let mut desk = Desk::with_options(Credentials::V3(user(NoAuthNoPriv)), options);
    let agent = Agent::new(ENGINE);
    desk.ask(Operation::Get);
    let Heard::Question(question, _) = agent.hear(&desk.sends().unwrap()) else { panic!("no question") };
    desk.hears(agent.report(question.msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    insist(&explanation(&mut desk), "the agent does not have the engineID that was given");
}

/// The session knows a clock of 7 boots and 1000 seconds or a little more.
fn acquainted() -> Desk {
    let (mut desk, agent) = (desk(AuthNoPriv), Agent::new(ENGINE));
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    desk.hears(agent.say(question.msg_id, AuthNoPriv, &Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
    desk
}

/// Everything is refused as out of time, with this clock.
fn refuse_with(reading: ClockReading) -> impl FnMut(&[u8]) -> Option<Vec<u8>> {
    let agent = Agent::new(ENGINE).with_clock(reading);
    move |message| match agent.hear(message) {
        Heard::Rejected(msg_id, _) => Some(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS)),
        Heard::Question(..) => None,
    }
}

#[test]
fn a_clock_that_goes_back_in_the_same_boots_is_told_in_seconds() {
    let mut desk = acquainted();
    desk.waits(Duration::from_secs(12));
    desk.ask(Operation::Get);
    let said = give_up(&mut desk, refuse_with(clock(7, 700)));
    // The clock went on while the request was sent again.
    insist(&said, "agent's clock moved back 31");
    assert!(said.contains("it does not keep boots"), "{said}");
}

#[test]
fn boots_that_go_back_are_told() {
    let mut desk = acquainted();
    desk.ask(Operation::Get);
    insist(&give_up(&mut desk, refuse_with(clock(3, 5000))), "agent's boots went back from 7 to 3");
}

#[test]
fn a_latched_clock_is_told() {
    let mut desk = desk(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    desk.ask(Operation::Get);
    let question = until_asked(&mut desk, &agent);
    let latched = agent.with_clock(ClockReading { boots: EngineBoots::LATCHED, time: 5 });
    desk.hears(latched.report(question.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
    insist(&give_up(&mut desk, |_| None), "the agent's engineBoots has reached its end");
}

#[test]
fn two_agents_of_one_engine_id_are_told_apart_by_their_clocks() {
    let mut desk = acquainted();
    let (ours, other) = (Agent::new(ENGINE), Agent::new(ENGINE).with_clock(clock(3, 5000)));
    let mut turn = 0;
    desk.ask(Operation::Get);
    let said = give_up(&mut desk, |message| {
        turn += 1;
        match (turn % 2, ours.hear(message)) {
            // The first agent's answer is to a request that was not made, as if it came late.
            (1, Heard::Question(question, level)) => {
                Some(ours.say(question.msg_id ^ 0x4000_0000, level, &Answer::to(&question)))
            }
            (0, Heard::Question(question, _)) => {
                Some(other.report(question.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS))
            }
            _ => None,
        }
    });
    assert_eq!(desk.session.last_ignored(), Some(Ignored::NotInTimeWindow));
    insist(&said, "two agents share engineID 0x800000000501020304");
}

#[test]
fn silence_is_explained_by_how_far_the_agent_came() {
    let mut nobody = desk(AuthPriv);
    nobody.ask(Operation::Get);
    insist(&give_up(&mut nobody, |_| None), "no SNMPv3 engine answers there");

    for (level, expected) in [
        (AuthNoPriv, "the agent has told its engineID and then fell silent"),
        (AuthPriv, "wrong privacy pass phrase or protocol for user ops"),
    ] {
        let (mut desk, agent) = (desk(level), Agent::new(ENGINE));
        desk.ask(Operation::Get);
        until_asked(&mut desk, &agent);
        insist(&give_up(&mut desk, |_| None), expected);
    }

    let mut acquainted = acquainted();
    acquainted.ask(Operation::Get);
    insist(&give_up(&mut acquainted, |_| None), "the agent has stopped answering");

    let mut community = Desk::new(Credentials::V2c(Secret::from("public")));
    community.ask(Operation::Get);
    insist(&give_up(&mut community, |_| None), "the community is wrong, or the agent does not listen to it");
}

#[test]
fn answers_that_were_not_believed_are_explained() {
    let mut desk = Desk::new(Credentials::V2c(Secret::from("public")));
    desk.ask(Operation::Get);
    let said = give_up(&mut desk, |message| {
        let mut answer = Answer::to(&Question::of_community(message));
        answer.request_id ^= 1;
        Some(community_message(MessageProcessingModel::V2c, "public", &answer))
    });
    insist(&said, "answers came too late");

    let mut desk = Desk::new(Credentials::V2c(Secret::from("public")));
    desk.ask(Operation::Get);
    let said = give_up(&mut desk, |message| {
        let answer = Answer::to(&Question::of_community(message));
        Some(community_message(MessageProcessingModel::V1, "public", &answer))
    });
    insist(&said, "what came cannot be believed: it has another SNMP version");
}

#[test]
fn denials_name_who_was_denied_what() {
    let session = desk(AuthNoPriv).session;
    let host = [1, 3, 6, 1, 2, 1, 25];
    let said = session.explain_absence(&host).to_string();
    insist(&said, "no view grants 1.3.6.1.2.1.25 to ops at authNoPriv");
    let table = [
        (ErrorStatus::NoSuchName, "no view grants 1.3.6.1.2.1.25 to ops at authNoPriv"),
        (ErrorStatus::AuthorizationError, "ops at authNoPriv has no access rights"),
        (ErrorStatus::NoAccess, "no write view grants 1.3.6.1.2.1.25 to ops at authNoPriv"),
        (ErrorStatus::NotWritable, "1.3.6.1.2.1.25 cannot be written"),
    ];
    for (status, expected) in table {
        insist(&session.explain_status(status, &host).unwrap().to_string(), expected);
    }
    assert_eq!(session.explain_status(ErrorStatus::GenErr, &host), None);
    let community = Desk::new(Credentials::V1(Secret::from("secret word"))).session;
    let said = community.explain_absence(&host).to_string();
    insist(&said, "no view grants 1.3.6.1.2.1.25 to this community");
    assert!(!said.contains("secret word"));
}

/// What the probes of a session with a community find at an agent that answers as `answer` says.
fn probed(answer: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<String> {
    let session = Desk::new(Credentials::V2c(Secret::from("public"))).session;
    let mut probes = Probe::all(&session, 4711);
    let now = Timestamp::from_secs(1);
    let sent: Vec<_> = probes.iter_mut().filter_map(|probe| probe.message(now).map(<[u8]>::to_vec)).collect();
    assert_eq!(sent.len(), 3);
    let mut signs = Vec::new();
    for mut reply in sent.iter().filter_map(|message| answer(message)) {
        signs.extend(probes.iter_mut().find_map(|probe| probe.hear(now, &mut reply)));
    }
    Sign::cause(&signs, &session).map(|cause| cause.to_string())
}

#[test]
fn probes_tell_which_version_the_agent_speaks() {
    use portreeve_snmp_message::{Version, peek_version};
    let version = |message: &[u8]| match peek_version(message) {
        Ok(Version::Known(version)) => version,
        _ => panic!("no message of ours"),
    };
    let only = |spoken: MessageProcessingModel| {
        move |message: &[u8]| match version(message) {
            MessageProcessingModel::V3 if spoken == MessageProcessingModel::V3 => {
                let agent = Agent::new(ENGINE);
                let Heard::Rejected(msg_id, _) = agent.hear(message) else { panic!("no discovery") };
                Some(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS))
            }
            found if found == spoken => {
                Some(community_message(spoken, "public", &Answer::to(&Question::of_community(message))))
            }
            _ => None,
        }
    };
    assert_eq!(probed(|_| None), None);
    insist(
        &format!("{}: ", probed(only(MessageProcessingModel::V3)).unwrap()),
        "the agent is up and speaks SNMPv3",
    );
    insist(
        &format!("{}: ", probed(only(MessageProcessingModel::V1)).unwrap()),
        "the agent answers this community in SNMPv1 only",
    );
    insist(&format!("{}: ", probed(only(MessageProcessingModel::V2c)).unwrap()), "the agent answers now");
}
