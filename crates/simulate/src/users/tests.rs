use super::*;

fn engine_id() -> EngineId {
    "8000000005706f7274".parse().unwrap()
}

fn users(text: &str) -> Result<Vec<User>, UserFileError> {
    read(Path::new("users"), text)
}

#[test]
fn lines_of_user_file_yield_active_users_with_their_keys() {
    let users =
        users("# everybody\n\nanon\nwatch SHA-256 authentic1\nops SHA authentic1 AES private12\n").unwrap();
    let rows: Vec<_> = users.iter().map(|user| user.row(engine_id())).collect();
    let found: Vec<_> = rows
        .iter()
        .map(|row| (&*row.key.name, row.auth.is_some(), row.privacy.is_some(), row.is_active()))
        .collect();
    let expected: [(&[u8], bool, bool, bool); 3] =
        [(b"anon", false, false, true), (b"watch", true, false, true), (b"ops", true, true, true)];
    assert_eq!(found, expected);
}

#[test]
fn invalid_user_line_is_reported_without_secrets() {
    for (text, stderr) in [
        ("ops SHA-3 authentic1", "users:1: expected MD5, SHA, SHA-224, SHA-256, SHA-384 or SHA-512"),
        ("\nops SHA secret", "users:2: expected a pass phrase of at least 8 octets"),
        ("ops SHA", "users:1: expected a pass phrase of at least 8 octets"),
        ("ops SHA authentic1 ROT13 private12", "users:1: expected DES, AES,"),
        ("ops SHA authentic1 AES private12 secret", "users:1: expected the end of the line"),
        ("a-name-that-is-longer-than-thirty-two-octets", "users:1: expected a name of 1 to 32 octets"),
    ] {
        let error = users(text).err().unwrap().to_string();
        assert!(error.starts_with(stderr), "{error}");
        for secret in ["authentic1", "private12", "secret"] {
            assert!(!error.contains(secret), "{error}");
        }
    }
}
