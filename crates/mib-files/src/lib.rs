//! Loads MIB modules from files. They add names and formats to the built-in definitions.
//!
//! [`MibSearch`] selects the modules and directories, as `-m`, `-M`, `MIBS`, `MIBDIRS` and
//! `MIBFILES` do. [`load`] reads them, or takes them from a cache if no file has changed. Errors in
//! a file are reported as warnings; a broken module never prevents the others from loading. Loaded
//! definitions live as long as the process, as the built-in ones do, so call [`load`] a few times
//! at most.

mod cache;
mod directories;
mod extract;
mod load;
mod prune;
mod publish;
mod read;
mod scan;
mod search;
mod table;
mod warning;

pub use load::{LoadedMibs, load};
pub use search::{MibSearch, ModuleSelector};
pub use warning::LoadWarning;

/// Loads arbitrary octets as a file, for the fuzzer. The memory of the loaded definitions is never
/// freed.
#[doc(hidden)]
pub fn load_text(text: &[u8]) -> LoadedMibs {
    load::from_texts(vec![read::MibText::new("fuzz.mib".into(), text.to_vec())])
}

/// Loads arbitrary octets as a cache file, for the fuzzer. The memory of the loaded definitions is
/// never freed.
#[doc(hidden)]
pub fn load_cache(octets: &[u8]) -> Option<LoadedMibs> {
    load::from_cache_octets(octets)
}
