//! The requested modules and the directories to search, in Net-SNMP's notation (snmpcmd(1),
//! snmp.conf(5)).

use std::path::{Path, PathBuf};

/// The modules to load and the directories to search.
#[derive(Clone, Debug)]
pub struct MibSearch {
    /// True if the search includes [`DEFAULT_MODULES`].
    with_defaults: bool,
    selectors: Vec<ModuleSelector>,
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
    cache: Option<PathBuf>,
}

impl MibSearch {
    /// Creates a search for the default modules of Net-SNMP, without a cache, in the default
    /// directories. A default module that no file defines is not an error.
    ///
    /// `home` is the user's home directory, if there is one.
    pub fn new(home: Option<&Path>) -> Self {
        let in_home = |place: &str| home.map(|home| home.join(place));
        let directories = in_home(".snmp/mibs")
            .into_iter()
            .chain(SYSTEM_DIRECTORIES.iter().map(PathBuf::from))
            .chain(in_home(".portreeve/mibs"))
            .collect();
        Self { with_defaults: true, selectors: Vec::new(), directories, files: Vec::new(), cache: None }
    }

    /// Selects modules: names, `ALL`, or paths with a slash, separated by colons, as in `-m` and
    /// `MIBS`.
    ///
    /// A leading `+` or `-` appends or prepends the modules to the current ones; otherwise they
    /// replace them, and the default modules.
    #[must_use]
    pub fn modules(mut self, text: &str) -> Self {
        self.with_defaults &= text.starts_with(['+', '-']);
        self.selectors = merge(self.selectors, text, ModuleSelector::read);
        self
    }

    /// Adds a module, unless no file defines it.
    #[must_use]
    pub fn optional_module(mut self, name: &str) -> Self {
        self.selectors.push(ModuleSelector::Optional(name.to_owned()));
        self
    }

    /// Removes the default modules from the search.
    #[must_use]
    pub fn without_defaults(self) -> Self {
        Self { with_defaults: false, ..self }
    }

    /// Returns true if the search includes the default modules.
    pub fn includes_defaults(&self) -> bool {
        self.with_defaults
    }

    /// Returns true if the default modules may define an identifier, so that loading them can help.
    pub fn defaults_may_define(oid: &[u32]) -> bool {
        DEFAULT_SUBTREES.iter().any(|subtree| oid.starts_with(subtree))
    }

    /// Sets the directories, separated by colons, as in `-M` and `MIBDIRS`. If two files define the
    /// same module, the one in the later directory is used. A leading `+` or `-` works as in
    /// [`MibSearch::modules`].
    #[must_use]
    pub fn directories(mut self, text: &str) -> Self {
        self.directories = merge(self.directories, text, |item| PathBuf::from(item));
        self
    }

    /// Selects all modules of these files, separated by colons, as in `MIBFILES`. A leading `+` or
    /// `-` works as in [`MibSearch::modules`].
    #[must_use]
    pub fn files(mut self, text: &str) -> Self {
        self.files = merge(self.files, text, |item| PathBuf::from(item));
        self
    }

    /// Sets the directory in which loaded modules are cached for the next process.
    #[must_use]
    pub fn cache(mut self, directory: PathBuf) -> Self {
        self.cache = Some(directory);
        self
    }

    /// Returns true if the search selects no modules.
    pub fn is_empty(&self) -> bool {
        !self.with_defaults && self.selectors.is_empty() && self.files.is_empty()
    }

    pub(crate) fn selectors(&self) -> Vec<ModuleSelector> {
        let defaults = DEFAULT_MODULES.iter().filter(|_| self.with_defaults);
        let defaults = defaults.map(|name| ModuleSelector::Optional((*name).to_owned()));
        defaults.chain(self.selectors.iter().cloned()).collect()
    }

    pub(crate) fn search_path(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Returns the files that were requested by path.
    pub(crate) fn explicit_files(&self) -> impl Iterator<Item = &Path> {
        let by_path = self.selectors.iter().filter_map(|selector| match selector {
            ModuleSelector::File(path) => Some(path.as_path()),
            ModuleSelector::All | ModuleSelector::Module(_) | ModuleSelector::Optional(_) => None,
        });
        by_path.chain(self.files.iter().map(PathBuf::as_path))
    }

    pub(crate) fn cache_directory(&self) -> Option<&Path> {
        self.cache.as_deref()
    }
}

/// One item of the list that `-m` takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleSelector {
    /// Every module of every directory.
    All,
    /// One module and the modules that it imports.
    Module(String),
    /// The same, unless no file defines the module.
    Optional(String),
    /// All modules that a file defines.
    File(PathBuf),
}

impl ModuleSelector {
    fn read(item: &str) -> Self {
        match item {
            "ALL" | "all" => Self::All,
            path if path.contains('/') => Self::File(path.into()),
            module => Self::Module(module.to_owned()),
        }
    }
}

fn merge<T>(current: Vec<T>, text: &str, read: impl Fn(&str) -> T) -> Vec<T> {
    let items =
        |text: &str| -> Vec<T> { text.split(':').filter(|item| !item.is_empty()).map(read).collect() };
    match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(more), _) => current.into_iter().chain(items(more)).collect(),
        (_, Some(more)) => items(more).into_iter().chain(current).collect(),
        _ => items(text),
    }
}

/// The modules that Net-SNMP loads by default, except those that are completely built in.
const DEFAULT_MODULES: &[&str] = &[
    "NOTIFICATION-LOG-MIB",
    "DISMAN-EVENT-MIB",
    "DISMAN-SCHEDULE-MIB",
    "MTA-MIB",
    "NETWORK-SERVICES-MIB",
    "UCD-DISKIO-MIB",
    "UCD-DLMOD-MIB",
    "LM-SENSORS-MIB",
    "UCD-SNMP-MIB",
    "UCD-DEMO-MIB",
    "NET-SNMP-AGENT-MIB",
    "IPV6-ICMP-MIB",
    "IPV6-MIB",
    "IPV6-TCP-MIB",
    "IPV6-UDP-MIB",
    "NET-SNMP-PASS-MIB",
    "NET-SNMP-EXTEND-MIB",
    "NET-SNMP-VACM-MIB",
];
/// The subtrees that contain everything that [`DEFAULT_MODULES`] define.
const DEFAULT_SUBTREES: &[&[u32]] = &[
    // Objects of IPV6-TCP-MIB and IPV6-UDP-MIB.
    &[1, 3, 6, 1, 2, 1, 6, 16],
    &[1, 3, 6, 1, 2, 1, 7, 6],
    // NETWORK-SERVICES-MIB and MTA-MIB.
    &[1, 3, 6, 1, 2, 1, 27],
    &[1, 3, 6, 1, 2, 1, 28],
    // IPV6-MIB and IPV6-ICMP-MIB.
    &[1, 3, 6, 1, 2, 1, 55],
    &[1, 3, 6, 1, 2, 1, 56],
    // DISMAN-SCHEDULE-MIB, DISMAN-EVENT-MIB and NOTIFICATION-LOG-MIB.
    &[1, 3, 6, 1, 2, 1, 63],
    &[1, 3, 6, 1, 2, 1, 88],
    &[1, 3, 6, 1, 2, 1, 92],
    // Conformance of IPV6-TCP-MIB and IPV6-UDP-MIB.
    &[1, 3, 6, 1, 3, 86],
    &[1, 3, 6, 1, 3, 87],
    // The modules of UCD-SNMP and Net-SNMP.
    &[1, 3, 6, 1, 4, 1, 2021],
    &[1, 3, 6, 1, 4, 1, 8072],
];
const SYSTEM_DIRECTORIES: &[&str] =
    &["/usr/share/snmp/mibs", "/usr/share/snmp/mibs/iana", "/usr/share/snmp/mibs/ietf"];

#[cfg(test)]
mod tests;
