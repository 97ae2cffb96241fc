//! MIB modules from files, for names and formats beside our own definitions.
//!
//! [`MibSearch`] says where to look and what for, as `-m`, `-M`, `MIBS`, `MIBDIRS` and `MIBFILES` do; [`load`] reads it,
//! from a cache if no file has changed. What is wrong in a file is told and read around: a broken module never stops
//! the others. What was read lives as long as the process, as our own definitions do, so [`load`] is called once.

mod cache;
mod directories;
mod extract;
mod load;
mod publish;
mod read;
mod scan;
mod search;
mod table;
mod warning;

pub use load::{LoadedMibs, load};
pub use search::{MibSearch, ModuleSelector};
pub use warning::LoadWarning;

/// Any octets as a file's text, read and published, for the fuzzer. Leaks what it has read.
#[doc(hidden)]
pub fn load_text(text: &[u8]) -> LoadedMibs {
    load::from_texts(vec![read::MibText::new("fuzz.mib".into(), text.to_vec())])
}

/// Any octets as a cache file, for the fuzzer. Leaks what it has read.
#[doc(hidden)]
pub fn load_cache(octets: &[u8]) -> Option<LoadedMibs> {
    load::from_cache_octets(octets)
}
