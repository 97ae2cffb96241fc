//! Broken files: each error is reported with its line, and everything else is loaded.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod fixture;

use fixture::TempMibDir;
use portreeve_mib::format::OutputFormat;
use portreeve_smi::{Value, display_arcs};

#[test]
fn broken_definition_is_reported_with_line_and_other_definitions_load() {
    let directory = TempMibDir::new();
    directory.write("BROKEN-MIB.txt", BROKEN);
    let loaded = directory.load("BROKEN-MIB");
    let reported: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    let path = directory.path("BROKEN-MIB.txt");
    for (line, word) in [(3, "NO-SUCH-MIB"), (12, "NoSuchType"), (14, "nowhere"), (17, "MAX-ACCESS")] {
        let location = format!("{path}:{line}: ");
        let found = reported.iter().any(|reported| {
            reported.starts_with(&location) && reported.contains(word) && reported.contains("; ")
        });
        assert!(found, "{location}{word} is not reported in {reported:#?}");
    }
    let known = |name: &str| loaded.names.parse(name).map(|oid| display_arcs(&oid).to_string());
    assert_eq!(known("BROKEN-MIB::good").as_deref(), Ok("1.3.6.1.4.1.99999.1"));
    assert_eq!(known("bad").as_deref(), Ok("1.3.6.1.4.1.99999.2"));
    assert_eq!(known("last").as_deref(), Ok("1.3.6.1.4.1.99999.9"));
    assert!(known("lost").is_err());
    let mut line = String::new();
    let format = OutputFormat { definitions: loaded.names, ..OutputFormat::default() };
    format.variable(&mut line, &[1, 3, 6, 1, 4, 1, 99999, 1, 0], &Value::Integer(2));
    assert_eq!(line, "BROKEN-MIB::good.0 = INTEGER: b(2)");
}

#[test]
fn files_without_valid_modules_do_not_prevent_loading_of_other_files() {
    let directory = TempMibDir::new();
    directory.write("A-MIB.txt", BROKEN);
    directory.write("noise.bin", &"\0\u{1b}[31m\u{fffd}\"'{".repeat(1000));
    directory.write("EMPTY-MIB", "");
    directory.write("TORN-MIB", "TORN-MIB DEFINITIONS ::= BEGIN IMPORTS a FROM");
    directory.write("DEEP-MIB", &format!("DEEP-MIB DEFINITIONS ::= BEGIN x ::= {}", "{".repeat(200_000)));
    directory.write("GOOD-MIB", GOOD);
    let loaded = directory.load("ALL:NO-MIB");
    assert!(loaded.names.parse("GOOD-MIB::goodNode").is_ok(), "{:?}", loaded.warnings);
    let missing = loaded.warnings.iter().any(|problem| problem.message == "Cannot find module (NO-MIB)");
    assert!(missing, "{:?}", loaded.warnings);
    for problem in &loaded.warnings {
        assert!(!problem.to_string().chars().any(char::is_control), "{problem}");
    }
}

#[test]
fn module_with_circular_definitions_is_loaded() {
    let directory = TempMibDir::new();
    directory.write("CIRCLE-MIB", CIRCLE);
    let loaded = directory.load("CIRCLE-MIB");
    for module in &loaded.modules {
        for object in module.objects {
            let _ = (object.index(), object.syntax().map(|syntax| (syntax.limits(), syntax.hint())));
        }
    }
    assert!(loaded.names.parse("circleRoot").is_ok(), "{:?}", loaded.warnings);
}

#[test]
fn module_of_later_directory_takes_precedence() {
    let (first, second) = (TempMibDir::new(), TempMibDir::new());
    first.write("GOOD-MIB", GOOD);
    second.write("GOOD-MIB", &GOOD.replace("goodNode", "betterNode"));
    let loaded = first.load_beside(&second, "GOOD-MIB");
    assert!(loaded.names.parse("betterNode").is_ok());
    assert!(loaded.names.parse("goodNode").is_err());
}

#[test]
fn oid_nodes_without_name_are_printed_as_numbers() {
    let directory = TempMibDir::new();
    directory.write("GOOD-MIB", GOOD);
    let loaded = directory.load("GOOD-MIB");
    let format_name = |letters: &str, oid: &[u32]| {
        let mut format = OutputFormat { definitions: loaded.names, ..OutputFormat::default() };
        format.apply(letters).unwrap();
        let mut out = String::new();
        format.name(&mut out, oid);
        out
    };
    assert_eq!(format_name("S", &[1, 3, 6, 1, 4, 1, 99998, 7, 1, 5]), "GOOD-MIB::deepNode.5");
    assert_eq!(format_name("S", &[1, 3, 6, 1, 4, 1, 99998, 7, 2]), "GOOD-MIB::goodNode.7.2");
    assert_eq!(
        format_name("f", &[1, 3, 6, 1, 4, 1, 99998, 7, 1]),
        ".iso.org.dod.internet.private.enterprises.goodNode.7.deepNode"
    );
}

#[test]
fn load_does_not_read_files_if_module_list_is_empty() {
    let directory = TempMibDir::new();
    directory.write("BROKEN-MIB.txt", BROKEN);
    let loaded = directory.load("");
    assert!(loaded.warnings.is_empty() && loaded.modules.is_empty());
    assert_eq!(loaded.names, &portreeve_mib::names::BUILT_IN);
}

const GOOD: &str = "GOOD-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises FROM SNMPv2-SMI;
goodNode OBJECT IDENTIFIER ::= { enterprises 99998 }
deepNode OBJECT IDENTIFIER ::= { goodNode 7 1 }
END
";

const BROKEN: &str = "BROKEN-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE, MODULE-IDENTITY FROM SNMPv2-SMI
    Foo FROM NO-SUCH-MIB;

broken MODULE-IDENTITY
    LAST-UPDATED \"202601010000Z\" ORGANIZATION \"x\" CONTACT-INFO \"x\" DESCRIPTION \"x\"
    ::= { enterprises 99999 }

good OBJECT-TYPE SYNTAX INTEGER { a(1), b(2) }
    MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { broken 1 }

bad OBJECT-TYPE SYNTAX NoSuchType MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { broken 2 }

lost OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { nowhere 2 }

torn OBJECT-TYPE SYNTAX
after OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { broken 4 }

last OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { broken 9 }
END
";

const CIRCLE: &str = "CIRCLE-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE FROM SNMPv2-SMI TEXTUAL-CONVENTION FROM SNMPv2-TC;
circleRoot OBJECT IDENTIFIER ::= { enterprises 99997 }
one OBJECT IDENTIFIER ::= { two 1 }
two OBJECT IDENTIFIER ::= { one 1 }
Wheel ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION \"x\" SYNTAX Cog
Cog ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION \"x\" SYNTAX Wheel
spin OBJECT-TYPE SYNTAX Wheel MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { circleRoot 1 }
aTable OBJECT-TYPE SYNTAX SEQUENCE OF AEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION \"x\"
    ::= { circleRoot 2 }
aEntry OBJECT-TYPE SYNTAX AEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION \"x\"
    AUGMENTS { bEntry } ::= { aTable 1 }
AEntry ::= SEQUENCE { aColumn Integer32 }
aColumn OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { aEntry 1 }
bTable OBJECT-TYPE SYNTAX SEQUENCE OF BEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION \"x\"
    ::= { circleRoot 3 }
bEntry OBJECT-TYPE SYNTAX BEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION \"x\"
    AUGMENTS { aEntry } ::= { bTable 1 }
BEntry ::= SEQUENCE { bColumn Integer32 }
bColumn OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION \"x\" ::= { bEntry 1 }
END
";
