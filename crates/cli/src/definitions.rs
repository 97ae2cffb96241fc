//! The definitions that names and values are read and printed by: our own, and those of `-m`.

use std::path::PathBuf;

use portreeve_mib::names::Names;
use portreeve_smi_files::{Search, load};

use crate::{environment::Variable, flags::Settings};

/// Loads what flags or environment ask for; by default nothing, at no cost. What is wrong in a file is told on standard
/// error and stops nothing.
pub(crate) fn definitions(settings: &Settings) -> &'static Names {
    let loaded = load(&search(settings));
    for problem in &loaded.problems {
        eprintln!("{problem}");
    }
    loaded.names
}

fn search(settings: &Settings) -> Search {
    let home = Variable::Home.value().map(PathBuf::from);
    let said = |flag: &Option<String>, variable: Variable| {
        flag.clone().or_else(|| Some(variable.value()?.to_string_lossy().into_owned()))
    };
    let mut search = Search::new(home.as_deref());
    if let Some(modules) = said(&settings.mib_modules, Variable::Mibs) {
        search = search.modules(&modules);
    }
    if let Some(directories) = said(&settings.mib_directories, Variable::MibDirs) {
        search = search.directories(&directories);
    }
    if let Some(files) = said(&None, Variable::MibFiles) {
        search = search.files(&files);
    }
    match home {
        Some(home) => search.cache(home.join(".cache/portreeve")),
        None => search,
    }
}
