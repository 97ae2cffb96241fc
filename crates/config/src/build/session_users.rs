//! `[sessions]` and `[[session-user]]`: rights of those whom their transport authenticates.

use portreeve_lcd::{AccessKey, AccessRow, StorageType, Switch};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};

use super::{
    Builder,
    names::octets,
    short_form::{ShortForm, contexts_of},
    views::{ALL, DISCOVERY},
};
use crate::{
    Listener,
    options::SESSION_USER,
    problem::Place,
    raw::{RawSessionUser, RawSessions},
};

impl Builder<'_> {
    /// What holds for all sessions.
    pub(super) fn sessions(&mut self, raw: &RawSessions) {
        if let Some(enabled) = raw.use_prefix {
            self.rows.scalars.tsm_use_prefix = Switch { enabled, storage: StorageType::ReadOnly };
        }
        self.rows.communities_in_sessions = raw.communities.unwrap_or_default();
    }

    /// The rights; they hold for SNMPv1 and v2c too where sessions take those.
    pub(super) fn session_users(&mut self, raw: &[RawSessionUser]) {
        let models: &[SecurityModel] = if self.rows.communities_in_sessions {
            &[SecurityModel::TSM, SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C]
        } else {
            &[SecurityModel::TSM]
        };
        for user in raw {
            let Some(name) = &user.name else { continue };
            let contexts = user.contexts.as_deref().unwrap_or_default();
            let every = matches!(contexts, [every] if every.value == "*");
            contexts.iter().filter(|_| !every).for_each(|context| self.refer_to_context(context));
            self.short_form(&ShortForm {
                section: &SESSION_USER,
                place: user.place,
                security_name: &name.value,
                models,
                level: SecurityLevel::AuthPriv,
                access: user.access.as_ref(),
                view: user.view.as_ref(),
                default_view: ALL,
                contexts,
            });
            if user.access.is_some() {
                self.discovery(user, &name.value);
            }
        }
    }

    /// Whether anybody may do anything over the first listener whose sessions say who asks.
    pub(super) fn rights_in_sessions(&mut self, listeners: &[(Listener, Place)]) {
        let proves = |transport| {
            matches!(transport, TransportDomain::Ssh | TransportDomain::Tls | TransportDomain::Dtls)
        };
        let Some((_, place)) = listeners.iter().find(|(listener, _)| proves(listener.transport)) else {
            return;
        };
        if !self.rows.groups.iter().any(|row| row.key.model == SecurityModel::TSM) {
            let found = "nobody whom a session has authenticated may do anything";
            self.problems.warning(*place, found).hint("add a [[session-user]] with name and access");
        }
    }

    /// Managers may ask for the engine ID at the lowest level (RFC 5343 §3.2), even in a session: Net-SNMP's do.
    fn discovery(&mut self, user: &RawSessionUser, name: &str) {
        self.refer_to_standard_view(DISCOVERY);
        for (context, context_match) in contexts_of(user.contexts.as_deref().unwrap_or_default()) {
            let mut row = AccessRow::new(AccessKey {
                group_name: octets(name),
                context_prefix: octets(context),
                model: SecurityModel::TSM,
                level: SecurityLevel::NoAuthNoPriv,
            });
            row.columns.context_match = context_match;
            row.columns.read_view = octets(DISCOVERY);
            self.grant(row, user.place);
        }
    }
}
