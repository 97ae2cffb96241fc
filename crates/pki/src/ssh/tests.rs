use std::time::{Duration, SystemTime};

use portreeve_secret::Secret;
use ssh_key::{PrivateKey, certificate::CertType};

use super::{SshAuthority, encode_ssh_key, new_ssh_key};
use crate::{Holder, HolderRole, PkiError, Validity};

#[test]
fn certificate_contains_principals_addresses_and_validity() {
    let authority = SshAuthority::new(new_ssh_key("ca").unwrap()).unwrap();
    let key = new_ssh_key("ops").unwrap();
    let holder = Holder {
        principals: vec!["ops".into(), "night".into()],
        source_address: Some("192.0.2.0/24,2001:db8::1".into()),
        ..Holder::new(HolderRole::User, "ops")
    };
    let valid = Validity::from_now(SystemTime::now(), Duration::from_secs(86_400));
    let certificate = authority.certify(key.public_key(), &holder, valid).unwrap();
    assert_eq!(certificate.cert_type(), CertType::User);
    assert_eq!(certificate.key_id(), "ops");
    assert_eq!(certificate.valid_principals(), ["ops", "night"]);
    assert_eq!(certificate.public_key(), key.public_key().key_data());
    assert_eq!(certificate.signature_key(), authority.public_key().key_data());
    assert_eq!(certificate.critical_options().get("source-address").unwrap(), "192.0.2.0/24,2001:db8::1");
    assert!(certificate.extensions().is_empty());
    assert_eq!(certificate.valid_before() - certificate.valid_after(), 86_400 + 300);
    certificate.verify_signature().unwrap();
    let other = authority.certify(key.public_key(), &holder, valid).unwrap();
    assert_ne!(certificate.serial(), other.serial());
}

#[test]
fn certify_fails_without_principals() {
    let authority = SshAuthority::new(new_ssh_key("ca").unwrap()).unwrap();
    let holder = Holder { principals: vec![], ..Holder::new(HolderRole::User, "ops") };
    let valid = Validity::from_now(SystemTime::now(), Duration::from_secs(86_400));
    assert!(authority.certify(authority.public_key(), &holder, valid).is_err());
}

#[test]
fn encrypted_authority_key_is_loaded_only_with_its_pass_phrase() {
    let key = new_ssh_key("ca").unwrap();
    let phrase = Secret::from("correct horse");
    let encrypted = encode_ssh_key(&key, Some(&phrase)).unwrap();
    assert_eq!(SshAuthority::load(&encrypted, None).unwrap_err(), PkiError::PassPhraseRequired);
    let wrong = SshAuthority::load(&encrypted, Some(&Secret::from("wrong")));
    assert_eq!(wrong.unwrap_err(), PkiError::WrongPassPhrase);
    let reloaded = SshAuthority::load(&encrypted, Some(&phrase)).unwrap();
    assert_eq!(reloaded.public_key().key_data(), key.public_key().key_data());
    assert!(SshAuthority::new(PrivateKey::from_openssh(encrypted.expose()).unwrap()).is_err());
}

#[test]
fn load_rejects_malformed_keys() {
    for text in ["", "not a key", "-----BEGIN OPENSSH PRIVATE KEY-----\n"] {
        assert!(
            matches!(SshAuthority::load(&Secret::from(text), None), Err(PkiError::WrongContent(_))),
            "{text}"
        );
    }
}

#[test]
fn renewal_changes_only_serial_and_dates() {
    let authority = SshAuthority::new(new_ssh_key("ca").unwrap()).unwrap();
    let key = new_ssh_key("ops").unwrap();
    let holder = Holder {
        principals: vec!["ops".into(), "night".into()],
        source_address: Some("192.0.2.0/24".into()),
        ..Holder::new(HolderRole::User, "ops")
    };
    let days = |days: u64| Validity::from_now(SystemTime::now(), Duration::from_secs(days * 86_400));
    let old = authority.certify(key.public_key(), &holder, days(1)).unwrap();
    let new = authority.renew(&old, days(9)).unwrap();
    new.verify_signature().unwrap();
    assert_eq!(new.public_key(), old.public_key());
    assert_eq!((new.cert_type(), new.key_id()), (old.cert_type(), old.key_id()));
    assert_eq!(new.valid_principals(), old.valid_principals());
    assert_eq!(new.critical_options(), old.critical_options());
    assert_eq!(new.extensions(), old.extensions());
    assert_eq!(new.comment(), old.comment());
    assert_ne!(new.serial(), old.serial());
    assert_eq!(new.valid_before() - old.valid_before(), 8 * 86_400);
    let other = SshAuthority::new(new_ssh_key("ca").unwrap()).unwrap();
    assert_eq!(other.renew(&old, days(9)).unwrap_err(), PkiError::NotSignedByAuthority);
}
