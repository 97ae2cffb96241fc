//! Tests that responses of any size never exceed the limits of the peer, the transport and the
//! agent.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::ContextMatch;
use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{
    EngineBoots, ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel, Timestamp, TransportDomain,
};
use portreeve_snmp_engine::statistics::Counter;
use proptest::prelude::*;

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, over, standard_objects},
    config::{AUTH, PRIVACY, TestConfig},
    manager::TestManager,
    names::{instance, oid, scalar, text},
    response::TestResponse,
    static_module::StaticModule,
    test_pdu::{TestPdu, get, get_bulk, get_next},
    writable_module::ModuleLog,
};

/// An agent with fifty descriptions of 0 to 49 octets.
fn fifty_rows() -> AgentBuilder {
    let rows = (1..=50_u32).map(|row| (vec![row], text(&"d".repeat(row as usize - 1))));
    AgentBuilder::new().module(StaticModule::default().column(&if_mib::IF_DESCR, rows))
}

fn agent_with_fifty_rows() -> TestAgent {
    fifty_rows().build()
}

fn descriptions(count: u32) -> Vec<Oid> {
    (1..=count).map(|row| instance(&if_mib::IF_DESCR, &[row])).collect()
}

/// For every message size, the response fits, and one more variable would not fit.
#[test]
fn get_bulk_response_fills_message_of_any_maximum_size() {
    let mut agent = agent_with_fifty_rows();
    let column = [Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let message = get_bulk(0, 50, &column).v2c("public");
    let mut longest = 0;
    for size in 0..2500 {
        let transport = over(TransportDomain::Tcp);
        match agent.handle_over(&transport, size, &message) {
            Outcome::Reply(reply) => {
                assert!(reply.len() <= size);
                let response = TestResponse::of(&reply);
                longest = longest.max(response.var_binds.len());
                if response.status == ErrorStatus::NoError {
                    let next = response.var_binds.len() + 21;
                    assert!(response.var_binds.len() == 50 || reply.len() + next + 10 > size, "{size}");
                }
            }
            Outcome::Dropped => assert!(size < 50, "{size}"),
            Outcome::Pending => panic!("unexpected pending request"),
        }
    }
    assert_eq!(longest, 50);
}

#[test]
fn get_is_answered_with_too_big_only_when_response_does_not_fit() {
    let mut agent = agent_with_fifty_rows();
    for pdu in [get(&descriptions(30)), get_next(&descriptions(30))] {
        let Outcome::Reply(whole) =
            agent.handle_over(&over(TransportDomain::Tcp), 65_535, &pdu.v2c("public"))
        else {
            panic!("no response");
        };
        for (size, status) in [
            (whole.len() - 1, ErrorStatus::TooBig),
            (whole.len(), ErrorStatus::NoError),
            (whole.len() + 1, ErrorStatus::NoError),
        ] {
            let Outcome::Reply(reply) =
                agent.handle_over(&over(TransportDomain::Tcp), size, &pdu.v2c("public"))
            else {
                panic!("no response");
            };
            let response = TestResponse::of(&reply);
            assert_eq!(response.status, status);
            assert_eq!(response.var_binds.is_empty(), status == ErrorStatus::TooBig);
        }
    }
}

#[test]
fn v1_too_big_response_repeats_variables_of_request() {
    let mut agent = agent_with_fifty_rows();
    let pdu = get(&descriptions(30));
    let message = pdu.v1("public");
    let Outcome::Reply(reply) = agent.handle_over(&over(TransportDomain::Tcp), message.len(), &message)
    else {
        panic!("no response");
    };
    let response = TestResponse::of(&reply);
    assert_eq!((response.error(), response.var_binds), ((ErrorStatus::TooBig, 0), pdu.var_binds));
}

#[test]
fn request_is_dropped_when_even_a_too_big_error_does_not_fit() {
    let mut agent = agent_with_fifty_rows();
    let message = get(&descriptions(30)).v2c("public");
    assert_eq!(agent.handle_over(&over(TransportDomain::Tcp), 20, &message), Outcome::Dropped);
    assert_eq!(agent.statistics.sum(Counter::SnmpSilentDrops), 1);
}

//= rfc3412#7.1-7c
//= type=test
#[test]
fn v3_responses_contain_max_message_size_of_agent() {
    let mut builder = standard_objects(&ModuleLog::default());
    builder.local.max_message_size = 3000;
    let mut agent = builder.build();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    assert_eq!(ops.request(&mut agent, &get(&[scalar(&snmpv2_mib::SYS_DESCR)])).max_size, 3000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The test generates every security level, contexts of any length and any number of variables.
    #[test]
    fn response_never_exceeds_msg_max_size_of_request(
        max_size in 484_u32..2000,
        level in 1..=3,
        variables in 0..60_u32,
        bulk in any::<bool>(),
        transport_size in 484_usize..2000,
    ) {
        let mut agent = agent_with_fifty_rows();
        let level = SecurityLevel::from_number(level).unwrap();
        let user = if level == SecurityLevel::NoAuthNoPriv { "guest" } else { "ops" };
        let mut manager = TestManager::new(user, level, Some(AUTH), Some(PRIVACY));
        manager = manager.synchronized_with(&mut agent);
        manager.max_size = max_size;
        let pdu = match bulk {
            true => get_bulk(0, 50, &descriptions(variables.min(3))),
            false => get(&descriptions(variables.min(16))),
        };
        let message = manager.message(&pdu);
        let allowed = transport_size.min(max_size as usize);
        match agent.handle_over(&over(TransportDomain::Udp), transport_size, &message) {
            Outcome::Reply(reply) => {
                prop_assert!(reply.len() <= allowed, "{} for {allowed}", reply.len());
                let response = manager.receive(&reply).unwrap().response;
                prop_assert_eq!(response.request_id, pdu.request_id);
                if bulk {
                    prop_assert_eq!(response.status, ErrorStatus::NoError);
                    prop_assert!(variables == 0 || !response.var_binds.is_empty());
                }
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

/// maxSizeResponseScopedPDU: even with the longest headers, a peer with the smallest msgMaxSize
/// receives variables.
#[test]
fn peer_with_msg_max_size_484_receives_variables_at_every_security_level() {
    let mut agent = agent_with_fifty_rows();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let user = if level == SecurityLevel::NoAuthNoPriv { "guest" } else { "ops" };
        let mut manager =
            TestManager::new(user, level, Some(AUTH), Some(PRIVACY)).synchronized_with(&mut agent);
        manager.max_size = 484;
        let message = manager.message(&get_bulk(0, 50, &[oid("1.3")]));
        let reply = agent.reply_to(&message);
        assert!(reply.len() <= 484);
        let verified = manager.receive(&reply).unwrap();
        assert!(verified.response.var_binds.len() > 5);
        assert!(!verified.response.values().contains(&OwnedValue::EndOfMibView));
    }
}

/// The estimated room is sufficient for the longest names and contexts, every digest, the padding
/// of every cipher, and responses of every length.
#[test]
fn responses_fit_small_msg_max_size_with_every_auth_and_priv_protocol() {
    const LONG: &str = "a-name-of-exactly-thirty-two-oct";
    let column = [Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let pdu = TestPdu { request_id: i32::MIN, ..get_bulk(0, 50, &column) };
    for auth in AuthProtocol::ALL {
        for privacy in PrivProtocol::ALL {
            let rights = (LONG, ContextMatch::Exact);
            let config = TestConfig::standard()
                .user(LONG, Some(auth), Some(privacy))
                .context(LONG)
                .group(SecurityModel::USM, LONG, "operators")
                .access_in(rights, "operators", SecurityModel::USM, SecurityLevel::AuthPriv, ("all", ""));
            let mut builder = fifty_rows().config(config);
            builder.local.boots = EngineBoots::new(0x7fff_fffe);
            let mut agent = builder.build();
            agent.now = Timestamp::from_secs(0x7fff_0000);
            let mut manager = TestManager::new(LONG, SecurityLevel::AuthPriv, Some(auth), Some(privacy));
            manager.context_name = LONG;
            manager.request_until_response(&mut agent, &pdu);
            manager.msg_id = 0x7fff_0000;
            for max_size in 484..530 {
                manager.max_size = max_size;
                let verified = manager.request(&mut agent, &pdu).response;
                assert_eq!(verified.status, ErrorStatus::NoError, "{auth} {privacy} {max_size}");
                assert!(verified.var_binds.len() > 3);
            }
        }
    }
}

#[test]
fn get_bulk_is_answered_with_too_big_when_first_variable_does_not_fit() {
    let long = StaticModule::default().scalar(&snmpv2_mib::SYS_DESCR, text(&"x".repeat(250)));
    let mut agent = AgentBuilder::new().module(long).build();
    let message = get_bulk(0, 5, &[oid("1.3")]).v2c("public");
    let Outcome::Reply(reply) = agent.handle_over(&over(TransportDomain::Udp), 250, &message) else {
        panic!("no response");
    };
    let response = TestResponse::of(&reply);
    assert_eq!((response.error(), response.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
}

#[test]
fn reply_never_exceeds_reply_buffer_of_any_size() {
    for length in 0..1200 {
        let mut agent = agent_with_fifty_rows();
        let mut ops = TestManager::ops().synchronized_with(&mut agent);
        let messages = [
            get_bulk(0, 50, &[oid("1.3")]).v2c("public"),
            get(&descriptions(20)).v1("public"),
            ops.message(&get(&descriptions(3))),
            TestManager::ops().message(&get(&[])),
        ];
        for message in messages {
            if let Outcome::Reply(reply) = agent.with_buffer(length).handle(&message) {
                assert!(reply.len() <= length);
            }
        }
    }
}
