//! Arbitrary octets as a scopedPDU in an authentic, encrypted message. This tests the parsers that
//! run after the security model.

use portreeve_snmp_engine::statistics::Counter;

use crate::test_agent::TestAgent;

/// Checks that the message passes the User-based Security Model, so that the parsers after it run.
pub fn scoped_pdu(octets: &[u8]) {
    TestAgent::with(|agent| {
        let Some(message) = agent.build_authentic(octets) else { return };
        let refused = |agent: &TestAgent| REJECTION_COUNTERS.map(|counter| agent.count(counter));
        let before = refused(agent);
        agent.receive(&message);
        assert_eq!(refused(agent), before, "an authentic message was rejected");
    });
}

/// Counters of messages rejected before decryption. usmStatsDecryptionErrors is not among them,
/// because octets that do not begin like a scopedPDU count as a decryption error, as with a wrong
/// key.
const REJECTION_COUNTERS: [Counter; 5] = [
    Counter::UsmStatsUnsupportedSecLevels,
    Counter::UsmStatsNotInTimeWindows,
    Counter::UsmStatsUnknownUserNames,
    Counter::UsmStatsUnknownEngineIds,
    Counter::UsmStatsWrongDigests,
];
