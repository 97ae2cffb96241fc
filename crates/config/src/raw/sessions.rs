//! The raw values of `[sessions]` and `[[session-user]]`.

use super::{List, Text};
use crate::{problem::TextPosition, reader::Reader};

#[derive(Default)]
pub(crate) struct RawSessions {
    pub(crate) use_prefix: Option<bool>,
    pub(crate) communities: Option<bool>,
}

impl RawSessions {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { use_prefix: reader.boolean("use-prefix"), communities: reader.boolean("communities") }
    }
}

pub(crate) struct RawSessionUser {
    pub(crate) position: TextPosition,
    pub(crate) name: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
    pub(crate) contexts: List,
}

impl RawSessionUser {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            position: reader.position,
            name: reader.require("name", name),
            access: reader.text("access"),
            view: reader.text("view"),
            contexts: reader.list("contexts"),
        }
    }
}
