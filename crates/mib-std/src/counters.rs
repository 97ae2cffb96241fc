//! The counters of the engine and its applications.

use std::sync::Arc;

use portreeve_mib::{
    Instrumentation, Lookup, Object,
    modules::{
        mpd_mib::*, snmpv2_mib::*, ssh_tm_mib::*, target_mib::*, tls_tm_mib::*, tsm_mib::*, usm_mib::*,
    },
};
use portreeve_smi::{OidBuf, Value};
use portreeve_snmp_engine::statistics::{Counter, Statistics};

/// The counters that MIB modules define. All are of type Counter32 and read-only.
pub struct CounterObjects {
    statistics: Arc<Statistics>,
}

impl CounterObjects {
    /// Creates the objects. Each lookup returns the sum over all workers.
    pub fn new(statistics: Arc<Statistics>) -> Self {
        Self { statistics }
    }

    fn value(&self, leaf: usize) -> Lookup<'_> {
        match COUNTERS.get(leaf) {
            Some((_, counter)) => Lookup::Value(Value::Counter32(self.statistics.counter32(*counter))),
            None => Lookup::Absent,
        }
    }
}

impl Instrumentation for CounterObjects {
    fn objects(&self) -> Vec<&'static Object> {
        COUNTERS.iter().map(|(object, _)| *object).collect()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        if index == [0] { self.value(leaf) } else { Lookup::Absent }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        if after.is_empty() && name.push(0).is_ok() { self.value(leaf) } else { Lookup::Absent }
    }
}

/// Each object and the counter that supplies its value.
static COUNTERS: &[(&Object, Counter)] = &[
    (&SNMP_IN_PKTS, Counter::SnmpInPkts),
    (&SNMP_OUT_PKTS, Counter::SnmpOutPkts),
    (&SNMP_IN_BAD_VERSIONS, Counter::SnmpInBadVersions),
    (&SNMP_IN_BAD_COMMUNITY_NAMES, Counter::SnmpInBadCommunityNames),
    (&SNMP_IN_BAD_COMMUNITY_USES, Counter::SnmpInBadCommunityUses),
    (&SNMP_IN_ASN_PARSE_ERRS, Counter::SnmpInAsnParseErrs),
    (&SNMP_IN_TOO_BIGS, Counter::SnmpInTooBigs),
    (&SNMP_IN_NO_SUCH_NAMES, Counter::SnmpInNoSuchNames),
    (&SNMP_IN_BAD_VALUES, Counter::SnmpInBadValues),
    (&SNMP_IN_READ_ONLYS, Counter::SnmpInReadOnlys),
    (&SNMP_IN_GEN_ERRS, Counter::SnmpInGenErrs),
    (&SNMP_IN_TOTAL_REQ_VARS, Counter::SnmpInTotalReqVars),
    (&SNMP_IN_TOTAL_SET_VARS, Counter::SnmpInTotalSetVars),
    (&SNMP_IN_GET_REQUESTS, Counter::SnmpInGetRequests),
    (&SNMP_IN_GET_NEXTS, Counter::SnmpInGetNexts),
    (&SNMP_IN_SET_REQUESTS, Counter::SnmpInSetRequests),
    (&SNMP_IN_GET_RESPONSES, Counter::SnmpInGetResponses),
    (&SNMP_IN_TRAPS, Counter::SnmpInTraps),
    (&SNMP_OUT_TOO_BIGS, Counter::SnmpOutTooBigs),
    (&SNMP_OUT_NO_SUCH_NAMES, Counter::SnmpOutNoSuchNames),
    (&SNMP_OUT_BAD_VALUES, Counter::SnmpOutBadValues),
    (&SNMP_OUT_GEN_ERRS, Counter::SnmpOutGenErrs),
    (&SNMP_OUT_GET_REQUESTS, Counter::SnmpOutGetRequests),
    (&SNMP_OUT_GET_NEXTS, Counter::SnmpOutGetNexts),
    (&SNMP_OUT_SET_REQUESTS, Counter::SnmpOutSetRequests),
    (&SNMP_OUT_GET_RESPONSES, Counter::SnmpOutGetResponses),
    (&SNMP_OUT_TRAPS, Counter::SnmpOutTraps),
    (&SNMP_SILENT_DROPS, Counter::SnmpSilentDrops),
    (&SNMP_PROXY_DROPS, Counter::SnmpProxyDrops),
    (&SNMP_UNKNOWN_SECURITY_MODELS, Counter::SnmpUnknownSecurityModels),
    (&SNMP_INVALID_MSGS, Counter::SnmpInvalidMsgs),
    (&SNMP_UNKNOWN_PDU_HANDLERS, Counter::SnmpUnknownPduHandlers),
    (&USM_STATS_UNSUPPORTED_SEC_LEVELS, Counter::UsmStatsUnsupportedSecLevels),
    (&USM_STATS_NOT_IN_TIME_WINDOWS, Counter::UsmStatsNotInTimeWindows),
    (&USM_STATS_UNKNOWN_USER_NAMES, Counter::UsmStatsUnknownUserNames),
    (&USM_STATS_UNKNOWN_ENGINE_IDS, Counter::UsmStatsUnknownEngineIds),
    (&USM_STATS_WRONG_DIGESTS, Counter::UsmStatsWrongDigests),
    (&USM_STATS_DECRYPTION_ERRORS, Counter::UsmStatsDecryptionErrors),
    (&SNMP_UNAVAILABLE_CONTEXTS, Counter::SnmpUnavailableContexts),
    (&SNMP_UNKNOWN_CONTEXTS, Counter::SnmpUnknownContexts),
    (&SNMP_TSM_INVALID_CACHES, Counter::SnmpTsmInvalidCaches),
    (&SNMP_TSM_INADEQUATE_SECURITY_LEVELS, Counter::SnmpTsmInadequateSecurityLevels),
    (&SNMP_TSM_UNKNOWN_PREFIXES, Counter::SnmpTsmUnknownPrefixes),
    (&SNMP_TSM_INVALID_PREFIXES, Counter::SnmpTsmInvalidPrefixes),
    (&SNMP_SSHTM_SESSION_OPENS, Counter::SnmpSshtmSessionOpens),
    (&SNMP_SSHTM_SESSION_CLOSES, Counter::SnmpSshtmSessionCloses),
    (&SNMP_SSHTM_SESSION_OPEN_ERRORS, Counter::SnmpSshtmSessionOpenErrors),
    (&SNMP_SSHTM_SESSION_USER_AUTH_FAILURES, Counter::SnmpSshtmSessionUserAuthFailures),
    (&SNMP_SSHTM_SESSION_NO_CHANNELS, Counter::SnmpSshtmSessionNoChannels),
    (&SNMP_SSHTM_SESSION_NO_SUBSYSTEMS, Counter::SnmpSshtmSessionNoSubsystems),
    (&SNMP_SSHTM_SESSION_NO_SESSIONS, Counter::SnmpSshtmSessionNoSessions),
    (&SNMP_SSHTM_SESSION_INVALID_CACHES, Counter::SnmpSshtmSessionInvalidCaches),
    (&SNMP_TLSTM_SESSION_OPENS, Counter::SnmpTlstmSessionOpens),
    (&SNMP_TLSTM_SESSION_CLIENT_CLOSES, Counter::SnmpTlstmSessionClientCloses),
    (&SNMP_TLSTM_SESSION_OPEN_ERRORS, Counter::SnmpTlstmSessionOpenErrors),
    (&SNMP_TLSTM_SESSION_ACCEPTS, Counter::SnmpTlstmSessionAccepts),
    (&SNMP_TLSTM_SESSION_SERVER_CLOSES, Counter::SnmpTlstmSessionServerCloses),
    (&SNMP_TLSTM_SESSION_NO_SESSIONS, Counter::SnmpTlstmSessionNoSessions),
    (&SNMP_TLSTM_SESSION_INVALID_CLIENT_CERTIFICATES, Counter::SnmpTlstmSessionInvalidClientCertificates),
    (&SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE, Counter::SnmpTlstmSessionUnknownServerCertificate),
    (&SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES, Counter::SnmpTlstmSessionInvalidServerCertificates),
    (&SNMP_TLSTM_SESSION_INVALID_CACHES, Counter::SnmpTlstmSessionInvalidCaches),
];

#[cfg(test)]
mod tests;
