//! Maps the counter in a Report to a reason.

use portreeve_mib::{
    Object,
    modules::{
        mpd_mib::{SNMP_INVALID_MSGS, SNMP_UNKNOWN_PDU_HANDLERS, SNMP_UNKNOWN_SECURITY_MODELS},
        target_mib::{SNMP_UNAVAILABLE_CONTEXTS, SNMP_UNKNOWN_CONTEXTS},
        tsm_mib::{
            SNMP_TSM_INADEQUATE_SECURITY_LEVELS, SNMP_TSM_INVALID_CACHES, SNMP_TSM_INVALID_PREFIXES,
            SNMP_TSM_UNKNOWN_PREFIXES,
        },
        usm_mib::{
            USM_STATS_DECRYPTION_ERRORS, USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS,
            USM_STATS_UNKNOWN_USER_NAMES, USM_STATS_UNSUPPORTED_SEC_LEVELS, USM_STATS_WRONG_DIGESTS,
        },
    },
};
use portreeve_snmp_message::Pdu;

use crate::RejectReason;

/// Returns the reason that the first counter in a Report indicates.
pub(super) fn reject_reason(report: &Pdu<'_>) -> RejectReason {
    let Some(first) = report.var_binds.iter().next() else { return RejectReason::Other };
    let name = first.name.to_buf();
    let Some((0, counter)) = name.split_last().map(|(instance, counter)| (*instance, counter)) else {
        return RejectReason::Other;
    };
    COUNTERS
        .iter()
        .find(|(known, _)| known.arcs() == counter)
        .map_or(RejectReason::Other, |(_, reject_reason)| *reject_reason)
}

const COUNTERS: [(&Object, RejectReason); 15] = [
    (&USM_STATS_UNSUPPORTED_SEC_LEVELS, RejectReason::UnsupportedSecurityLevel),
    (&USM_STATS_NOT_IN_TIME_WINDOWS, RejectReason::NotInTimeWindow),
    (&USM_STATS_UNKNOWN_USER_NAMES, RejectReason::UnknownUserName),
    (&USM_STATS_UNKNOWN_ENGINE_IDS, RejectReason::UnknownEngineId),
    (&USM_STATS_WRONG_DIGESTS, RejectReason::WrongDigest),
    (&USM_STATS_DECRYPTION_ERRORS, RejectReason::DecryptionError),
    (&SNMP_UNKNOWN_SECURITY_MODELS, RejectReason::UnknownSecurityModel),
    (&SNMP_INVALID_MSGS, RejectReason::InvalidMessage),
    (&SNMP_UNKNOWN_PDU_HANDLERS, RejectReason::UnknownPduHandler),
    (&SNMP_UNAVAILABLE_CONTEXTS, RejectReason::UnavailableContext),
    (&SNMP_UNKNOWN_CONTEXTS, RejectReason::UnknownContext),
    (&SNMP_TSM_INVALID_CACHES, RejectReason::InvalidCache),
    (&SNMP_TSM_INADEQUATE_SECURITY_LEVELS, RejectReason::InadequateSecurityLevel),
    (&SNMP_TSM_UNKNOWN_PREFIXES, RejectReason::InvalidPrefix),
    (&SNMP_TSM_INVALID_PREFIXES, RejectReason::InvalidPrefix),
];
