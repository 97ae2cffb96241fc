use std::fmt::Write;

use super::{from_texts, read_texts};
use crate::{read::MibText, search::ModuleSelector, table::DefinitionTable};

#[test]
fn review_l6_chain_of_nested_nodes_is_cut_at_oid_of_128_arcs() {
    let mut module = String::from("CHAIN-MIB DEFINITIONS ::= BEGIN IMPORTS enterprises FROM SNMPv2-SMI;\n");
    let mut parent = "enterprises".to_owned();
    for number in 1..=100_000 {
        writeln!(module, "n{number} OBJECT IDENTIFIER ::= {{ {parent} 1 }}").unwrap();
        parent = format!("n{number}");
    }
    module +=
        "group OBJECT-GROUP OBJECTS { n100000 } STATUS current DESCRIPTION \"\" ::= { enterprises 2 }\nEND\n";
    let octets = read_texts(vec![text(&module)], &[ModuleSelector::All], Vec::new());
    assert!(peak_memory() < 2 << 20, "{} KiB", peak_memory());
    assert!(octets.len() < 64 * 1024, "{} bytes from {}", octets.len(), module.len());
    let table: DefinitionTable<'_> = postcard::from_bytes(&octets).unwrap();
    let longest = table.objects.iter().map(|row| row.arcs.len()).max();
    assert_eq!(longest, Some(128));
    let (path, _, message, _) = table.warnings.first().unwrap();
    assert_eq!(path, "test.mib");
    assert!(
        message.ends_with("definitions are circular, or refer to a chain of too many other definitions"),
        "{message}"
    );
}

#[test]
fn review_l6_chain_of_derived_types_is_cut_at_maximum_length() {
    let mut module =
        String::from("CHAIN-MIB DEFINITIONS ::= BEGIN IMPORTS enterprises, OBJECT-TYPE FROM SNMPv2-SMI;\n");
    module += "T0 ::= OCTET STRING (SIZE (0..7))\n";
    for number in 1..=100_000 {
        writeln!(module, "T{number} ::= T{}", number - 1).unwrap();
    }
    module += "leaf OBJECT-TYPE SYNTAX T100000 MAX-ACCESS read-only STATUS current DESCRIPTION \"\" ::= { enterprises 2 }\nEND\n";
    let loaded = from_texts(vec![text(&module)]);
    let convention = |name: &str| {
        let mut conventions = loaded.modules.iter().flat_map(|module| module.conventions);
        conventions.find(|convention| convention.name == name).map(|found| found.syntax.limits().len())
    };
    assert_eq!(convention("T30"), Some(1));
    assert_eq!(convention("T40"), None);
    assert!(loaded.warnings.iter().any(|warning| warning.message.ends_with("too many other definitions")));
}

/// Returns the maximum memory that this process has used so far, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

fn text(module: &str) -> MibText {
    MibText::new("test.mib".to_owned(), module.as_bytes().to_vec())
}
