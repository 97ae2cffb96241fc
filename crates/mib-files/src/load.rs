//! From a search to names.

use portreeve_mib::{
    Module, modules,
    names::{BUILT_IN, Names},
};

use crate::{
    cache::{self, Cache},
    directories, extract,
    problem::Problem,
    publish,
    read::{self, Text},
    search::{Search, Wanted},
    table::Table,
};

/// Names, and what was wrong on the way to them.
#[derive(Debug)]
pub struct Loaded {
    /// Our own definitions, which take precedence, and what was loaded.
    pub names: &'static Names,
    /// What was loaded, whole, even where our own definitions hide it.
    pub modules: Vec<&'static Module>,
    /// For the user to see.
    pub problems: Vec<Problem>,
    /// Whether it came from the cache.
    pub cached: bool,
}

impl Loaded {
    fn nothing(problems: Vec<Problem>) -> Self {
        Self { names: &BUILT_IN, modules: Vec::new(), problems, cached: false }
    }
}

/// Loads what is wanted. Nothing wanted costs nothing: no file is looked at.
pub fn load(search: &Search) -> Loaded {
    if search.is_empty() {
        return Loaded::nothing(Vec::new());
    }
    let (files, mut problems) = directories::files(search);
    let cache = Cache::of(search, &files);
    if let Some(cache) = &cache {
        let kept = cache.load().and_then(|kept| kept.map_or(Ok(None), |octets| decode(octets).map(Some)));
        match kept {
            Ok(Some(table)) => return Loaded { cached: true, ..finish(table, problems) },
            Ok(None) => {}
            Err(cache::Damaged) => problems.push(Problem::of_file(
                &cache.path().to_string_lossy(),
                "the cache is damaged",
                "the modules are read from their files",
            )),
        }
    }
    let (texts, more) = directories::texts(&files);
    // Files that are not there are told anew each time, all else is kept with the table.
    let octets = read_texts(texts, &wanted(search, &files), more);
    if let Some(cache) = &cache
        && let Err(error) = cache.keep(&octets)
    {
        let what = format!("the cache cannot be written: {error}");
        problems.push(Problem::of_file(&cache.path().to_string_lossy(), what, "the next start is as slow"));
    }
    match decode(octets) {
        Ok(table) => finish(table, problems),
        Err(cache::Damaged) => Loaded::nothing(problems),
    }
}

/// Loads all modules of texts, without files or cache.
pub(crate) fn from_texts(texts: Vec<Text>) -> Loaded {
    match decode(read_texts(texts, &[Wanted::All], Vec::new())) {
        Ok(table) => finish(table, Vec::new()),
        Err(cache::Damaged) => Loaded::nothing(Vec::new()),
    }
}

/// Loads what a cache file's octets hold, whatever its key.
pub(crate) fn from_cache_octets(octets: &[u8]) -> Option<Loaded> {
    let (_, table) = cache::split(octets).ok()?;
    Some(finish(decode(table.to_vec()).ok()?, Vec::new()))
}

/// Files that are wanted as such are asked for by what they define, which only their text tells.
fn wanted(search: &Search, files: &[directories::File]) -> Vec<Wanted> {
    let by_path = files.iter().filter(|file| file.named).map(|file| Wanted::File(file.path.clone()));
    let by_name = search.wanted().iter().filter(|wanted| !matches!(wanted, Wanted::File(_))).cloned();
    by_name.chain(by_path).collect()
}

fn read_texts(texts: Vec<Text>, wanted: &[Wanted], mut problems: Vec<Problem>) -> Vec<u8> {
    let mut names = Vec::new();
    for wanted in wanted {
        match wanted {
            Wanted::All => names.extend(texts.iter().flat_map(|text| text.modules.iter().cloned())),
            Wanted::Module(name) => names.push(name.clone()),
            Wanted::File(path) => {
                let of_file = texts.iter().filter(|text| path.to_string_lossy() == text.path);
                names.extend(of_file.flat_map(|text| text.modules.iter().cloned()));
            }
        }
    }
    let (mib, more) = read::read(texts, &names);
    problems.extend(more);
    let mut table = mib.as_ref().map(extract::extract).unwrap_or_default();
    table.problems = problems.into_iter().map(Problem::into_parts).collect();
    postcard::to_stdvec(&table).unwrap_or_default()
}

/// The octets stay, because the table's texts are parts of them.
fn decode(octets: Vec<u8>) -> Result<Table<'static>, cache::Damaged> {
    // Proven first: what is wrong shall not stay.
    postcard::from_bytes::<Table<'_>>(&octets).map_err(|_| cache::Damaged)?;
    postcard::from_bytes(octets.leak()).map_err(|_| cache::Damaged)
}

fn finish(mut table: Table<'static>, mut problems: Vec<Problem>) -> Loaded {
    problems.extend(std::mem::take(&mut table.problems).into_iter().map(Problem::from_parts));
    let loaded = publish::publish(table);
    if loaded.is_empty() {
        return Loaded::nothing(problems);
    }
    let all: Vec<&'static Module> = modules::ALL.iter().copied().chain(loaded.iter().copied()).collect();
    let names: &'static Names = Box::leak(Box::new(Names::new(all.leak())));
    Loaded { names, modules: loaded, problems, cached: false }
}
