//! The modules that the prefixes in a value stand for.

use crate::{ModuleId, Schema};

/// Finds the modules of the names in one value.
pub trait PrefixResolver {
    /// Returns the module that a prefix stands for.
    fn module(&self, prefix: &str) -> Option<ModuleId>;

    /// Returns the module of an identity without a prefix: in XML, the one of the default namespace
    /// (RFC 7950 §9.10.3); in JSON, the one of the leaf (RFC 7951 §6.8).
    fn default_module(&self) -> Option<ModuleId>;

    /// Returns true if a node without a prefix in an instance identifier belongs to the module of
    /// its parent, as in JSON (RFC 7951 §6.11). In XML, each node needs a prefix (RFC 7950
    /// §9.13.2).
    fn inherits_modules(&self) -> bool;
}

/// Takes prefixes as module names, as canonical values and JSON have them (RFC 7951).
#[derive(Clone, Copy, Debug)]
pub struct ModuleNames<'s> {
    schema: &'s Schema,
    default_module: Option<ModuleId>,
}

impl<'s> ModuleNames<'s> {
    /// Creates a resolver for canonical values, in which each identity has its module.
    pub fn new(schema: &'s Schema) -> Self {
        Self { schema, default_module: None }
    }

    /// Creates a resolver for the JSON value of a leaf of this module.
    pub fn of_leaf(schema: &'s Schema, module: ModuleId) -> Self {
        Self { schema, default_module: Some(module) }
    }
}

impl PrefixResolver for ModuleNames<'_> {
    fn module(&self, prefix: &str) -> Option<ModuleId> {
        self.schema.module_by_name(prefix)
    }

    fn default_module(&self) -> Option<ModuleId> {
        self.default_module
    }

    fn inherits_modules(&self) -> bool {
        true
    }
}
