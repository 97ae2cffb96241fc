use portreeve_crypto::{KeyLengthError, LocalizedKey, MasterKey, password_to_key};

use super::*;

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;

fn user(auth: &str, privacy: &str) -> Result<UsmUser, PasswordTooShortError> {
    UsmUser::with_privacy(b"ops", (AUTH, &Secret::from(auth)), (PrivProtocol::Aes128, &Secret::from(privacy)))
}

fn auth_key(user: &UsmUser) -> &Arc<UserKey> {
    user.auth.as_ref().unwrap()
}

#[test]
fn usm_key_is_derived_at_first_use_and_shared_with_duplicate_user() {
    let first = user("authentic phrase", "private phrase").unwrap();
    let second = first.duplicate();
    assert!(!auth_key(&first).is_derived());
    let key = auth_key(&second).localize(ENGINE);
    assert!(auth_key(&first).is_derived());
    assert!(key == auth_key(&first).localize(ENGINE));
    assert_eq!((second.level(), &*second.name), (SecurityLevel::AuthPriv, &b"ops"[..]));
}

#[test]
fn same_pass_phrase_for_auth_and_privacy_is_hashed_once() {
    let user = user("one phrase for both", "one phrase for both").unwrap();
    assert!(Arc::ptr_eq(auth_key(&user), &user.privacy.as_ref().unwrap().1));
}

#[test]
fn pass_phrase_of_seven_octets_is_rejected() {
    assert!(user("seven77", "private phrase").is_err());
    assert!(user("authentic phrase", "seven77").is_err());
}

#[test]
fn same_keys_result_from_pass_phrase_master_key_or_localized_key() {
    let (auth, privacy) = (Secret::from("authentic phrase"), Secret::from("private phrase"));
    let (auth_master, priv_master) =
        (password_to_key(AUTH, &auth).unwrap(), password_to_key(AUTH, &privacy).unwrap());
    let both = |auth: KeyMaterial<'_>, privacy: KeyMaterial<'_>| {
        let user = UsmUser::with_keys(b"ops", (AUTH, auth), Some((PrivProtocol::Aes256, privacy))).unwrap();
        let (protocol, key) = user.privacy.as_ref().unwrap();
        (auth_key(&user).localize(ENGINE), key.localize_for(*protocol, ENGINE))
    };
    let expected = both(KeyMaterial::PassPhrase(&auth), KeyMaterial::PassPhrase(&privacy));
    let master = |key: &MasterKey| Secret::from(key.expose());
    let (auth_octets, priv_octets) = (master(&auth_master), master(&priv_master));
    assert!(expected == both(KeyMaterial::Master(&auth_octets), KeyMaterial::Master(&priv_octets)));
    let localized = |key: LocalizedKey| Secret::from(key.expose());
    let auth_octets = localized(auth_master.localize(ENGINE));
    let priv_octets = localized(priv_master.localize_for(PrivProtocol::Aes256, ENGINE));
    assert!(expected == both(KeyMaterial::Localized(&auth_octets), KeyMaterial::Localized(&priv_octets)));
}

#[test]
fn wrong_key_length_is_rejected_but_long_localized_privacy_key_accepted() {
    let octets = |count: usize| Secret::new(vec![7; count]);
    let with = |auth: KeyMaterial<'_>, privacy: KeyMaterial<'_>| {
        UsmUser::with_keys(b"ops", (AUTH, auth), Some((PrivProtocol::Aes128, privacy))).map(|_| ())
    };
    let wrong = |expected, found| Err(KeyMaterialError::Length(KeyLengthError { expected, found }));
    let fits = &octets(32);
    assert_eq!(with(KeyMaterial::Master(&octets(31)), KeyMaterial::Master(fits)), wrong(32, 31));
    assert_eq!(with(KeyMaterial::Master(fits), KeyMaterial::Master(&octets(16))), wrong(32, 16));
    assert_eq!(with(KeyMaterial::Localized(&octets(31)), KeyMaterial::Localized(fits)), wrong(32, 31));
    assert_eq!(with(KeyMaterial::Localized(fits), KeyMaterial::Localized(&octets(15))), wrong(16, 15));
    assert_eq!(with(KeyMaterial::Localized(fits), KeyMaterial::Localized(fits)), Ok(()));
}
