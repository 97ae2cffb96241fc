//! Keys and certificates of OpenSSH, alone or in lists: authorized_keys, known_hosts, files of authorities.

use std::time::{Duration, SystemTime};

use portreeve_krl::{Certificates, Entry};
use portreeve_pki::ssh_key::{
    Algorithm, Certificate, Fingerprint, HashAlg, PrivateKey, PublicKey, certificate::CertType,
    public::KeyData,
};

use crate::{
    revocations::SshList,
    show::{Item, Kind},
};

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
        ssh_key: key.to_bytes().unwrap_or_default(),
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
        ssh_key: encoded(certificate.public_key()),
        authority_key: encoded(certificate.signature_key()),
        ..Item::new(kind)
    }
}

/// A list of what counts no more.
pub(super) fn list(list: &SshList) -> Item {
    let (head, entries) = list.read();
    let shown = entries.iter().take(MOST_ENTRIES).map(entry);
    let more = entries.len().saturating_sub(MOST_ENTRIES);
    let more = (more > 0).then(|| format!("and {more} more"));
    Item {
        names: Some(String::from_utf8_lossy(head.comment).into_owned())
            .filter(|comment| !comment.is_empty())
            .into_iter()
            .collect(),
        from: Some(head.made).filter(|made| *made > 0).and_then(at),
        options: vec![format!("number {}", head.number), format!("{} revoked", entries.len())],
        revokes: shown.chain(more).collect(),
        ..Item::new(Kind::SshList)
    }
}

fn entry(entry: &Entry<'_>) -> String {
    let of = |key: &[u8]| PublicKey::from_bytes(key).map(|key| fingerprint(key.key_data())).ok();
    match entry {
        Entry::Key(key) => format!("key {}", of(key).unwrap_or_else(|| "of an unknown kind".to_owned())),
        Entry::Sha256(hash) => format!("key {}", Fingerprint::Sha256(**hash)),
        Entry::Sha1(hash) => {
            let digits: String = hash.iter().map(|octet| format!("{octet:02x}")).collect();
            format!("key sha1:{digits}")
        }
        Entry::Certificates { authority, which } => {
            let what = match which {
                Certificates::Serials { first, last } if first == last => format!("serial {first}"),
                Certificates::Serials { first, last } => format!("serials {first} to {last}"),
                Certificates::Bitmap { offset, octets } => {
                    let count: u32 = octets.iter().map(|octet| octet.count_ones()).sum();
                    format!("{count} serials from {offset} on")
                }
                Certificates::Id(id) => format!("key ID {}", String::from_utf8_lossy(id)),
            };
            match of(authority) {
                _ if authority.is_empty() => format!("{what} of every authority"),
                Some(authority) => format!("{what} of {authority}"),
                None => format!("{what} of an unknown authority"),
            }
        }
    }
}

/// As SSH encodes it.
fn encoded(key: &KeyData) -> Vec<u8> {
    PublicKey::from(key.clone()).to_bytes().unwrap_or_default()
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

/// Entries of a list that are told.
const MOST_ENTRIES: usize = 1000;
/// Lines of a list that are shown.
const MOST_LINES: usize = 10_000;
/// Words of a line before which no key is looked for any more.
const MOST_WORDS: usize = 32;
/// The year 9999.
const NEVER: u64 = 253_370_764_800;
