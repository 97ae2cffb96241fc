//! The modules that the prefixes of a document stand for.

use portreeve_yang::{ModuleId, PrefixResolver, Schema};

use crate::xml::Scope;

/// The prefixes in scope at an element.
pub(super) struct ScopePrefixes<'a> {
    pub(super) schema: &'a Schema,
    pub(super) scope: Scope<'a>,
}

impl PrefixResolver for ScopePrefixes<'_> {
    fn module(&self, prefix: &str) -> Option<ModuleId> {
        self.schema.module_by_namespace(self.scope.resolve(prefix)?)
    }

    fn default_module(&self) -> Option<ModuleId> {
        self.module("")
    }

    fn inherits_modules(&self) -> bool {
        false
    }
}
