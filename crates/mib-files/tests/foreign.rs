//! Modules from another project: those of npm's net-snmp package, which `scripts/setup test`
//! downloads.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]
#![allow(clippy::print_stderr, reason = "prints a line if skipped")]

use std::path::PathBuf;

use portreeve_mib::{Object, Syntax, format::OutputFormat, modules::if_mib};
use portreeve_mib_files::{LoadedMibs, MibSearch, load};
use portreeve_smi::display_arcs;

#[test]
fn if_mib_of_npm_package_matches_built_in_if_mib() {
    let Some(loaded) = load_npm_modules() else { return };
    let resolve = |name: &str| loaded.names.parse(name).map(|oid| display_arcs(&oid).to_string());
    assert_eq!(resolve("RFC1213-MIB::ipForwarding.0").as_deref(), Ok("1.3.6.1.2.1.4.1.0"));
    assert_eq!(resolve("IF-MIB::ifHCInOctets.3").as_deref(), Ok("1.3.6.1.2.1.31.1.1.1.6.3"));
    let npm_module = loaded.modules.iter().find(|module| module.name == "IF-MIB").unwrap();
    for built_in in if_mib::MODULE.objects {
        let npm_object = npm_module.objects.iter().find(|npm_object| npm_object.name == built_in.name);
        let npm_object = npm_object.unwrap_or_else(|| panic!("{built_in:?} is missing"));
        assert_eq!(npm_object.arcs(), built_in.arcs(), "{built_in:?}");
        let base = |object: &Object| object.syntax().map(|syntax| syntax.base);
        assert_eq!(base(npm_object), base(built_in), "{built_in:?}");
        // The module of the npm package is older and lacks some interface types.
        let labels = |object: &Object| object.syntax().map_or(&[][..], Syntax::labels);
        assert!(labels(npm_object).iter().all(|label| labels(built_in).contains(label)), "{built_in:?}");
        assert_eq!(npm_object.max_access(), built_in.max_access(), "{built_in:?}");
    }
}

#[test]
fn columns_defined_by_several_mib_ii_versions_are_found_by_oid() {
    let Some(loaded) = load_npm_modules() else { return };
    let resolve = |name: &[u32]| {
        let mut text = String::new();
        OutputFormat { definitions: loaded.names, ..OutputFormat::default() }.name(&mut text, name);
        text
    };
    assert_eq!(
        resolve(&[1, 3, 6, 1, 2, 1, 3, 1, 1, 2, 2, 1, 10, 0, 0, 1]),
        "RFC1213-MIB::atPhysAddress.2.1.10.0.0.1"
    );
    assert_eq!(
        resolve(&[1, 3, 6, 1, 2, 1, 4, 20, 1, 3, 10, 0, 0, 1]),
        "IP-MIB::ipAdEntNetMask.10.0.0.1",
        "the built-in definition takes precedence"
    );
    let column = loaded.names.object("ipAdEntNetMask").unwrap();
    let index = column.index().unwrap();
    assert_eq!(index.objects.first().unwrap().name, "ipAdEntAddr");
}

#[test]
fn mib_modules_of_npm_package_load_without_warnings() {
    let Some(loaded) = load_npm_modules() else { return };
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{warnings:#?}");
}

fn load_npm_modules() -> Option<LoadedMibs> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/interop/node/node_modules/net-snmp/lib/mibs");
    if !directory.is_dir() {
        eprintln!("skipped: npm's net-snmp is not installed; run scripts/setup test");
        return None;
    }
    Some(load(&MibSearch::new(None).directories(directory.to_str().unwrap()).modules("ALL")))
}
