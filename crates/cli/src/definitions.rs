//! The definitions that names and values are read and printed by: our own, and those of `-m`, `MIBS` and `mibs`.

use std::path::PathBuf;

use portreeve_mib::names::{Names, ROOTS_ONLY};
use portreeve_mib_files::{MibSearch, load};

use crate::{environment::Variable, flags::Settings};

/// Loads what flags, environment or `snmp.conf` ask for; by default nothing, at no cost. What is wrong in a file is told on standard
/// error and stops nothing.
pub(crate) fn load_names(settings: &Settings) -> &'static Names {
    if settings.mib_modules.as_deref() == Some("") {
        return &ROOTS_ONLY;
    }
    let loaded = load(&module_search(settings));
    for problem in loaded.warnings.iter().filter(|_| !settings.suppress_mib_warnings) {
        eprintln!("{problem}");
    }
    loaded.names
}

fn module_search(settings: &Settings) -> MibSearch {
    let home = Variable::Home.value().map(PathBuf::from);
    let said = |flag: &Option<String>, variable: Variable| {
        flag.clone().or_else(|| Some(variable.value()?.to_string_lossy().into_owned()))
    };
    let mut search = MibSearch::new(home.as_deref());
    let words = &settings.mib_directives;
    // As in Net-SNMP, what -m or MIBS adds to is what is loaded by default, not what files want.
    search = match said(&settings.mib_modules, Variable::Mibs) {
        Some(modules) => search.modules(&modules),
        None => words.modules.iter().fold(search, |search, modules| search.modules(modules)),
    };
    search = match Variable::MibDirs.value() {
        Some(directories) => search.directories(&directories.to_string_lossy()),
        None if settings.mib_directories.is_some() => search,
        None => words.directories.iter().fold(search, |search, folders| search.directories(folders)),
    };
    if let Some(directories) = &settings.mib_directories {
        search = search.directories(directories);
    }
    if let Some(files) = Variable::MibFiles.value() {
        search = search.files(&files.to_string_lossy());
    }
    search = words.files.iter().fold(search, |search, file| search.files(&format!("+{file}")));
    match home {
        Some(home) => search.cache(home.join(".cache/portreeve")),
        None => search,
    }
}
