use super::*;

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;

fn user(auth: &str, privacy: &str) -> Result<UsmUser, PasswordTooShort> {
    UsmUser::with_privacy(b"ops", (AUTH, &Secret::from(auth)), (PrivProtocol::Aes128, &Secret::from(privacy)))
}

fn auth_key(user: &UsmUser) -> &Arc<UserKey> {
    user.auth.as_ref().unwrap()
}

#[test]
fn a_key_is_made_when_it_is_needed_and_for_all_duplicates_at_once() {
    let first = user("authentic phrase", "private phrase").unwrap();
    let second = first.duplicate();
    assert!(!auth_key(&first).is_made());
    let key = auth_key(&second).localize(ENGINE);
    assert!(auth_key(&first).is_made());
    assert!(key == auth_key(&first).localize(ENGINE));
    assert_eq!((second.level(), &*second.name), (SecurityLevel::AuthPriv, &b"ops"[..]));
}

#[test]
fn one_pass_phrase_for_both_purposes_is_hashed_once() {
    let user = user("one phrase for both", "one phrase for both").unwrap();
    assert!(Arc::ptr_eq(auth_key(&user), &user.privacy.as_ref().unwrap().1));
}

#[test]
fn a_pass_phrase_of_seven_octets_is_refused_before_any_key_is_made() {
    assert!(user("seven77", "private phrase").is_err());
    assert!(user("authentic phrase", "seven77").is_err());
}
