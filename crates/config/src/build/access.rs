//! `[[group]]` and `[[access]]`: rows of vacmSecurityToGroupTable and vacmAccessTable (RFC 3415
//! §4).

use portreeve_lcd::{AccessKey, AccessRow, ContextMatch, GroupKey, GroupRow, Name, StorageType};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{
    Builder,
    names::{check_name, octets, quoted},
    weak::Weakness,
};
use crate::{
    options::{ACCESS, GROUP, Section},
    problem::TextPosition,
    raw::{RawAccess, RawGroup},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn groups(&mut self, raw: &[RawGroup]) {
        for group in raw {
            let Some(name) = &group.name else { continue };
            if group.members.is_empty() {
                let found = format!("group \"{}\" has no members", display_escaped(&name.value));
                self.problems
                    .warning(group.position, found)
                    .hint("add members, for example members = [\"usm:NAME\"]");
            }
            for member in &group.members {
                let model_and_name = member.value.split_once(':');
                let principal = model_and_name
                    .and_then(|(model, name)| {
                        Some((MODELS.into_iter().find(|(word, _)| *word == model)?.1, name))
                    })
                    .filter(|(model, name)| *model != SecurityModel::ANY && (1..=32).contains(&name.len()));
                match principal {
                    Some((model, principal)) => {
                        self.add_group_member(model, principal, octets(&name.value), member.position)
                    }
                    None => {
                        let found = format!("invalid group member \"{}\"", display_escaped(&member.value));
                        self.reject_value(&GROUP, "members", member.position, found);
                    }
                }
            }
        }
    }

    pub(super) fn access(&mut self, raw: &[RawAccess]) {
        for access in raw {
            if let Some(row) = self.access_row(access) {
                self.add_access_row(row, access.position);
            }
        }
    }

    /// Adds a principal to a group. A principal can be a member of only one group.
    pub(super) fn add_group_member(
        &mut self,
        model: SecurityModel,
        principal: &str,
        group_name: Name,
        position: TextPosition,
    ) {
        let key = GroupKey { model, security_name: octets(principal) };
        if let Some(other) = self.rows.groups.get(&key) {
            let group = display_escaped(&String::from_utf8_lossy(&other.group_name));
            let found = format!("\"{model}:{}\" is already in group \"{group}\"", display_escaped(principal));
            self.problems.error(position, found).hint(
                "list the user or community in one group only, or give it `access` rules of its own, not both",
            );
            return;
        }
        let mut row = GroupRow::new(key);
        row.columns.group_name = group_name;
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    /// Adds the row for an access right of a group.
    pub(super) fn add_access_row(&mut self, row: AccessRow, position: TextPosition) {
        if self.rows.access.get(&row.key).is_some() {
            let found = "the group already has an access right for this context, model and level";
            self.problems.error(position, found).hint("combine both [[access]] sections into one");
            return;
        }
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    /// Reports a reference to an undefined context.
    pub(super) fn check_context(&mut self, written: &Located<String>) {
        let name = written.value.as_str();
        if !name.is_empty() && !self.names.contexts.contains(name) {
            let found = format!("undefined context \"{}\"", display_escaped(name));
            let accepted = quoted(std::iter::once("").chain(self.names.contexts.iter().map(String::as_str)));
            self.problems
                .error(written.position, found)
                .accepted(accepted)
                .hint("add a [[context]] with this name");
        }
    }

    /// Parses a security level.
    pub(super) fn level(&mut self, section: &Section, written: &Located<String>) -> Option<SecurityLevel> {
        let level = written.value.parse().ok();
        if level.is_none() {
            let found = format!("unknown security level \"{}\"", display_escaped(&written.value));
            self.reject_value(section, "level", written.position, found);
        }
        level
    }

    fn access_row(&mut self, raw: &RawAccess) -> Option<AccessRow> {
        let group = raw.group.as_ref()?;
        check_name(&ACCESS, "group", group, self.problems);
        if !self.names.groups.contains(&group.value) {
            let found = format!("undefined group \"{}\"", display_escaped(&group.value));
            let problem = self.problems.error(group.position, found).hint("add a [[group]] with this name");
            if !self.names.groups.is_empty() {
                problem.accepted(quoted(self.names.groups.iter().map(String::as_str)));
            }
        }
        let context_match = match raw.context_match.as_ref().map(|written| (written, written.value.as_str()))
        {
            None | Some((_, "exact")) => ContextMatch::Exact,
            Some((_, "prefix")) => ContextMatch::Prefix,
            Some((written, other)) => {
                let found = format!("invalid `context-match` \"{}\"", display_escaped(other));
                self.reject_value(&ACCESS, "context-match", written.position, found);
                return None;
            }
        };
        if let Some(context) = raw.context.as_ref().filter(|_| context_match == ContextMatch::Exact) {
            self.check_context(context);
        }
        let model = match &raw.model {
            None => SecurityModel::ANY,
            Some(written) => match MODELS.into_iter().find(|(word, _)| *word == written.value) {
                Some((_, model)) => model,
                None => {
                    let found = format!("unknown security model \"{}\"", display_escaped(&written.value));
                    self.reject_value(&ACCESS, "model", written.position, found);
                    return None;
                }
            },
        };
        let key = AccessKey {
            group_name: octets(&group.value),
            context_prefix: octets(raw.context.as_ref().map_or("", |written| &written.value)),
            model,
            level: self.access_level(raw, model)?,
        };
        let mut row = AccessRow::new(key);
        row.columns.context_match = context_match;
        for (name, written, column) in [
            ("read", &raw.read, &mut row.columns.read_view),
            ("write", &raw.write, &mut row.columns.write_view),
            ("notify", &raw.notify, &mut row.columns.notify_view),
        ] {
            if let Some(written) = written {
                self.check_view(name, written);
                *column = octets(&written.value);
            }
        }
        if raw.read.is_none() && raw.write.is_none() && raw.notify.is_none() {
            self.problems
                .warning(raw.position, "this [[access]] has no effect: none of read, write and notify is set")
                .hint("add read = \"all\" to grant read access");
        }
        Some(row)
    }

    fn access_level(&mut self, raw: &RawAccess, model: SecurityModel) -> Option<SecurityLevel> {
        let by_community = [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C].contains(&model);
        let Some(written) = &raw.level else {
            return Some(if by_community { SecurityLevel::NoAuthNoPriv } else { SecurityLevel::AuthPriv });
        };
        let level = self.level(&ACCESS, written)?;
        if level == SecurityLevel::NoAuthNoPriv && !by_community {
            let (found, better) = ("access at noAuthNoPriv", "use level = \"authPriv\"");
            self.weak.check(Weakness::NoAuthNoPriv, written.position, found, better, self.problems);
        }
        Some(level)
    }
}

const MODELS: [(&str, SecurityModel); 5] = [
    ("any", SecurityModel::ANY),
    ("v1", SecurityModel::SNMP_V1),
    ("v2c", SecurityModel::SNMP_V2C),
    ("usm", SecurityModel::USM),
    ("tsm", SecurityModel::TSM),
];
