//! Writes a binary revocation list.

use crate::{
    CERTIFICATES, CertificateSet, EXPLICIT_KEYS, KEY_IDS, ListHeader, MAGIC, RevokedEntry, SERIAL_BITMAP,
    SERIAL_RANGE, SERIALS, SHA1, SHA256_HASHES, VERSION, fields::put_string,
};

/// Returns a list of these entries, in their order. Omits serial number 0 from
/// [`CertificateSet::Serials`], because all certificates without a number share it.
pub fn write<'l>(head: ListHeader<'_>, entries: impl IntoIterator<Item = RevokedEntry<'l>>) -> Vec<u8> {
    let mut list = MAGIC.to_vec();
    list.extend(VERSION.to_be_bytes());
    for long in [head.number, head.created, 0] {
        list.extend(long.to_be_bytes());
    }
    put_string(&[], &mut list);
    put_string(head.comment, &mut list);
    let mut section: Option<Section<'_>> = None;
    for entry in entries {
        let (kind, authority) = match entry {
            RevokedEntry::Key(_) => (EXPLICIT_KEYS, None),
            RevokedEntry::Sha1(_) => (SHA1, None),
            RevokedEntry::Sha256(_) => (SHA256_HASHES, None),
            RevokedEntry::Certificates { authority, .. } => (CERTIFICATES, Some(authority)),
        };
        // Adjacent entries of the same kind share a section.
        let open = match section.take() {
            Some(open) if (open.kind, open.authority) == (kind, authority) => open,
            other => {
                other.into_iter().for_each(|section| section.finish(&mut list));
                Section::start(kind, authority)
            }
        };
        section = Some(open.with(entry));
    }
    section.into_iter().for_each(|section| section.finish(&mut list));
    list
}

/// The section to which entries are being added.
struct Section<'l> {
    kind: u8,
    authority: Option<&'l [u8]>,
    content: Vec<u8>,
}

impl<'l> Section<'l> {
    fn start(kind: u8, authority: Option<&'l [u8]>) -> Self {
        let mut content = Vec::new();
        if let Some(authority) = authority {
            put_string(authority, &mut content);
            put_string(&[], &mut content);
        }
        Self { kind, authority, content }
    }

    fn with(mut self, entry: RevokedEntry<'_>) -> Self {
        match entry {
            RevokedEntry::Key(octets) => put_string(octets, &mut self.content),
            RevokedEntry::Sha1(hash) => put_string(hash, &mut self.content),
            RevokedEntry::Sha256(hash) => put_string(hash, &mut self.content),
            RevokedEntry::Certificates { certificates, .. } => self.add_certificates(certificates),
        }
        self
    }

    fn add_certificates(&mut self, certificates: CertificateSet<'_>) {
        let mut body = Vec::new();
        let kind = match certificates {
            CertificateSet::Serials { last: 0, .. } => return,
            CertificateSet::Serials { first, last } if first == last => {
                body.extend(first.to_be_bytes());
                SERIALS
            }
            CertificateSet::Serials { first, last } => {
                body.extend(first.max(1).to_be_bytes());
                body.extend(last.to_be_bytes());
                SERIAL_RANGE
            }
            CertificateSet::Bitmap { offset, octets } => {
                body.extend(offset.to_be_bytes());
                put_string(octets, &mut body);
                SERIAL_BITMAP
            }
            CertificateSet::Id(id) => {
                put_string(id, &mut body);
                KEY_IDS
            }
        };
        self.content.push(kind);
        put_string(&body, &mut self.content);
    }

    fn finish(self, list: &mut Vec<u8>) {
        list.push(self.kind);
        put_string(&self.content, list);
    }
}
