//! Answers are never longer than the peer, the transport and we ourselves allow, whatever the size.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::ContextMatch;
use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{
    EngineBoots, ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel, Timestamp, TransportDomain,
};
use portreeve_snmp_engine::statistics::Counter;
use proptest::prelude::*;

use crate::support::{
    agent::{Agent, Heard, Parts, over, usual_objects},
    answer::Answer,
    ask::{Ask, get, get_bulk, get_next},
    ledger::Book,
    manager::Manager,
    names::{instance, oid, scalar, text},
    shelf::Shelf,
    site::{AUTH, PRIVACY, Site},
};

/// Fifty descriptions of every length from nothing to 49 octets.
fn fifty_rows() -> Parts {
    let rows = (1..=50_u32).map(|row| (vec![row], text(&"d".repeat(row as usize - 1))));
    Parts::new().module(Shelf::default().column(&if_mib::IF_DESCR, rows))
}

fn agent_with_fifty_rows() -> Agent {
    fifty_rows().agent()
}

fn descriptions(count: u32) -> Vec<Oid> {
    (1..=count).map(|row| instance(&if_mib::IF_DESCR, &[row])).collect()
}

/// For every size: the response fits, and one variable more would not have.
#[test]
fn get_bulk_fills_a_message_of_any_size_and_no_more() {
    let mut agent = agent_with_fifty_rows();
    let column = [Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let message = get_bulk(0, 50, &column).v2c("public");
    let mut longest = 0;
    for size in 0..2500 {
        let transport = over(TransportDomain::Tcp);
        match agent.hear_over(&transport, size, &message) {
            Heard::Reply(reply) => {
                assert!(reply.len() <= size);
                let answer = Answer::of(&reply);
                longest = longest.max(answer.var_binds.len());
                if answer.status == ErrorStatus::NoError {
                    let next = answer.var_binds.len() + 21;
                    assert!(answer.var_binds.len() == 50 || reply.len() + next + 10 > size, "{size}");
                }
            }
            Heard::Dropped => assert!(size < 50, "{size}"),
            Heard::Pending => panic!("nothing to wait for"),
        }
    }
    assert_eq!(longest, 50);
}

#[test]
fn get_is_too_big_exactly_where_its_response_does_not_fit() {
    let mut agent = agent_with_fifty_rows();
    for ask in [get(&descriptions(30)), get_next(&descriptions(30))] {
        let Heard::Reply(whole) = agent.hear_over(&over(TransportDomain::Tcp), 65_535, &ask.v2c("public"))
        else {
            panic!("no answer");
        };
        for (size, status) in [
            (whole.len() - 1, ErrorStatus::TooBig),
            (whole.len(), ErrorStatus::NoError),
            (whole.len() + 1, ErrorStatus::NoError),
        ] {
            let Heard::Reply(reply) = agent.hear_over(&over(TransportDomain::Tcp), size, &ask.v2c("public"))
            else {
                panic!("no answer");
            };
            let answer = Answer::of(&reply);
            assert_eq!(answer.status, status);
            assert_eq!(answer.var_binds.is_empty(), status == ErrorStatus::TooBig);
        }
    }
}

#[test]
fn v1_gets_its_variables_back_with_too_big() {
    let mut agent = agent_with_fifty_rows();
    let ask = get(&descriptions(30));
    let message = ask.v1("public");
    let Heard::Reply(reply) = agent.hear_over(&over(TransportDomain::Tcp), message.len(), &message) else {
        panic!("no answer");
    };
    let answer = Answer::of(&reply);
    assert_eq!((answer.error(), answer.var_binds), ((ErrorStatus::TooBig, 0), ask.var_binds));
}

#[test]
fn what_cannot_even_say_too_big_is_dropped_and_counted() {
    let mut agent = agent_with_fifty_rows();
    let message = get(&descriptions(30)).v2c("public");
    assert_eq!(agent.hear_over(&over(TransportDomain::Tcp), 20, &message), Heard::Dropped);
    assert_eq!(agent.statistics.sum(Counter::SnmpSilentDrops), 1);
}

//= rfc3412#7.1-7c
//= type=test
#[test]
fn messages_state_the_size_that_we_take() {
    let mut parts = usual_objects(&Book::default());
    parts.local.max_message_size = 3000;
    let mut agent = parts.agent();
    let mut ops = Manager::ops().acquainted(&mut agent);
    assert_eq!(ops.ask(&mut agent, &get(&[scalar(&snmpv2_mib::SYS_DESCR)])).max_size, 3000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// At every level, with contexts of any length and variables of any number.
    #[test]
    fn no_answer_is_longer_than_msg_max_size(
        max_size in 484_u32..2000,
        level in 1..=3,
        variables in 0..60_u32,
        bulk in any::<bool>(),
        transport_size in 484_usize..2000,
    ) {
        let mut agent = agent_with_fifty_rows();
        let level = SecurityLevel::from_number(level).unwrap();
        let user = if level == SecurityLevel::NoAuthNoPriv { "guest" } else { "ops" };
        let mut manager = Manager::new(user, level, Some(AUTH), Some(PRIVACY)).acquainted(&mut agent);
        manager.max_size = max_size;
        let ask = match bulk {
            true => get_bulk(0, 50, &descriptions(variables.min(3))),
            false => get(&descriptions(variables.min(16))),
        };
        let message = manager.message(&ask);
        let allowed = transport_size.min(max_size as usize);
        match agent.hear_over(&over(TransportDomain::Udp), transport_size, &message) {
            Heard::Reply(reply) => {
                prop_assert!(reply.len() <= allowed, "{} for {allowed}", reply.len());
                let answer = manager.read(&reply).unwrap().answer;
                prop_assert_eq!(answer.request_id, ask.request_id);
                if bulk {
                    prop_assert_eq!(answer.status, ErrorStatus::NoError);
                    prop_assert!(variables == 0 || !answer.var_binds.is_empty());
                }
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

/// maxSizeResponseScopedPDU: with the longest headers there can be, the smallest peer still gets something.
#[test]
fn the_smallest_peer_gets_an_answer_at_every_level() {
    let mut agent = agent_with_fifty_rows();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let user = if level == SecurityLevel::NoAuthNoPriv { "guest" } else { "ops" };
        let mut manager = Manager::new(user, level, Some(AUTH), Some(PRIVACY)).acquainted(&mut agent);
        manager.max_size = 484;
        let message = manager.message(&get_bulk(0, 50, &[oid("1.3")]));
        let reply = agent.reply_to(&message);
        assert!(reply.len() <= 484);
        let told = manager.read(&reply).unwrap();
        assert!(told.answer.var_binds.len() > 5);
        assert!(!told.answer.values().contains(&OwnedValue::EndOfMibView));
    }
}

/// Longest names and contexts, every digest and every cipher's padding, and a response cut at every octet: what is
/// reckoned beforehand is enough for all of them.
#[test]
fn every_pair_of_protocols_fits_small_peers_of_any_size() {
    const LONG: &str = "a-name-of-exactly-thirty-two-oct";
    let column = [Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let ask = Ask { request_id: i32::MIN, ..get_bulk(0, 50, &column) };
    for auth in AuthProtocol::ALL {
        for privacy in PrivProtocol::ALL {
            let rights = (LONG, ContextMatch::Exact);
            let site = Site::usual()
                .user(LONG, Some(auth), Some(privacy))
                .context(LONG)
                .group(SecurityModel::USM, LONG, "operators")
                .access_in(rights, "operators", SecurityModel::USM, SecurityLevel::AuthPriv, ("all", ""));
            let mut parts = fifty_rows().site(site);
            parts.local.boots = EngineBoots::new(0x7fff_fffe);
            let mut agent = parts.agent();
            agent.now = Timestamp::from_secs(0x7fff_0000);
            let mut manager = Manager::new(LONG, SecurityLevel::AuthPriv, Some(auth), Some(privacy));
            manager.context_name = LONG;
            manager.converse(&mut agent, &ask);
            manager.msg_id = 0x7fff_0000;
            for max_size in 484..530 {
                manager.max_size = max_size;
                let told = manager.ask(&mut agent, &ask).answer;
                assert_eq!(told.status, ErrorStatus::NoError, "{auth} {privacy} {max_size}");
                assert!(told.var_binds.len() > 3);
            }
        }
    }
}

#[test]
fn a_first_variable_that_does_not_fit_is_too_big_for_get_bulk_too() {
    let long = Shelf::default().scalar(&snmpv2_mib::SYS_DESCR, text(&"x".repeat(250)));
    let mut agent = Parts::new().module(long).agent();
    let message = get_bulk(0, 5, &[oid("1.3")]).v2c("public");
    let Heard::Reply(reply) = agent.hear_over(&over(TransportDomain::Udp), 250, &message) else {
        panic!("no answer");
    };
    let answer = Answer::of(&reply);
    assert_eq!((answer.error(), answer.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
}

#[test]
fn a_reply_buffer_of_any_size_is_enough_for_an_answer_or_for_none() {
    for length in 0..1200 {
        let mut agent = agent_with_fifty_rows();
        let mut ops = Manager::ops().acquainted(&mut agent);
        let messages = [
            get_bulk(0, 50, &[oid("1.3")]).v2c("public"),
            get(&descriptions(20)).v1("public"),
            ops.message(&get(&descriptions(3))),
            Manager::ops().message(&get(&[])),
        ];
        for message in messages {
            if let Heard::Reply(reply) = agent.with_buffer(length).hear(&message) {
                assert!(reply.len() <= length);
            }
        }
    }
}
