//! Maps object identifiers to definitions, and names that users type to object identifiers.
//!
//! [`Names`] implements this for any set of modules. The functions of this module do the same for
//! [`BUILT_IN`], the built-in definitions. The table of all definitions is sorted on first use;
//! lookups by name do not need it.

mod parse;

use std::{fmt, sync::OnceLock};

use portreeve_smi::OidBuf;

use crate::{Module, Object, modules};

pub use parse::NameError;

/// A set of modules with definitions; earlier modules take precedence.
pub struct Names {
    modules: &'static [&'static Module],
    /// All definitions, sorted by identifier, without duplicates.
    table: OnceLock<Vec<TableEntry>>,
}

/// The names of all built-in definitions.
pub static BUILT_IN: Names = Names::new(modules::ALL);

impl Names {
    /// Creates the names that `modules` define. If a definition refers to another definition,
    /// `modules` must contain both.
    pub const fn new(modules: &'static [&'static Module]) -> Self {
        Self { modules, table: OnceLock::new() }
    }

    /// Returns all modules in order of precedence. Several may have the same name.
    pub fn modules(&self) -> &'static [&'static Module] {
        self.modules
    }

    /// Returns the definition of `oid` or of its nearest defined ancestor. Returns `None` if not
    /// even the first arc is defined.
    pub fn resolve<'a>(&self, oid: &'a [u32]) -> Option<ResolvedName<'a>> {
        let table = self.sorted();
        // The result is the last definition that is not after `oid` in the table, or an ancestor of
        // that definition.
        let before = table.partition_point(|entry| entry.object.arcs() <= oid).checked_sub(1)?;
        let mut entry = *table.get(before)?;
        let mut above = entry.object;
        while !oid.starts_with(entry.object.arcs()) {
            above = above.parent?;
            // If the placeholder has no name, the definition of its nearest named ancestor is used.
            entry = self.find_exactly(above).unwrap_or(entry);
        }
        let suffix = oid.get(entry.object.arcs().len()..)?;
        Some(ResolvedName { object: entry.object, module: entry.module, suffix })
    }

    /// Returns the module that defines `object`.
    pub fn module_of(&self, object: &Object) -> Option<&'static Module> {
        self.find_exactly(object).map(|entry| entry.module)
    }

    /// Returns the module with this name.
    pub fn module(&self, name: &str) -> Option<&'static Module> {
        self.modules.iter().copied().find(|module| module.name == name)
    }

    /// Returns the definition with this name in any module.
    pub fn object(&self, name: &str) -> Option<&'static Object> {
        self.modules.iter().find_map(|module| object_in(module, name))
    }

    /// Returns all definitions, sorted by identifier.
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
            // The sort is stable: if several modules define an identifier, the definition of the
            // first module is kept.
            table.sort_by(|a, b| a.object.arcs().cmp(b.object.arcs()));
            table.dedup_by(|later, earlier| later.object.arcs() == earlier.object.arcs());
            table
        })
    }
}

impl Default for &'static Names {
    fn default() -> Self {
        &BUILT_IN
    }
}

/// Two references are equal if they refer to the same object.
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

/// No definitions except the roots of the tree.
pub static ROOTS_ONLY: Names = Names::new(&[&modules::snmpv2_smi::ROOTS]);

/// The result of resolving an object identifier.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedName<'a> {
    /// The definition of the identifier or of its nearest defined ancestor.
    pub object: &'static Object,
    /// The module of the definition.
    pub module: &'static Module,
    /// The remaining arcs: the index of an instance, or undefined nodes.
    pub suffix: &'a [u32],
}

/// Calls [`Names::parse`] on [`BUILT_IN`].
///
/// # Errors
/// Returns an error if the text is not a known name.
pub fn parse(text: &str) -> Result<OidBuf, NameError> {
    BUILT_IN.parse(text)
}

/// Calls [`Names::resolve`] on [`BUILT_IN`].
pub fn resolve(oid: &[u32]) -> Option<ResolvedName<'_>> {
    BUILT_IN.resolve(oid)
}

/// Calls [`Names::module_of`] on [`BUILT_IN`].
pub fn module_of(object: &Object) -> Option<&'static Module> {
    BUILT_IN.module_of(object)
}

/// Calls [`Names::module`] on [`BUILT_IN`].
pub fn module(name: &str) -> Option<&'static Module> {
    BUILT_IN.module(name)
}

/// Calls [`Names::object`] on [`BUILT_IN`].
pub fn object(name: &str) -> Option<&'static Object> {
    BUILT_IN.object(name)
}

/// Returns the definition with this name in one module.
pub fn object_in(module: &Module, name: &str) -> Option<&'static Object> {
    module.objects.iter().copied().find(|object| object.name == name)
}

/// Calls [`Names::in_order`] on [`BUILT_IN`].
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
