//! The raw values of `[notifications]` and `[[notify]]`.

use portreeve_secret::Secret;

use super::{List, Text};
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

#[derive(Default)]
pub(crate) struct RawNotifications {
    pub(crate) authentication_failures: Option<bool>,
    pub(crate) authentication_failure_rate: Option<u32>,
}

impl RawNotifications {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            authentication_failures: reader.boolean("authentication-failures"),
            authentication_failure_rate: reader.number("authentication-failure-rate"),
        }
    }
}

pub(crate) struct RawNotify {
    pub(crate) position: TextPosition,
    pub(crate) name: Text,
    pub(crate) to: Text,
    pub(crate) kind: Text,
    pub(crate) version: Text,
    pub(crate) user: Text,
    pub(crate) level: Text,
    pub(crate) community: Option<Located<Secret>>,
    pub(crate) community_file: Text,
    pub(crate) include: List,
    pub(crate) exclude: List,
    pub(crate) view: Text,
    pub(crate) timeout: Option<u32>,
    pub(crate) retries: Option<u32>,
    pub(crate) queue_size: Option<u32>,
    pub(crate) queue_age: Option<u32>,
    pub(crate) fallback: Text,
    pub(crate) ssh_key: Text,
    pub(crate) known_hosts: Text,
    pub(crate) certificate: Text,
    pub(crate) key: Text,
    pub(crate) authorities: List,
    pub(crate) server_fingerprint: Text,
    pub(crate) server_identity: Text,
    /// The positions of the keys that only some transports support.
    pub(crate) given: Vec<(&'static str, TextPosition)>,
}

impl RawNotify {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let target = Self::read_target(reader);
        Self { name: reader.require("name", target.name), ..target }
    }

    /// Reads the keys that the section has; the name is optional.
    pub(super) fn read_target(reader: &mut Reader<'_, '_>) -> Self {
        let to = reader.text("to");
        let limited = SSH_KEYS.iter().chain(&TLS_KEYS).chain(&CLEAR_KEYS);
        Self {
            position: reader.position,
            name: reader.text("name"),
            to: reader.require("to", to),
            kind: reader.text("kind"),
            version: reader.text("version"),
            user: reader.text("user"),
            level: reader.text("level"),
            community: reader.secret("community"),
            community_file: reader.text("community-file"),
            include: reader.list("include"),
            exclude: reader.list("exclude"),
            view: reader.text("view"),
            timeout: reader.number("timeout"),
            retries: reader.number("retries"),
            queue_size: reader.number("queue-size"),
            queue_age: reader.number("queue-age"),
            fallback: reader.text("fallback"),
            ssh_key: reader.text("ssh-key"),
            known_hosts: reader.text("known-hosts"),
            certificate: reader.text("certificate"),
            key: reader.text("key"),
            authorities: reader.list("authorities"),
            server_fingerprint: reader.text("server-fingerprint"),
            server_identity: reader.text("server-identity"),
            given: limited.filter_map(|key| Some((*key, reader.position_of(key)?))).collect(),
        }
    }
}

/// The keys that only ssh supports.
pub(crate) const SSH_KEYS: [&str; 2] = ["ssh-key", "known-hosts"];
/// The keys that only tls and dtls support.
pub(crate) const TLS_KEYS: [&str; 5] =
    ["certificate", "key", "authorities", "server-fingerprint", "server-identity"];
/// The keys that only udp and tcp support.
pub(crate) const CLEAR_KEYS: [&str; 3] = ["level", "community", "community-file"];
