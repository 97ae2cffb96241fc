//! Keys and certificates of OpenSSH, alone or in lists: authorized_keys, known_hosts, files of authorities.

use std::time::{Duration, SystemTime};

use portreeve_authority::ssh_key::{
    Algorithm, Certificate, HashAlg, PrivateKey, PublicKey, certificate::CertType, public::KeyData,
};

use crate::show::{Item, Kind};

/// A private key's file.
pub(super) fn private(octets: &[u8]) -> Option<Item> {
    let key = PrivateKey::from_openssh(octets).ok()?;
    Some(Item {
        names: named(key.public_key()),
        key: algorithm(key.public_key().key_data()),
        fingerprint: Some(fingerprint(key.public_key().key_data())),
        sealed: key.is_encrypted(),
        ..Item::new(Kind::SshPrivateKey)
    })
}

/// Keys and certificates, one a line, whatever stands before and behind them.
pub(super) fn listed(text: &str) -> Vec<Item> {
    text.lines().take(MOST_LINES).filter_map(line).collect()
}

fn line(line: &str) -> Option<Item> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    // Options or names of hosts may stand before it, and have blanks in them.
    let starts = std::iter::once(0).chain(line.match_indices([' ', '\t']).map(|(at, _)| at + 1));
    for start in starts.take(MOST_WORDS) {
        let Some(rest) = line.get(start..) else { continue };
        let before = line.get(..start).unwrap_or_default().trim();
        let found = PublicKey::from_openssh(rest).ok().map(|key| public(&key));
        let found =
            found.or_else(|| Certificate::from_openssh(rest).ok().map(|certificate| certified(&certificate)));
        if let Some(mut item) = found {
            if !before.is_empty() {
                item.options.insert(0, before.to_owned());
            }
            return Some(item);
        }
    }
    None
}

fn public(key: &PublicKey) -> Item {
    Item {
        names: named(key),
        key: algorithm(key.key_data()),
        fingerprint: Some(fingerprint(key.key_data())),
        line: key.to_openssh().unwrap_or_default(),
        ..Item::new(Kind::SshKey)
    }
}

fn certified(certificate: &Certificate) -> Item {
    let kind = match certificate.cert_type() {
        CertType::Host => Kind::SshHostCertificate,
        CertType::User => Kind::SshUserCertificate,
    };
    let restrictions = certificate.critical_options().iter().map(|(name, value)| format!("{name}={value}"));
    let extensions = certificate.extensions().keys().cloned();
    Item {
        subject: certificate.key_id().to_owned(),
        issuer: fingerprint(certificate.signature_key()),
        names: certificate.valid_principals().to_vec(),
        ssh_serial: certificate.serial(),
        from: at(certificate.valid_after()),
        until: at(certificate.valid_before()),
        options: restrictions.chain(extensions).collect(),
        key: algorithm(certificate.public_key()),
        fingerprint: Some(fingerprint(certificate.public_key())),
        ..Item::new(kind)
    }
}

fn named(key: &PublicKey) -> Vec<String> {
    let comment = key.comment().as_str_lossy().to_owned();
    Some(comment).filter(|comment| !comment.is_empty()).into_iter().collect()
}

fn fingerprint(key: &KeyData) -> String {
    key.fingerprint(HashAlg::Sha256).to_string()
}

fn algorithm(key: &KeyData) -> String {
    match key.algorithm() {
        Algorithm::Ed25519 => "Ed25519".to_owned(),
        Algorithm::Rsa { .. } => "RSA".to_owned(),
        other => other.as_str().to_owned(),
    }
}

/// A moment; `None` for the one that never comes.
fn at(seconds: u64) -> Option<SystemTime> {
    (seconds < NEVER).then(|| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))).flatten()
}

/// Lines of a list that are shown.
const MOST_LINES: usize = 10_000;
/// Words of a line before which no key is looked for any more.
const MOST_WORDS: usize = 32;
/// The year 9999.
const NEVER: u64 = 253_370_764_800;
