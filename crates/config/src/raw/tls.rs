//! What was written of TLS and DTLS.

use super::{List, Text};
use crate::{
    problem::Place,
    reader::{Reader, Written},
};

#[derive(Default)]
pub(crate) struct RawTls {
    /// Where the section begins; `None` where there is none.
    pub(crate) place: Option<Place>,
    pub(crate) certificate: Text,
    pub(crate) key: Text,
    pub(crate) authorities: Vec<Written<String>>,
    pub(crate) pinned: Vec<Written<String>>,
    pub(crate) crl: Vec<Written<String>>,
    pub(crate) versions: List,
}

impl RawTls {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let (certificate, key) = (reader.text("certificate"), reader.text("key"));
        Self {
            place: Some(reader.place),
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
    pub(crate) place: Place,
    pub(crate) priority: Option<u32>,
    pub(crate) fingerprint: Text,
    pub(crate) map: Text,
    pub(crate) name: Text,
}

impl RawTlsName {
    /// Each with its priority; where none is written, it comes after the one before it.
    pub(crate) fn by_priority(all: &[Self]) -> impl Iterator<Item = (u32, &Self)> {
        let mut last = 0u32;
        all.iter().map(move |name| {
            last = name.priority.unwrap_or_else(|| last.saturating_add(STEP));
            (last, name)
        })
    }

    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let fingerprint = reader.text("fingerprint");
        Self {
            place: reader.place,
            priority: reader.number("priority"),
            fingerprint: reader.require("fingerprint", fingerprint),
            map: reader.text("map"),
            name: reader.text("name"),
        }
    }
}

/// What is left between two rows that say nothing of their order, so that others fit in.
const STEP: u32 = 10;
