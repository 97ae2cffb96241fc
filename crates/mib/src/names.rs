//! From object identifiers to definitions, and from what people type to object identifiers.
//!
//! The table of all definitions is sorted when it is first needed; finding one by its name needs no table.

mod parse;

use std::sync::OnceLock;

use crate::{Module, Object, modules};

pub use parse::{NameError, parse};

/// What an object identifier names, as far as we know.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'a> {
    /// The deepest definition above or at the identifier.
    pub object: &'static Object,
    /// The module that defines it.
    pub module: &'static Module,
    /// The arcs below it: an instance's index, or what nobody has defined.
    pub suffix: &'a [u32],
}

/// The deepest definition above or at `oid`; `None` where not even its first arc is known.
pub fn resolve(oid: &[u32]) -> Option<Resolved<'_>> {
    let table = sorted();
    // The deepest definition above `oid` is the definition just before it, or above that one.
    let before = table.partition_point(|entry| entry.object.arcs() <= oid).checked_sub(1)?;
    let mut entry = *table.get(before)?;
    while !oid.starts_with(entry.object.arcs()) {
        entry = find_exactly(entry.object.parent?)?;
    }
    let suffix = oid.get(entry.object.arcs().len()..)?;
    Some(Resolved { object: entry.object, module: entry.module, suffix })
}

/// The module that defines `object`.
pub fn module_of(object: &Object) -> Option<&'static Module> {
    find_exactly(object).map(|entry| entry.module)
}

/// The module of this name.
pub fn module(name: &str) -> Option<&'static Module> {
    modules::ALL.iter().copied().find(|module| module.name == name)
}

/// The definition of this name in any module.
pub fn object(name: &str) -> Option<&'static Object> {
    modules::ALL.iter().find_map(|module| object_in(module, name))
}

/// The definition of this name in one module.
pub fn object_in(module: &Module, name: &str) -> Option<&'static Object> {
    module.objects.iter().copied().find(|object| object.name == name)
}

/// All definitions in the order of their identifiers.
pub fn in_order() -> impl Iterator<Item = (&'static Module, &'static Object)> {
    sorted().iter().map(|entry| (entry.module, entry.object))
}

#[derive(Clone, Copy)]
struct Entry {
    object: &'static Object,
    module: &'static Module,
}

fn find_exactly(object: &Object) -> Option<Entry> {
    let table = sorted();
    let position = table.binary_search_by(|entry| entry.object.arcs().cmp(object.arcs())).ok()?;
    table.get(position).copied()
}

fn sorted() -> &'static [Entry] {
    static TABLE: OnceLock<Vec<Entry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entries = modules::ALL
            .iter()
            .copied()
            .flat_map(|module| module.objects.iter().copied().map(move |object| Entry { object, module }));
        let mut table: Vec<Entry> = entries.collect();
        table.sort_unstable_by(|a, b| a.object.arcs().cmp(b.object.arcs()));
        table
    })
}

#[cfg(test)]
mod tests;
