//! Builds the sections `[netconf]` and `[yang]`.

use std::{path::Path, time::Duration};

use portreeve_smi::TransportDomain;

use super::{Builder, names::check_name};
use crate::{
    Listener, Netconf, Yang,
    options::{NETCONF, YANG},
    problem::TextPosition,
    raw::{RawNetconf, RawYang},
    reader::display_escaped,
};

impl Builder<'_> {
    /// Builds the options of NETCONF; `None` if the file does not contain `[netconf]`.
    pub(super) fn netconf(
        &mut self,
        raw: &RawNetconf,
        listeners: &[(Listener, TextPosition)],
    ) -> Option<Netconf> {
        let Some(position) = raw.position else {
            let only_netconf = |listener: &Listener| listener.services.netconf && !listener.services.snmp;
            if let Some((_, position)) = listeners.iter().find(|(listener, _)| only_netconf(listener)) {
                let found = "a listener offers NETCONF, but the file has no section [netconf]";
                self.problems.error(*position, found).hint("add the section [netconf]");
            }
            return None;
        };
        let offers =
            |listener: &Listener| listener.transport == TransportDomain::Ssh && listener.services.netconf;
        if !listeners.iter().any(|(listener, _)| offers(listener)) {
            let found = "no listener offers NETCONF";
            self.problems
                .error(position, found)
                .hint("add a [[listen]] with transport = \"ssh\" and services = [\"netconf\"]");
        }
        let recovery = raw.recovery.as_deref().unwrap_or_default();
        recovery.iter().for_each(|name| check_name(&NETCONF, "recovery", name, self.problems));
        let default = Netconf::default();
        Some(Netconf {
            recovery: recovery.iter().map(|name| name.value.clone()).collect(),
            lock_idle: raw.lock_idle.map_or(default.lock_idle, |secs| Duration::from_secs(secs.into())),
            sessions: raw.sessions.map_or(default.sessions, |count| count as usize),
        })
    }

    /// Builds the list of the operator's modules.
    pub(super) fn yang(&mut self, raw: &RawYang) -> Yang {
        let mut yang = Yang::default();
        for written in &raw.modules {
            let name = Path::new(&written.value).file_name();
            if name.is_none() {
                let found = format!("invalid file name \"{}\"", display_escaped(&written.value));
                self.reject_value(&YANG, "modules", written.position, found);
            } else if yang.modules.iter().any(|other| other.path == Path::new(&written.value)) {
                let found = format!("duplicate module \"{}\"", display_escaped(&written.value));
                self.problems.error(written.position, found).hint("remove one of the two");
            }
            yang.modules.push(self.file_at(written));
        }
        yang
    }
}
