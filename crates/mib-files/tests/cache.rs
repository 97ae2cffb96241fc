//! The cache: the same answers, sooner; stale or damaged ones are not believed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod fixture;

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use fixture::Directory;
use portreeve_mib::{export::export_smi, modules};
use portreeve_mib_files::{Loaded, load};

#[test]
fn a_second_start_finds_the_same_and_reads_no_module() {
    let directory = with_our_own();
    directory.write("TORN-MIB", "TORN-MIB DEFINITIONS ::= BEGIN x OBJECT IDENTIFIER ::= { nowhere 1 } END");
    let (first, second) = (start(&directory), start(&directory));
    assert!(!first.cached && second.cached);
    assert!(!first.problems.is_empty());
    assert_eq!(first.problems, second.problems);
    let names = |loaded: &Loaded| -> Vec<_> {
        loaded.names.in_order().map(|(module, object)| (module.name, object.name, object.oid())).collect()
    };
    assert_eq!(names(&first), names(&second));
}

#[test]
fn the_cache_is_for_nobody_else() {
    let directory = with_our_own();
    start(&directory);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(directory.cache()), 0o700);
    assert_eq!(mode(cache_file(&directory)), 0o600);
    assert_eq!(fs::read_dir(directory.cache()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_changed_file_is_read_anew() {
    let directory = Directory::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN old OBJECT IDENTIFIER ::= { iso 9 } END");
    start(&directory);
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN changed OBJECT IDENTIFIER ::= { iso 9 } END");
    let again = start(&directory);
    assert!(!again.cached);
    assert!(again.names.parse("changed").is_ok() && again.names.parse("old").is_err());
    assert!(start(&directory).cached);
}

#[test]
fn a_damaged_cache_is_told_and_replaced() {
    let directory = Directory::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { iso 9 } END");
    start(&directory);
    let path = cache_file(&directory);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let loaded = start(&directory);
        assert!(!loaded.cached && loaded.names.parse("a").is_ok(), "cut at {cut}");
        let told = loaded.problems.iter().any(|problem| problem.what.contains("damaged"));
        assert!(told, "cut at {cut}: {:?}", loaded.problems);
        assert!(start(&directory).cached);
    }
    for position in 0..whole.len() {
        let mut changed = whole.clone();
        changed[position] ^= 0x20;
        fs::write(&path, &changed).unwrap();
        assert!(!start(&directory).cached, "changed at {position}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_only_told() {
    let directory = Directory::new();
    directory.write("A-MIB", "A-MIB DEFINITIONS ::= BEGIN a OBJECT IDENTIFIER ::= { iso 9 } END");
    let loaded = load(&directory.search("ALL").cache("/proc/none".into()));
    assert!(loaded.names.parse("a").is_ok());
    assert!(loaded.problems.iter().any(|problem| problem.what.contains("cannot be written")));
}

fn with_our_own() -> Directory {
    let directory = Directory::new();
    for module in modules::ALL {
        directory.write(module.name, &export_smi(module));
    }
    directory
}

fn start(directory: &Directory) -> Loaded {
    load(&directory.search("ALL").cache(directory.cache()))
}

fn cache_file(directory: &Directory) -> PathBuf {
    let mut entries = fs::read_dir(directory.cache()).unwrap();
    entries.next().unwrap().unwrap().path()
}
