//! A MIB module: a named set of definitions.

use crate::{Convention, Object};

/// The definitions of one MIB module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// The module name, such as `IF-MIB`.
    pub name: &'static str,
    /// LAST-UPDATED in SMIv2's format; empty for a module without MODULE-IDENTITY.
    pub last_updated: &'static str,
    /// The defining document, such as `RFC 2863`.
    pub reference: &'static str,
    /// A short description, written for this project.
    pub description: &'static str,
    /// The textual conventions that the module defines.
    pub conventions: &'static [&'static Convention],
    /// The nodes of all kinds that the module defines.
    pub objects: &'static [&'static Object],
}
