//! The poller's configuration file: TOML, with credentials separate from objects and targets.
//!
//! All problems are reported at once, each with its line and a remedy. A file with an error is not
//! used.

pub mod sections;

mod credentials;
mod prometheus;
mod targets;

use std::{collections::HashMap, path::Path, sync::Arc};

use portreeve_config::{
    ConfigError, DiskFiles, Files, Located, Problem, Problems, Reader, display_escaped,
    document::{self, Document},
    options::Section,
    report_unknown,
};
use portreeve_smi::Oid;

use crate::{Credential, ObjectGroup, PollPlan};
use sections::{OBJECTS, PROMETHEUS};

/// Reads the file `path` and the files to which it refers. Returns the plan and warnings.
///
/// # Errors
/// All problems of the file, in the order of its lines.
pub fn load(path: &Path) -> Result<(PollPlan, Vec<Problem>), ConfigError> {
    document::read(path, |document| build(document, &DiskFiles::beside(path)))
}

/// Parses `text` as the content of `file`; the files to which it refers are read from `files`.
///
/// # Errors
/// All problems of the text, in the order of its lines.
pub fn parse(text: &str, file: &Path, files: &dyn Files) -> Result<(PollPlan, Vec<Problem>), ConfigError> {
    document::read_text(text, file, |document| build(document, files))
}

/// The sections that targets refer to by name; `None` for invalid credentials.
#[derive(Default)]
struct Definitions {
    credentials: HashMap<String, Option<Arc<Credential>>>,
    objects: HashMap<String, Arc<ObjectGroup>>,
}

fn build(document: &mut Document<'_, '_>, files: &dyn Files) -> PollPlan {
    document.reject_unknown_sections(&["poll", "prometheus", "credentials", "objects", "targets"]);
    let defaults = document.read_table(&sections::POLL, targets::Timing::read).unwrap_or_default();
    let mut definitions =
        Definitions { credentials: credentials::read(document, files), ..Definitions::default() };
    let prometheus = document.read_table(&PROMETHEUS, |reader| prometheus::read(reader, &definitions));
    for (name, group) in
        document.read_named_tables("objects", &OBJECTS, |name, reader| (name.value, read_group(reader)))
    {
        definitions.objects.insert(name, group.into());
    }
    let mut targets = targets::read(document, &defaults, &definitions);
    targets.sort_by(|one, other| one.name.cmp(&other.name));
    let credentials = definitions.credentials.into_iter().filter_map(|(name, value)| Some((name, value?)));
    PollPlan {
        targets,
        credentials: credentials.collect(),
        groups: definitions.objects.into_iter().collect(),
        prometheus: prometheus.flatten(),
    }
}

fn read_group(reader: &mut Reader<'_, '_>) -> ObjectGroup {
    let mut objects = |key| match reader.list(key) {
        Some(written) => written.iter().filter_map(|text| parse_object(key, text, reader.problems)).collect(),
        None => Vec::new(),
    };
    let group = ObjectGroup { get: objects("get"), walk: objects("walk"), labels: objects("labels") };
    if reader.position_of("walk").is_none() {
        reader.require("get", reader.position_of("get"));
    }
    group
}

fn parse_object(key: &str, text: &Located<String>, problems: &mut Problems) -> Option<Oid> {
    match portreeve_mib::names::parse(&text.value) {
        Ok(name) => Oid::new(&name).ok(),
        Err(error) => {
            reject_value(problems, &OBJECTS, key, text, &error.to_string());
            None
        }
    }
}

/// Reports an invalid value together with the accepted ones.
fn reject_value(
    problems: &mut Problems,
    section: &Section,
    key: &str,
    written: &Located<String>,
    reason: &str,
) {
    let accepted = section.option(key).map_or("", |option| option.accepted);
    let message = format!("`{key}`: \"{}\": {reason}", display_escaped(&written.value));
    problems.error(written.position, message).accepted(accepted);
}

/// Returns the definition of a name from another section; reports an unknown name.
fn look_up<'k, T>(
    problems: &mut Problems,
    kind: &str,
    written: &Located<String>,
    definitions: &'k HashMap<String, T>,
) -> Option<&'k T> {
    let value = definitions.get(&written.value);
    if value.is_none() {
        let what = format!("unknown section [{kind}.{}]", display_escaped(&written.value));
        let mut names: Vec<&str> = definitions.keys().map(String::as_str).collect();
        names.sort_unstable();
        report_unknown(problems, written.position, &what, &written.value, names.into_iter());
    }
    value
}

#[cfg(test)]
mod tests;
