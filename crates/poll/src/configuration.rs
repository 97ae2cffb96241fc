//! The poller's file: TOML, in which credentials stand apart from what is asked with them and of whom.
//!
//! Every problem is reported at once, with its line and what to do; a file with an error means nothing.

pub mod sections;

mod credentials;
mod targets;

use std::{collections::HashMap, path::Path, sync::Arc};

use portreeve_config::{
    Disk, Files, Problem, Problems, Rejected, Written,
    document::{self, Document},
    options::Section,
    shown, unknown,
};
use portreeve_smi::Oid;

use crate::{Credential, Plan};
use sections::OBJECTS;

/// Reads the file `path` and the files it names; returns what is to be polled, and warnings.
///
/// # Errors
/// Everything that is wrong with the file, in the order of its lines.
pub fn load(path: &Path) -> Result<(Plan, Vec<Problem>), Rejected> {
    document::read(path, |document| build(document, &Disk::beside(path)))
}

/// The same for `text`, which stands in `file`; files it names are read from `files`.
///
/// # Errors
/// As for [`load`].
pub fn parse(text: &str, file: &Path, files: &dyn Files) -> Result<(Plan, Vec<Problem>), Rejected> {
    document::read_text(text, file, |document| build(document, files))
}

/// What targets refer to by name; `None` for what is there but wrong.
#[derive(Default)]
struct Known {
    credentials: HashMap<String, Option<Arc<Credential>>>,
    objects: HashMap<String, Vec<Oid>>,
}

fn build(document: &mut Document<'_, '_>, files: &dyn Files) -> Plan {
    document.only(&["poll", "credentials", "objects", "targets"]);
    let defaults = document.one(&sections::POLL, targets::Timing::read).unwrap_or_default();
    let mut known = Known { credentials: credentials::read(document, files), ..Known::default() };
    for (name, objects) in document.named("objects", &OBJECTS, |name, reader| {
        let get = reader.list("get");
        let get = reader.require("get", get).unwrap_or_default();
        (name.value, get.iter().filter_map(|text| object(text, reader.problems)).collect())
    }) {
        known.objects.insert(name, objects);
    }
    let mut targets = targets::read(document, &defaults, &known);
    targets.sort_by(|one, other| one.name.cmp(&other.name));
    Plan { targets }
}

fn object(text: &Written<String>, problems: &mut Problems) -> Option<Oid> {
    match portreeve_mib::names::parse(&text.value) {
        Ok(name) => Oid::new(&name).ok(),
        Err(error) => {
            refuse(problems, &OBJECTS, "get", text, &error.to_string());
            None
        }
    }
}

/// Reports a value that a key does not take, and which it does.
fn refuse(problems: &mut Problems, section: &Section, key: &str, written: &Written<String>, why: &str) {
    let accepted = section.option(key).map_or("", |option| option.accepted);
    let found = format!("`{key}`: \"{}\": {why}", shown(&written.value));
    problems.error(written.place, found).accepted(accepted);
}

/// Looks a name up that another section defines; reports one that none does.
fn look_up<'k, T>(
    problems: &mut Problems,
    kind: &str,
    written: &Written<String>,
    known: &'k HashMap<String, T>,
) -> Option<&'k T> {
    let found = known.get(&written.value);
    if found.is_none() {
        let what = format!("there is no [{kind}.{}]", shown(&written.value));
        let mut names: Vec<&str> = known.keys().map(String::as_str).collect();
        names.sort_unstable();
        unknown(problems, written.place, &what, &written.value, names.into_iter());
    }
    found
}

#[cfg(test)]
mod tests;
