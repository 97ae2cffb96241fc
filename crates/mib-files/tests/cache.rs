//! A cache returns the same definitions as the files; stale or damaged caches are not used.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod fixture;

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use fixture::TempMibDir;
use portreeve_mib::{export::export_smi, modules};
use portreeve_mib_files::{LoadedMibs, load};

#[test]
fn second_load_uses_cache_and_returns_same_definitions() {
    let directory = dir_with_exported_modules();
    directory.write("TORN-MIB", "TORN-MIB DEFINITIONS ::= BEGIN x OBJECT IDENTIFIER ::= { nowhere 1 } END");
    let (first, second) = (load_with_cache(&directory), load_with_cache(&directory));
    assert!(!first.from_cache && second.from_cache);
    assert!(!first.warnings.is_empty());
    assert_eq!(first.warnings, second.warnings);
    let names = |loaded: &LoadedMibs| -> Vec<_> {
        loaded.names.in_order().map(|(module, object)| (module.name, object.name, object.oid())).collect()
    };
    assert_eq!(names(&first), names(&second));
}

#[test]
fn cache_is_accessible_to_owner_only() {
    let directory = dir_with_exported_modules();
    load_with_cache(&directory);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(directory.cache()), 0o700);
    assert_eq!(mode(cache_file(&directory)), 0o600);
    assert_eq!(fs::read_dir(directory.cache()).unwrap().count(), 1, "no other files remain");
}

#[test]
fn changed_file_invalidates_cache() {
    let directory = TempMibDir::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN old OBJECT IDENTIFIER ::= { iso 9 } END");
    load_with_cache(&directory);
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN changed OBJECT IDENTIFIER ::= { iso 9 } END");
    let again = load_with_cache(&directory);
    assert!(!again.from_cache);
    assert!(again.names.parse("changed").is_ok() && again.names.parse("old").is_err());
    assert!(load_with_cache(&directory).from_cache);
}

#[test]
fn damaged_cache_is_reported_and_replaced() {
    let directory = TempMibDir::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { iso 9 } END");
    load_with_cache(&directory);
    let path = cache_file(&directory);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let loaded = load_with_cache(&directory);
        assert!(!loaded.from_cache && loaded.names.parse("a").is_ok(), "cut at {cut}");
        let reported = loaded.warnings.iter().any(|problem| problem.message.contains("damaged"));
        assert!(reported, "cut at {cut}: {:?}", loaded.warnings);
        assert!(load_with_cache(&directory).from_cache);
    }
    for position in 0..whole.len() {
        let mut changed = whole.clone();
        changed[position] ^= 0x20;
        fs::write(&path, &changed).unwrap();
        assert!(!load_with_cache(&directory).from_cache, "changed at {position}");
    }
}

#[test]
fn modules_load_with_warning_when_cache_cannot_be_written() {
    let directory = TempMibDir::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { iso 9 } END");
    let loaded = load(&directory.search("ALL").cache("/proc/none".into()));
    assert!(loaded.names.parse("a").is_ok());
    assert!(loaded.warnings.iter().any(|problem| problem.message.contains("cannot write the MIB cache")));
}

fn dir_with_exported_modules() -> TempMibDir {
    let directory = TempMibDir::new();
    for module in modules::ALL {
        directory.write(module.name, &export_smi(module));
    }
    directory
}

fn load_with_cache(directory: &TempMibDir) -> LoadedMibs {
    load(&directory.search("ALL").cache(directory.cache()))
}

fn cache_file(directory: &TempMibDir) -> PathBuf {
    let mut entries = fs::read_dir(directory.cache()).unwrap();
    entries.next().unwrap().unwrap().path()
}
