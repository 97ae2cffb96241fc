//! `snmp.conf`: what holds where no flag says otherwise (snmp.conf(5), snmp_config(5)).
//!
//! A file that is wrong in one line is right in the others: what is wrong is told with file and line on standard
//! error, and the other lines are applied. [`words`] is the one list of what may stand there.

mod listing;
mod words;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_net_snmp_conf::{Disk, Entry, Found, Place, host_file, read, usual_folders};

use crate::{environment::Variable, flags::Settings};

pub(crate) use listing::listing;
pub(crate) use words::{MibWords, set_word, understood};

/// Applies all files there are, in order; a later word replaces an earlier one.
pub(crate) fn load(settings: &mut Settings) {
    apply(settings, &read("snmp", &folders(), &Disk), false);
}

/// Applies the files of a host, which are stronger than those for all.
pub(crate) fn load_of_host(settings: &mut Settings, host: &str) {
    if let Some(name) = host_file(host).filter(|_| !settings.no_host_files) {
        apply(settings, &read(&name, &folders(), &Disk), true);
    }
}

fn apply(settings: &mut Settings, entries: &[Entry], of_host: bool) {
    let warnings = warnings(settings, entries, of_host);
    let told = warnings.iter().filter(|warning| !settings.no_token_warnings || !warning.about_unknown_word);
    told.for_each(|warning| eprintln!("{}", warning.text));
}

struct Warning {
    text: String,
    /// noTokenWarnings keeps these quiet.
    about_unknown_word: bool,
}

impl Warning {
    fn new(place: &Place, what: &str) -> Self {
        // A file's text must not steer anybody's terminal.
        let text = format!("{place}: {what}").replace(char::is_control, ".");
        Self { text, about_unknown_word: false }
    }
}

/// Applies entries and says what cannot be.
fn warnings(settings: &mut Settings, entries: &[Entry], of_host: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut told_of_mode: Option<&Arc<Path>> = None;
    for Entry { place, found } in entries {
        let word = match found {
            Found::Word(word) => word,
            Found::Mistake(what) => {
                warnings.push(Warning::new(place, what));
                continue;
            }
        };
        if words::is_secret(&word.name) && place.is_open_to_others() && told_of_mode != Some(&place.path) {
            told_of_mode = Some(&place.path);
            let mode = place.mode & 0o777;
            let what =
                format!("Warning: others can read this file, which has a pass phrase (mode {mode:04o}).");
            warnings.push(Warning::new(place, &what));
        }
        if of_host && word.name.eq_ignore_ascii_case("transport") {
            settings.transport = Some(word.value.clone());
            continue;
        }
        match words::apply(settings, word) {
            Ok(()) => {}
            Err(words::Wrong::Unknown) => {
                let warning = Warning::new(place, &format!("Warning: Unknown token: {}.", word.name));
                warnings.push(Warning { about_unknown_word: true, ..warning });
            }
            Err(words::Wrong::Value(why)) => warnings.push(Warning::new(place, &format!("Error: {why}"))),
        }
    }
    warnings.truncate(MOST_WARNINGS);
    warnings
}

/// Where files are looked for; the user's own come last.
pub(crate) fn folders() -> Vec<PathBuf> {
    match Variable::ConfPath.value() {
        Some(path) => std::env::split_paths(&path).collect(),
        None => usual_folders(Variable::Home.value().map(PathBuf::from).as_deref()),
    }
}

const MOST_WARNINGS: usize = 100;

#[cfg(test)]
mod tests;
