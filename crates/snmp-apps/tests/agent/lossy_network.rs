//! Exchanges over a network that loses, duplicates and reorders datagrams, between clocks that
//! drift apart.

use std::time::Duration;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::ErrorStatus;
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::TestAgent,
    lossy_link::LossyLink,
    manager::TestManager,
    names::{scalar, text},
    test_pdu::{TestPdu, get, set},
};

#[test]
fn lossy_network_delays_but_never_changes_responses() {
    for seed in 0..60 {
        let (agent, log) = TestAgent::standard();
        let mut link = LossyLink::new(TestManager::ops(), agent, seed);
        for round in 1..=20 {
            let contact = text(&format!("{seed} {round}"));
            let change = [(scalar(&snmpv2_mib::SYS_CONTACT), contact.clone())];
            let write = TestPdu { request_id: 2 * round, ..set(&change) };
            let read = TestPdu { request_id: 2 * round + 1, ..get(&[scalar(&snmpv2_mib::SYS_CONTACT)]) };
            for verified in link.request_until_response(&write) {
                if verified.response.request_id == write.request_id
                    && verified.response.pdu_type == PduType::Response
                {
                    assert_eq!(
                        (verified.response.error(), &verified.response.var_binds[..]),
                        ((ErrorStatus::NoError, 0), &change[..])
                    );
                }
            }
            assert_eq!(log.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(contact.clone()));
            for verified in link.request_until_response(&read) {
                if verified.response.request_id == read.request_id
                    && verified.response.pdu_type == PduType::Response
                {
                    assert_eq!(verified.response.value(), contact);
                }
            }
        }
        assert_eq!(link.agent.statistics.sum(Counter::UsmStatsWrongDigests), 0);
        assert_eq!(link.agent.statistics.sum(Counter::UsmStatsDecryptionErrors), 0);
        assert_eq!(link.agent.statistics.sum(Counter::SnmpInAsnParseErrs), 0);
    }
}

/// Clocks whose rates differ by up to one percent remain within the time window or are
/// resynchronized.
#[test]
fn manager_with_drifting_clock_is_resynchronized() {
    for seed in 0..20 {
        let (agent, _) = TestAgent::standard();
        let mut link = LossyLink::new(TestManager::ops(), agent, 1000 + seed);
        for round in 0..5 {
            let pdu = TestPdu { request_id: round + 1, ..get(&[scalar(&snmpv2_mib::SYS_DESCR)]) };
            link.request_until_response(&pdu);
            link.wait(Duration::from_secs(6 * 3600));
        }
    }
}
