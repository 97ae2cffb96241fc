//! Keys and certificates that are void, as `ssh-keygen -k` reads lists of them: public keys, `key:`, `sha256:`, `serial:`
//! (also a range), `id:` and comments with `#`. Serial numbers and key ids count for every authority.

use std::{fmt, fs::File, path::Path};

use russh::keys::{Certificate, PublicKey};

use super::{FileProblem, KeyData, file::read_text, fingerprint};

/// What is void.
#[derive(Clone, Debug, Default)]
pub struct RevokedKeys {
    keys: Vec<KeyData>,
    fingerprints: Vec<[u8; 32]>,
    serials: Vec<(u64, u64)>,
    ids: Vec<String>,
}

impl RevokedKeys {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or a line not be understood: a revocation that does not count is worse than no start.
    pub fn load(path: &Path) -> Result<Self, FileProblem> {
        let problem = |found: String| FileProblem::new(path, found);
        let file = File::open(path).map_err(|error| problem(error.to_string()))?;
        let text = read_text(file, LONGEST_FILE).map_err(|error| problem(error.to_string()))?;
        Self::parse(&text).map_err(|bad| problem(bad.to_string()))
    }

    /// Reads a list's text.
    ///
    /// # Errors
    /// The first line that cannot be understood.
    pub fn parse(text: &str) -> Result<Self, BadRevocation> {
        let mut revoked = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                revoked.take(line).ok_or(BadRevocation { line: number })?;
            }
        }
        revoked.keys.sort_unstable();
        revoked.fingerprints.sort_unstable();
        Ok(revoked)
    }

    /// Whether the key is void.
    pub fn has_key(&self, key: &KeyData) -> bool {
        if self.keys.is_empty() && self.fingerprints.is_empty() {
            return false;
        }
        self.keys.binary_search(key).is_ok()
            || self
                .fingerprints
                .binary_search_by(|known| known.as_slice().cmp(fingerprint(key).hash()))
                .is_ok()
    }

    /// Whether the certificate is void: itself, its key or its authority's.
    pub fn has_certificate(&self, certificate: &Certificate) -> bool {
        let serial = certificate.serial();
        self.has_key(certificate.public_key())
            || self.has_key(certificate.signature_key())
            || self.serials.iter().any(|(first, last)| (*first..=*last).contains(&serial))
            || self.ids.iter().any(|id| id == certificate.key_id())
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(':').unwrap_or(("", line));
        match word {
            "serial" => {
                let (first, last) = rest.split_once('-').unwrap_or((rest, rest));
                let (first, last) = (number(first)?, number(last)?);
                self.serials.push((first <= last).then_some((first, last))?);
            }
            "id" => self.ids.push(rest.trim().to_owned()),
            "sha256" | "hash" => self.fingerprints.push(sha256(rest.trim())?),
            "key" => self.keys.push(key(rest.trim())?),
            _ => self.keys.push(key(line)?),
        }
        Some(())
    }
}

/// A line of a list of revoked keys that cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRevocation {
    /// Counted from 1.
    pub line: usize,
}

impl fmt::Display for BadRevocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected a public key, or serial:, id:, key: or sha256: and a value", self.line)
    }
}

impl std::error::Error for BadRevocation {}

/// A number in decimal, or in hexadecimal after `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn key(text: &str) -> Option<KeyData> {
    PublicKey::from_openssh(text).ok().map(|key| key.key_data().clone())
}

/// The hash behind `SHA256:` in base64.
fn sha256(text: &str) -> Option<[u8; 32]> {
    let text = if text.starts_with("SHA256:") { text.to_owned() } else { format!("SHA256:{text}") };
    text.parse::<russh::keys::ssh_key::Fingerprint>().ok()?.sha256()
}

/// Octets of a list.
const LONGEST_FILE: u64 = 16 << 20;

#[cfg(test)]
mod tests;
