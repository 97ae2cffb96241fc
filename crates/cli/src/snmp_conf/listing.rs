//! Which words are understood: `-H`.

use std::fmt::Write;

use super::directives;

/// Laid out as Net-SNMP lays it out.
pub(crate) fn listing() -> String {
    let mut out = String::from("Configuration directives understood:\n  In snmp.conf and snmp.local.conf:\n");
    for (word, value) in directives::directives() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "    {word:<24} {value}");
    }
    out
}
