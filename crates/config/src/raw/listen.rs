//! The raw values of `[[listen]]` and `[limits]`.

use super::{List, Text};
use crate::{options, problem::TextPosition, reader::Reader};

pub(crate) struct RawListen {
    pub(crate) position: TextPosition,
    pub(crate) transport: Text,
    pub(crate) address: Text,
    pub(crate) services: List,
    pub(crate) nodelay: Option<bool>,
    pub(crate) window: Text,
    pub(crate) key_exchanges: List,
    pub(crate) ciphers: List,
    pub(crate) path: Text,
    pub(crate) users: List,
    pub(crate) group: Text,
    /// All options that are set, even if their values are invalid.
    pub(crate) given: Vec<(&'static str, TextPosition)>,
}

impl RawListen {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let keys = options::LISTEN.options.iter().map(|option| option.name);
        Self {
            position: reader.position,
            given: keys.filter_map(|name| Some((name, reader.position_of(name)?))).collect(),
            transport: reader.text("transport"),
            address: reader.text("address"),
            services: reader.list("services"),
            nodelay: reader.boolean("nodelay"),
            window: reader.text("window"),
            key_exchanges: reader.list("key-exchanges"),
            ciphers: reader.list("ciphers"),
            path: reader.text("path"),
            users: reader.list("users"),
            group: reader.text("group"),
        }
    }

    /// Returns the position of an option, or of the section if the option is not set.
    pub(crate) fn position_of(&self, key: &str) -> TextPosition {
        let given = self.given.iter().find(|(name, _)| *name == key);
        given.map_or(self.position, |(_, position)| *position)
    }

    /// Returns true if sessions arrive through a Unix socket of this machine, not from the network.
    pub(crate) fn is_behind_sshd(&self) -> bool {
        self.transport.as_ref().is_some_and(|transport| transport.value == BEHIND_SSHD)
    }
}

#[derive(Default)]
pub(crate) struct RawLimits {
    pub(crate) connections: Option<u32>,
    pub(crate) connections_per_source: Option<u32>,
    pub(crate) grace: Option<u32>,
    pub(crate) idle: Option<u32>,
    pub(crate) max_session: Option<u32>,
    pub(crate) stall: Option<u32>,
    pub(crate) community_datagram: Option<u32>,
    pub(crate) community_rate: Option<u32>,
    pub(crate) unauthenticated_replies: Option<u32>,
}

impl RawLimits {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            connections: reader.number("connections"),
            connections_per_source: reader.number("connections-per-source"),
            grace: reader.number("grace"),
            idle: reader.number("idle"),
            max_session: reader.number("max-session"),
            stall: reader.number("stall"),
            community_datagram: reader.number("community-datagram"),
            community_rate: reader.number("community-rate"),
            unauthenticated_replies: reader.number("unauthenticated-replies"),
        }
    }
}

/// The transport of listeners on Unix sockets.
const BEHIND_SSHD: &str = "behind-sshd";
