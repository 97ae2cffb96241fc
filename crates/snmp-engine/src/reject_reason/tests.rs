use super::*;
use crate::security::usm::UsmRejectReason;

const NO_AUTH: Option<SecurityLevel> = Some(SecurityLevel::NoAuthNoPriv);

/// Checks the counter of each reason, and the object and level of its Report.
//= rfc3413#3.2-5-p4
//= type=test
//= rfc5591#5.2-2
//= type=test
//= rfc5591#5.2-4
//= type=test
#[test]
fn every_reject_reason_has_expected_counter_and_report() {
    let usm = RejectReason::Usm;
    let tsm = RejectReason::Tsm;
    for (reason, counter, report) in [
        (RejectReason::Malformed, Some(Counter::SnmpInAsnParseErrs), None),
        (RejectReason::BadVersion, Some(Counter::SnmpInBadVersions), None),
        (RejectReason::BadCommunityName, Some(Counter::SnmpInBadCommunityNames), None),
        (RejectReason::UnknownSecurityModel, Some(Counter::SnmpUnknownSecurityModels), None),
        (RejectReason::InvalidMessage, Some(Counter::SnmpInvalidMsgs), None),
        (usm(UsmRejectReason::ParseError), Some(Counter::SnmpInAsnParseErrs), None),
        (usm(UsmRejectReason::PeerNotInTimeWindow), None, None),
        (
            usm(UsmRejectReason::UnsupportedSecurityLevel),
            Some(Counter::UsmStatsUnsupportedSecLevels),
            Some(("1.3.6.1.6.3.15.1.1.1", NO_AUTH)),
        ),
        (
            usm(UsmRejectReason::NotInTimeWindow),
            Some(Counter::UsmStatsNotInTimeWindows),
            Some(("1.3.6.1.6.3.15.1.1.2", Some(SecurityLevel::AuthNoPriv))),
        ),
        (
            usm(UsmRejectReason::UnknownUserName),
            Some(Counter::UsmStatsUnknownUserNames),
            Some(("1.3.6.1.6.3.15.1.1.3", NO_AUTH)),
        ),
        (
            usm(UsmRejectReason::UnknownEngineId),
            Some(Counter::UsmStatsUnknownEngineIds),
            Some(("1.3.6.1.6.3.15.1.1.4", NO_AUTH)),
        ),
        (
            usm(UsmRejectReason::WrongDigest),
            Some(Counter::UsmStatsWrongDigests),
            Some(("1.3.6.1.6.3.15.1.1.5", NO_AUTH)),
        ),
        (
            usm(UsmRejectReason::DecryptionError),
            Some(Counter::UsmStatsDecryptionErrors),
            Some(("1.3.6.1.6.3.15.1.1.6", NO_AUTH)),
        ),
        (tsm(TsmRejectReason::InvalidCache), Some(Counter::SnmpTsmInvalidCaches), None),
        (
            tsm(TsmRejectReason::InadequateSecurityLevel),
            Some(Counter::SnmpTsmInadequateSecurityLevels),
            Some(("1.3.6.1.2.1.190.1.1.2", NO_AUTH)),
        ),
        (tsm(TsmRejectReason::UnknownPrefix), Some(Counter::SnmpTsmUnknownPrefixes), None),
        (
            RejectReason::UnknownPduHandler,
            Some(Counter::SnmpUnknownPduHandlers),
            Some(("1.3.6.1.6.3.11.2.1.3", None)),
        ),
        (RejectReason::Unexpected, Some(Counter::SnmpUnknownPduHandlers), None),
        (
            RejectReason::UnavailableContext,
            Some(Counter::SnmpUnavailableContexts),
            Some(("1.3.6.1.6.3.12.1.4", None)),
        ),
        (
            RejectReason::UnknownContext,
            Some(Counter::SnmpUnknownContexts),
            Some(("1.3.6.1.6.3.12.1.5", None)),
        ),
        (RejectReason::ResponseTooBig, Some(Counter::SnmpSilentDrops), None),
    ] {
        let Consequence { counter: raised, report: sent } = reason.consequence();
        assert_eq!(raised, counter, "{reason:?}");
        let sent = sent.map(|report| {
            assert_eq!(Some(report.counter), counter, "{reason:?}");
            (report.object.oid(), report.level)
        });
        let report = report.map(|(oid, level)| {
            let oid: portreeve_smi::Oid = oid.parse().unwrap();
            (portreeve_smi::OidBuf::from_arcs(&oid).unwrap(), level)
        });
        assert_eq!(sent, report, "{reason:?}");
    }
}
