//! Parses and formats one line of known_hosts.

use aws_lc_rs::{constant_time, hmac, rand};
use data_encoding::BASE64;

use crate::client::pattern::PatternList;

/// The meaning of a key on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// The key is a host key.
    Plain,
    /// An authority that may sign host certificates.
    CertAuthority,
    /// The key is revoked.
    Revoked,
}

/// A public key: its type and its encoding (RFC 4253 §6.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostKey {
    key_type: String,
    octets: Vec<u8>,
}

impl HostKey {
    /// Creates a key from its encoding, which begins with the key type. Returns `None` if it is
    /// malformed.
    pub fn new(octets: Vec<u8>) -> Option<Self> {
        let (length, rest) = octets.split_first_chunk()?;
        let key_type = rest.get(..usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        let key_type = std::str::from_utf8(key_type).ok()?.to_owned();
        Some(Self { key_type, octets })
    }

    /// Returns the key type: `ssh-ed25519`, `ecdsa-sha2-nistp256`, …
    pub fn key_type(&self) -> &str {
        &self.key_type
    }

    /// Returns the complete encoding.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}

/// A parsed line whose key is not decoded yet.
#[derive(Clone, Debug)]
pub(crate) struct KnownHostsLine<'l> {
    marker: Marker,
    names: LineNames,
    key_type: &'l str,
    key: &'l str,
}

#[derive(Clone, Debug)]
enum LineNames {
    Patterns(PatternList),
    Hashed { salt: Vec<u8>, hash: Vec<u8> },
}

impl<'l> KnownHostsLine<'l> {
    /// Parses `[@marker] names type key [comment]`. Returns `None` for an empty line or a comment.
    pub(crate) fn parse(line: &'l str) -> Result<Option<Self>, LineError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().ok_or(LineError);
        let mut names = word()?;
        let marker = match names.strip_prefix('@') {
            None => Marker::Plain,
            Some("cert-authority") => Marker::CertAuthority,
            Some("revoked") => Marker::Revoked,
            Some(_) => return Err(LineError),
        };
        if marker != Marker::Plain {
            names = word()?;
        }
        Ok(Some(Self { marker, names: LineNames::parse(names)?, key_type: word()?, key: word()? }))
    }

    pub(crate) fn marker(&self) -> Marker {
        self.marker
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        match &self.names {
            LineNames::Patterns(patterns) => patterns.matches(name),
            LineNames::Hashed { salt, hash } => {
                constant_time::verify_slices_are_equal(&hash_of(salt, name), hash).is_ok()
            }
        }
    }

    /// Decodes the key. Returns `None` if it is malformed or not of the type given on the line.
    pub(crate) fn key(&self) -> Option<HostKey> {
        let key = HostKey::new(BASE64.decode(self.key.as_bytes()).ok()?)?;
        (key.key_type == self.key_type).then_some(key)
    }
}

impl LineNames {
    fn parse(text: &str) -> Result<Self, LineError> {
        let Some(hashed) = text.strip_prefix("|1|") else {
            return Ok(Self::Patterns(PatternList::from_commas(&text.to_ascii_lowercase())));
        };
        let (salt, hash) = hashed.split_once('|').ok_or(LineError)?;
        let decode = |text: &str| BASE64.decode(text.as_bytes()).map_err(|_| LineError);
        Ok(Self::Hashed { salt: decode(salt)?, hash: decode(hash)? })
    }
}

/// Formats a line for a host key, with the name in cleartext or hashed.
///
/// # Errors
/// Fails if the random number generator fails.
pub(crate) fn format_line(name: &str, key: &HostKey, hashed: bool) -> Result<String, LineError> {
    let name = if hashed {
        let mut salt = [0; SALT_LEN];
        rand::fill(&mut salt).map_err(|_| LineError)?;
        format!("|1|{}|{}", BASE64.encode(&salt), BASE64.encode(&hash_of(&salt, name)))
    } else {
        name.to_owned()
    };
    Ok(format!("{name} {} {}\n", key.key_type(), BASE64.encode(key.octets())))
}

/// Error for an invalid line of known_hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineError;

fn hash_of(salt: &[u8], name: &str) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, salt);
    hmac::sign(&key, name.as_bytes()).as_ref().to_vec()
}

/// Salt length in octets: the length of a SHA-1 hash, as in OpenSSH.
const SALT_LEN: usize = 20;
