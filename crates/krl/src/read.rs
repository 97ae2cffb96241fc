//! Reading a list.

use crate::{
    CERTIFICATES, CERTIFICATES_EXTENSION, Certificates, EXPLICIT_KEYS, EXTENSION, Entry, Head, KEY_IDS,
    MAGIC, SERIAL_BITMAP, SERIAL_RANGE, SERIALS, SHA1, SHA256_HASHES, VERSION, fields::Fields,
};

/// What follows the word that lists begin with; `None` where it is no such list.
pub fn content(list: &[u8]) -> Option<&[u8]> {
    list.strip_prefix(MAGIC)
}

/// Reads what [`content`] has found, and hands each entry to `take`. `None` where the list cannot be understood, or where
/// `take` has had enough; what was handed out until then is not the whole list, and must not count as one.
pub fn read<'l>(content: &'l [u8], mut take: impl FnMut(Entry<'l>) -> Option<()>) -> Option<Head<'l>> {
    let mut rest = Fields(content);
    if rest.number()? != VERSION {
        return None;
    }
    let (number, made) = (rest.long()?, rest.long()?);
    // Flags, of which there are none yet, and what is reserved.
    rest.long()?;
    rest.string()?;
    let comment = rest.string()?;
    while !rest.is_empty() {
        let (kind, section) = (rest.octet()?, Fields(rest.string()?));
        match kind {
            CERTIFICATES => certificates(section, &mut take)?,
            EXPLICIT_KEYS => section.strings(|key| take(Entry::Key(key)))?,
            SHA1 => section.strings(|hash| take(Entry::Sha1(hash.try_into().ok()?)))?,
            SHA256_HASHES => section.strings(|hash| take(Entry::Sha256(hash.try_into().ok()?)))?,
            EXTENSION => extension(section)?,
            _ => return None,
        }
    }
    Some(Head { number, made, comment })
}

/// One authority's.
fn certificates<'l>(mut rest: Fields<'l>, take: &mut impl FnMut(Entry<'l>) -> Option<()>) -> Option<()> {
    let authority = rest.string()?;
    rest.string()?;
    let mut take = |which| take(Entry::Certificates { authority, which });
    while !rest.is_empty() {
        let (kind, mut section) = (rest.octet()?, Fields(rest.string()?));
        match kind {
            SERIALS => {
                while !section.is_empty() {
                    let serial = section.long()?;
                    take(Certificates::Serials { first: serial, last: serial })?;
                }
            }
            SERIAL_RANGE => {
                let (first, last) = (section.long()?, section.long()?);
                section.end()?;
                if first > last {
                    return None;
                }
                take(Certificates::Serials { first, last })?;
            }
            SERIAL_BITMAP => {
                let (offset, octets) = (section.long()?, section.string()?);
                section.end()?;
                // A multiple-precision integer, which is none below zero.
                if octets.first().is_some_and(|first| first & 0x80 != 0) {
                    return None;
                }
                take(Certificates::Bitmap { offset, octets })?;
            }
            KEY_IDS => section.strings(|id| take(Certificates::Id(id)))?,
            CERTIFICATES_EXTENSION => extension(section)?,
            _ => return None,
        }
    }
    Some(())
}

/// None is known: one that may not be passed over cannot be followed.
fn extension(mut section: Fields<'_>) -> Option<()> {
    section.string()?;
    let critical = section.octet()? != 0;
    section.string()?;
    section.end()?;
    (!critical).then_some(())
}
