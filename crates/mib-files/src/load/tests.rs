use std::fmt::Write;

use super::{from_texts, read_texts};
use crate::{read::MibText, search::ModuleSelector, table::DefinitionTable};

#[test]
fn review_l6_chain_of_nodes_is_cut_at_128_arcs() {
    let mut module = String::from("CHAIN-MIB DEFINITIONS ::= BEGIN IMPORTS enterprises FROM SNMPv2-SMI;\n");
    let mut parent = "enterprises".to_owned();
    for number in 1..=5000 {
        writeln!(module, "n{number} OBJECT IDENTIFIER ::= {{ {parent} 1 }}").unwrap();
        parent = format!("n{number}");
    }
    module +=
        "group OBJECT-GROUP OBJECTS { n5000 } STATUS current DESCRIPTION \"\" ::= { enterprises 2 }\nEND\n";
    let octets = read_texts(vec![text(&module)], &[ModuleSelector::All], Vec::new());
    assert!(octets.len() < 64 * 1024, "{} bytes from {}", octets.len(), module.len());
    let table: DefinitionTable<'_> = postcard::from_bytes(&octets).unwrap();
    let longest = table.objects.iter().map(|row| row.arcs.len()).max();
    assert_eq!(longest, Some(128));
    assert!(
        table.warnings.iter().any(|(path, _, message, _)| path == "test.mib"
            && message == "4878 definitions in CHAIN-MIB have more than 128 sub-identifiers"),
        "{:?}",
        table.warnings
    );
}

#[test]
fn review_l6_chain_of_types_is_cut() {
    let mut module =
        String::from("CHAIN-MIB DEFINITIONS ::= BEGIN IMPORTS enterprises, OBJECT-TYPE FROM SNMPv2-SMI;\n");
    module += "T0 ::= OCTET STRING (SIZE (0..7))\n";
    for number in 1..=50_000 {
        writeln!(module, "T{number} ::= T{}", number - 1).unwrap();
    }
    module += "leaf OBJECT-TYPE SYNTAX T50000 MAX-ACCESS read-only STATUS current DESCRIPTION \"\" ::= { enterprises 2 }\nEND\n";
    let loaded = from_texts(vec![text(&module)]);
    let leaf = loaded.modules.iter().flat_map(|module| module.objects).find(|object| object.name == "leaf");
    // The limits are lost with the end of the chain; a recursion to it would overflow the stack.
    assert_eq!(leaf.unwrap().syntax().map(|syntax| syntax.limits().len()), Some(0));
}

fn text(module: &str) -> MibText {
    MibText::new("test.mib".to_owned(), module.as_bytes().to_vec())
}
