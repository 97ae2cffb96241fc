//! Reads revocation lists in the binary format of `ssh-keygen -k` (PROTOCOL.krl).

use aws_lc_rs::digest::{SHA256, digest};
pub(super) use portreeve_krl::strip_magic;
use portreeve_krl::{CertificateSet, RevokedEntry};

use super::{RevokedKeys, certificates::RevokedCertificates};

/// Adds the entries of a list; returns `None` if it is invalid.
pub(super) fn parse_into(content: &[u8], revoked: &mut RevokedKeys) -> Option<()> {
    // Authority of the previous certificates entry. In a list, the entries of one authority follow
    // one another.
    let mut current_authority: Option<&[u8]> = None;
    let header = portreeve_krl::read(content, |entry| {
        match entry {
            RevokedEntry::Key(key) => revoked.sha256.push(sha256(key)?),
            RevokedEntry::Sha1(hash) => revoked.sha1.push(*hash),
            RevokedEntry::Sha256(hash) => revoked.sha256.push(*hash),
            RevokedEntry::Certificates { authority, certificates } => {
                if current_authority != Some(authority) {
                    current_authority = Some(authority);
                    let authority = if authority.is_empty() { None } else { Some(sha256(authority)?) };
                    revoked.certificates.push(RevokedCertificates::for_authority(authority));
                }
                add_certificates(revoked.certificates.last_mut()?, certificates)?;
            }
        }
        Some(())
    });
    header.map(drop)
}

fn add_certificates(revoked: &mut RevokedCertificates, certificates: CertificateSet<'_>) -> Option<()> {
    match certificates {
        CertificateSet::Serials { first, last } => revoked.add_serials(first, last)?,
        CertificateSet::Bitmap { offset, octets } => revoked.add_bitmap(offset, octets),
        CertificateSet::Id(id) => revoked.add_id(id),
    }
    Some(())
}

fn sha256(octets: &[u8]) -> Option<[u8; 32]> {
    digest(&SHA256, octets).as_ref().try_into().ok()
}

#[cfg(test)]
mod tests;
