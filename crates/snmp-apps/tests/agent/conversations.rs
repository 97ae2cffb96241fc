//! Whole conversations over a network that loses, doubles and reorders, between clocks that drift apart.

use std::time::Duration;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::ErrorStatus;
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::Agent,
    ask::{Ask, get, set},
    manager::Manager,
    names::{scalar, text},
    pair::Pair,
};

#[test]
fn a_bad_network_delays_answers_but_never_changes_one() {
    for seed in 0..60 {
        let (agent, book) = Agent::usual();
        let mut pair = Pair::new(Manager::ops(), agent, seed);
        for round in 1..=20 {
            let contact = text(&format!("{seed} {round}"));
            let change = [(scalar(&snmpv2_mib::SYS_CONTACT), contact.clone())];
            let write = Ask { request_id: 2 * round, ..set(&change) };
            let read = Ask { request_id: 2 * round + 1, ..get(&[scalar(&snmpv2_mib::SYS_CONTACT)]) };
            for told in pair.converse(&write) {
                if told.answer.request_id == write.request_id && told.answer.pdu_type == PduType::Response {
                    assert_eq!(
                        (told.answer.error(), &told.answer.var_binds[..]),
                        ((ErrorStatus::NoError, 0), &change[..])
                    );
                }
            }
            assert_eq!(book.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(contact.clone()));
            for told in pair.converse(&read) {
                if told.answer.request_id == read.request_id && told.answer.pdu_type == PduType::Response {
                    assert_eq!(told.answer.value(), contact);
                }
            }
        }
        assert_eq!(pair.agent.statistics.sum(Counter::UsmStatsWrongDigests), 0);
        assert_eq!(pair.agent.statistics.sum(Counter::UsmStatsDecryptionErrors), 0);
        assert_eq!(pair.agent.statistics.sum(Counter::SnmpInAsnParseErrs), 0);
    }
}

/// Clocks that differ by up to a hundredth part stay in the window, or find each other again.
#[test]
fn clocks_that_drift_apart_find_each_other_again() {
    for seed in 0..20 {
        let (agent, _) = Agent::usual();
        let mut pair = Pair::new(Manager::ops(), agent, 1000 + seed);
        for round in 0..5 {
            let ask = Ask { request_id: round + 1, ..get(&[scalar(&snmpv2_mib::SYS_DESCR)]) };
            pair.converse(&ask);
            pair.rest(Duration::from_secs(6 * 3600));
        }
    }
}
