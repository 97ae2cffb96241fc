use std::sync::Arc;

use portreeve_lcd::{Credential, StorageType, UserKey};
use portreeve_secret::Secret;
use portreeve_smi::Oid;

use super::*;

#[test]
fn every_protocol_is_found_by_its_identity() {
    for protocol in AuthProtocol::ALL {
        assert_eq!(auth_protocol(&auth_protocol_identity(protocol).oid()), Some(protocol));
        assert_eq!(priv_protocol(&auth_protocol_identity(protocol).oid()), None);
    }
    for protocol in PrivProtocol::ALL {
        assert_eq!(priv_protocol(&priv_protocol_identity(protocol).oid()), Some(protocol));
        assert_eq!(auth_protocol(&priv_protocol_identity(protocol).oid()), None);
    }
}

fn row(auth: AuthProtocol, privacy: PrivProtocol, storage: StorageType) -> UserRow {
    let credential = |protocol: &[u32]| {
        let protocol = Oid::new(protocol).unwrap();
        Some(Arc::new(Credential { protocol, key: Secret::new(vec![7; 64]) }))
    };
    let engine_id = "8000000005706f7274".parse().unwrap();
    let mut row = UserRow::new(UserKey { engine_id, name: Arc::from(*b"ops") });
    row.columns.auth = credential(&auth_protocol_identity(auth).oid());
    row.columns.privacy = credential(&priv_protocol_identity(privacy).oid());
    row.into_active(storage)
}

#[test]
fn weak_protocol_of_a_row_made_by_set_needs_its_own_permission() {
    let (sha_256, aes) = (AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
    let none = AllowedWeaknesses::default();
    for (auth, privacy, allowed) in [
        (AuthProtocol::HmacMd5_96, aes, AllowedWeaknesses { md5: true, ..none }),
        (AuthProtocol::HmacSha96, aes, AllowedWeaknesses { sha: true, ..none }),
        (sha_256, PrivProtocol::Des, AllowedWeaknesses { des: true, ..none }),
        (sha_256, PrivProtocol::TripleDes, AllowedWeaknesses { triple_des: true, ..none }),
    ] {
        let made_by_set = row(auth, privacy, StorageType::NonVolatile);
        assert!(!are_protocols_allowed(&made_by_set, &none), "{auth:?} {privacy:?}");
        assert!(are_protocols_allowed(&made_by_set, &allowed), "{auth:?} {privacy:?}");
        let from_file = row(auth, privacy, StorageType::ReadOnly);
        assert!(are_protocols_allowed(&from_file, &none), "{auth:?} {privacy:?}");
    }
    assert!(are_protocols_allowed(&row(sha_256, aes, StorageType::NonVolatile), &none));
}
