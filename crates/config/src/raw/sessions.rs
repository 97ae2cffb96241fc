//! What was written about sessions over secure transports.

use super::{List, Text};
use crate::{
    problem::Place,
    reader::{Reader, Written},
};

#[derive(Default)]
pub(crate) struct RawSsh {
    /// Where the section begins; `None` where there is none.
    pub(crate) place: Option<Place>,
    pub(crate) host_keys: Vec<Written<String>>,
    pub(crate) authorized_keys: Vec<Written<String>>,
    pub(crate) authorities: Text,
    pub(crate) principals: Text,
    pub(crate) revoked: Text,
    pub(crate) password: Option<bool>,
    pub(crate) keyboard_interactive: Option<bool>,
    pub(crate) pam_service: Text,
}

impl RawSsh {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            place: Some(reader.place),
            host_keys: reader.list("host-keys").unwrap_or_default(),
            authorized_keys: reader.list("authorized-keys").unwrap_or_default(),
            authorities: reader.text("authorities"),
            principals: reader.text("principals"),
            revoked: reader.text("revoked"),
            password: reader.switch("password"),
            keyboard_interactive: reader.switch("keyboard-interactive"),
            pam_service: reader.text("pam-service"),
        }
    }
}

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

#[derive(Default)]
pub(crate) struct RawSessions {
    pub(crate) use_prefix: Option<bool>,
    pub(crate) communities: Option<bool>,
}

impl RawSessions {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { use_prefix: reader.switch("use-prefix"), communities: reader.switch("communities") }
    }
}

pub(crate) struct RawSessionUser {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
    pub(crate) contexts: List,
}

impl RawSessionUser {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            access: reader.text("access"),
            view: reader.text("view"),
            contexts: reader.list("contexts"),
        }
    }
}

/// What is left between two rows that say nothing of their order, so that others fit in.
const STEP: u32 = 10;
