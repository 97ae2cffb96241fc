//! Lists of revoked keys as `ssh-keygen -k` writes them (PROTOCOL.krl).

use aws_lc_rs::digest::{SHA256, digest};
pub(super) use portreeve_krl::content;
use portreeve_krl::{Certificates, Entry};

use super::{RevokedKeys, certificates::RevokedCertificates};

/// Adds what a list says; `None` where it cannot be understood.
pub(super) fn read(content: &[u8], revoked: &mut RevokedKeys) -> Option<()> {
    // Of whom the last of the certificates are: a list has them together.
    let mut of: Option<&[u8]> = None;
    let taken = portreeve_krl::read(content, |entry| {
        match entry {
            Entry::Key(key) => revoked.sha256.push(sha256(key)?),
            Entry::Sha1(hash) => revoked.sha1.push(*hash),
            Entry::Sha256(hash) => revoked.sha256.push(*hash),
            Entry::Certificates { authority, which } => {
                if of != Some(authority) {
                    of = Some(authority);
                    let authority = if authority.is_empty() { None } else { Some(sha256(authority)?) };
                    revoked.certificates.push(RevokedCertificates::of(authority));
                }
                add(revoked.certificates.last_mut()?, which)?;
            }
        }
        Some(())
    });
    taken.map(drop)
}

fn add(revoked: &mut RevokedCertificates, which: Certificates<'_>) -> Option<()> {
    match which {
        Certificates::Serials { first, last } => revoked.add_serials(first, last)?,
        Certificates::Bitmap { offset, octets } => revoked.add_bitmap(offset, octets),
        Certificates::Id(id) => revoked.add_id(id),
    }
    Some(())
}

fn sha256(octets: &[u8]) -> Option<[u8; 32]> {
    digest(&SHA256, octets).as_ref().try_into().ok()
}

#[cfg(test)]
mod tests;
