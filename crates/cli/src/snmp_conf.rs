//! `snmp.conf`: defaults that flags override (snmp.conf(5), snmp_config(5)).
//!
//! Errors are printed on standard error with file and line; the other lines still apply. The module
//! `directives` defines the supported directives.

mod aliases;
mod directives;
mod listing;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_net_snmp_conf::{
    ConfEntry, ConfLocation, DiskFiles, EntryContent, Section, default_folders, host_file, read,
};
use portreeve_smi::controls_display;

use crate::{environment::Variable, flags::Settings};

pub(crate) use aliases::Aliases;
pub(crate) use directives::{MibDirectives, directives, set_directive};
pub(crate) use listing::listing;

/// Applies all files in order; later directives replace earlier ones.
pub(crate) fn load(settings: &mut Settings) {
    apply(settings, &read(Section::SNMP, "snmp", &config_dirs(), &DiskFiles), false);
}

/// Applies the files of a host, which override the general files.
pub(crate) fn load_for_host(settings: &mut Settings, host: &str) {
    if let Some(name) = host_file(host).filter(|_| !settings.no_host_files) {
        apply(settings, &read(Section::SNMP, &name, &config_dirs(), &DiskFiles), true);
    }
}

fn apply(settings: &mut Settings, entries: &[ConfEntry], of_host: bool) {
    let warnings = warnings(settings, entries, of_host);
    let printed =
        warnings.iter().filter(|warning| !settings.suppress_token_warnings || !warning.is_unknown_token);
    printed.for_each(|warning| eprintln!("{}", warning.text));
}

struct Warning {
    text: String,
    /// True for an unknown directive; `noTokenWarnings` suppresses these warnings.
    is_unknown_token: bool,
}

impl Warning {
    fn new(location: &ConfLocation, message: &str) -> Self {
        // Text from a file must not control the user's terminal.
        let text = format!("{location}: {message}").replace(controls_display, ".");
        Self { text, is_unknown_token: false }
    }
}

/// Applies entries and returns warnings about those that cannot be applied.
fn warnings(settings: &mut Settings, entries: &[ConfEntry], of_host: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut mode_warned_for: Option<&Arc<Path>> = None;
    for ConfEntry { location, content } in entries {
        let directive = match content {
            EntryContent::Directive(directive) => directive,
            EntryContent::Error(message) => {
                warnings.push(Warning::new(location, message));
                continue;
            }
        };
        if directives::is_secret(&directive.name)
            && location.is_readable_by_others()
            && mode_warned_for != Some(&location.path)
        {
            mode_warned_for = Some(&location.path);
            let mode = location.mode & 0o777;
            let message = format!(
                "Warning: this file contains a pass phrase and is readable by other users (mode {mode:04o})."
            );
            warnings.push(Warning::new(location, &message));
        }
        if of_host && directive.name.eq_ignore_ascii_case("transport") {
            settings.host_transport = Some(directive.value.clone());
            continue;
        }
        match directives::apply(settings, directive) {
            Ok(()) => {}
            Err(directives::DirectiveError::Unknown) => {
                let message = format!("Warning: Unknown token: {}.", directive.name);
                let warning = Warning::new(location, &message);
                warnings.push(Warning { is_unknown_token: true, ..warning });
            }
            Err(directives::DirectiveError::Value(reason)) => {
                warnings.push(Warning::new(location, &format!("Error: {reason}")))
            }
        }
    }
    warnings.truncate(MAX_WARNINGS);
    warnings
}

/// Returns the directories that are searched for files; the user's directory is the last.
pub(crate) fn config_dirs() -> Vec<PathBuf> {
    match Variable::ConfPath.value() {
        Some(path) => std::env::split_paths(&path).collect(),
        None => default_folders(Variable::Home.value().map(PathBuf::from).as_deref()),
    }
}

const MAX_WARNINGS: usize = 100;

#[cfg(test)]
mod tests;
