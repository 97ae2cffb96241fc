use std::{fs, path::Path, process::Command};

use rand::rng;
use russh::keys::{
    Algorithm, Certificate, PrivateKey,
    ssh_key::certificate::{Builder, CertType},
};

use crate::keys::{RevokedKeys, revoked::RevocationListError};

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

fn certificate(authority: &PrivateKey, serial: u64, id: &str) -> Certificate {
    let subject = key();
    let mut builder =
        Builder::new_with_random_nonce(&mut rng(), subject.public_key(), 0, u64::MAX - 1).unwrap();
    builder.cert_type(CertType::User).unwrap().valid_principal("ops").unwrap();
    builder.serial(serial).unwrap().key_id(id).unwrap();
    builder.sign(authority).unwrap()
}

/// Creates a list with `ssh-keygen -k`. Returns `None` and prints a notice if ssh-keygen is
/// missing.
fn create_list(folder: &Path, authority: Option<&PrivateKey>, specification: &str) -> Option<Vec<u8>> {
    let (list, specified) = (folder.join("list"), folder.join("specification"));
    fs::write(&specified, specification).unwrap();
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-k", "-f"]).arg(&list);
    if let Some(authority) = authority {
        let public = folder.join("authority.pub");
        fs::write(&public, authority.public_key().to_openssh().unwrap()).unwrap();
        command.arg("-s").arg(public);
    }
    let Ok(status) = command.arg(specified).status() else {
        println!("skipped: ssh-keygen is not installed");
        return None;
    };
    assert!(status.success());
    Some(fs::read(list).unwrap())
}

#[test]
fn revoked_serials_and_key_ids_apply_to_their_authority_only() {
    let (folder, authority, other) = (tempfile::tempdir().unwrap(), key(), key());
    // Single numbers, a range, and numbers that are so close together that ssh-keygen writes a
    // bitmap.
    let mut specification =
        "serial: 3\nserial: 1000-2000\nid: lost laptop\nserial: 0xffffffffffffffff\n".to_owned();
    for serial in (5000..5400).step_by(2) {
        specification += &format!("serial: {serial}\n");
    }
    let Some(list) = create_list(folder.path(), Some(&authority), &specification) else { return };
    let revoked = RevokedKeys::parse(&list).unwrap();
    for serial in [3, 1000, 1500, 2000, 5000, 5002, 5398, u64::MAX] {
        assert!(revoked.contains_certificate(&certificate(&authority, serial, "x")), "{serial}");
        assert!(!revoked.contains_certificate(&certificate(&other, serial, "x")), "{serial}");
    }
    for serial in [0, 1, 2, 4, 999, 2001, 4999, 5001, 5399, 5400, u64::MAX - 1] {
        assert!(!revoked.contains_certificate(&certificate(&authority, serial, "x")), "{serial}");
    }
    assert!(revoked.contains_certificate(&certificate(&authority, 0, "lost laptop")));
    assert!(!revoked.contains_certificate(&certificate(&authority, 0, "lost laptop ")));
    assert!(!revoked.contains_certificate(&certificate(&other, 0, "lost laptop")));
}

#[test]
fn revoking_a_key_by_value_or_hash_revokes_certificates_it_signed() {
    let (folder, revoked_key, other_key) = (tempfile::tempdir().unwrap(), key(), key());
    let public = revoked_key.public_key().to_openssh().unwrap();
    let sha256 = revoked_key.public_key().fingerprint(russh::keys::HashAlg::Sha256);
    for specification in [
        public.clone(),
        format!("key: {public}"),
        format!("sha1: {public}"),
        format!("sha256: {public}"),
        format!("hash: {sha256}"),
    ] {
        let Some(list) = create_list(folder.path(), None, &specification) else { return };
        let revoked = RevokedKeys::parse(&list).unwrap();
        assert!(revoked.contains_key(revoked_key.public_key().key_data()), "{specification}");
        assert!(!revoked.contains_key(other_key.public_key().key_data()), "{specification}");
        assert!(
            revoked.contains_certificate(&certificate(&revoked_key, 1, "x")),
            "certificates of a revoked authority are revoked"
        );
        assert!(!revoked.contains_certificate(&certificate(&other_key, 1, "x")));
    }
}

#[test]
fn truncated_or_extended_revocation_list_is_rejected() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let Some(list) = create_list(folder.path(), Some(&authority), "serial: 3\nserial: 9-20\nid: x\n") else {
        return;
    };
    assert!(RevokedKeys::parse(&list).is_ok());
    let whole = (0..list.len()).filter(|length| RevokedKeys::parse(&list[..*length]).is_ok());
    // Only two truncated lists are valid: an empty file, which is a list in text format, and a list
    // without sections.
    let sections = list.len() - HEADER;
    assert_eq!(whole.collect::<Vec<_>>(), [0, HEADER], "{sections} octets of sections");
    let longer = [list.as_slice(), &[0]].concat();
    assert_eq!(RevokedKeys::parse(longer).unwrap_err(), RevocationListError::Binary);
}

#[test]
fn list_with_malformed_or_unknown_section_or_critical_extension_is_rejected() {
    let section = |section_type: u8, content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        [MAGIC, &1_u32.to_be_bytes(), &[0; 32], &[section_type], &length, content].concat()
    };
    let extension = |critical| [&[0, 0, 0, 1, b'x', critical][..], &[0; 4]].concat();
    assert!(RevokedKeys::parse(section(EXTENSION, &extension(0))).is_ok());
    for (section_type, content) in [
        (EXTENSION, extension(1)),
        (4, vec![0; 8]),
        (77, vec![]),
        (SHA1, vec![0, 0, 0, 1, 0]),
        (SHA256_HASHES, vec![255; 4]),
        (EXPLICIT_KEYS, vec![0, 0, 0, 9, 1]),
        // A range whose first number exceeds the last, and a bitmap that is a negative number. A
        // bitmap that exceeds the largest serial number is valid, as checked below.
        (
            CERTIFICATES,
            [&[0; 8][..], &[SERIAL_RANGE, 0, 0, 0, 16], &[0, 0, 0, 0, 0, 0, 0, 9], &[0; 8]].concat(),
        ),
        (CERTIFICATES, [&[0; 8][..], &[SERIAL_BITMAP, 0, 0, 0, 13], &[0; 8], &[0, 0, 0, 1, 0x80]].concat()),
    ] {
        assert_eq!(
            RevokedKeys::parse(section(section_type, &content)).unwrap_err(),
            RevocationListError::Binary,
            "{section_type}"
        );
    }
    let far = [&[0; 8][..], &[SERIAL_BITMAP, 0, 0, 0, 14], &[255; 8], &[0, 0, 0, 2, 0x7f, 255]].concat();
    let revoked = RevokedKeys::parse(section(CERTIFICATES, &far)).unwrap();
    assert!(revoked.contains_certificate(&certificate(&key(), u64::MAX, "x")));
    assert!(!revoked.contains_certificate(&certificate(&key(), u64::MAX - 1, "x")));
}

/// The magic octets at the start of a list, and below them the section types (PROTOCOL.krl).
const MAGIC: &[u8] = b"SSHKRL\n\0";
const CERTIFICATES: u8 = 1;
const EXPLICIT_KEYS: u8 = 2;
const SHA1: u8 = 3;
const SHA256_HASHES: u8 = 5;
const EXTENSION: u8 = 255;
const SERIAL_RANGE: u8 = 0x21;
const SERIAL_BITMAP: u8 = 0x22;

/// Length in octets before the first section, without a comment.
const HEADER: usize = 8 + 4 + 3 * 8 + 2 * 4;
