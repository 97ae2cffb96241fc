//! Lookups after changes of the datastore.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{AllowedWeaknesses, RowStatus, StorageType, Tables, UserKey};
use portreeve_secret::Secret;
use portreeve_smi::Oid;

use super::super::protocols::{auth_protocol_identity, priv_protocol_identity};
use super::*;

const ENGINE: &[u8] = b"\x80\0\0\0\x05port";
const OTHER_ENGINE: &[u8] = b"\x80\0\0\0\x05other";

fn credential(protocol: &[u32], key_len: usize) -> Option<Arc<Credential>> {
    Some(Arc::new(Credential { protocol: Oid::new(protocol).unwrap(), key: Secret::new(vec![7; key_len]) }))
}

/// A row made by SET.
fn row(engine_id: &[u8], name: &[u8], auth: AuthProtocol) -> UserRow {
    let mut row =
        UserRow::new(UserKey { engine_id: EngineId::new(engine_id).unwrap(), name: Arc::from(name) });
    row.columns.auth = credential(&auth_protocol_identity(auth).oid(), auth.key_len());
    row.into_active(StorageType::NonVolatile)
}

fn lcd(rows: impl IntoIterator<Item = UserRow>) -> Arc<Lcd> {
    let mut tables = Tables::default();
    rows.into_iter().for_each(|row| tables.insert(row));
    Arc::new(Lcd::compile(tables))
}

fn changed(lcd: &Lcd, change: impl FnOnce(&mut Tables)) -> Arc<Lcd> {
    let mut tables = lcd.tables().clone();
    change(&mut tables);
    Arc::new(lcd.recompile(tables))
}

const SHA_256: AuthProtocol = AuthProtocol::HmacSha256_192;

#[test]
fn user_is_found_by_engine_and_name_with_the_keys_of_its_row() {
    let mut secret = row(ENGINE, b"secret", SHA_256);
    let aes = PrivProtocol::Aes128;
    secret.columns.privacy = credential(&priv_protocol_identity(aes).oid(), aes.key_len());
    let mut cache = UserCache::default();
    cache.refresh(&lcd([secret, row(OTHER_ENGINE, b"secret", AuthProtocol::HmacSha512_384)]));

    let user = cache.user(ENGINE, b"secret").unwrap();
    assert_eq!(user.auth.as_ref().unwrap().protocol(), SHA_256);
    assert_eq!(user.privacy.as_ref().unwrap().protocol(), aes);
    let other = cache.user(OTHER_ENGINE, b"secret").unwrap();
    assert_eq!(other.auth.as_ref().unwrap().protocol(), AuthProtocol::HmacSha512_384);
    assert!(other.privacy.is_none());
    assert!(cache.user(ENGINE, b"other").is_none());
    assert!(cache.user(b"\x80\0\0\0\x05none", b"secret").is_none());
}

#[test]
fn user_remains_prepared_until_its_row_changes() {
    let before = lcd([row(ENGINE, b"alice", SHA_256), row(ENGINE, b"bob", SHA_256)]);
    let mut cache = UserCache::default();
    cache.refresh(&before);
    let alice = Arc::clone(cache.user(ENGINE, b"alice").unwrap());
    let bob = Arc::clone(cache.user(ENGINE, b"bob").unwrap());

    let after = changed(&before, |tables| {
        tables.insert(row(ENGINE, b"bob", AuthProtocol::HmacSha384_256));
        tables.insert(row(ENGINE, b"carol", SHA_256));
    });
    cache.refresh(&after);
    assert!(Arc::ptr_eq(cache.user(ENGINE, b"alice").unwrap(), &alice));
    assert!(!Arc::ptr_eq(cache.user(ENGINE, b"bob").unwrap(), &bob));
    assert!(cache.user(ENGINE, b"carol").is_some());
}

#[test]
fn user_is_removed_when_its_row_is_removed_or_becomes_inactive() {
    let before = lcd([row(ENGINE, b"alice", SHA_256), row(ENGINE, b"bob", SHA_256)]);
    let mut cache = UserCache::default();
    cache.refresh(&before);
    let after = changed(&before, |tables| {
        tables.users.remove(&row(ENGINE, b"alice", SHA_256).key);
        tables.insert(UserRow { status: RowStatus::NotInService, ..row(ENGINE, b"bob", SHA_256) });
    });
    cache.refresh(&after);
    assert!(cache.user(ENGINE, b"alice").is_none());
    assert!(cache.user(ENGINE, b"bob").is_none());
}

#[test]
fn user_is_removed_when_its_protocol_is_no_longer_allowed() {
    let rows = [row(ENGINE, b"md5", AuthProtocol::HmacMd5_96), row(ENGINE, b"sha256", SHA_256)];
    let forbidden = lcd(rows);
    let allowed = changed(&forbidden, |tables| tables.allowed_weaknesses.md5 = true);
    let mut cache = UserCache::default();
    for (lcd, is_allowed) in [(&forbidden, false), (&allowed, true), (&forbidden, false)] {
        cache.refresh(lcd);
        assert_eq!(cache.user(ENGINE, b"md5").is_some(), is_allowed);
        assert!(cache.user(ENGINE, b"sha256").is_some());
    }
    assert_eq!(forbidden.tables().allowed_weaknesses, AllowedWeaknesses::default());
}

#[test]
fn user_with_unknown_protocol_or_key_of_wrong_length_is_not_found() {
    let mut unknown = row(ENGINE, b"unknown", SHA_256);
    unknown.columns.auth = credential(&[1, 3, 6, 1, 4, 1, 99999], 32);
    let mut short = row(ENGINE, b"short", SHA_256);
    short.columns.auth = credential(&auth_protocol_identity(SHA_256).oid(), 31);
    let mut short_privacy = row(ENGINE, b"short privacy", SHA_256);
    short_privacy.columns.privacy = credential(&priv_protocol_identity(PrivProtocol::Aes128).oid(), 15);
    let mut cache = UserCache::default();
    cache.refresh(&lcd([unknown, short, short_privacy, row(ENGINE, b"good", SHA_256)]));
    for name in [&b"unknown"[..], b"short", b"short privacy"] {
        assert!(cache.user(ENGINE, name).is_none());
    }
    assert!(cache.user(ENGINE, b"good").is_some());
}
