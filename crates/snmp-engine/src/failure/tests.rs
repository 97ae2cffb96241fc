use super::*;
use crate::security::usm::UsmFailure;

const NO_AUTH: Option<SecurityLevel> = Some(SecurityLevel::NoAuthNoPriv);

/// Every failure, its counter, and the object and level of its Report.
//= rfc3413#3.2-5-p4
//= type=test
//= rfc5591#5.2-2
//= type=test
//= rfc5591#5.2-4
//= type=test
#[test]
fn every_failure_has_its_counter_and_its_report() {
    let usm = Failure::Usm;
    let tsm = Failure::Tsm;
    for (failure, counter, report) in [
        (Failure::Malformed, Some(Counter::SnmpInAsnParseErrs), None),
        (Failure::BadVersion, Some(Counter::SnmpInBadVersions), None),
        (Failure::BadCommunityName, Some(Counter::SnmpInBadCommunityNames), None),
        (Failure::UnknownSecurityModel, Some(Counter::SnmpUnknownSecurityModels), None),
        (Failure::InvalidMessage, Some(Counter::SnmpInvalidMsgs), None),
        (usm(UsmFailure::ParseError), Some(Counter::SnmpInAsnParseErrs), None),
        (usm(UsmFailure::PeerNotInTimeWindow), None, None),
        (
            usm(UsmFailure::UnsupportedSecurityLevel),
            Some(Counter::UsmStatsUnsupportedSecLevels),
            Some(("1.3.6.1.6.3.15.1.1.1", NO_AUTH)),
        ),
        (
            usm(UsmFailure::NotInTimeWindow),
            Some(Counter::UsmStatsNotInTimeWindows),
            Some(("1.3.6.1.6.3.15.1.1.2", Some(SecurityLevel::AuthNoPriv))),
        ),
        (
            usm(UsmFailure::UnknownUserName),
            Some(Counter::UsmStatsUnknownUserNames),
            Some(("1.3.6.1.6.3.15.1.1.3", NO_AUTH)),
        ),
        (
            usm(UsmFailure::UnknownEngineId),
            Some(Counter::UsmStatsUnknownEngineIds),
            Some(("1.3.6.1.6.3.15.1.1.4", NO_AUTH)),
        ),
        (
            usm(UsmFailure::WrongDigest),
            Some(Counter::UsmStatsWrongDigests),
            Some(("1.3.6.1.6.3.15.1.1.5", NO_AUTH)),
        ),
        (
            usm(UsmFailure::DecryptionError),
            Some(Counter::UsmStatsDecryptionErrors),
            Some(("1.3.6.1.6.3.15.1.1.6", NO_AUTH)),
        ),
        (tsm(TsmFailure::InvalidCache), Some(Counter::SnmpTsmInvalidCaches), None),
        (
            tsm(TsmFailure::InadequateSecurityLevel),
            Some(Counter::SnmpTsmInadequateSecurityLevels),
            Some(("1.3.6.1.2.1.190.1.1.2", NO_AUTH)),
        ),
        (tsm(TsmFailure::UnknownPrefix), Some(Counter::SnmpTsmUnknownPrefixes), None),
        (
            Failure::UnknownPduHandler,
            Some(Counter::SnmpUnknownPduHandlers),
            Some(("1.3.6.1.6.3.11.2.1.3", None)),
        ),
        (Failure::Unexpected, Some(Counter::SnmpUnknownPduHandlers), None),
        (
            Failure::UnavailableContext,
            Some(Counter::SnmpUnavailableContexts),
            Some(("1.3.6.1.6.3.12.1.4", None)),
        ),
        (Failure::UnknownContext, Some(Counter::SnmpUnknownContexts), Some(("1.3.6.1.6.3.12.1.5", None))),
        (Failure::ResponseTooBig, Some(Counter::SnmpSilentDrops), None),
    ] {
        let Consequence { counter: raised, report: sent } = failure.consequence();
        assert_eq!(raised, counter, "{failure:?}");
        let sent = sent.map(|report| {
            assert_eq!(Some(report.counter), counter, "{failure:?}");
            (report.object.oid(), report.level)
        });
        let report = report.map(|(oid, level)| {
            let oid: portreeve_smi::Oid = oid.parse().unwrap();
            (portreeve_smi::OidBuf::from_arcs(&oid).unwrap(), level)
        });
        assert_eq!(sent, report, "{failure:?}");
    }
}
