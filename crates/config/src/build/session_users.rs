//! `[sessions]` and `[[session-user]]`: rights of users that the transport authenticates.

use portreeve_lcd::{AccessKey, AccessRow, BoolScalar, StorageType};
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
    problem::TextPosition,
    raw::{RawSessionUser, RawSessions},
};

impl Builder<'_> {
    /// Sets the options that apply to all sessions.
    pub(super) fn sessions(&mut self, raw: &RawSessions) {
        if let Some(enabled) = raw.use_prefix {
            self.rows.scalars.tsm_use_prefix = BoolScalar { enabled, storage: StorageType::ReadOnly };
        }
        self.rows.communities_in_sessions = raw.communities.unwrap_or_default();
    }

    /// Adds the rights of session users, including rights for SNMPv1 and v2c if sessions accept
    /// these versions.
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
            contexts.iter().filter(|_| !every).for_each(|context| self.check_context(context));
            self.short_form(&ShortForm {
                section: &SESSION_USER,
                position: user.position,
                security_name: &name.value,
                models,
                level: SecurityLevel::AuthPriv,
                access: user.access.as_ref(),
                view: user.view.as_ref(),
                default_writer_view: ALL,
                contexts,
            });
            if user.access.is_some() {
                self.grant_discovery(user, &name.value);
            }
        }
    }

    /// Warns at the first listener with authenticated sessions if no session user has any rights.
    pub(super) fn warn_without_session_rights(&mut self, listeners: &[(Listener, TextPosition)]) {
        let authenticates = |transport| {
            matches!(transport, TransportDomain::Ssh | TransportDomain::Tls | TransportDomain::Dtls)
        };
        let Some((_, position)) = listeners.iter().find(|(listener, _)| authenticates(listener.transport))
        else {
            return;
        };
        if !self.rows.groups.iter().any(|row| row.key.model == SecurityModel::TSM) {
            let found = "no [[session-user]] has access rights";
            self.problems.warning(*position, found).hint("add a [[session-user]] with `name` and `access`");
        }
    }

    /// Grants access to the engine ID at noAuthNoPriv: managers may discover it at this level (RFC
    /// 5343 §3.2), and Net-SNMP does so even in a session.
    fn grant_discovery(&mut self, user: &RawSessionUser, name: &str) {
        self.add_standard_view(DISCOVERY);
        for (context, context_match) in contexts_of(user.contexts.as_deref().unwrap_or_default()) {
            let mut row = AccessRow::new(AccessKey {
                group_name: octets(name),
                context_prefix: octets(context),
                model: SecurityModel::TSM,
                level: SecurityLevel::NoAuthNoPriv,
            });
            row.columns.context_match = context_match;
            row.columns.read_view = octets(DISCOVERY);
            self.add_access_row(row, user.position);
        }
    }
}
