//! Arbitrary octets as a datagram that the engine receives.

use portreeve_snmp_message::{CommunityMessage, Pdu, TrapV1, V3Message};

use crate::test_agent::TestAgent;

/// Checks that the variables of parsed messages can be iterated, and that every message increments
/// snmpInPkts by one.
pub fn message(octets: &[u8]) {
    if let Ok(mut message) = CommunityMessage::parse(octets) {
        if let Ok(trap) = TrapV1::parse(&mut message.pdu.clone()) {
            assert_eq!(trap.var_binds.iter().count(), trap.var_binds.len());
        }
        if let Ok(pdu) = Pdu::parse(&mut message.pdu) {
            assert_eq!(pdu.var_binds.iter().count(), pdu.var_binds.len());
        }
    }
    if let Ok(message) = V3Message::parse(octets) {
        assert!(message.security_parameters.end <= octets.len());
    }
    TestAgent::with(|agent| {
        let before = agent.count(portreeve_snmp_engine::statistics::Counter::SnmpInPkts);
        agent.receive(octets);
        assert_eq!(agent.count(portreeve_snmp_engine::statistics::Counter::SnmpInPkts), before + 1);
    });
}
