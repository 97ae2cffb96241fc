//! The poller's file: TOML, in which credentials stand apart from what is asked with them and of whom.
//!
//! Every problem is reported at once, with its line and what to do; a file with an error means nothing.

pub mod sections;

mod credentials;
mod prometheus;
mod targets;

use std::{collections::HashMap, path::Path, sync::Arc};

use portreeve_config::{
    Disk, Files, Problem, Problems, Reader, Rejected, Written,
    document::{self, Document},
    options::Section,
    shown, unknown,
};
use portreeve_smi::Oid;

use crate::{Credential, Group, Plan};
use sections::{OBJECTS, PROMETHEUS};

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
    objects: HashMap<String, Arc<Group>>,
}

fn build(document: &mut Document<'_, '_>, files: &dyn Files) -> Plan {
    document.only(&["poll", "prometheus", "credentials", "objects", "targets"]);
    let defaults = document.one(&sections::POLL, targets::Timing::read).unwrap_or_default();
    let mut known = Known { credentials: credentials::read(document, files), ..Known::default() };
    let prometheus = document.one(&PROMETHEUS, |reader| prometheus::read(reader, &known));
    for (name, group) in document.named("objects", &OBJECTS, |name, reader| (name.value, group(reader))) {
        known.objects.insert(name, group.into());
    }
    let mut targets = targets::read(document, &defaults, &known);
    targets.sort_by(|one, other| one.name.cmp(&other.name));
    let credentials = known.credentials.into_iter().filter_map(|(name, found)| Some((name, found?)));
    Plan {
        targets,
        credentials: credentials.collect(),
        groups: known.objects.into_iter().collect(),
        prometheus: prometheus.flatten(),
    }
}

fn group(reader: &mut Reader<'_, '_>) -> Group {
    let mut objects = |key| match reader.list(key) {
        Some(written) => written.iter().filter_map(|text| object(key, text, reader.problems)).collect(),
        None => Vec::new(),
    };
    let group = Group { get: objects("get"), walk: objects("walk"), labels: objects("labels") };
    if reader.place_of("walk").is_none() {
        reader.require("get", reader.place_of("get"));
    }
    group
}

fn object(key: &str, text: &Written<String>, problems: &mut Problems) -> Option<Oid> {
    match portreeve_mib::names::parse(&text.value) {
        Ok(name) => Oid::new(&name).ok(),
        Err(error) => {
            refuse(problems, &OBJECTS, key, text, &error.to_string());
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
