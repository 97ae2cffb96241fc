//! Revoked certificates of one or all authorities.

use portreeve_channel::Fingerprint;
use russh::keys::Certificate;

use crate::keys::fingerprint;

/// The revoked certificates of one authority.
#[derive(Clone, Debug, Default)]
pub(super) struct RevokedCertificates {
    /// SHA-256 of the authority's key; `None` means every authority.
    authority: Option<[u8; 32]>,
    /// Ranges of serial numbers, first and last. Sorted and disjoint after [`sort`](Self::sort).
    serials: Vec<(u64, u64)>,
    bitmaps: Vec<Bitmap>,
    ids: Vec<Vec<u8>>,
}

/// Serial numbers as a bitmap: the lowest bit of the last octet stands for the number `offset`, the
/// next bit for the number after it.
#[derive(Clone, Debug)]
struct Bitmap {
    offset: u64,
    octets: Vec<u8>,
}

impl RevokedCertificates {
    /// Creates an empty set for the authority whose key has this SHA-256, or for every authority.
    pub(super) fn for_authority(authority: Option<[u8; 32]>) -> Self {
        Self { authority, ..Self::default() }
    }

    /// Adds the numbers from `first` to `last`. Returns `None` if `first` is larger. Zero is
    /// ignored, because it is the serial number of all certificates without a number.
    pub(super) fn add_serials(&mut self, first: u64, last: u64) -> Option<()> {
        if first > last {
            return None;
        }
        if last > 0 {
            self.serials.push((first.max(1), last));
        }
        Some(())
    }

    /// Adds the numbers whose bits are set. Stores the bitmap itself, so the set needs no more
    /// memory than the list.
    pub(super) fn add_bitmap(&mut self, offset: u64, octets: &[u8]) {
        self.bitmaps.push(Bitmap { offset, octets: octets.to_vec() });
    }

    pub(super) fn add_id(&mut self, id: &[u8]) {
        self.ids.push(id.to_vec());
    }

    /// Sorts the entries. Must be called after all entries are added.
    pub(super) fn sort(&mut self) {
        self.ids.sort_unstable();
        self.serials.sort_unstable();
        self.serials.dedup_by(|next, kept| {
            let touches = next.0 <= kept.1.saturating_add(1);
            if touches {
                kept.1 = kept.1.max(next.1);
            }
            touches
        });
    }

    pub(super) fn contains(&self, certificate: &Certificate) -> bool {
        let authority = fingerprint(certificate.signature_key());
        self.contains_number(&authority, certificate.serial(), certificate.key_id())
    }

    /// Returns true if the certificate of this authority with this serial number and ID is revoked.
    pub(super) fn contains_number(&self, authority: &Fingerprint, serial: u64, key_id: &str) -> bool {
        if self.authority.is_some_and(|known| known != authority.hash()) {
            return false;
        }
        self.has_serial(serial)
            || self.ids.binary_search_by(|id| id.as_slice().cmp(key_id.as_bytes())).is_ok()
    }

    fn has_serial(&self, serial: u64) -> bool {
        let after = self.serials.partition_point(|(first, _)| *first <= serial);
        let before = after.checked_sub(1).and_then(|at| self.serials.get(at));
        serial > 0
            && (before.is_some_and(|(_, last)| serial <= *last)
                || self.bitmaps.iter().any(|bitmap| bitmap.has(serial)))
    }
}

impl Bitmap {
    fn has(&self, serial: u64) -> bool {
        portreeve_krl::CertificateSet::Bitmap { offset: self.offset, octets: &self.octets }
            .contains(serial, &[])
    }
}
