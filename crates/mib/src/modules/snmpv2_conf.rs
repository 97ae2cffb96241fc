//! ASN.1 macros (SNMPv2-CONF, RFC 2580). The module defines no objects, but exported text imports
//! from it.

use crate::Module;

/// SNMPv2-CONF, which is empty.
pub static MODULE: Module = Module {
    name: "SNMPv2-CONF",
    last_updated: "",
    reference: "RFC 2580",
    description: "Conformance macros.",
    conventions: &[],
    objects: &[],
};
