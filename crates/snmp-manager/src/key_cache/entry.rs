//! The text format of the cache, one entry per line.
//!
//! ```text
//! portreeve-keys 1 FILE-KEY
//! TAG AUTH-PROTOCOL KEY [PRIV-PROTOCOL KEY]
//! check CODE
//! ```
//! Keys, tags and codes are hexadecimal digits.

use std::str::FromStr;

use portreeve_crypto::{LocalizedKey, Mac};
use portreeve_secret::Secret;

use super::{FileKey, MAX_ENTRIES};
use crate::credentials::LocalizedUser;

/// The keys of one user for one engine, and a tag that identifies their origin without revealing
/// it.
pub(super) struct CacheEntry {
    pub(super) tag: Tag,
    pub(super) keys: LocalizedUser,
}

/// A keyed hash of the origin of keys, or of the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag([u8; 24]);

impl From<Mac> for Tag {
    fn from(code: Mac) -> Self {
        let mut tag = [0; 24];
        tag.iter_mut().zip(code.as_octets()).for_each(|(to, from)| *to = *from);
        Self(tag)
    }
}

/// Parses a whole file; `None` for anything that [`write`] has not written.
pub(super) fn parse(text: &Secret) -> Option<(FileKey, Vec<CacheEntry>)> {
    let text = str::from_utf8(text.expose()).ok()?;
    let (body, check) = text.strip_suffix('\n')?.split_once("check ")?;
    let (head, lines) = body.split_once('\n')?;
    let file_key = FileKey::new(from_hex(head.strip_prefix(HEAD)?)?.expose().to_vec())?;
    if from_hex(check)?.expose() != file_key.check(body.as_bytes()).0 {
        return None;
    }
    let entries = lines.lines().take(MAX_ENTRIES).map(parse_line).collect::<Option<_>>()?;
    Some((file_key, entries))
}

fn parse_line(line: &str) -> Option<CacheEntry> {
    let mut words = line.split(' ');
    let tag = Tag(from_hex(words.next()?)?.expose().try_into().ok()?);
    let auth = parse_key(words.next()?, words.next()?)?;
    let privacy = match words.next() {
        Some(protocol) => Some(parse_key(protocol, words.next()?)?),
        None => None,
    };
    Some(CacheEntry { tag, keys: LocalizedUser { auth: Some(auth), privacy } })
}

fn parse_key<P: FromStr>(protocol: &str, digits: &str) -> Option<(P, LocalizedKey)> {
    let key = LocalizedKey::from_octets(from_hex(digits)?.expose()).ok()?;
    Some((protocol.parse().ok()?, key))
}

/// Formats the text of the cache file.
pub(super) fn write(file_key: &FileKey, entries: &[CacheEntry]) -> Secret {
    // Allocated in full at once: a growing vector would leave copies of keys in freed memory.
    let mut text = Vec::with_capacity((entries.len() + 2) * MAX_LINE_LEN);
    text.extend_from_slice(HEAD.as_bytes());
    push_hex(&mut text, file_key.octets.expose());
    text.push(b'\n');
    for CacheEntry { tag, keys } in entries {
        push_hex(&mut text, &tag.0);
        if let Some((protocol, key)) = &keys.auth {
            push_key(&mut text, protocol.name(), key);
        }
        if let Some((protocol, key)) = &keys.privacy {
            push_key(&mut text, protocol.name(), key);
        }
        text.push(b'\n');
    }
    let check = file_key.check(&text);
    text.extend_from_slice(b"check ");
    push_hex(&mut text, &check.0);
    text.push(b'\n');
    Secret::new(text)
}

fn push_key(text: &mut Vec<u8>, protocol: &str, key: &LocalizedKey) {
    text.push(b' ');
    text.extend_from_slice(protocol.as_bytes());
    text.push(b' ');
    push_hex(text, key.expose());
}

fn push_hex(text: &mut Vec<u8>, octets: &[u8]) {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    octets.iter().for_each(|octet| text.extend([digit(octet >> 4), digit(octet & 15)]));
}

fn from_hex(digits: &str) -> Option<Secret> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let mut octets = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        octets.push(digit(*high)? << 4 | digit(*low)?);
    }
    Some(Secret::new(octets))
}

const HEAD: &str = "portreeve-keys 1 ";
/// The maximum length of a line in bytes: a tag, two protocols, two keys of at most 64 octets, and
/// separators.
const MAX_LINE_LEN: usize = 48 + 2 * 16 + 2 * 128 + 8;
