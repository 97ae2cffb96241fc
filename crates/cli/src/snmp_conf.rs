//! `snmp.conf`: what holds where no flag says otherwise (snmp.conf(5), snmp_config(5)).
//!
//! A file that is wrong in one line is right in the others: what is wrong is told with file and line on standard
//! error, and the other lines are applied. [`directives`] is the one list of what may stand there.

mod directives;
mod listing;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_net_snmp_conf::{
    ConfEntry, ConfLocation, DiskFiles, EntryContent, default_folders, host_file, read,
};

use crate::{environment::Variable, flags::Settings};

pub(crate) use directives::{MibDirectives, directives, set_directive};
pub(crate) use listing::listing;

/// Applies all files there are, in order; a later word replaces an earlier one.
pub(crate) fn load(settings: &mut Settings) {
    apply(settings, &read("snmp", &config_dirs(), &DiskFiles), false);
}

/// Applies the files of a host, which are stronger than those for all.
pub(crate) fn load_of_host(settings: &mut Settings, host: &str) {
    if let Some(name) = host_file(host).filter(|_| !settings.no_host_files) {
        apply(settings, &read(&name, &config_dirs(), &DiskFiles), true);
    }
}

fn apply(settings: &mut Settings, entries: &[ConfEntry], of_host: bool) {
    let warnings = warnings(settings, entries, of_host);
    let told =
        warnings.iter().filter(|warning| !settings.suppress_token_warnings || !warning.about_unknown_word);
    told.for_each(|warning| eprintln!("{}", warning.text));
}

struct Warning {
    text: String,
    /// noTokenWarnings keeps these quiet.
    about_unknown_word: bool,
}

impl Warning {
    fn new(place: &ConfLocation, what: &str) -> Self {
        // A file's text must not steer anybody's terminal.
        let text = format!("{place}: {what}").replace(char::is_control, ".");
        Self { text, about_unknown_word: false }
    }
}

/// Applies entries and says what cannot be.
fn warnings(settings: &mut Settings, entries: &[ConfEntry], of_host: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut told_of_mode: Option<&Arc<Path>> = None;
    for ConfEntry { location: place, content: found } in entries {
        let word = match found {
            EntryContent::Directive(word) => word,
            EntryContent::Error(what) => {
                warnings.push(Warning::new(place, what));
                continue;
            }
        };
        if directives::is_secret(&word.name)
            && place.is_readable_by_others()
            && told_of_mode != Some(&place.path)
        {
            told_of_mode = Some(&place.path);
            let mode = place.mode & 0o777;
            let what =
                format!("Warning: others can read this file, which has a pass phrase (mode {mode:04o}).");
            warnings.push(Warning::new(place, &what));
        }
        if of_host && word.name.eq_ignore_ascii_case("transport") {
            settings.host_transport = Some(word.value.clone());
            continue;
        }
        match directives::apply(settings, word) {
            Ok(()) => {}
            Err(directives::DirectiveError::Unknown) => {
                let warning = Warning::new(place, &format!("Warning: Unknown token: {}.", word.name));
                warnings.push(Warning { about_unknown_word: true, ..warning });
            }
            Err(directives::DirectiveError::Value(why)) => {
                warnings.push(Warning::new(place, &format!("Error: {why}")))
            }
        }
    }
    warnings.truncate(MAX_WARNINGS);
    warnings
}

/// Where files are looked for; the user's own come last.
pub(crate) fn config_dirs() -> Vec<PathBuf> {
    match Variable::ConfPath.value() {
        Some(path) => std::env::split_paths(&path).collect(),
        None => default_folders(Variable::Home.value().map(PathBuf::from).as_deref()),
    }
}

const MAX_WARNINGS: usize = 100;

#[cfg(test)]
mod tests;
