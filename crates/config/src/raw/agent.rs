//! The raw values of `[agent]`, `[system]` and `[log]`.

use super::Text;
use crate::reader::Reader;

#[derive(Default)]
pub(crate) struct RawAgent {
    pub(crate) engine_id: Text,
    pub(crate) state_dir: Text,
    pub(crate) workers: Option<u32>,
    pub(crate) max_message_size: Option<u32>,
}

impl RawAgent {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            engine_id: reader.text("engine-id"),
            state_dir: reader.text("state-dir"),
            workers: reader.number("workers"),
            max_message_size: reader.number("max-message-size"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawSystem {
    pub(crate) contact: Text,
    pub(crate) name: Text,
    pub(crate) location: Text,
    pub(crate) descr: Text,
    pub(crate) object_id: Text,
    pub(crate) services: Option<u32>,
}

impl RawSystem {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            contact: reader.text("contact"),
            name: reader.text("name"),
            location: reader.text("location"),
            descr: reader.text("descr"),
            object_id: reader.text("object-id"),
            services: reader.number("services"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawLog {
    pub(crate) sets: Option<bool>,
}

impl RawLog {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { sets: reader.boolean("sets") }
    }
}
