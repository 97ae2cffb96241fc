//! `access`, `view` and `contexts` of a user or community: a group of its own, and its rights.
//!
//! The group has the same name as the principal. The rights apply to the principal's own security
//! model, so that the same name under two models shares nothing.

use portreeve_lcd::{AccessKey, AccessRow, ContextMatch, GroupKey};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{Builder, names::octets, views::RESTRICTED};
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
    /// The view of a writer if none is given. That of a reader is `restricted`: a user who may read
    /// community strings has their rights too.
    pub(super) default_writer_view: &'static str,
    /// The contexts, all defined; empty for the default context only.
    pub(super) contexts: &'a [Located<String>],
}

impl Builder<'_> {
    /// Adds the rows of an access right in the short form, or none without `access`.
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
                "\"{name}\" reads the view \"{RESTRICTED}\", the default for access = \"read\": without the tables of \
                 users, communities, certificates, access rights, targets and notifications"
            );
            self.problems.note(access.position, found).hint(
                "view = \"restricted\" confirms it; view = \"all\" adds those tables, including community strings",
            );
        }
        if self.names.groups.contains(form.security_name) {
            let found = format!("a [[group]] named \"{}\" exists", display_escaped(form.security_name));
            self.problems.error(access.position, found).hint(
                "`access` creates a group of the same name: rename the [[group]], or make this a member of it",
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
            let found = "`view` without `access` grants nothing";
            self.problems.error(view.position, found).hint("add access = \"read\", or remove `view`");
            return;
        }
        let is_member = form.models.iter().all(|model| {
            let key = GroupKey { model: *model, security_name: octets(form.security_name) };
            self.rows.groups.get(&key).is_some()
        });
        if !is_member {
            let found = format!("\"{}\" has no access", display_escaped(form.security_name));
            self.problems.warning(form.position, found).hint("add access = \"read\" to grant read access");
        }
    }
}

/// Returns the contexts as access rights name them. A single `*` is every context.
pub(super) fn contexts_of(written: &[Located<String>]) -> Vec<(&str, ContextMatch)> {
    match written {
        [] => vec![("", ContextMatch::Exact)],
        [every] if every.value == "*" => vec![("", ContextMatch::Prefix)],
        several => several.iter().map(|context| (context.value.as_str(), ContextMatch::Exact)).collect(),
    }
}

/// The default view of users whose messages are not encrypted.
pub(super) const VIEW_IN_CLEAR: &str = RESTRICTED;
