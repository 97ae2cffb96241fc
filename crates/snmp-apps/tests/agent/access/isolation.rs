//! Tests that access rights are not confused between names, security models and contexts.

use portreeve_lcd::ContextMatch;
use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, SecurityLevel, SecurityModel, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;

use super::{NO_AUTH, agent_with};
use crate::support::{
    agent::{Outcome, TestAgent, over, session_of},
    config::{AUTH, PRIVACY, TestConfig, engine_id},
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::get,
};

/// The same name under USM, TSM and both community models, each with its own access rights.
#[test]
fn b4_same_name_in_two_security_models_does_not_share_access() {
    let config = || {
        TestConfig::standard()
            .user("alice", Some(AUTH), Some(PRIVACY))
            .community("alice", "alice", "")
            .view("name", &[("1.3.6.1.2.1.1.5", "included")])
    };
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let models = [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C, SecurityModel::USM, SecurityModel::TSM];
    for granted in models {
        // Here the access entry applies to one model, and the name is in the group for every model.
        let with_rule = models
            .iter()
            .fold(config(), |config, model| config.group(*model, "alice", "friends"))
            .access("friends", granted, NO_AUTH, ("all", "all"));
        // Here the access entry applies to any model, and the name is in the group for one model.
        let with_group = config().group(granted, "alice", "friends").access(
            "friends",
            SecurityModel::ANY,
            NO_AUTH,
            ("all", "all"),
        );
        for config in [with_rule, with_group] {
            let (mut agent, _) = agent_with(config);
            let session = session_of("alice", SecurityLevel::AuthPriv);
            let mut usm = TestManager::new("alice", SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY));
            usm.engine_id = engine_id().as_bytes().to_vec();
            usm.request(&mut agent, &pdu);
            let tsm_message = pdu.tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "");
            let responses = [
                TestResponse::of(&agent.reply_to(&pdu.v1("alice"))),
                TestResponse::of(&agent.reply_to(&pdu.v2c("alice"))),
                usm.request(&mut agent, &pdu).response,
                match agent.handle_over(&session, 65_535, &tsm_message) {
                    Outcome::Reply(reply) => TestResponse::of(&reply),
                    other => panic!("no response but {other:?}"),
                },
            ];
            for (model, response) in models.into_iter().zip(responses) {
                let rejected = [(ErrorStatus::AuthorizationError, 0), (ErrorStatus::NoSuchName, 1)];
                if model == granted {
                    assert_eq!(
                        response.value(),
                        text("test agent"),
                        "granted to {granted}, requested by {model}"
                    );
                } else {
                    assert!(
                        rejected.contains(&response.error()),
                        "granted to {granted}, requested by {model}"
                    );
                }
            }
        }
    }
}

#[test]
fn b4_tsm_message_over_plain_udp_or_tcp_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let message = get(&[scalar(&snmpv2_mib::SYS_DESCR)]).tsm(NO_AUTH, engine_id().as_bytes(), "");
    for domain in [TransportDomain::Udp, TransportDomain::Tcp] {
        let before = agent.counts();
        assert_eq!(agent.handle_over(&over(domain), 65_507, &message), Outcome::Dropped);
        assert_eq!(
            agent.increments_since(&before),
            [(Counter::SnmpInPkts, 1), (Counter::SnmpTsmInvalidCaches, 1)]
        );
    }
}

//= rfc3415#3.2-1
//= type=test
//= rfc3413#3.2-5-p3
//= type=test
#[test]
fn b4_access_in_one_context_does_not_apply_to_another_context() {
    let config = TestConfig::standard().context("vlan1").context("vlan2").access_in(
        ("vlan1", ContextMatch::Exact),
        "operators",
        SecurityModel::USM,
        NO_AUTH,
        ("all", ""),
    );
    let (mut agent, _) = agent_with(config);
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    for (context, expected) in [
        ("", ErrorStatus::NoError),
        ("vlan1", ErrorStatus::NoError),
        ("vlan2", ErrorStatus::AuthorizationError),
    ] {
        ops.context_name = context;
        let verified = ops.request(&mut agent, &pdu);
        assert_eq!(verified.response.status, expected, "{context}");
        assert_eq!(verified.context_name, context.as_bytes());
    }
    for unknown in ["vlan", "vlan11", "VLAN1", "vlan3"] {
        ops.context_name = unknown;
        let before = agent.counts();
        let verified = ops.request(&mut agent, &pdu);
        assert_eq!(
            verified.response.names(),
            [scalar(&portreeve_mib::modules::target_mib::SNMP_UNKNOWN_CONTEXTS)]
        );
        assert!(agent.increments_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
    }
}

#[test]
fn b4_community_can_access_only_its_context() {
    let config = TestConfig::standard()
        .context("vlan1")
        .community("vlan1", "reader", "vlan1")
        .community("lost", "reader", "vlan9");
    let (mut agent, _) = agent_with(config);
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let vlan1 = TestResponse::of(&agent.reply_to(&pdu.v2c("vlan1")));
    assert_eq!(vlan1.error(), (ErrorStatus::AuthorizationError, 0));
    let before = agent.counts();
    assert_eq!(agent.handle(&pdu.v2c("lost")), Outcome::Dropped);
    assert!(agent.increments_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
}
