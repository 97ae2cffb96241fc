//! Names, models and contexts that must not be taken for one another.

use portreeve_lcd::ContextMatch;
use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, SecurityLevel, SecurityModel, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;

use super::{NO_AUTH, agent_with};
use crate::support::{
    agent::{Agent, Heard, over, session_of},
    answer::Answer,
    ask::get,
    manager::Manager,
    names::{scalar, text},
    site::{AUTH, PRIVACY, Site, engine_id},
};

/// The same name under USM, TSM and both community models, each with rights of its own.
#[test]
fn b4_the_same_name_under_two_models_shares_nothing() {
    let site = || {
        Site::usual()
            .user("alice", Some(AUTH), Some(PRIVACY))
            .community("alice", "alice", "")
            .view("name", &[("1.3.6.1.2.1.1.5", "included")])
    };
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let models = [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C, SecurityModel::USM, SecurityModel::TSM];
    for granted in models {
        // The rule is for one model; the name is in the group under each of them.
        let with_rule = models
            .iter()
            .fold(site(), |site, model| site.group(*model, "alice", "friends"))
            .access("friends", granted, NO_AUTH, ("all", "all"));
        // The rule is for any model; the name is in the group under one of them.
        let with_group = site().group(granted, "alice", "friends").access(
            "friends",
            SecurityModel::ANY,
            NO_AUTH,
            ("all", "all"),
        );
        for site in [with_rule, with_group] {
            let (mut agent, _) = agent_with(site);
            let session = session_of("alice", SecurityLevel::AuthPriv);
            let mut usm = Manager::new("alice", SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY));
            usm.engine_id = engine_id().as_bytes().to_vec();
            usm.ask(&mut agent, &ask);
            let tsm_message = ask.tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "");
            let answers = [
                Answer::of(&agent.reply_to(&ask.v1("alice"))),
                Answer::of(&agent.reply_to(&ask.v2c("alice"))),
                usm.ask(&mut agent, &ask).answer,
                match agent.hear_over(&session, 65_535, &tsm_message) {
                    Heard::Reply(reply) => Answer::of(&reply),
                    other => panic!("no answer but {other:?}"),
                },
            ];
            for (model, answer) in models.into_iter().zip(answers) {
                let refused = [(ErrorStatus::AuthorizationError, 0), (ErrorStatus::NoSuchName, 1)];
                if model == granted {
                    assert_eq!(answer.value(), text("a gate"), "{granted} granted, {model} asked");
                } else {
                    assert!(refused.contains(&answer.error()), "{granted} granted, {model} asked");
                }
            }
        }
    }
}

#[test]
fn b4_a_name_in_a_message_is_worth_nothing_without_a_session() {
    let (mut agent, _) = Agent::usual();
    let message = get(&[scalar(&snmpv2_mib::SYS_DESCR)]).tsm(NO_AUTH, engine_id().as_bytes(), "");
    for domain in [TransportDomain::Udp, TransportDomain::Tcp] {
        let before = agent.counts();
        assert_eq!(agent.hear_over(&over(domain), 65_507, &message), Heard::Dropped);
        assert_eq!(
            agent.raised_since(&before),
            [(Counter::SnmpInPkts, 1), (Counter::SnmpTsmInvalidCaches, 1)]
        );
    }
}

//= rfc3415#3.2-1
//= type=test
//= rfc3413#3.2-5-p3
//= type=test
#[test]
fn b4_a_right_in_one_context_is_none_in_another() {
    let site = Site::usual().context("vlan1").context("vlan2").access_in(
        ("vlan1", ContextMatch::Exact),
        "operators",
        SecurityModel::USM,
        NO_AUTH,
        ("all", ""),
    );
    let (mut agent, _) = agent_with(site);
    let mut ops = Manager::ops().acquainted(&mut agent);
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    for (context, expected) in [
        ("", ErrorStatus::NoError),
        ("vlan1", ErrorStatus::NoError),
        ("vlan2", ErrorStatus::AuthorizationError),
    ] {
        ops.context_name = context;
        let told = ops.ask(&mut agent, &ask);
        assert_eq!(told.answer.status, expected, "{context}");
        assert_eq!(told.context_name, context.as_bytes());
    }
    for unknown in ["vlan", "vlan11", "VLAN1", "vlan3"] {
        ops.context_name = unknown;
        let before = agent.counts();
        let told = ops.ask(&mut agent, &ask);
        assert_eq!(told.answer.names(), [scalar(&portreeve_mib::modules::target_mib::SNMP_UNKNOWN_CONTEXTS)]);
        assert!(agent.raised_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
    }
}

#[test]
fn b4_a_community_stands_for_its_context_and_no_other() {
    let site = Site::usual()
        .context("vlan1")
        .community("vlan1", "reader", "vlan1")
        .community("lost", "reader", "vlan9");
    let (mut agent, _) = agent_with(site);
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let vlan1 = Answer::of(&agent.reply_to(&ask.v2c("vlan1")));
    assert_eq!(vlan1.error(), (ErrorStatus::AuthorizationError, 0));
    let before = agent.counts();
    assert_eq!(agent.hear(&ask.v2c("lost")), Heard::Dropped);
    assert!(agent.raised_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
}
