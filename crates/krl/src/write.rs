//! Writing a list.

use crate::{
    CERTIFICATES, Certificates, EXPLICIT_KEYS, Entry, Head, KEY_IDS, MAGIC, SERIAL_BITMAP, SERIAL_RANGE,
    SERIALS, SHA1, SHA256_HASHES, VERSION, fields::put,
};

/// A list of these entries, in their order. Serial numbers below 1, which no certificate has, are left out.
pub fn write<'l>(head: Head<'_>, entries: impl IntoIterator<Item = Entry<'l>>) -> Vec<u8> {
    let mut list = MAGIC.to_vec();
    list.extend(VERSION.to_be_bytes());
    for long in [head.number, head.made, 0] {
        list.extend(long.to_be_bytes());
    }
    put(&[], &mut list);
    put(head.comment, &mut list);
    let mut section: Option<Section<'_>> = None;
    for entry in entries {
        let (kind, authority) = match entry {
            Entry::Key(_) => (EXPLICIT_KEYS, None),
            Entry::Sha1(_) => (SHA1, None),
            Entry::Sha256(_) => (SHA256_HASHES, None),
            Entry::Certificates { authority, .. } => (CERTIFICATES, Some(authority)),
        };
        // What follows its like stands in the same section.
        let open = match section.take() {
            Some(open) if (open.kind, open.authority) == (kind, authority) => open,
            other => {
                other.into_iter().for_each(|done| done.end(&mut list));
                Section::begin(kind, authority)
            }
        };
        section = Some(open.with(entry));
    }
    section.into_iter().for_each(|done| done.end(&mut list));
    list
}

/// A section in the making.
struct Section<'l> {
    kind: u8,
    authority: Option<&'l [u8]>,
    content: Vec<u8>,
}

impl<'l> Section<'l> {
    fn begin(kind: u8, authority: Option<&'l [u8]>) -> Self {
        let mut content = Vec::new();
        if let Some(authority) = authority {
            put(authority, &mut content);
            put(&[], &mut content);
        }
        Self { kind, authority, content }
    }

    fn with(mut self, entry: Entry<'_>) -> Self {
        match entry {
            Entry::Key(octets) => put(octets, &mut self.content),
            Entry::Sha1(hash) => put(hash, &mut self.content),
            Entry::Sha256(hash) => put(hash, &mut self.content),
            Entry::Certificates { which, .. } => self.part(which),
        }
        self
    }

    fn part(&mut self, which: Certificates<'_>) {
        let mut part = Vec::new();
        let kind = match which {
            Certificates::Serials { last: 0, .. } => return,
            Certificates::Serials { first, last } if first == last => {
                part.extend(first.to_be_bytes());
                SERIALS
            }
            Certificates::Serials { first, last } => {
                part.extend(first.max(1).to_be_bytes());
                part.extend(last.to_be_bytes());
                SERIAL_RANGE
            }
            Certificates::Bitmap { offset, octets } => {
                part.extend(offset.to_be_bytes());
                put(octets, &mut part);
                SERIAL_BITMAP
            }
            Certificates::Id(id) => {
                put(id, &mut part);
                KEY_IDS
            }
        };
        self.content.push(kind);
        put(&part, &mut self.content);
    }

    fn end(self, list: &mut Vec<u8>) {
        list.push(self.kind);
        put(&self.content, list);
    }
}
