//! The raw values of access control.

use super::Text;
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

pub(crate) struct RawView {
    pub(crate) position: TextPosition,
    pub(crate) name: Text,
    pub(crate) include: Vec<Located<String>>,
    pub(crate) exclude: Vec<Located<String>>,
}

impl RawView {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            position: reader.position,
            name: reader.require("name", name),
            include: reader.list("include").unwrap_or_default(),
            exclude: reader.list("exclude").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawGroup {
    pub(crate) position: TextPosition,
    pub(crate) name: Text,
    pub(crate) members: Vec<Located<String>>,
}

impl RawGroup {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            position: reader.position,
            name: reader.require("name", name),
            members: reader.list("members").unwrap_or_default(),
        }
    }
}

pub(crate) struct RawAccess {
    pub(crate) position: TextPosition,
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
            position: reader.position,
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
