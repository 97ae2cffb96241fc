//! OpenSSH's binary lists of revoked keys (PROTOCOL.krl), which `ssh-keygen -k` makes.
//!
//! Nothing is taken of a list of which any part is not understood. Memory is bounded by the list's length. A signature on a list
//! is not checked, so a list that carries one is refused: who trusts the file need not sign it.

use aws_lc_rs::digest::{SHA256, digest};

use super::{RevokedKeys, certificates::RevokedCertificates};

/// What follows the word that such lists begin with; `None` where it is no such list.
pub(super) fn content(list: &[u8]) -> Option<&[u8]> {
    list.strip_prefix(MAGIC)
}

/// Adds what a list says; `None` where it cannot be understood.
pub(super) fn read(content: &[u8], revoked: &mut RevokedKeys) -> Option<()> {
    let mut rest = Fields(content);
    if rest.number()? != VERSION {
        return None;
    }
    // The list's own number, when it was made, and flags of which there are none yet; then what is reserved, and a comment.
    let (_, _, _) = (rest.long()?, rest.long()?, rest.long()?);
    let (_, _) = (rest.string()?, rest.string()?);
    while !rest.is_empty() {
        let (kind, section) = (rest.octet()?, Fields(rest.string()?));
        match kind {
            CERTIFICATES => revoked.certificates.push(certificates(section)?),
            EXPLICIT_KEYS => section.strings(|key| {
                revoked.sha256.push(sha256(key)?);
                Some(())
            })?,
            SHA1 => section.strings(|hash| {
                revoked.sha1.push(hash.try_into().ok()?);
                Some(())
            })?,
            SHA256_HASHES => section.strings(|hash| {
                revoked.sha256.push(hash.try_into().ok()?);
                Some(())
            })?,
            EXTENSION => extension(section)?,
            _ => return None,
        }
    }
    Some(())
}

/// One authority's.
fn certificates(mut rest: Fields<'_>) -> Option<RevokedCertificates> {
    let mut revoked = RevokedCertificates::default();
    let authority = rest.string()?;
    if !authority.is_empty() {
        revoked.authority = Some(sha256(authority)?);
    }
    rest.string()?;
    while !rest.is_empty() {
        let (kind, mut section) = (rest.octet()?, Fields(rest.string()?));
        match kind {
            SERIALS => {
                while !section.is_empty() {
                    let serial = section.long()?;
                    revoked.add_serials(serial, serial)?;
                }
            }
            SERIAL_RANGE => {
                revoked.add_serials(section.long()?, section.long()?)?;
                section.end()?;
            }
            SERIAL_BITMAP => {
                let (offset, bits) = (section.long()?, section.string()?);
                // A multiple-precision integer, which is none below zero.
                if bits.first().is_some_and(|first| first & 0x80 != 0) {
                    return None;
                }
                revoked.add_bitmap(offset, bits);
                section.end()?;
            }
            KEY_IDS => section.strings(|id| {
                revoked.add_id(id);
                Some(())
            })?,
            CERTIFICATES_EXTENSION => extension(section)?,
            _ => return None,
        }
    }
    Some(revoked)
}

/// None is known: one that may not be passed over cannot be followed.
fn extension(mut section: Fields<'_>) -> Option<()> {
    section.string()?;
    let critical = section.octet()? != 0;
    section.string()?;
    section.end()?;
    (!critical).then_some(())
}

fn sha256(octets: &[u8]) -> Option<[u8; 32]> {
    digest(&SHA256, octets).as_ref().try_into().ok()
}

/// What has not been read yet, in SSH's encoding (RFC 4251 §5).
struct Fields<'l>(&'l [u8]);

impl<'l> Fields<'l> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn end(&self) -> Option<()> {
        self.is_empty().then_some(())
    }

    fn octet(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*first))
    }

    fn long(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_be_bytes(*first))
    }

    fn string(&mut self) -> Option<&'l [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    /// Has `take` take strings until there are no more.
    fn strings(mut self, mut take: impl FnMut(&'l [u8]) -> Option<()>) -> Option<()> {
        while !self.is_empty() {
            take(self.string()?)?;
        }
        Some(())
    }
}

const MAGIC: &[u8] = b"SSHKRL\n\0";
const VERSION: u32 = 1;

const CERTIFICATES: u8 = 1;
const EXPLICIT_KEYS: u8 = 2;
const SHA1: u8 = 3;
const SHA256_HASHES: u8 = 5;
const EXTENSION: u8 = 255;

const SERIALS: u8 = 0x20;
const SERIAL_RANGE: u8 = 0x21;
const SERIAL_BITMAP: u8 = 0x22;
const KEY_IDS: u8 = 0x23;
const CERTIFICATES_EXTENSION: u8 = 0x39;

#[cfg(test)]
mod tests;
