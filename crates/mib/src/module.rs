//! A MIB module: definitions under one name.

use crate::{Convention, Object};

/// The definitions of one MIB module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name, such as `IF-MIB`.
    pub name: &'static str,
    /// LAST-UPDATED in SMIv2's form; empty for a module without MODULE-IDENTITY.
    pub last_updated: &'static str,
    /// Who defines it, such as `RFC 2863`.
    pub reference: &'static str,
    /// What it is about, in a few words of ours.
    pub description: &'static str,
    /// Its textual conventions.
    pub conventions: &'static [&'static Convention],
    /// Its nodes of any kind.
    pub objects: &'static [&'static Object],
}
