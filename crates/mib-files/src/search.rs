//! The requested modules and the directories to search, in Net-SNMP's notation (snmpcmd(1),
//! snmp.conf(5)).

use std::path::{Path, PathBuf};

/// The modules to load and the directories to search.
#[derive(Clone, Debug)]
pub struct MibSearch {
    selectors: Vec<ModuleSelector>,
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
    cache: Option<PathBuf>,
}

impl MibSearch {
    /// Creates a search without modules and without a cache, in the default directories.
    ///
    /// `home` is the user's home directory, if there is one.
    pub fn new(home: Option<&Path>) -> Self {
        let in_home = |place: &str| home.map(|home| home.join(place));
        let directories = in_home(".snmp/mibs")
            .into_iter()
            .chain(SYSTEM_DIRECTORIES.iter().map(PathBuf::from))
            .chain(in_home(".portreeve/mibs"))
            .collect();
        Self { selectors: Vec::new(), directories, files: Vec::new(), cache: None }
    }

    /// Selects modules: names, `ALL`, or paths with a slash, separated by colons, as in `-m` and
    /// `MIBS`.
    ///
    /// A leading `+` or `-` appends or prepends the modules to the current ones; otherwise they
    /// replace them.
    #[must_use]
    pub fn modules(mut self, text: &str) -> Self {
        self.selectors = merge(self.selectors, text, ModuleSelector::read);
        self
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
        self.selectors.is_empty() && self.files.is_empty()
    }

    pub(crate) fn selectors(&self) -> &[ModuleSelector] {
        &self.selectors
    }

    pub(crate) fn search_path(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Returns the files that were requested by path.
    pub(crate) fn explicit_files(&self) -> impl Iterator<Item = &Path> {
        let by_path = self.selectors.iter().filter_map(|selector| match selector {
            ModuleSelector::File(path) => Some(path.as_path()),
            ModuleSelector::All | ModuleSelector::Module(_) => None,
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

const SYSTEM_DIRECTORIES: &[&str] =
    &["/usr/share/snmp/mibs", "/usr/share/snmp/mibs/iana", "/usr/share/snmp/mibs/ietf"];

#[cfg(test)]
mod tests;
