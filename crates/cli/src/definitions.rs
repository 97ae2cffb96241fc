//! The MIB definitions for parsing and printing names and values: the built-in ones, those that
//! `-m`, `MIBS` or `mibs` select, and those that are loaded when a name requires them.

use std::{collections::HashSet, path::PathBuf};

use portreeve_mib::names::{NameError, Names, ROOTS_ONLY};
use portreeve_mib_files::{MibSearch, load};

use crate::{environment::Variable, flags::Settings};

/// Loads modules from files when they are needed. A command that needs only built-in definitions
/// reads no file.
#[derive(Debug)]
pub(crate) struct ModuleLoader {
    /// The selected modules, and the modules that names have required.
    search: MibSearch,
    /// True until the default modules of Net-SNMP are loaded; false if others replace them.
    has_pending_defaults: bool,
    /// The modules that names have required.
    required: HashSet<String>,
    prints_warnings: bool,
    /// The warnings that have been printed.
    printed: HashSet<String>,
}

impl ModuleLoader {
    /// Loads the modules that flags, environment or `snmp.conf` select. By default, none is loaded,
    /// which costs no time. Errors in files are printed on standard error and are not fatal.
    pub(crate) fn load_selected(settings: &Settings) -> (Self, &'static Names) {
        let search = module_search(settings);
        let mut loader = Self {
            has_pending_defaults: search.includes_defaults(),
            search,
            required: HashSet::new(),
            prints_warnings: !settings.suppress_mib_warnings,
            printed: HashSet::new(),
        };
        let names = match settings.mib_modules.as_deref() {
            Some("") => &ROOTS_ONLY,
            _ => loader.load_without_defaults(),
        };
        (loader, names)
    }

    /// Loads the module that an unknown name starts with; if it is loaded already or the name has
    /// none, the default modules. Returns `None` if nothing is left to load.
    pub(crate) fn load_for_name(&mut self, error: &NameError) -> Option<&'static Names> {
        let module = match error {
            NameError::UnknownModule(module) => Some(module.as_str()),
            NameError::Unknown(name) => name.split_once("::").map(|(module, _)| module),
            _ => return None,
        };
        match module.filter(|module| self.required.insert((*module).to_owned())) {
            Some(module) => {
                self.search = self.search.clone().optional_module(module);
                let names = self.load_without_defaults();
                let has_defaults = self.search.includes_defaults() && !self.has_pending_defaults;
                Some(if has_defaults { load(&self.search).names } else { names })
            }
            None => self.load_defaults(),
        }
    }

    /// Loads the default modules of Net-SNMP, as far as their files are installed. Returns `None`
    /// if they are loaded already or not selected.
    ///
    /// Errors in their files are not printed, because the user has not selected them.
    pub(crate) fn load_defaults(&mut self) -> Option<&'static Names> {
        let is_pending = std::mem::take(&mut self.has_pending_defaults);
        is_pending.then(|| load(&self.search).names)
    }

    fn load_without_defaults(&mut self) -> &'static Names {
        let loaded = load(&self.search.clone().without_defaults());
        for warning in loaded.warnings.iter().map(ToString::to_string).filter(|_| self.prints_warnings) {
            if !self.printed.contains(&warning) {
                eprintln!("{warning}");
                self.printed.insert(warning);
            }
        }
        loaded.names
    }
}

fn module_search(settings: &Settings) -> MibSearch {
    let home = Variable::Home.value().map(PathBuf::from);
    let mut search = MibSearch::new(home.as_deref());
    let directives = &settings.mib_directives;
    // As in Net-SNMP, -m and MIBS add to the default modules, not to the modules selected by the
    // files.
    search = match settings.mib_modules.clone().or_else(|| Variable::Mibs.text()) {
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
