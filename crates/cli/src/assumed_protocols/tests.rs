use super::*;

#[test]
fn hint_names_only_assumed_protocols_that_can_be_the_cause() {
    let user = || "ops".to_owned();
    let (digest, decryption) =
        (Cause::WrongAuthentication { user: user() }, Cause::WrongPrivacy { user: user() });
    let dropped = Cause::NoReplyToEncrypted { user: user() };
    let both = Some("-a and -x were not given: MD5 and DES were assumed; try -a SHA-256 -x AES");
    let (auth, privacy) = (
        Some("-a was not given: MD5 was assumed; try -a SHA-256"),
        Some("-x was not given: DES was assumed; try -x AES"),
    );
    let table = [
        ((true, true), &digest, both),
        ((true, false), &digest, auth),
        ((false, true), &digest, None),
        ((false, false), &digest, None),
        ((true, true), &decryption, privacy),
        ((true, true), &dropped, privacy),
        ((true, false), &decryption, None),
        ((true, true), &Cause::NoReplyToDiscovery, None),
    ];
    for ((authentication, privacy), cause, expected) in table {
        let assumed = AssumedProtocols { authentication, privacy };
        assert_eq!(assumed.hint(cause).as_deref(), expected, "{assumed:?} {cause:?}");
    }
}

#[test]
fn protocol_counts_as_assumed_only_if_level_uses_it() {
    let assumed = |level, auth_protocol, priv_protocol| {
        AssumedProtocols::of(&Settings { level, auth_protocol, priv_protocol, ..Settings::default() })
    };
    let found = |authentication, privacy| AssumedProtocols { authentication, privacy };
    assert_eq!(assumed(SecurityLevel::NoAuthNoPriv, None, None), found(false, false));
    assert_eq!(assumed(SecurityLevel::AuthNoPriv, None, None), found(true, false));
    assert_eq!(assumed(SecurityLevel::AuthPriv, None, None), found(true, true));
    assert_eq!(assumed(SecurityLevel::AuthPriv, Some(DEFAULT_AUTH), None), found(false, true));
    assert_eq!(assumed(SecurityLevel::AuthPriv, None, Some(DEFAULT_PRIV)), found(true, false));
    let settings = Settings { level: SecurityLevel::AuthPriv, version: Version::V2c, ..Settings::default() };
    assert_eq!(AssumedProtocols::of(&settings), found(false, false));
}
