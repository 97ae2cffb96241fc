//! DEFVAL clauses are loaded with the definitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod fixture;

use fixture::TempMibDir;
use portreeve_mib::{Kind, object::DefaultValue};

#[test]
fn default_values_of_objects_are_loaded_from_defval_clauses() {
    let directory = TempMibDir::new();
    directory.write("D-MIB.txt", TEXT);
    let loaded = directory.load("D-MIB");
    let default_of = |name: &str| {
        let mut objects = loaded.modules.iter().flat_map(|module| module.objects);
        let object = objects.find(|object| object.name == name).unwrap();
        match object.kind {
            Kind::Scalar(leaf) | Kind::Column(leaf) => match leaf.default {
                Some(DefaultValue::Number(number)) => number.to_string(),
                Some(DefaultValue::Label(label)) => label.to_owned(),
                Some(DefaultValue::Text(text)) => format!("{text:?}"),
                Some(DefaultValue::Octets(octets)) => format!("{octets:x?}"),
                Some(DefaultValue::Object(_)) | None => "none".to_owned(),
            },
            _ => panic!("{name} is not a leaf"),
        }
    };
    assert_eq!(
        ["dNumber", "dLabel", "dText", "dOctets", "dNone"].map(default_of),
        ["-7", "two", "\"so\"", "[1, ff]", "none"]
    );
}

const TEXT: &str = r#"D-MIB DEFINITIONS ::= BEGIN
IMPORTS OBJECT-TYPE, Integer32, enterprises FROM SNMPv2-SMI;
d OBJECT IDENTIFIER ::= { enterprises 99998 }
dNumber OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-write STATUS current DESCRIPTION "" DEFVAL { -7 } ::= { d 1 }
dLabel OBJECT-TYPE SYNTAX INTEGER { one(1), two(2) } MAX-ACCESS read-write STATUS current DESCRIPTION ""
  DEFVAL { two } ::= { d 2 }
dText OBJECT-TYPE SYNTAX OCTET STRING MAX-ACCESS read-write STATUS current DESCRIPTION "" DEFVAL { "so" } ::= { d 3 }
dOctets OBJECT-TYPE SYNTAX OCTET STRING MAX-ACCESS read-write STATUS current DESCRIPTION ""
  DEFVAL { '01ff'H } ::= { d 4 }
dNone OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-write STATUS current DESCRIPTION "" ::= { d 5 }
END
"#;
