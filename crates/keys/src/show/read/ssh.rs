//! OpenSSH keys and certificates, alone or in authorized_keys, known_hosts and files of
//! authorities.

use std::time::{Duration, SystemTime};

use portreeve_krl::{CertificateSet, RevokedEntry};
use portreeve_pki::ssh_key::{
    Algorithm, Certificate, Fingerprint, HashAlg, PrivateKey, PublicKey, certificate::CertType,
    public::KeyData,
};

use crate::{
    revocations::SshRevocationList,
    show::{ItemKind, KeyItem},
};

/// Parses a private key file.
pub(super) fn private(octets: &[u8]) -> Option<KeyItem> {
    let key = PrivateKey::from_openssh(octets).ok()?;
    Some(KeyItem {
        names: comment_as_names(key.public_key()),
        key: algorithm(key.public_key().key_data()),
        fingerprint: Some(fingerprint(key.public_key().key_data())),
        has_pass_phrase: key.is_encrypted(),
        ..KeyItem::new(ItemKind::SshPrivateKey)
    })
}

/// Parses keys and certificates, one per line, with any text before and after them.
pub(super) fn parse_lines(text: &str) -> Vec<KeyItem> {
    text.lines().take(MAX_LINES).filter_map(line).collect()
}

fn line(line: &str) -> Option<KeyItem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    // Options or host names may precede the key and contain blanks, so the key may start at any
    // word.
    let starts = std::iter::once(0).chain(line.match_indices([' ', '\t']).map(|(at, _)| at + 1));
    for start in starts.take(MAX_WORDS) {
        let Some(rest) = line.get(start..) else { continue };
        let before = line.get(..start).unwrap_or_default().trim();
        let found = PublicKey::from_openssh(rest).ok().map(|key| public(&key));
        let found = found.or_else(|| {
            Certificate::from_openssh(rest).ok().map(|certificate| from_certificate(&certificate))
        });
        if let Some(mut item) = found {
            if !before.is_empty() {
                item.options.insert(0, before.to_owned());
            }
            return Some(item);
        }
    }
    None
}

fn public(key: &PublicKey) -> KeyItem {
    KeyItem {
        names: comment_as_names(key),
        key: algorithm(key.key_data()),
        fingerprint: Some(fingerprint(key.key_data())),
        line: key.to_openssh().unwrap_or_default(),
        ssh_key: key.to_bytes().unwrap_or_default(),
        ..KeyItem::new(ItemKind::SshKey)
    }
}

fn from_certificate(certificate: &Certificate) -> KeyItem {
    let kind = match certificate.cert_type() {
        CertType::Host => ItemKind::SshHostCertificate,
        CertType::User => ItemKind::SshUserCertificate,
    };
    let restrictions = certificate.critical_options().iter().map(|(name, value)| format!("{name}={value}"));
    let extensions = certificate.extensions().keys().cloned();
    KeyItem {
        subject: certificate.key_id().to_owned(),
        issuer: fingerprint(certificate.signature_key()),
        names: certificate.valid_principals().to_vec(),
        ssh_serial: certificate.serial(),
        from: at(certificate.valid_after()),
        until: at(certificate.valid_before()),
        options: restrictions.chain(extensions).collect(),
        key: algorithm(certificate.public_key()),
        fingerprint: Some(fingerprint(certificate.public_key())),
        ssh_key: encoded(certificate.public_key()),
        authority_key: encoded(certificate.signature_key()),
        ..KeyItem::new(kind)
    }
}

/// Converts a revocation list to an item for display.
pub(super) fn list(list: &SshRevocationList) -> KeyItem {
    let (head, entries) = list.read();
    let shown = entries.iter().take(MAX_ENTRIES).map(entry);
    let more = entries.len().saturating_sub(MAX_ENTRIES);
    let more = (more > 0).then(|| format!("and {more} more"));
    KeyItem {
        names: Some(String::from_utf8_lossy(head.comment).into_owned())
            .filter(|comment| !comment.is_empty())
            .into_iter()
            .collect(),
        from: Some(head.created).filter(|made| *made > 0).and_then(at),
        options: vec![format!("number {}", head.number), format!("{} revoked", entries.len())],
        revokes: shown.chain(more).collect(),
        ..KeyItem::new(ItemKind::SshRevocationList)
    }
}

fn entry(entry: &RevokedEntry<'_>) -> String {
    let of = |key: &[u8]| PublicKey::from_bytes(key).map(|key| fingerprint(key.key_data())).ok();
    match entry {
        RevokedEntry::Key(key) => {
            format!("key {}", of(key).unwrap_or_else(|| "of an unknown kind".to_owned()))
        }
        RevokedEntry::Sha256(hash) => format!("key {}", Fingerprint::Sha256(**hash)),
        RevokedEntry::Sha1(hash) => {
            let digits: String = hash.iter().map(|octet| format!("{octet:02x}")).collect();
            format!("key sha1:{digits}")
        }
        RevokedEntry::Certificates { authority, certificates: which } => {
            let what = match which {
                CertificateSet::Serials { first, last } if first == last => format!("serial {first}"),
                CertificateSet::Serials { first, last } => format!("serials {first} to {last}"),
                CertificateSet::Bitmap { offset, octets } => {
                    let count: u32 = octets.iter().map(|octet| octet.count_ones()).sum();
                    format!("{count} serials from {offset} on")
                }
                CertificateSet::Id(id) => format!("key ID {}", String::from_utf8_lossy(id)),
            };
            match of(authority) {
                _ if authority.is_empty() => format!("{what} of every authority"),
                Some(authority) => format!("{what} of {authority}"),
                None => format!("{what} of an unknown authority"),
            }
        }
    }
}

/// Returns the key in SSH encoding.
fn encoded(key: &KeyData) -> Vec<u8> {
    PublicKey::from(key.clone()).to_bytes().unwrap_or_default()
}

fn comment_as_names(key: &PublicKey) -> Vec<String> {
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

/// Converts a time; returns `None` for the value that means no expiry.
fn at(seconds: u64) -> Option<SystemTime> {
    (seconds < NEVER).then(|| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))).flatten()
}

/// Maximum number of list entries to display.
const MAX_ENTRIES: usize = 1000;
/// Maximum number of lines to parse.
const MAX_LINES: usize = 10_000;
/// Maximum number of words of a line before the key.
const MAX_WORDS: usize = 32;
/// A time in the year 9999; later times mean no expiry.
const NEVER: u64 = 253_370_764_800;
