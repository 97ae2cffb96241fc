//! Modules and identities.

use std::collections::HashSet;

use portreeve_yang::{Identity, Import, Module, ModuleId, Submodule};

use super::{Converter, nodes::status};
use crate::{
    Problem,
    libyang::{Module as CompiledModule, Node},
    locate::Locator,
};

impl<'c> Converter<'c, '_> {
    /// Adds the implemented modules, and all modules that they import, directly or indirectly.
    pub(super) fn add_modules(&mut self) {
        for module in self.wanted_modules() {
            let converted = self.module(module);
            let id = self.builder.add_module(converted);
            self.modules.insert(module.address(), id);
        }
        self.locator = Locator::new(self.files.files());
    }

    fn wanted_modules(&self) -> Vec<CompiledModule<'c>> {
        let mut wanted: Vec<CompiledModule<'c>> = Vec::new();
        let mut next: Vec<_> = self.context.modules().filter(|module| self.is_implemented(*module)).collect();
        while let Some(module) = next.pop() {
            if !wanted.contains(&module) {
                wanted.push(module);
                next.extend(module.imports().into_iter().map(|import| import.module));
            }
        }
        self.context.modules().filter(|module| wanted.contains(module)).collect()
    }

    /// Returns true if the nodes of a module are part of the schema. libyang implements some of its
    /// built-in modules without need.
    pub(super) fn is_implemented(&self, module: CompiledModule<'c>) -> bool {
        let name = module.name();
        let is_wanted = |wanted: &String| wanted == name;
        module.is_implemented()
            && (!self.built_in.iter().any(is_wanted) || self.requested.iter().any(is_wanted))
    }

    pub(super) fn module_of(&self, node: Node<'c>) -> Option<ModuleId> {
        self.modules.get(&node.module()?.address()).copied()
    }

    fn module(&mut self, module: CompiledModule<'c>) -> Module {
        let revision = module.revision().unwrap_or_default();
        let text = match self.files.find(module.name(), revision, None) {
            Some(file) => file.text.clone(),
            // libyang has an equivalent text of a built-in module without a file.
            None => match module.print().filter(|_| self.built_in.iter().any(|name| name == module.name())) {
                Some(text) => self.files.add_text(module.name(), revision, text).text.clone(),
                None => self.reject_text(module.name()),
            },
        };
        let submodules: Vec<_> = module
            .submodules()
            .map(|submodule| {
                let revision = submodule.revision.unwrap_or_default();
                let file = self.files.find(submodule.name, revision, Some(module.name()));
                let text = match file {
                    Some(file) => file.text.clone(),
                    None => self.reject_text(submodule.name),
                };
                Submodule { name: submodule.name.into(), revision: revision.into(), text: text.into() }
            })
            .collect();
        let mut imports: Vec<Import> = Vec::new();
        for import in module.imports() {
            let import = Import {
                prefix: import.prefix.into(),
                module: import.module.name().into(),
                revision: import.module.revision().unwrap_or_default().into(),
            };
            // Submodules import for themselves.
            if !imports.contains(&import) {
                imports.push(import);
            }
        }
        let features = module.features().into_iter().filter(|feature| feature.is_enabled);
        Module {
            name: module.name().into(),
            namespace: module.namespace().into(),
            prefix: module.prefix().into(),
            revision: revision.into(),
            yang_version: module.yang_version(),
            features: features.map(|feature| feature.name.into()).collect(),
            deviations: module.deviated_by().map(|deviating| deviating.name().into()).collect(),
            is_implemented: self.is_implemented(module),
            text: text.into(),
            submodules,
            imports,
        }
    }

    /// Adds a problem, because `get-schema` would not return the text that was compiled.
    fn reject_text(&mut self, name: &str) -> String {
        self.problems.push(Problem::new(format!("the text of {name} cannot be found again")));
        String::new()
    }

    /// Adds the identities of all modules whose features are enabled. Those that are derived from
    /// a disabled one are derived from its bases, as in libyang.
    pub(super) fn add_identities(&mut self) {
        let mut derivations = Vec::new();
        for module in self.context.modules() {
            let Some(id) = self.modules.get(&module.address()).copied() else { continue };
            for identity in module.identities().filter(|identity| identity.is_enabled()) {
                let converted = Identity {
                    name: identity.name().into(),
                    module: id,
                    bases: Vec::new(),
                    status: status(identity.is_deprecated(), identity.is_obsolete()),
                };
                let id = self.builder.add_identity(converted);
                self.identities.insert(identity.address(), id);
                derivations.push((id, identity));
            }
        }
        for (base, identity) in derivations {
            // libyang accepts no identity that is derived from itself.
            let mut next: Vec<_> = identity.derived().collect();
            let mut seen = HashSet::new();
            while let Some(derived) = next.pop() {
                if !seen.insert(derived.address()) {
                    continue;
                }
                match self.identities.get(&derived.address()).copied() {
                    Some(id) => {
                        if let Some(derived) = self.builder.identity_mut(id) {
                            derived.bases.push(base);
                        }
                    }
                    None => next.extend(derived.derived()),
                }
            }
        }
    }
}
