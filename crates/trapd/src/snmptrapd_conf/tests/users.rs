use super::*;

#[test]
fn user_without_engine_id_exists_here_and_on_every_sender() {
    let conf = parsed(PHRASES);
    let local: EngineId = "0x800000000501020304".parse().unwrap();
    let users = conf.engine_users(local);
    assert_eq!((users.rows.len(), users.sender_rules.len()), (1, 1));
    let row = &users.rows[0];
    assert_eq!((row.key.engine_id, &*row.key.name), (local, &b"traps"[..]));
    let octets = |text: &str| portreeve_secret::Secret::from(text);
    let master =
        |text| portreeve_crypto::password_to_key(AuthProtocol::HmacSha256_192, &octets(text)).unwrap();
    let auth = row.columns.auth.as_ref().unwrap();
    assert!(auth.key.expose() == master("sesame open").localize(local.as_bytes()).expose());
    let privacy = row.columns.privacy.as_ref().unwrap();
    let expected = master("other sesame").localize_for(PrivProtocol::Aes128, local.as_bytes());
    assert!(privacy.key.expose() == expected.expose());
}

#[test]
fn user_with_engine_id_exists_on_that_engine_only() {
    let conf = parsed("createUser -e 0x8000000001020304 traps SHA sesame-open\n");
    let user = &conf.users[0];
    let sender: EngineId = "0x8000000001020304".parse().unwrap();
    assert_eq!((user.engine_id, user.location.line, user.privacy.is_none()), (Some(sender), 1, true));
    let users = conf.engine_users("0x800000000501020304".parse().unwrap());
    assert_eq!(users.rows.iter().map(|row| row.key.engine_id).collect::<Vec<_>>(), [sender]);
    assert!(users.sender_rules.is_empty());
}

#[test]
fn keys_are_given_before_or_after_localization() {
    let (auth, privacy) = ("01".repeat(20), "02".repeat(16));
    let conf = parsed(&format!("createUser joe SHA -l 0x{auth} AES -l 0x{privacy}FF\n"));
    let users = conf.engine_users(EngineId::LOCAL);
    let columns = &users.rows[0].columns;
    assert!(columns.auth.as_ref().unwrap().key.expose() == [1; 20]);
    assert!(columns.privacy.as_ref().unwrap().key.expose() == [2; 16]);
    // A localized key belongs to one engine.
    assert!(users.sender_rules.is_empty());

    let conf = parsed(&format!("createUser joe SHA -m 0x{auth} AES\n"));
    let users = conf.engine_users(EngineId::LOCAL);
    let master = portreeve_crypto::MasterKey::from_octets(AuthProtocol::HmacSha96, &[1; 20]).unwrap();
    let expected = master.localize_for(PrivProtocol::Aes128, EngineId::LOCAL.as_bytes());
    assert!(users.rows[0].columns.privacy.as_ref().unwrap().key.expose() == expected.expose());
    assert_eq!(users.sender_rules.len(), 1);
}

#[test]
fn user_without_protocols_has_no_keys() {
    let users = parsed("createUser joe\n").engine_users(EngineId::LOCAL);
    assert!(users.rows[0].columns.auth.is_none() && users.rows[0].columns.privacy.is_none());
    assert_eq!(users.sender_rules.len(), 1);
}

#[test]
fn invalid_user_is_omitted_and_the_error_contains_no_key() {
    for (values, reason) in [
        ("", "missing value: expected the name of a user"),
        (
            "-e zz joe",
            "invalid engine ID \"zz\": expected an engine ID of 5 to 32 octets in hexadecimal, not",
        ),
        ("-e", "missing value: expected an engine ID, for example 0x8000000001020304"),
        ("joe sesame-open SHA", "unsupported authentication protocol: expected SHA-512, SHA-384, SHA-256"),
        ("joe SHA", "missing value: expected the pass phrase of the authentication protocol"),
        ("joe SHA sesame", "the authentication pass phrase has 6 octets: expected at least 8"),
        ("joe SHA sesame-open sesame-open AES", "unsupported privacy protocol: expected AES, AES-192"),
        ("joe SHA sesame-open AES sesame", "the privacy pass phrase has 6 octets: expected at least 8"),
        ("joe SHA sesame-open AES sesame-open sesame-open", "1 unexpected values after the privacy key"),
        ("joe SHA -m 0x5e5a", "the authentication key has 2 octets: expected 20"),
        ("joe SHA -l 0x5e5a", "the authentication key has 2 octets: expected 20"),
        ("joe SHA -l sesame", "the authentication key is not hexadecimal: expected 0x and pairs"),
        ("joe SHA -l 0x5e5", "the authentication key is not hexadecimal: expected 0x and pairs"),
        ("joe SHA -m", "missing value: expected the authentication key in hexadecimal"),
    ] {
        let text = format!("createUser {values} \n# end");
        let (conf, problems) = parse_with_mode(&text, 0o600);
        if values.is_empty() {
            assert_eq!(problems, ["snmptrapd.conf:1: Blank line following createUser token."]);
            continue;
        }
        let found = problems[0].strip_prefix("snmptrapd.conf:1: createUser: ").unwrap();
        assert!(found.starts_with(reason), "{values}: {found}");
        assert!(!found.contains("sesame") && !found.contains("5e5"), "{found}");
        assert!(conf.users.is_empty() && problems.len() == 1, "{values}");
    }
    let long = "n".repeat(33);
    assert_eq!(
        problem(&format!("createUser {long}")),
        "createUser: invalid name of a user: expected 1 to 32 octets"
    );
}

#[test]
fn debug_output_contains_no_key() {
    let text = format!("{:?}", parsed(PHRASES).users);
    assert!(text.contains("traps") && text.contains("(secret)"), "{text}");
    assert!(!text.contains("sesame"), "{text}");
    let command = HandlerCommand { program: "/bin/x".into(), arguments: vec!["sesame".to_owned()] };
    assert_eq!(format!("{command:?}"), "HandlerCommand { program: \"/bin/x\", .. }");
}
