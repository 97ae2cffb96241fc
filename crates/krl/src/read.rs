//! Reads a binary revocation list.

use crate::{
    CERTIFICATES, CERTIFICATES_EXTENSION, CertificateSet, EXPLICIT_KEYS, EXTENSION, KEY_IDS, ListHeader,
    MAGIC, RevokedEntry, SERIAL_BITMAP, SERIAL_RANGE, SERIALS, SHA1, SHA256_HASHES, VERSION,
    fields::FieldReader,
};

/// Returns the content after the magic value; `None` if this is not a binary revocation list.
pub fn strip_magic(list: &[u8]) -> Option<&[u8]> {
    list.strip_prefix(MAGIC)
}

/// Reads the content that [`strip_magic`] returns, and calls `handle` with each entry. Returns
/// `None` if the list is invalid or `handle` returns `None`; the entries that `handle` has received
/// are then incomplete and must not be used.
pub fn read<'l>(
    content: &'l [u8],
    mut handle: impl FnMut(RevokedEntry<'l>) -> Option<()>,
) -> Option<ListHeader<'l>> {
    let mut rest = FieldReader(content);
    if rest.read_u32()? != VERSION {
        return None;
    }
    let (number, made) = (rest.read_u64()?, rest.read_u64()?);
    // Skip the flags, none of which is defined yet, and a reserved field.
    rest.read_u64()?;
    rest.read_string()?;
    let comment = rest.read_string()?;
    while !rest.is_empty() {
        let (kind, section) = (rest.read_u8()?, FieldReader(rest.read_string()?));
        match kind {
            CERTIFICATES => read_certificates(section, &mut handle)?,
            EXPLICIT_KEYS => section.for_each_string(|key| handle(RevokedEntry::Key(key)))?,
            SHA1 => section.for_each_string(|hash| handle(RevokedEntry::Sha1(hash.try_into().ok()?)))?,
            SHA256_HASHES => {
                section.for_each_string(|hash| handle(RevokedEntry::Sha256(hash.try_into().ok()?)))?
            }
            EXTENSION => skip_extension(section)?,
            _ => return None,
        }
    }
    Some(ListHeader { number, created: made, comment })
}

/// Reads the certificates of one authority.
fn read_certificates<'l>(
    mut rest: FieldReader<'l>,
    handle: &mut impl FnMut(RevokedEntry<'l>) -> Option<()>,
) -> Option<()> {
    let authority = rest.read_string()?;
    rest.read_string()?;
    let mut handle = |which| handle(RevokedEntry::Certificates { authority, certificates: which });
    while !rest.is_empty() {
        let (kind, mut section) = (rest.read_u8()?, FieldReader(rest.read_string()?));
        match kind {
            SERIALS => {
                while !section.is_empty() {
                    let serial = section.read_u64()?;
                    handle(CertificateSet::Serials { first: serial, last: serial })?;
                }
            }
            SERIAL_RANGE => {
                let (first, last) = (section.read_u64()?, section.read_u64()?);
                section.expect_end()?;
                if first > last {
                    return None;
                }
                handle(CertificateSet::Serials { first, last })?;
            }
            SERIAL_BITMAP => {
                let (offset, octets) = (section.read_u64()?, section.read_string()?);
                section.expect_end()?;
                // The bitmap is a multiple-precision integer, which must not be negative.
                if octets.first().is_some_and(|first| first & 0x80 != 0) {
                    return None;
                }
                handle(CertificateSet::Bitmap { offset, octets })?;
            }
            KEY_IDS => section.for_each_string(|id| handle(CertificateSet::Id(id)))?,
            CERTIFICATES_EXTENSION => skip_extension(section)?,
            _ => return None,
        }
    }
    Some(())
}

/// Skips an extension. No extension is known, so a critical extension is an error.
fn skip_extension(mut section: FieldReader<'_>) -> Option<()> {
    section.read_string()?;
    let critical = section.read_u8()? != 0;
    section.read_string()?;
    section.expect_end()?;
    (!critical).then_some(())
}
