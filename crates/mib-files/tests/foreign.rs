//! Modules as others ship them: those of npm's net-snmp package, which `scripts/setup test` fetches.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]
#![allow(clippy::print_stderr, reason = "what is skipped is told")]

use std::path::PathBuf;

use portreeve_mib::{Object, Syntax, format::Format, modules::if_mib};
use portreeve_mib_files::{Loaded, Search, load};
use portreeve_smi::display_arcs;

#[test]
fn npm_s_modules_are_read_and_agree_with_our_own() {
    let Some(loaded) = npm() else { return };
    let shown = |name: &str| loaded.names.parse(name).map(|oid| display_arcs(&oid).to_string());
    assert_eq!(shown("RFC1213-MIB::ipForwarding.0").as_deref(), Ok("1.3.6.1.2.1.4.1.0"));
    assert_eq!(shown("IF-MIB::ifHCInOctets.3").as_deref(), Ok("1.3.6.1.2.1.31.1.1.1.6.3"));
    let theirs = loaded.modules.iter().find(|module| module.name == "IF-MIB").unwrap();
    for ours in if_mib::MODULE.objects {
        let them = theirs.objects.iter().find(|them| them.name == ours.name);
        let them = them.unwrap_or_else(|| panic!("{ours:?} is missing"));
        assert_eq!(them.arcs(), ours.arcs(), "{ours:?}");
        let base = |object: &Object| object.syntax().map(|syntax| syntax.base);
        assert_eq!(base(them), base(ours), "{ours:?}");
        // Theirs is older: it lacks some types of interfaces.
        let labels = |object: &Object| object.syntax().map_or(&[][..], Syntax::labels);
        assert!(labels(them).iter().all(|label| labels(ours).contains(label)), "{ours:?}");
        assert_eq!(them.max_access(), ours.max_access(), "{ours:?}");
    }
}

#[test]
fn tables_that_several_generations_of_mib_ii_define_keep_their_columns() {
    let Some(loaded) = npm() else { return };
    let shown = |name: &[u32]| {
        let mut text = String::new();
        Format { definitions: loaded.names, ..Format::default() }.name(&mut text, name);
        text
    };
    assert_eq!(
        shown(&[1, 3, 6, 1, 2, 1, 3, 1, 1, 2, 2, 1, 10, 0, 0, 1]),
        "RFC1213-MIB::atPhysAddress.2.1.10.0.0.1"
    );
    assert_eq!(
        shown(&[1, 3, 6, 1, 2, 1, 4, 20, 1, 3, 10, 0, 0, 1]),
        "IP-MIB::ipAdEntNetMask.10.0.0.1",
        "ours first"
    );
    let column = loaded.names.object("ipAdEntNetMask").unwrap();
    let index = column.index().unwrap();
    assert_eq!(index.objects.first().unwrap().name, "ipAdEntAddr");
}

#[test]
fn npm_s_modules_are_read_without_complaint() {
    let Some(loaded) = npm() else { return };
    let told: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{told:#?}");
}

fn npm() -> Option<Loaded> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/interop/node/node_modules/net-snmp/lib/mibs");
    if !directory.is_dir() {
        eprintln!("skipped: npm's net-snmp is not there; run scripts/setup test");
        return None;
    }
    Some(load(&Search::new(None).directories(directory.to_str().unwrap()).modules("ALL")))
}
