use super::*;

/// As Net-SNMP 5.9.3 words what an agent's Report says.
#[test]
fn a_refusal_is_worded_as_scripts_know_it() {
    let table = [
        (Refusal::UnknownContext, "Bad context specified"),
        (Refusal::UnknownUserName, "Unknown user name"),
        (Refusal::UnsupportedSecurityLevel, "Unsupported security level"),
        (Refusal::WrongDigest, "Authentication failure (incorrect password, community or key)"),
        (Refusal::DecryptionError, "Decryption error"),
    ];
    for (refusal, wording) in table {
        assert_eq!(classic_refusal(refusal), wording);
    }
}
