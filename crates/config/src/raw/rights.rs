//! What was written of access control.

use super::Text;
use crate::{
    problem::Place,
    reader::{Reader, Written},
};

pub(crate) struct RawView {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) include: Vec<Written<String>>,
    pub(crate) exclude: Vec<Written<String>>,
}

impl RawView {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            include: reader.list("include").unwrap_or_default(),
            exclude: reader.list("exclude").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawGroup {
    pub(crate) place: Place,
    pub(crate) name: Text,
    pub(crate) members: Vec<Written<String>>,
}

impl RawGroup {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            place: reader.place,
            name: reader.require("name", name),
            members: reader.list("members").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawAccess {
    pub(crate) place: Place,
    pub(crate) group: Text,
    pub(crate) context: Text,
    pub(crate) context_match: Text,
    pub(crate) model: Text,
    pub(crate) level: Text,
    pub(crate) read: Text,
    pub(crate) write: Text,
    pub(crate) notify: Text,
}

impl RawAccess {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let group = reader.text("group");
        Self {
            place: reader.place,
            group: reader.require("group", group),
            context: reader.text("context"),
            context_match: reader.text("context-match"),
            model: reader.text("model"),
            level: reader.text("level"),
            read: reader.text("read"),
            write: reader.text("write"),
            notify: reader.text("notify"),
        }
    }
}

pub(crate) struct RawContext {
    pub(crate) name: Text,
}

impl RawContext {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self { name: reader.require("name", name) }
    }
}
