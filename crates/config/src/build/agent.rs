//! Builds the sections `[agent]`, `[system]`, `[log]` and `[limits]`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_lcd::{Name, TextScalar};
use portreeve_smi::Oid;

use super::{Builder, names::octets, objects::Subtree};
use crate::{
    Agent, Limits, Log, System,
    options::{AGENT, SYSTEM},
    raw::{RawAgent, RawLimits, RawLog, RawSystem},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn agent(&mut self, raw: &RawAgent) -> Agent {
        let default = Agent::default();
        let engine_id = raw.engine_id.as_ref().and_then(|written| {
            let parsed = written.value.parse();
            if parsed.is_err() {
                let found = format!("invalid `engine-id` \"{}\"", display_escaped(&written.value));
                self.reject_value(&AGENT, "engine-id", written.position, found);
            }
            parsed.ok()
        });
        let state_dir = raw.state_dir.as_ref();
        if let Some(written) = state_dir.filter(|written| written.value.is_empty()) {
            self.reject_value(&AGENT, "state-dir", written.position, "`state-dir` is empty");
        }
        Agent {
            engine_id,
            state_dir: state_dir.map_or(default.state_dir, |written| PathBuf::from(&written.value)),
            workers: raw.workers.and_then(|count| NonZeroUsize::new(count as usize)),
            max_message_size: raw.max_message_size.map_or(default.max_message_size, |size| size as usize),
        }
    }

    /// Builds the system group. The given texts become scalars that SET cannot change.
    pub(super) fn system(&mut self, raw: &RawSystem) -> System {
        let system = System {
            contact: self.display_string("contact", &raw.contact),
            name: self.display_string("name", &raw.name),
            location: self.display_string("location", &raw.location),
            descr: self.display_string("descr", &raw.descr),
            object_id: self.object_id(&raw.object_id),
            services: raw.services.and_then(|services| u8::try_from(services).ok()),
        };
        let scalars = &mut self.rows.scalars;
        for (scalar, given) in [
            (&mut scalars.sys_contact, &system.contact),
            (&mut scalars.sys_name, &system.name),
            (&mut scalars.sys_location, &system.location),
        ] {
            if let Some(given) = given {
                *scalar = TextScalar::read_only(Name::clone(given));
            }
        }
        if let Some(descr) = &system.descr {
            scalars.sys_descr = Name::clone(descr);
        }
        if let Some(object_id) = &system.object_id {
            scalars.sys_object_id = object_id.clone();
        }
        if let Some(services) = system.services {
            scalars.sys_services = services;
        }
        system
    }

    pub(super) fn log(&mut self, raw: &RawLog) -> Log {
        Log { sets: raw.sets.unwrap_or(false) }
    }

    pub(super) fn limits(&mut self, raw: &RawLimits) -> Limits {
        let default = Limits::default();
        let count = |given: Option<u32>, default| given.map_or(default, |count| count as usize);
        let seconds =
            |given: Option<u32>, default| given.map_or(default, |secs| Duration::from_secs(secs.into()));
        Limits {
            connections: count(raw.connections, default.connections),
            connections_per_source: count(raw.connections_per_source, default.connections_per_source),
            grace: seconds(raw.grace, default.grace),
            idle: seconds(raw.idle, default.idle),
            max_session: seconds(raw.max_session, default.max_session),
            stall: seconds(raw.stall, default.stall),
            community_datagram: count(raw.community_datagram, default.community_datagram),
            community_rate: raw.community_rate.unwrap_or(default.community_rate),
            unauthenticated_replies: raw.unauthenticated_replies.unwrap_or(default.unauthenticated_replies),
        }
    }

    fn display_string(&mut self, key: &str, written: &Option<Located<String>>) -> Option<Name> {
        let written = written.as_ref()?;
        if written.value.len() > MAX_DISPLAY_STRING_LEN {
            let found = format!("`{key}` has {} octets", written.value.len());
            self.reject_value(&SYSTEM, key, written.position, found);
        }
        Some(octets(&written.value))
    }

    fn object_id(&mut self, written: &Option<Located<String>>) -> Option<Oid> {
        let written = written.as_ref()?;
        match Subtree::parse(&written.value) {
            Ok(Subtree { oid, mask }) if mask.is_empty() => return Some(oid),
            Ok(_) => self.reject_value(
                &SYSTEM,
                "object-id",
                written.position,
                "`object-id` must be a single object, without *",
            ),
            Err(wrong) => {
                self.reject_value(&SYSTEM, "object-id", written.position, format!("`object-id` {wrong}"))
            }
        }
        None
    }
}

/// Maximum length of a DisplayString in octets (RFC 2579).
const MAX_DISPLAY_STRING_LEN: usize = 255;
