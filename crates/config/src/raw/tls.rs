//! The raw values of `[tls]` and `[[tls.name]]`.

use super::{List, Text};
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

#[derive(Default)]
pub(crate) struct RawTls {
    /// Position of the section; `None` if the file does not have it.
    pub(crate) position: Option<TextPosition>,
    pub(crate) certificate: Text,
    pub(crate) key: Text,
    pub(crate) authorities: Vec<Located<String>>,
    pub(crate) pinned: Vec<Located<String>>,
    pub(crate) crl: Vec<Located<String>>,
    pub(crate) versions: List,
}

impl RawTls {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let (certificate, key) = (reader.text("certificate"), reader.text("key"));
        Self {
            position: Some(reader.position),
            certificate: reader.require("certificate", certificate),
            key: reader.require("key", key),
            authorities: reader.list("authorities").unwrap_or_default(),
            pinned: reader.list("pinned").unwrap_or_default(),
            crl: reader.list("crl").unwrap_or_default(),
            versions: reader.list("versions"),
        }
    }
}

pub(crate) struct RawTlsName {
    pub(crate) position: TextPosition,
    pub(crate) priority: Option<u32>,
    pub(crate) fingerprint: Text,
    pub(crate) map: Text,
    pub(crate) name: Text,
}

impl RawTlsName {
    /// Returns each rule with its priority; a rule without a priority is placed after the previous
    /// rule.
    pub(crate) fn by_priority(all: &[Self]) -> impl Iterator<Item = (u32, &Self)> {
        let mut last = 0u32;
        all.iter().map(move |name| {
            last = name.priority.unwrap_or_else(|| last.saturating_add(PRIORITY_STEP));
            (last, name)
        })
    }

    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let fingerprint = reader.text("fingerprint");
        Self {
            position: reader.position,
            priority: reader.number("priority"),
            fingerprint: reader.require("fingerprint", fingerprint),
            map: reader.text("map"),
            name: reader.text("name"),
        }
    }
}

/// Difference between the default priorities of consecutive rules, so that other rules can be
/// inserted between them.
const PRIORITY_STEP: u32 = 10;
