//! Any octets as a scopedPDU that a real user has encrypted and signed: the parsers behind the security model.

use portreeve_snmp_engine::statistics::Counter;

use crate::stage::Stage;

/// Promises: the message passes the whole User-based Security Model, so that what is tested is what stands behind it.
pub fn scoped_pdu(octets: &[u8]) {
    Stage::with(|stage| {
        let Some(message) = stage.authentic(octets) else { return };
        let refused = |stage: &Stage| REFUSALS.map(|counter| stage.count(counter));
        let before = refused(stage);
        stage.receive(&message);
        assert_eq!(refused(stage), before, "an authentic message was refused");
    });
}

/// What the security model refuses before it decrypts. Octets that do not even begin like a scopedPDU count as a
/// decryption error, as a wrong key would show: so usmStatsDecryptionErrors is not among them.
const REFUSALS: [Counter; 5] = [
    Counter::UsmStatsUnsupportedSecLevels,
    Counter::UsmStatsNotInTimeWindows,
    Counter::UsmStatsUnknownUserNames,
    Counter::UsmStatsUnknownEngineIds,
    Counter::UsmStatsWrongDigests,
];
