//! The names by which sections refer to each other.

use std::collections::BTreeSet;

use portreeve_lcd::Name;

use crate::{
    options::Section,
    problem::{Problems, TextPosition},
    raw::Raw,
    reader::{Located, display_escaped},
};

/// The names of all views, contexts and groups that the file defines, and of the users that send
/// notifications.
#[derive(Default)]
pub(super) struct DefinedNames {
    pub(super) views: BTreeSet<String>,
    pub(super) contexts: BTreeSet<String>,
    pub(super) groups: BTreeSet<String>,
    pub(super) notify_users: BTreeSet<String>,
}

impl DefinedNames {
    /// Collects all names first, so that a reference may precede the definition.
    pub(super) fn collect(raw: &Raw, problems: &mut Problems) -> Self {
        use crate::options::{CONTEXT, GROUP, SESSION_USER, USER, VIEW};
        collect_distinct(&USER, raw.users.iter().map(|user| &user.name), problems);
        collect_distinct(&SESSION_USER, raw.session_users.iter().map(|user| &user.name), problems);
        Self {
            views: collect_distinct(&VIEW, raw.views.iter().map(|view| &view.name), problems),
            contexts: collect_distinct(&CONTEXT, raw.contexts.iter().map(|context| &context.name), problems),
            groups: collect_distinct(&GROUP, raw.groups.iter().map(|group| &group.name), problems),
            notify_users: raw
                .notify
                .iter()
                .filter_map(|target| Some(target.user.as_ref()?.value.clone()))
                .collect(),
        }
    }
}

/// Reports a name that cannot be an SnmpAdminString of 1 to 32 octets.
pub(super) fn check_name(section: &Section, key: &str, written: &Located<String>, problems: &mut Problems) {
    let length = written.value.len();
    if (1..=MAX_NAME_LEN).contains(&length) {
        return;
    }
    let accepted = section.option(key).map_or("", |option| option.accepted);
    problems
        .error(
            written.position,
            format!("`{key}` has {length} octets: \"{}\"", display_escaped(&written.value)),
        )
        .accepted(accepted);
}

/// Quotes names for a list of accepted values.
pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\"{}\"", display_escaped(name))).collect::<Vec<_>>().join(", ")
}

/// Converts a name to the type that rows use.
pub(super) fn octets(name: &str) -> Name {
    name.as_bytes().into()
}

fn collect_distinct<'a>(
    section: &Section,
    written: impl Iterator<Item = &'a Option<Located<String>>>,
    problems: &mut Problems,
) -> BTreeSet<String> {
    let mut first: Vec<(&str, TextPosition)> = Vec::new();
    for name in written.flatten() {
        check_name(section, "name", name, problems);
        match first.binary_search_by_key(&name.value.as_str(), |(value, _)| value) {
            Ok(position) => {
                let line = problems.line(first[position].1);
                let found = format!("duplicate {} \"{}\"", section.heading(), display_escaped(&name.value));
                problems.error(name.position, found).hint(format!("first defined in line {line}"));
            }
            Err(position) => first.insert(position, (&name.value, name.position)),
        }
    }
    first.into_iter().map(|(name, _)| name.to_owned()).collect()
}

const MAX_NAME_LEN: usize = 32;
