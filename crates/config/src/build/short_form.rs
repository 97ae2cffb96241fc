//! `access`, `view` and `contexts` beside a user or community: a group of its own, and its rights.
//!
//! The group is called as the principal is. Rights are for the principal's own security model, so that one name under
//! two models shares nothing.

use portreeve_lcd::{AccessKey, AccessRow, ContextMatch, GroupKey};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{Builder, names::octets, views::RESTRICTED};
use crate::{
    options::Section,
    problem::TextPosition,
    reader::{Located, display_escaped},
};

/// A right in the short form.
pub(super) struct ShortForm<'a> {
    pub(super) section: &'static Section,
    pub(super) position: TextPosition,
    pub(super) security_name: &'a str,
    pub(super) models: &'a [SecurityModel],
    pub(super) level: SecurityLevel,
    pub(super) access: Option<&'a Located<String>>,
    pub(super) view: Option<&'a Located<String>>,
    /// What stands for a view that is not given.
    pub(super) default_view: &'static str,
    /// The contexts, which there are; empty for the default one alone.
    pub(super) contexts: &'a [Located<String>],
}

impl Builder<'_> {
    /// Makes the rows of a right in the short form. Without `access` there are none.
    pub(super) fn short_form(&mut self, form: &ShortForm<'_>) {
        let Some(access) = form.access else {
            return self.without_access(form);
        };
        let writable = match access.value.as_str() {
            "read" => false,
            "write" => true,
            other => {
                let found = format!("`access` = \"{}\"", display_escaped(other));
                return self.reject_value(form.section, "access", access.position, found);
            }
        };
        match form.view {
            Some(view) => self.check_view("view", view),
            None => self.add_standard_view(form.default_view),
        }
        if self.names.groups.contains(form.security_name) {
            let found = format!("there is a [[group]] \"{}\" too", display_escaped(form.security_name));
            self.problems.error(access.position, found).hint(
                "`access` makes a group of the same name: give the [[group]] another name, or make this a member of it",
            );
            return;
        }
        let view = octets(form.view.map_or(form.default_view, |view| &view.value));
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
            let found = format!("\"{}\" may do nothing", display_escaped(form.security_name));
            self.problems.warning(form.position, found).hint("access = \"read\" grants reading");
        }
    }
}

/// Contexts as access rights name them. `*` alone is every context.
pub(super) fn contexts_of(written: &[Located<String>]) -> Vec<(&str, ContextMatch)> {
    match written {
        [] => vec![("", ContextMatch::Exact)],
        [every] if every.value == "*" => vec![("", ContextMatch::Prefix)],
        several => several.iter().map(|context| (context.value.as_str(), ContextMatch::Exact)).collect(),
    }
}

/// The view of those whose messages can be read on their way.
pub(super) const VIEW_IN_CLEAR: &str = RESTRICTED;
