//! Loads the modules of a search.

use portreeve_mib::{
    Module, modules,
    names::{BUILT_IN, Names},
};

use crate::{
    cache::{self, Cache},
    directories, extract, publish,
    read::{self, MibText},
    search::{MibSearch, ModuleSelector},
    table::DefinitionTable,
    warning::LoadWarning,
};

/// The loaded modules, and warnings about those that could not be loaded.
#[derive(Debug)]
pub struct LoadedMibs {
    /// The built-in definitions, which take precedence, and the loaded ones.
    pub names: &'static Names,
    /// The complete loaded modules, including definitions that built-in ones override.
    pub modules: Vec<&'static Module>,
    /// Warnings about files and modules, for the user.
    pub warnings: Vec<LoadWarning>,
    /// True if the modules came from the cache.
    pub from_cache: bool,
}

impl LoadedMibs {
    fn built_in_only(warnings: Vec<LoadWarning>) -> Self {
        Self { names: &BUILT_IN, modules: Vec::new(), warnings, from_cache: false }
    }
}

/// Loads the requested modules. Reads no file if none are requested.
pub fn load(search: &MibSearch) -> LoadedMibs {
    if search.is_empty() {
        return LoadedMibs::built_in_only(Vec::new());
    }
    let (files, mut warnings) = directories::files(search);
    let cache = Cache::of(search, &files);
    if let Some(cache) = &cache {
        let cached_table =
            cache.load().and_then(|octets| octets.map_or(Ok(None), |octets| decode(octets).map(Some)));
        match cached_table {
            Ok(Some(table)) => return LoadedMibs { from_cache: true, ..finish(table, warnings) },
            Ok(None) => {}
            Err(cache::CacheError) => warnings.push(LoadWarning::of_file(
                &cache.path().to_string_lossy(),
                "the MIB cache is damaged",
                "reading the modules from their files",
            )),
        }
    }
    let (texts, more) = directories::texts(&files);
    // Warnings about missing files are repeated in each run; all others are cached with the table.
    let octets = read_texts(texts, &selectors(search, &files), more);
    if let Some(cache) = &cache
        && let Err(error) = cache.store(&octets)
    {
        let message = format!("cannot write the MIB cache: {error}");
        warnings.push(LoadWarning::of_file(
            &cache.path().to_string_lossy(),
            message,
            "the next command reads the modules from their files again",
        ));
    }
    match decode(octets) {
        Ok(table) => finish(table, warnings),
        Err(cache::CacheError) => LoadedMibs::built_in_only(warnings),
    }
}

/// Loads all modules of the texts, without files or cache.
pub(crate) fn from_texts(texts: Vec<MibText>) -> LoadedMibs {
    match decode(read_texts(texts, &[ModuleSelector::All], Vec::new())) {
        Ok(table) => finish(table, Vec::new()),
        Err(cache::CacheError) => LoadedMibs::built_in_only(Vec::new()),
    }
}

/// Loads the content of a cache file, whatever its key is.
pub(crate) fn from_cache_octets(octets: &[u8]) -> Option<LoadedMibs> {
    let (_, table) = cache::split(octets).ok()?;
    Some(finish(decode(table.to_vec()).ok()?, Vec::new()))
}

/// Returns the requested modules. Files that were requested by path are read to find their modules.
fn selectors(search: &MibSearch, files: &[directories::MibFile]) -> Vec<ModuleSelector> {
    let by_path =
        files.iter().filter(|file| file.is_explicit).map(|file| ModuleSelector::File(file.path.clone()));
    let by_name =
        search.selectors().into_iter().filter(|selector| !matches!(selector, ModuleSelector::File(_)));
    by_name.chain(by_path).collect()
}

fn read_texts(texts: Vec<MibText>, selectors: &[ModuleSelector], mut warnings: Vec<LoadWarning>) -> Vec<u8> {
    let mut names = Vec::new();
    for selector in selectors {
        match selector {
            ModuleSelector::All => names.extend(texts.iter().flat_map(|text| text.modules.iter().cloned())),
            ModuleSelector::Module(name) => names.push(name.clone()),
            ModuleSelector::Optional(name) => {
                let is_defined = texts.iter().any(|text| text.modules.contains(name));
                names.extend(is_defined.then(|| name.clone()));
            }
            ModuleSelector::File(path) => {
                let texts_of_file = texts.iter().filter(|text| path.to_string_lossy() == text.path);
                names.extend(texts_of_file.flat_map(|text| text.modules.iter().cloned()));
            }
        }
    }
    let (mib, more) = read::read(texts, &names);
    warnings.extend(more);
    let mut table = mib.as_ref().map(extract::extract).unwrap_or_default();
    table.warnings.extend(warnings.into_iter().map(LoadWarning::into_parts));
    postcard::to_stdvec(&table).unwrap_or_default()
}

/// Decodes a table. The octets are leaked because the texts of the table refer to them.
fn decode(octets: Vec<u8>) -> Result<DefinitionTable<'static>, cache::CacheError> {
    // Decodes once before the octets are leaked, so that invalid octets are freed.
    postcard::from_bytes::<DefinitionTable<'_>>(&octets).map_err(|_| cache::CacheError)?;
    postcard::from_bytes(octets.leak()).map_err(|_| cache::CacheError)
}

fn finish(mut table: DefinitionTable<'static>, mut warnings: Vec<LoadWarning>) -> LoadedMibs {
    warnings.extend(std::mem::take(&mut table.warnings).into_iter().map(LoadWarning::from_parts));
    let loaded = publish::publish(table);
    if loaded.is_empty() {
        return LoadedMibs::built_in_only(warnings);
    }
    let all: Vec<&'static Module> = modules::ALL.iter().copied().chain(loaded.iter().copied()).collect();
    let names: &'static Names = Box::leak(Box::new(Names::new(all.leak())));
    LoadedMibs { names, modules: loaded, warnings, from_cache: false }
}

#[cfg(test)]
mod tests;
