//! The MIB definitions for parsing and printing names and values: the built-in ones, and those that
//! `-m`, `MIBS` or `mibs` select.

use std::path::PathBuf;

use portreeve_mib::names::{Names, ROOTS_ONLY};
use portreeve_mib_files::{MibSearch, load};

use crate::{environment::Variable, flags::Settings};

/// Loads the modules that flags, environment or `snmp.conf` select. By default, none is loaded,
/// which costs no time. Errors in files are printed on standard error and are not fatal.
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
    let flag_or_env = |flag: &Option<String>, variable: Variable| {
        flag.clone().or_else(|| Some(variable.value()?.to_string_lossy().into_owned()))
    };
    let mut search = MibSearch::new(home.as_deref());
    let directives = &settings.mib_directives;
    // As in Net-SNMP, -m and MIBS add to the default modules, not to the modules selected by the
    // files.
    search = match flag_or_env(&settings.mib_modules, Variable::Mibs) {
        Some(modules) => search.modules(&modules),
        None => directives.modules.iter().fold(search, |search, modules| search.modules(modules)),
    };
    search = match Variable::MibDirs.value() {
        Some(directories) => search.directories(&directories.to_string_lossy()),
        None if settings.mib_directories.is_some() => search,
        None => directives.directories.iter().fold(search, |search, list| search.directories(list)),
    };
    if let Some(directories) = &settings.mib_directories {
        search = search.directories(directories);
    }
    if let Some(files) = Variable::MibFiles.value() {
        search = search.files(&files.to_string_lossy());
    }
    search = directives.files.iter().fold(search, |search, file| search.files(&format!("+{file}")));
    match home {
        Some(home) => search.cache(home.join(".cache/portreeve")),
        None => search,
    }
}
