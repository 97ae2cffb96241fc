//! The list of supported directives: `-H`.

use std::fmt::Write;

use super::directives;

/// Returns the list in the layout of Net-SNMP.
pub(crate) fn listing() -> String {
    let mut out = String::from("Configuration directives understood:\n  In snmp.conf and snmp.local.conf:\n");
    for (word, value) in directives::directives() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "    {word:<24} {value}");
    }
    out
}
