//! The raw values of the sections that only the receiver of notifications has.

use super::{List, RawNotify, Text};
use crate::{problem::TextPosition, reader::Reader};

#[derive(Default)]
pub(crate) struct RawReceive {
    pub(crate) engine_id: Text,
    pub(crate) state_dir: Text,
    pub(crate) log: Text,
    pub(crate) json: Text,
    pub(crate) format: Text,
    pub(crate) journal: Option<bool>,
    pub(crate) journal_socket: Text,
    pub(crate) queue_size: Option<u32>,
}

impl RawReceive {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            engine_id: reader.text("engine-id"),
            state_dir: reader.text("state-dir"),
            log: reader.text("log"),
            json: reader.text("json"),
            format: reader.text("format"),
            journal: reader.boolean("journal"),
            journal_socket: reader.text("journal-socket"),
            queue_size: reader.number("queue-size"),
        }
    }
}

pub(crate) struct RawAccept {
    pub(crate) name: Text,
    pub(crate) model: Text,
    pub(crate) level: Text,
    pub(crate) sources: List,
    pub(crate) notifications: Text,
    pub(crate) actions: List,
}

impl RawAccept {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            name: reader.require("name", name),
            model: reader.text("model"),
            level: reader.text("level"),
            sources: reader.list("sources"),
            notifications: reader.text("notifications"),
            actions: reader.list("actions"),
        }
    }
}

pub(crate) struct RawSender {
    pub(crate) user: Text,
    pub(crate) sources: List,
}

impl RawSender {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let user = reader.text("user");
        Self { user: reader.require("user", user), sources: reader.list("sources") }
    }
}

pub(crate) struct RawHandler {
    pub(crate) position: TextPosition,
    pub(crate) notifications: Text,
    pub(crate) command: List,
    pub(crate) input: Text,
    pub(crate) timeout: Option<u32>,
}

impl RawHandler {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let command = reader.list("command");
        Self {
            position: reader.position,
            notifications: reader.text("notifications"),
            command: reader.require("command", command),
            input: reader.text("input"),
            timeout: reader.number("timeout"),
        }
    }
}

pub(crate) struct RawForward {
    pub(crate) notifications: List,
    /// The keys that a `[[notify]]` has, too.
    pub(crate) target: RawNotify,
}

impl RawForward {
    pub(crate) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { notifications: reader.list("notifications"), target: RawNotify::read_target(reader) }
    }
}
