//! The principal of a target: its user or community, and its right to send notifications.

use portreeve_lcd::{
    AccessKey, AccessRow, CommunityKey, CommunityRow, ContextMatch, GroupKey, StorageType, TargetParamsKey,
    TargetParamsRow,
};
use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel, TransportDomain};

use super::{address::Receiver, checks::is_reserved};
use crate::{
    User,
    build::{
        Builder,
        names::{check_name, octets},
        short_form::VIEW_IN_CLEAR,
        views::ALL,
        weak::Weakness,
    },
    options::NOTIFY,
    raw::RawNotify,
    reader::display_escaped,
};

impl Builder<'_> {
    /// Returns the parameters of the target, and adds the rows for the rights of its principal.
    pub(super) fn target_params(
        &mut self,
        raw: &RawNotify,
        receiver: &Receiver,
        mp_model: MessageProcessingModel,
        index: &str,
        users: &[User],
    ) -> Option<TargetParamsRow> {
        let name = raw.name.as_ref()?;
        let mut row = TargetParamsRow::new(TargetParamsKey { name: octets(&name.value) });
        row.columns.mp_model = mp_model;
        let (model, security_name, level) = match (mp_model, receiver.transport.is_secure()) {
            (MessageProcessingModel::V3, true) => {
                let in_address = receiver.user.as_deref().filter(|_| raw.user.is_none());
                let user = raw.user.as_ref().map(|user| user.value.as_str()).or(in_address);
                if user.is_none() && receiver.transport == TransportDomain::Ssh {
                    let problem = self.problems.error(raw.position, "a target over ssh needs a user");
                    problem.hint("write to = \"ssh:USER@HOST\", or set `user`");
                    return None;
                }
                if let Some(user) = &raw.user {
                    check_name(&NOTIFY, "user", user, self.problems);
                }
                let name = user.unwrap_or(&name.value).to_owned();
                (SecurityModel::TSM, name, SecurityLevel::AuthPriv)
            }
            (MessageProcessingModel::V3, false) => {
                let (name, level) = self.usm_principal(raw, users)?;
                (SecurityModel::USM, name, level)
            }
            (community_model, _) => {
                self.notify_community(raw, index)?;
                let is_v1 = community_model == MessageProcessingModel::V1;
                let model = if is_v1 { SecurityModel::SNMP_V1 } else { SecurityModel::SNMP_V2C };
                (model, index.to_owned(), SecurityLevel::NoAuthNoPriv)
            }
        };
        self.notify_rights(raw, model, &security_name, level, index);
        row.columns.security_model = model;
        row.columns.security_name = octets(&security_name);
        row.columns.security_level = level;
        Some(row)
    }

    pub(in crate::build) fn usm_principal(
        &mut self,
        raw: &RawNotify,
        users: &[User],
    ) -> Option<(String, SecurityLevel)> {
        let community = raw.community.as_ref().map(|community| ("community", community.position));
        let file = raw.community_file.as_ref().map(|file| ("community-file", file.position));
        if let Some((key, position)) = community.or(file) {
            let found = format!("`{key}` needs version = \"v2c\" or \"v1\"");
            let problem = self.problems.error(position, found);
            problem.hint("set `user` instead, which is safer, or set `version`");
            return None;
        }
        let Some(user) = &raw.user else {
            let problem = self.problems.error(raw.position, "a target over udp or tcp needs `user`");
            problem.hint("set `user` to the name of a [[user]], or use ssh, tls or dtls in `to`");
            return None;
        };
        let level = match &raw.level {
            Some(written) => self.level(&NOTIFY, written)?,
            None => SecurityLevel::AuthPriv,
        };
        let position = raw.level.as_ref().map_or(user.position, |written| written.position);
        if level == SecurityLevel::NoAuthNoPriv {
            let (found, better) = ("level = \"noAuthNoPriv\"", "use level = \"authPriv\"");
            self.weak.check(Weakness::NoAuthNoPriv, position, found, better, self.problems);
        }
        let Some(known) = users.iter().find(|known| *known.name == *user.value.as_bytes()) else {
            let found = format!("undefined user \"{}\"", display_escaped(&user.value));
            self.problems.error(user.position, found).hint("add a [[user]] with this name");
            return None;
        };
        let has_keys = match level {
            SecurityLevel::NoAuthNoPriv => true,
            SecurityLevel::AuthNoPriv => known.auth.is_some(),
            SecurityLevel::AuthPriv => known.privacy.is_some(),
        };
        if !has_keys {
            let found = format!("the user has no keys for level \"{level}\"");
            self.problems.error(position, found).hint("set auth-pass and priv-pass in the [[user]]");
            return None;
        }
        Some((user.value.clone(), level))
    }

    /// Adds the row that assigns the community of a target to its principal.
    fn notify_community(&mut self, raw: &RawNotify, index: &str) -> Option<()> {
        let community = self.target_community(raw)?;
        let mut row = CommunityRow::new(CommunityKey { index: octets(index) });
        row.columns.name = community.expose().into();
        row.columns.security_name = octets(index);
        // Only the target itself may send messages with it, and it has no read view.
        row.columns.transport_tag = octets(index);
        self.rows.insert(row.into_active(StorageType::ReadOnly));
        Some(())
    }

    /// Returns the community of a target with v1 or v2c.
    pub(in crate::build) fn target_community(&mut self, raw: &RawNotify) -> Option<Secret> {
        if let Some(user) = &raw.user {
            let problem = self.problems.error(user.position, "`user` needs version = \"v3\"");
            problem.hint("remove `user`, or remove `version`");
            return None;
        }
        if let Some(level) = &raw.level {
            let problem = self.problems.error(level.position, "`level` needs version = \"v3\"");
            problem.hint("remove `level`, or remove `version`");
        }
        let from_file;
        let (secret, position): (&Secret, _) = match (&raw.community, &raw.community_file) {
            (Some(name), None) => (&name.value, name.position),
            (None, Some(file)) => {
                from_file = self.secret_in(&NOTIFY, "community-file", file)?;
                (&from_file, file.position)
            }
            (Some(_), Some(file)) => {
                let problem =
                    self.problems.error(file.position, "`community` and `community-file` are both given");
                problem.hint("remove `community` or `community-file`");
                return None;
            }
            (None, None) => {
                let problem = self.problems.error(raw.position, "a target with v1 or v2c needs `community`");
                problem.hint("set `community`, or use version = \"v3\" with `user`, which is safer");
                return None;
            }
        };
        let (found, better) = ("a community", "use version = \"v3\" with `user`");
        self.weak.check(Weakness::Communities, position, found, better, self.problems);
        if !(1..=MAX_COMMUNITY_LEN).contains(&secret.len()) {
            let found = format!("a community string of {} octets", secret.len());
            self.reject_value(&NOTIFY, "community", position, found);
            return None;
        }
        Some(secret.duplicate())
    }

    /// Adds a notify view for a principal that has no rights.
    fn notify_rights(
        &mut self,
        raw: &RawNotify,
        model: SecurityModel,
        security_name: &str,
        level: SecurityLevel,
        index: &str,
    ) {
        let key = GroupKey { model, security_name: octets(security_name) };
        if let Some(group) = self.rows.groups.get(&key) {
            let group = group.group_name.clone();
            if is_reserved(&group) {
                self.reject_other_view(raw, &group, model, security_name);
            } else if let Some(view) = &raw.view {
                let found = format!(
                    "`view` has no effect: \"{}\" has rights of its own",
                    display_escaped(security_name)
                );
                let problem = self.problems.error(view.position, found);
                problem.hint("remove `view`: the notify view of the user's group decides");
            }
            self.check_notify_rights(raw, &group, model, level);
            return;
        }
        let view = match &raw.view {
            Some(view) => {
                self.check_view("view", view);
                view.value.as_str()
            }
            None => {
                let view = if level.is_private() { ALL } else { VIEW_IN_CLEAR };
                self.add_standard_view(view);
                view
            }
        };
        self.add_group_member(model, security_name, octets(index), raw.position);
        let mut row =
            AccessRow::new(AccessKey { group_name: octets(index), context_prefix: octets(""), model, level });
        row.columns.context_match = ContextMatch::Prefix;
        row.columns.notify_view = octets(view);
        self.add_access_row(row, raw.position);
    }

    /// Reports a `view` that differs from that of an earlier target with the same principal.
    fn reject_other_view(
        &mut self,
        raw: &RawNotify,
        group: &[u8],
        model: SecurityModel,
        security_name: &str,
    ) {
        let Some(view) = &raw.view else { return };
        let first =
            self.rows.access.iter().find(|row| *row.key.group_name == *group && row.key.model == model);
        let Some(first) = first.filter(|row| *row.notify_view != *view.value.as_bytes()) else { return };
        let found = format!(
            "an earlier target of \"{}\" has the view \"{}\"",
            display_escaped(security_name),
            display_escaped(&String::from_utf8_lossy(&first.notify_view))
        );
        let problem = self.problems.error(view.position, found);
        problem.hint("use the same `view`, or another `user`");
    }
}

/// Maximum length of a community string in octets.
const MAX_COMMUNITY_LEN: usize = 255;
