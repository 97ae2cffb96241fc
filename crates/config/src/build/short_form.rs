//! `access`, `view` and `contexts` of a user or community: creates a separate group and its rights.
//!
//! The group has the same name as the principal. The rights apply to the principal's own security
//! model, so that principals of the same name under two models do not share rights.

use portreeve_lcd::{AccessKey, AccessRow, ContextMatch, GroupKey};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{Builder, Role, names::octets, views::RESTRICTED};
use crate::{
    options::Section,
    problem::TextPosition,
    reader::{Located, display_escaped},
};

/// An access right in the short form.
pub(super) struct ShortForm<'a> {
    pub(super) section: &'static Section,
    pub(super) position: TextPosition,
    pub(super) security_name: &'a str,
    pub(super) models: &'a [SecurityModel],
    pub(super) level: SecurityLevel,
    pub(super) access: Option<&'a Located<String>>,
    pub(super) view: Option<&'a Located<String>>,
    /// The default view of a principal with write access. The default view of a principal with read
    /// access is `restricted`, because a user who can read community strings can also use their
    /// rights.
    pub(super) default_writer_view: &'static str,
    /// The contexts, all of which are defined. Empty for the default context only.
    pub(super) contexts: &'a [Located<String>],
}

impl Builder<'_> {
    /// Adds the rows of an access right in the short form. Adds no rows if `access` is not set.
    pub(super) fn short_form(&mut self, form: &ShortForm<'_>) {
        let Some(access) = form.access else {
            return self.without_access(form);
        };
        let writable = match access.value.as_str() {
            "read" => false,
            "write" => true,
            other => {
                let found = format!("invalid `access` \"{}\"", display_escaped(other));
                return self.reject_value(form.section, "access", access.position, found);
            }
        };
        let default_view = if writable { form.default_writer_view } else { RESTRICTED };
        match form.view {
            Some(view) => self.check_view("view", view),
            None => self.add_standard_view(default_view),
        }
        if form.view.is_none() && default_view != form.default_writer_view {
            let name = display_escaped(form.security_name);
            let found = format!(
                "\"{name}\" has read access to the view \"{RESTRICTED}\", the default for access = \"read\": this view excludes the tables of \
                 users, communities, certificates, access rights, targets and notifications"
            );
            self.problems.note(access.position, found).hint(
                "set view = \"restricted\" to silence this note, or view = \"all\" to include those tables and the community strings",
            );
        }
        if self.names.groups.contains(form.security_name) {
            let found = format!("a [[group]] named \"{}\" exists", display_escaped(form.security_name));
            self.problems.error(access.position, found).hint(
                "`access` creates a group with the name of the user or community: rename the [[group]], or remove `access` and add a member to the [[group]]",
            );
            return;
        }
        let view = octets(form.view.map_or(default_view, |view| &view.value));
        for model in form.models {
            self.add_group_member(*model, form.security_name, octets(form.security_name), form.position);
            for (context, context_match) in contexts_of(form.contexts) {
                let mut row = AccessRow::new(AccessKey {
                    group_name: octets(form.security_name),
                    context_prefix: octets(context),
                    model: *model,
                    level: form.level,
                });
                row.columns.context_match = context_match;
                row.columns.read_view = view.clone();
                row.columns.notify_view = view.clone();
                if writable {
                    row.columns.write_view = view.clone();
                }
                self.add_access_row(row, form.position);
            }
        }
    }

    fn without_access(&mut self, form: &ShortForm<'_>) {
        if let Some(view) = form.view {
            let found = "`view` has no effect without `access`";
            self.problems.error(view.position, found).hint("add access = \"read\", or remove `view`");
            return;
        }
        if self.role == Role::Receiver {
            return;
        }
        let is_member = form.models.iter().all(|model| {
            let key = GroupKey { model: *model, security_name: octets(form.security_name) };
            self.rows.groups.get(&key).is_some()
        });
        // A [[notify]] gives its user the right to send notifications.
        let is_sender =
            form.models == [SecurityModel::USM] && self.names.notify_users.contains(form.security_name);
        if !is_member && !is_sender {
            let found = format!("\"{}\" has no access rights", display_escaped(form.security_name));
            self.problems.warning(form.position, found).hint("add access = \"read\" to grant read access");
        }
    }
}

/// Returns the contexts in the form that access rights use. A single `*` means every context.
pub(super) fn contexts_of(written: &[Located<String>]) -> Vec<(&str, ContextMatch)> {
    match written {
        [] => vec![("", ContextMatch::Exact)],
        [every] if every.value == "*" => vec![("", ContextMatch::Prefix)],
        several => several.iter().map(|context| (context.value.as_str(), ContextMatch::Exact)).collect(),
    }
}

/// The default view of users whose messages are not encrypted.
pub(super) const VIEW_IN_CLEAR: &str = RESTRICTED;
