//! What a Report says: the counter it carries names what was wrong.

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

use crate::Refusal;

/// What the first counter in a Report is about.
pub(super) fn refusal(report: &Pdu<'_>) -> Refusal {
    let Some(first) = report.var_binds.iter().next() else { return Refusal::Other };
    let name = first.name.to_buf();
    let Some((0, counter)) = name.split_last().map(|(instance, counter)| (*instance, counter)) else {
        return Refusal::Other;
    };
    COUNTERS.iter().find(|(known, _)| known.arcs() == counter).map_or(Refusal::Other, |(_, refusal)| *refusal)
}

const COUNTERS: [(&Object, Refusal); 15] = [
    (&USM_STATS_UNSUPPORTED_SEC_LEVELS, Refusal::UnsupportedSecurityLevel),
    (&USM_STATS_NOT_IN_TIME_WINDOWS, Refusal::NotInTimeWindow),
    (&USM_STATS_UNKNOWN_USER_NAMES, Refusal::UnknownUserName),
    (&USM_STATS_UNKNOWN_ENGINE_IDS, Refusal::UnknownEngineId),
    (&USM_STATS_WRONG_DIGESTS, Refusal::WrongDigest),
    (&USM_STATS_DECRYPTION_ERRORS, Refusal::DecryptionError),
    (&SNMP_UNKNOWN_SECURITY_MODELS, Refusal::UnknownSecurityModel),
    (&SNMP_INVALID_MSGS, Refusal::InvalidMessage),
    (&SNMP_UNKNOWN_PDU_HANDLERS, Refusal::UnknownPduHandler),
    (&SNMP_UNAVAILABLE_CONTEXTS, Refusal::UnavailableContext),
    (&SNMP_UNKNOWN_CONTEXTS, Refusal::UnknownContext),
    (&SNMP_TSM_INVALID_CACHES, Refusal::InvalidCache),
    (&SNMP_TSM_INADEQUATE_SECURITY_LEVELS, Refusal::InadequateSecurityLevel),
    (&SNMP_TSM_UNKNOWN_PREFIXES, Refusal::InvalidPrefix),
    (&SNMP_TSM_INVALID_PREFIXES, Refusal::InvalidPrefix),
];
