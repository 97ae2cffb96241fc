//! Reads revocation lists in text format: one entry per line.

use std::str;

use russh::keys::{PublicKey, ssh_key::Fingerprint};

use super::{RevocationListError, RevokedKeys, certificates::RevokedCertificates};
use crate::keys;

/// Adds the entries of a list to `revoked`.
pub(super) fn parse_into(list: &[u8], revoked: &mut RevokedKeys) -> Result<(), RevocationListError> {
    let mut certificates = RevokedCertificates::default();
    for (number, line) in (1..).zip(list.split(|octet| *octet == b'\n')) {
        let line = str::from_utf8(line).map_err(|_| RevocationListError::Line(number))?.trim();
        if !line.is_empty() && !line.starts_with('#') {
            parse_line(line, revoked, &mut certificates).ok_or(RevocationListError::Line(number))?;
        }
    }
    revoked.certificates.push(certificates);
    Ok(())
}

fn parse_line(line: &str, revoked: &mut RevokedKeys, certificates: &mut RevokedCertificates) -> Option<()> {
    let (word, rest) = line.split_once(':').unwrap_or(("", line));
    match word {
        "serial" => {
            let (first, last) = rest.split_once('-').unwrap_or((rest, rest));
            certificates.add_serials(number(first)?, number(last)?)?;
        }
        "id" => certificates.add_id(rest.trim().as_bytes()),
        "sha256" | "hash" => revoked.sha256.push(sha256(rest.trim())?),
        "key" => revoked.sha256.push(key(rest.trim())?),
        _ => revoked.sha256.push(key(line)?),
    }
    Some(())
}

/// Parses a number in decimal, or in hexadecimal after `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn key(text: &str) -> Option<[u8; 32]> {
    let key = PublicKey::from_openssh(text).ok()?;
    keys::fingerprint(key.key_data()).hash().try_into().ok()
}

/// Parses a base64 hash, with or without `SHA256:`.
fn sha256(text: &str) -> Option<[u8; 32]> {
    let text = if text.starts_with("SHA256:") { text.to_owned() } else { format!("SHA256:{text}") };
    text.parse::<Fingerprint>().ok()?.sha256()
}
