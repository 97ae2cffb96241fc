//! Which modules are wanted, and where they may be, in the words of Net-SNMP (snmpcmd(1), snmp.conf(5)).

use std::path::{Path, PathBuf};

/// What to look for and where.
#[derive(Clone, Debug)]
pub struct MibSearch {
    selectors: Vec<ModuleSelector>,
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
    cache: Option<PathBuf>,
}

impl MibSearch {
    /// Nothing wanted; the directories in which people keep MIB modules; no cache.
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

    /// Modules by their names, `ALL`, or files by a path with a slash, separated by colons: `-m` and `MIBS`.
    ///
    /// A leading `+` or `-` puts them behind or before those wanted so far; otherwise they take their place.
    #[must_use]
    pub fn modules(mut self, text: &str) -> Self {
        self.selectors = merge(self.selectors, text, ModuleSelector::read);
        self
    }

    /// Directories separated by colons: `-M` and `MIBDIRS`. Of two files with one module the later directory's is
    /// read. A leading `+` or `-` as in [`MibSearch::modules`].
    #[must_use]
    pub fn directories(mut self, text: &str) -> Self {
        self.directories = merge(self.directories, text, |item| PathBuf::from(item));
        self
    }

    /// Files whose modules are all wanted, separated by colons: `MIBFILES`. A leading `+` or `-` as in
    /// [`MibSearch::modules`].
    #[must_use]
    pub fn files(mut self, text: &str) -> Self {
        self.files = merge(self.files, text, |item| PathBuf::from(item));
        self
    }

    /// The directory in which what was read is kept for the next process.
    #[must_use]
    pub fn cache(mut self, directory: PathBuf) -> Self {
        self.cache = Some(directory);
        self
    }

    /// Whether nothing is wanted beyond our own definitions.
    pub fn is_empty(&self) -> bool {
        self.selectors.is_empty() && self.files.is_empty()
    }

    pub(crate) fn selectors(&self) -> &[ModuleSelector] {
        &self.selectors
    }

    pub(crate) fn search_path(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The files that are wanted as such.
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

/// One item of `-m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleSelector {
    /// Every module of every directory.
    All,
    /// A module and what it imports.
    Module(String),
    /// All modules of a file.
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
