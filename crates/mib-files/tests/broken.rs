//! Broken files: each is told with its line, and nothing else suffers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod fixture;

use fixture::Directory;
use portreeve_mib::format::Format;
use portreeve_smi::{Value, display_arcs};

#[test]
fn a_broken_definition_is_told_with_its_line_and_the_others_stay() {
    let directory = Directory::new();
    directory.write("BROKEN-MIB.txt", BROKEN);
    let loaded = directory.load("BROKEN-MIB");
    let told: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    let path = directory.path("BROKEN-MIB.txt");
    for (line, word) in [(3, "NO-SUCH-MIB"), (12, "NoSuchType"), (14, "nowhere"), (17, "MAX-ACCESS")] {
        let place = format!("{path}:{line}: ");
        let found =
            told.iter().any(|told| told.starts_with(&place) && told.contains(word) && told.contains("; "));
        assert!(found, "{place}{word} is not told in {told:#?}");
    }
    let known = |name: &str| loaded.names.parse(name).map(|oid| display_arcs(&oid).to_string());
    assert_eq!(known("BROKEN-MIB::good").as_deref(), Ok("1.3.6.1.4.1.99999.1"));
    assert_eq!(known("bad").as_deref(), Ok("1.3.6.1.4.1.99999.2"));
    assert_eq!(known("last").as_deref(), Ok("1.3.6.1.4.1.99999.9"));
    assert!(known("lost").is_err());
    let mut line = String::new();
    let format = Format { definitions: loaded.names, ..Format::default() };
    format.variable(&mut line, &[1, 3, 6, 1, 4, 1, 99999, 1, 0], &Value::Integer(2));
    assert_eq!(line, "BROKEN-MIB::good.0 = INTEGER: b(2)");
}

#[test]
fn files_that_are_no_modules_do_not_stop_the_others() {
    let directory = Directory::new();
    directory.write("A-MIB.txt", BROKEN);
    directory.write("noise.bin", &"\0\u{1b}[31m\u{fffd}\"'{".repeat(1000));
    directory.write("EMPTY-MIB", "");
    directory.write("TORN-MIB", "TORN-MIB DEFINITIONS ::= BEGIN IMPORTS a FROM");
    directory.write("DEEP-MIB", &format!("DEEP-MIB DEFINITIONS ::= BEGIN x ::= {}", "{".repeat(200_000)));
    directory.write("GOOD-MIB", GOOD);
    let loaded = directory.load("ALL:NO-MIB");
    assert!(loaded.names.parse("GOOD-MIB::goodNode").is_ok(), "{:?}", loaded.problems);
    let missing = loaded.problems.iter().any(|problem| problem.what == "Cannot find module (NO-MIB)");
    assert!(missing, "{:?}", loaded.problems);
    for problem in &loaded.problems {
        assert!(!problem.to_string().chars().any(char::is_control), "{problem}");
    }
}

#[test]
fn circles_are_cut() {
    let directory = Directory::new();
    directory.write("CIRCLE-MIB", CIRCLE);
    let loaded = directory.load("CIRCLE-MIB");
    for module in &loaded.modules {
        for object in module.objects {
            let _ = (object.index(), object.syntax().map(|syntax| (syntax.limits(), syntax.hint())));
        }
    }
    assert!(loaded.names.parse("circleRoot").is_ok(), "{:?}", loaded.problems);
}

#[test]
fn the_later_directory_s_module_is_read_as_net_snmp_does() {
    let (first, second) = (Directory::new(), Directory::new());
    first.write("GOOD-MIB", GOOD);
    second.write("GOOD-MIB", &GOOD.replace("goodNode", "betterNode"));
    let loaded = first.load_beside(&second, "GOOD-MIB");
    assert!(loaded.names.parse("betterNode").is_ok());
    assert!(loaded.names.parse("goodNode").is_err());
}

#[test]
fn what_nobody_has_named_is_shown_as_a_number() {
    let directory = Directory::new();
    directory.write("GOOD-MIB", GOOD);
    let loaded = directory.load("GOOD-MIB");
    let shown = |letters: &str, oid: &[u32]| {
        let mut format = Format { definitions: loaded.names, ..Format::default() };
        format.apply(letters).unwrap();
        let mut out = String::new();
        format.name(&mut out, oid);
        out
    };
    assert_eq!(shown("S", &[1, 3, 6, 1, 4, 1, 99998, 7, 1, 5]), "GOOD-MIB::deepNode.5");
    assert_eq!(shown("S", &[1, 3, 6, 1, 4, 1, 99998, 7, 2]), "GOOD-MIB::goodNode.7.2");
    assert_eq!(
        shown("f", &[1, 3, 6, 1, 4, 1, 99998, 7, 1]),
        ".iso.org.dod.internet.private.enterprises.goodNode.7.deepNode"
    );
}

#[test]
fn nothing_wanted_looks_at_nothing() {
    let directory = Directory::new();
    directory.write("BROKEN-MIB.txt", BROKEN);
    let loaded = directory.load("");
    assert!(loaded.problems.is_empty() && loaded.modules.is_empty());
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
