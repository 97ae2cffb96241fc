use super::*;

/// Expects the wording with which Net-SNMP 5.9.3 prints an agent's Reports.
#[test]
fn reject_reason_texts_match_net_snmp() {
    let table = [
        (RejectReason::UnknownContext, "Bad context specified"),
        (RejectReason::UnknownUserName, "Unknown user name"),
        (RejectReason::UnsupportedSecurityLevel, "Unsupported security level"),
        (RejectReason::WrongDigest, "Authentication failure (incorrect password, community or key)"),
        (RejectReason::DecryptionError, "Decryption error"),
    ];
    for (refusal, wording) in table {
        assert_eq!(net_snmp_wording(refusal), wording);
    }
}
