//! From object identifiers to definitions, and from what people type to object identifiers.
//!
//! [`Names`] does so for any set of modules; the functions here are its methods for [`BUILT_IN`], our own definitions.
//! The table of all definitions is sorted when it is first needed; finding one by its name needs no table.

mod parse;

use std::{fmt, sync::OnceLock};

use portreeve_smi::OidBuf;

use crate::{Module, Object, modules};

pub use parse::NameError;

/// What names stand for: modules, the ones before taking precedence over the ones behind.
pub struct Names {
    modules: &'static [&'static Module],
    /// All definitions in the order of their identifiers, one for each.
    table: OnceLock<Vec<TableEntry>>,
}

/// The names of our own definitions.
pub static BUILT_IN: Names = Names::new(modules::ALL);

impl Names {
    /// The names that `modules` define. What a module takes for granted must be defined in one of them too.
    pub const fn new(modules: &'static [&'static Module]) -> Self {
        Self { modules, table: OnceLock::new() }
    }

    /// All modules, in the order of their precedence. Two may have the same name.
    pub fn modules(&self) -> &'static [&'static Module] {
        self.modules
    }

    /// The deepest definition above or at `oid`; `None` where not even its first arc is known.
    pub fn resolve<'a>(&self, oid: &'a [u32]) -> Option<ResolvedName<'a>> {
        let table = self.sorted();
        // The deepest definition above `oid` is the definition just before it, or above that one.
        let before = table.partition_point(|entry| entry.object.arcs() <= oid).checked_sub(1)?;
        let mut entry = *table.get(before)?;
        let mut above = entry.object;
        while !oid.starts_with(entry.object.arcs()) {
            above = above.parent?;
            // A place holder without a name is in no module.
            entry = self.find_exactly(above).unwrap_or(entry);
        }
        let suffix = oid.get(entry.object.arcs().len()..)?;
        Some(ResolvedName { object: entry.object, module: entry.module, suffix })
    }

    /// The module that defines `object`.
    pub fn module_of(&self, object: &Object) -> Option<&'static Module> {
        self.find_exactly(object).map(|entry| entry.module)
    }

    /// The module of this name.
    pub fn module(&self, name: &str) -> Option<&'static Module> {
        self.modules.iter().copied().find(|module| module.name == name)
    }

    /// The definition of this name in any module.
    pub fn object(&self, name: &str) -> Option<&'static Object> {
        self.modules.iter().find_map(|module| object_in(module, name))
    }

    /// All definitions in the order of their identifiers.
    pub fn in_order(&self) -> impl Iterator<Item = (&'static Module, &'static Object)> {
        self.sorted().iter().map(|entry| (entry.module, entry.object))
    }

    fn find_exactly(&self, object: &Object) -> Option<TableEntry> {
        let table = self.sorted();
        let position = table.binary_search_by(|entry| entry.object.arcs().cmp(object.arcs())).ok()?;
        table.get(position).copied()
    }

    fn sorted(&self) -> &[TableEntry] {
        self.table.get_or_init(|| {
            let entries = self.modules.iter().copied().flat_map(|module| {
                module.objects.iter().copied().map(move |object| TableEntry { object, module })
            });
            let mut table: Vec<TableEntry> = entries.collect();
            // Stable: of several definitions of one identifier the first module's stays.
            table.sort_by(|a, b| a.object.arcs().cmp(b.object.arcs()));
            table.dedup_by(|later, kept| later.object.arcs() == kept.object.arcs());
            table
        })
    }
}

impl Default for &'static Names {
    fn default() -> Self {
        &BUILT_IN
    }
}

/// Two references are the same names if they are the same registry.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Names {}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.modules.iter().map(|module| module.name)).finish()
    }
}

/// No definitions but the roots of the tree.
pub static ROOTS_ONLY: Names = Names::new(&[&modules::snmpv2_smi::ROOTS]);

/// What an object identifier names, as far as we know.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedName<'a> {
    /// The deepest definition above or at the identifier.
    pub object: &'static Object,
    /// The module that defines it.
    pub module: &'static Module,
    /// The arcs below it: an instance's index, or what nobody has defined.
    pub suffix: &'a [u32],
}

/// [`Names::parse`] among [`BUILT_IN`].
pub fn parse(text: &str) -> Result<OidBuf, NameError> {
    BUILT_IN.parse(text)
}

/// [`Names::resolve`] among [`BUILT_IN`].
pub fn resolve(oid: &[u32]) -> Option<ResolvedName<'_>> {
    BUILT_IN.resolve(oid)
}

/// [`Names::module_of`] among [`BUILT_IN`].
pub fn module_of(object: &Object) -> Option<&'static Module> {
    BUILT_IN.module_of(object)
}

/// [`Names::module`] among [`BUILT_IN`].
pub fn module(name: &str) -> Option<&'static Module> {
    BUILT_IN.module(name)
}

/// [`Names::object`] among [`BUILT_IN`].
pub fn object(name: &str) -> Option<&'static Object> {
    BUILT_IN.object(name)
}

/// The definition of this name in one module.
pub fn object_in(module: &Module, name: &str) -> Option<&'static Object> {
    module.objects.iter().copied().find(|object| object.name == name)
}

/// [`Names::in_order`] among [`BUILT_IN`].
pub fn in_order() -> impl Iterator<Item = (&'static Module, &'static Object)> {
    BUILT_IN.in_order()
}

#[derive(Clone, Copy)]
struct TableEntry {
    object: &'static Object,
    module: &'static Module,
}

#[cfg(test)]
mod tests;
