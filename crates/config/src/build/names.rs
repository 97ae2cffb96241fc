//! The names that parts of a file call each other by.

use std::collections::BTreeSet;

use portreeve_lcd::Name;

use crate::{
    options::Section,
    problem::{Place, Problems},
    raw::Raw,
    reader::{Written, shown},
};

/// What may be referred to.
#[derive(Default)]
pub(super) struct Names {
    pub(super) views: BTreeSet<String>,
    pub(super) contexts: BTreeSet<String>,
    pub(super) groups: BTreeSet<String>,
}

impl Names {
    /// Collects all names first, so that a reference may stand before what it refers to.
    pub(super) fn collect(raw: &Raw, problems: &mut Problems) -> Self {
        use crate::options::{CONTEXT, GROUP, SESSION_USER, USER, VIEW};
        distinct(&USER, raw.users.iter().map(|user| &user.name), problems);
        distinct(&SESSION_USER, raw.session_users.iter().map(|user| &user.name), problems);
        Self {
            views: distinct(&VIEW, raw.views.iter().map(|view| &view.name), problems),
            contexts: distinct(&CONTEXT, raw.contexts.iter().map(|context| &context.name), problems),
            groups: distinct(&GROUP, raw.groups.iter().map(|group| &group.name), problems),
        }
    }
}

/// Reports a name that cannot be an SnmpAdminString of 1 to 32 octets.
pub(super) fn check_name(section: &Section, key: &str, written: &Written<String>, problems: &mut Problems) {
    let length = written.value.len();
    if (1..=MAX_NAME).contains(&length) {
        return;
    }
    let accepted = section.option(key).map_or("", |option| option.accepted);
    problems
        .error(written.place, format!("`{key}` has {length} octets: \"{}\"", shown(&written.value)))
        .accepted(accepted);
}

/// Names, for a list of what is accepted.
pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\"{}\"", shown(name))).collect::<Vec<_>>().join(", ")
}

/// A name as rows have it.
pub(super) fn octets(name: &str) -> Name {
    name.as_bytes().into()
}

fn distinct<'a>(
    section: &Section,
    written: impl Iterator<Item = &'a Option<Written<String>>>,
    problems: &mut Problems,
) -> BTreeSet<String> {
    let mut first: Vec<(&str, Place)> = Vec::new();
    for name in written.flatten() {
        check_name(section, "name", name, problems);
        match first.binary_search_by_key(&name.value.as_str(), |(value, _)| value) {
            Ok(position) => {
                let line = problems.line(first[position].1);
                let found = format!("{} \"{}\" is there twice", section.heading(), shown(&name.value));
                problems.error(name.place, found).hint(format!("the other one is in line {line}"));
            }
            Err(position) => first.insert(position, (&name.value, name.place)),
        }
    }
    first.into_iter().map(|(name, _)| name.to_owned()).collect()
}

const MAX_NAME: usize = 32;
