//! The macros and types of the base modules, which are neither objects nor conventions.

use crate::Module;

/// The definitions of a base module that are neither objects nor conventions.
pub(super) struct Base {
    /// The names of ASN.1 macros.
    pub(super) macros: &'static [&'static str],
    /// The names of types, and their definitions.
    pub(super) types: &'static [(&'static str, &'static str)],
}

/// Returns the additional definitions of `module`; empty for all but the base modules.
pub(super) fn of(module: &Module) -> &'static Base {
    ALL.iter().find(|(name, _)| *name == module.name).map_or(&NO_DEFINITIONS, |(_, base)| base)
}

/// Returns the base module that defines a macro or type.
pub(super) fn home(symbol: &str) -> Option<&'static str> {
    let defines =
        |base: &Base| base.macros.contains(&symbol) || base.types.iter().any(|(name, _)| *name == symbol);
    ALL.iter().find(|(_, base)| defines(base)).map(|(name, _)| *name)
}

/// Returns the outline of a macro. The outline is enough, because programs that load MIB modules
/// have the macros built in.
pub(super) fn macro_text(name: &str) -> String {
    format!(
        "{name} MACRO ::=\nBEGIN\n    TYPE NOTATION ::= empty\n    VALUE NOTATION ::= value (VALUE OBJECT IDENTIFIER)\nEND"
    )
}

const NO_DEFINITIONS: Base = Base { macros: &[], types: &[] };

/// The additional definitions of each base module. The unsigned types have no explicit ranges: the
/// ranges follow from their tags, and smilint rejects explicit ones.
const ALL: &[(&str, Base)] = &[
    (
        "SNMPv2-SMI",
        Base {
            macros: &["MODULE-IDENTITY", "OBJECT-IDENTITY", "OBJECT-TYPE", "NOTIFICATION-TYPE"],
            types: &[
                ("Integer32", "INTEGER (-2147483648..2147483647)"),
                ("IpAddress", "[APPLICATION 0] IMPLICIT OCTET STRING (SIZE (4))"),
                ("Counter32", "[APPLICATION 1] IMPLICIT INTEGER"),
                ("Gauge32", "[APPLICATION 2] IMPLICIT INTEGER"),
                ("Unsigned32", "[APPLICATION 2] IMPLICIT INTEGER"),
                ("TimeTicks", "[APPLICATION 3] IMPLICIT INTEGER"),
                ("Opaque", "[APPLICATION 4] IMPLICIT OCTET STRING"),
                ("Counter64", "[APPLICATION 6] IMPLICIT INTEGER"),
            ],
        },
    ),
    ("SNMPv2-TC", Base { macros: &["TEXTUAL-CONVENTION"], types: &[] }),
    (
        "SNMPv2-CONF",
        Base {
            macros: &["OBJECT-GROUP", "NOTIFICATION-GROUP", "MODULE-COMPLIANCE", "AGENT-CAPABILITIES"],
            types: &[],
        },
    ),
];
